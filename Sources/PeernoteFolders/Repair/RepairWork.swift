import PeernoteEngine
import PeernoteMerging

/// One repair, step by step; see ``Document/repair(copies:provenOnly:limits:)``.
struct RepairWork {
  private(set) var repair = Repair()
  /// What stands in each copy.
  private var contents: [CopyContent] = []
  /// The copies in an order that does not depend on the one given.
  private var order: [Int] = []
  /// The identity of the document that is repaired.
  private var id: UniqueID?
  /// What whole copies hold together.
  private var proven: CheckedDocument?
  /// That, and what others add.
  private var saved: CheckedDocument?
  /// What holds the texts of all that others added, as soon as ``saved`` cannot be taken apart
  /// within the limits.
  private var additions: [Document] = []
  /// The whole copies that cannot be merged with others, and why.
  private var refused: [(copy: Document, reason: Repair.LostChange.Reason)] = []
  /// The copies of which some changes take more than the limits to be added.
  private var limited: Set<Int> = []
  private let provenOnly: Bool
  private let limits: Limits

  /// The most copies looked for in one file.
  private static let copyLimit = 16

  /// Finds the copies in files, which are read within limits.
  init(_ files: [[UInt8]], provenOnly: Bool, limits: Limits) {
    self.provenOnly = provenOnly
    self.limits = limits
    for (number, file) in files.enumerated() {
      for range in Self.copies(in: file) {
        contents.append(.damaged(range == file.indices ? file : Array(file[range])))
        repair.copies.append(.init(file: number, bytes: range, reading: .salvaged([])))
      }
    }
  }

  /// Where the copies in a file stand: a second one begins where the first has ended, or, if nobody
  /// knows where that is, where the next bytes are that every document begins with.
  private static func copies(in file: [UInt8]) -> [Range<Int>] {
    var starts = [0]
    while starts.count < copyLimit, let start = starts.last {
      let end = Restoration.end(of: file, from: start) ?? start + 1
      guard let next = file.firstDocument(from: end) else { break }
      starts.append(next)
    }
    return zip(starts, starts.dropFirst() + [file.count]).map { $0..<$1 }
  }

  mutating func run() {
    readWholeCopies()
    restoreOrSalvage()
    chooseDocument()
    mergeWholeCopies()
    repeat {
      while prove() {}
    } while repair.contradictions.isEmpty && !provenOnly && addUnproven()
    // Which of them is right nobody can tell from what they hold.
    if repair.contradictions.isEmpty { report() }
  }

  // MARK: Whole copies

  private mutating func readWholeCopies() {
    for number in contents.indices {
      let bytes = contents[number].bytes
      let check = FileCheck(bytes, limits: limits)
      if check.isWhole {
        contents[number] = .whole(bytes, unchecked: check.faults)
        repair.copies[number].reading = check.faults.isEmpty ? .sound : .unchecked(check.faults)
        continue
      }
      repair.copies[number].reading = .salvaged(check.faults)
      if check.faults.allSatisfy({ $0.section == .passages }),
        var file = try? DocumentFile(bytes, limits: limits), (try? file.findPassages()) != nil
      {
        _ = take(file.bytes(), for: number, .derived)
      }
    }
    let ranks = contents.map { content in
      // What fills a document by itself comes last, so that it is left out, and not the others.
      let isFilling = content.isWhole && LogReader.usesMost(of: limits, content.bytes)
      return (content.rank, isFilling ? 1 : 0, -content.bytes.count)
    }
    order = contents.indices.sorted { left, right in
      ranks[left] != ranks[right]
        ? ranks[left] < ranks[right]
        : contents[left].bytes.lexicographicallyPrecedes(contents[right].bytes)
    }
  }

  /// Undoes damage where the checksum proves that it is undone, and salvages the other copies.
  private mutating func restoreOrSalvage() {
    var work = Restoration.workLimit
    var hasFound = true
    while hasFound {
      hasFound = false
      for number in order {
        guard case .damaged(let bytes) = contents[number] else { continue }
        for other in order where other != number {
          let whole = contents[other].bytes
          guard !whole.isEmpty, whole != bytes,
            let (right, damage) = Restoration.find(
              bytes, with: whole, limits: limits, work: &work),
            take(right, for: number, damage)
          else { continue }
          hasFound = true
          break
        }
      }
    }
    for number in order {
      guard case .damaged(let bytes) = contents[number] else { continue }
      if let (right, damage) = Restoration.find(bytes, work: &work),
        take(right, for: number, damage)
      {
        continue
      }
      let copy = SalvagedFile(bytes, limits: limits)
      contents[number] = .salvaged(copy)
      repair.copies[number].changeCount = copy.changes.count
      repair.copies[number].damagedText = copy.damagedText
    }
  }

  /// Takes over what a damaged copy was before; returns whether that is a document.
  private mutating func take(
    _ bytes: [UInt8], for number: Int, _ damage: Repair.Damage
  ) -> Bool {
    let check = FileCheck(bytes, limits: limits)
    guard check.isWhole else { return false }
    contents[number] = .whole(bytes, unchecked: check.faults)
    repair.copies[number].reading = .restored(damage)
    return true
  }

  // MARK: Choosing the document

  /// Decides which document is repaired, and leaves out the copies of others.
  ///
  /// It is that of most whole copies, or of most others if none is whole, so that it does not depend
  /// on the order of the copies. O(changes of all copies).
  private mutating func chooseDocument() {
    let ids = identities()
    let hasWhole = contents.contains(where: \.isWhole)
    var counts: [UniqueID: Int] = [:]
    for (copy, id) in zip(contents, ids) where hasWhole ? copy.isWhole : copy.isReadable {
      if let id { counts[id, default: 0] += 1 }
    }
    let most = counts.values.max()
    let chosen = counts.filter { $0.value == most }.keys
    id = chosen.count == 1 ? chosen.first : nil
    for (number, other) in ids.enumerated() where other == nil || other != id {
      if let other, contents[number].isReadable {
        contents[number] = .none(nil)
        repair.copies[number].reading = .otherDocument(other)
      } else {
        contents[number] = .none(contents[number].salvaged)
        repair.copies[number].reading = .unusable(whyUnusable(number))
      }
    }
  }

  /// The identity that each copy has.
  ///
  /// The names of changes are random: who shares one with a whole copy is a copy of the same
  /// document, whatever its damaged identity says.
  private func identities() -> [UniqueID?] {
    var ids = contents.map { $0.isWhole ? document($0.bytes)?.id : $0.salvaged?.id }
    var others = contents.indices.filter { contents[$0].salvaged != nil }
    let wholes = contents.indices.filter { contents[$0].isWhole }
      .compactMap { number in ids[number].map { (id: $0, number: number) } }
    for (id, number) in wholes.sorted(by: <) where !others.isEmpty {
      // One at a time, as each takes memory.
      guard let places = document(contents[number].bytes).map({ ChangePlaces($0.log) }) else {
        continue
      }
      others.removeAll { other in
        let changes = contents[other].salvaged?.summaries
        guard changes?.contains(where: { places.contains($0.id) }) ?? false else { return false }
        ids[other] = id
        return true
      }
    }
    return ids
  }

  private func whyUnusable(_ number: Int) -> String {
    guard case .salvaged(let findings) = repair.copies[number].reading, let first = findings.first
    else { return "its identity is lost" }
    return first.description
  }

  private func document(_ bytes: [UInt8]) -> Document? {
    try? Document(bytes: bytes, limits: limits)
  }

  // MARK: Adding copies

  private mutating func mergeWholeCopies() {
    for number in order where contents[number].isWhole {
      guard let error = merge(number) else { continue }
      if let reason = error.reasonToLeaveOut, let copy = document(contents[number].bytes) {
        refused.append((copy, reason))
      }
      contents[number] = .none(nil)
      repair.copies[number].reading = .unusable("it cannot be merged: \(error)")
    }
    saved = proven
  }

  /// Merges a whole copy into what is proven; returns why that cannot be done, if so, and records a
  /// contradiction.
  private mutating func merge(_ number: Int) -> MergeError? {
    guard case .whole(let bytes, let unchecked) = contents[number], let copy = document(bytes)
    else { preconditionFailure("a copy that is whole can be read") }
    do throws(MergeError) {
      proven = try union(proven, CheckedDocument(document: copy, unchecked: unchecked))
      repair.copies[number].changeCount = copy.changeCount
      return nil
    } catch {
      if error.reasonToLeaveOut == nil { record(error, between: copy, number) }
      return error
    }
  }

  /// Records that a whole copy contradicts others, with those that it cannot be merged with alone.
  private mutating func record(_ error: MergeError, between copy: Document, _ number: Int) {
    let others = order.prefix { $0 != number }.filter { other in
      guard case .whole(let bytes, _) = contents[other], var union = document(bytes) else {
        return false
      }
      return (try? union.merge(copy)) == nil
    }
    repair.contradictions.append(.init(copy: number, others: others.sorted(), reason: error))
  }

  /// All that two documents hold; throws if the two cannot be merged, or what comes of it is not
  /// sound.
  private func union(
    _ one: CheckedDocument?, _ other: CheckedDocument
  ) throws(MergeError) -> CheckedDocument {
    guard let one else { return other }
    var union = one.document
    let report = try union.merge(other.document)
    // The same changes, but one of the two may have redacted text, or hold further sections.
    let isSame =
      union.log.deletedText == one.document.log.deletedText
      && union.file.unknownSections == one.document.file.unknownSections
    if report.result == .identical, isSame { return one }
    // A merge replays what is new to it, and no more.
    let check = FileCheck(union.bytes(), limits: limits)
    if check.isWhole { return CheckedDocument(document: union, unchecked: check.faults) }
    var error = check.faults[0]
    (error.kind, error.offset) = (.damaged, nil)
    throw .damaged(error)
  }

  /// Finds a salvaged copy whose checksum agrees with what its history and the texts that are known
  /// lead to.
  private mutating func prove() -> Bool {
    guard let id else { return false }
    for number in order {
      guard let copy = contents[number].salvaged else { continue }
      let before = (contents[number], repair.copies[number])
      guard let found = copy.proven(id: id, with: saved?.document),
        take(found, for: number, .derived)
      else { continue }
      guard let error = merge(number) else {
        // What was not proven before may be contradicted now; it is added again.
        saved = proven
        additions = []
        return true
      }
      (contents[number], repair.copies[number]) = before
      if error.reasonToLeaveOut == nil { return false }
    }
    return false
  }

  /// Adds what copies that are not proven tell of; returns whether there was anything.
  private mutating func addUnproven() -> Bool {
    let others = order.compactMap { contents[$0].salvaged?.texts }
    guard let id, !others.isEmpty else { return false }
    let before = saved?.document.changeCount ?? 0
    let settled = (proven?.document.log).map { ChangePlaces($0) }
    // The copy that tells most comes first.
    let salvaged = order.filter { contents[$0].salvaged != nil }
      .sorted { repair.copies[$0].changeCount > repair.copies[$1].changeCount }
    var hasAdded = true
    while hasAdded {
      hasAdded = false
      for number in salvaged where add(number, id: id, settled: settled, others: others) {
        hasAdded = true
      }
    }
    return before < saved?.document.changeCount ?? 0
  }

  /// Adds what a salvaged copy tells of; returns whether there was anything.
  ///
  /// Where bringing it together with what is saved takes more than the limits, it is merged by
  /// itself.
  private mutating func add(
    _ number: Int, id: UniqueID, settled: ChangePlaces?, others: [ChangeTexts]
  ) -> Bool {
    guard let copy = contents[number].salvaged else { return false }
    for isAlone in [false, true] where isAlone || additions.isEmpty {
      if isAlone {
        limited.insert(number)
        if saved == nil { return false }
      }
      do throws(DocumentError) {
        guard
          let addition = try copy.addition(
            to: saved?.document, alone: isAlone, id: id, settled: settled, others: others),
          let sum = try? union(saved, CheckedDocument(document: addition))
        else { return false }
        if isAlone {
          if additions.isEmpty { additions = [saved?.document].compactMap(\.self) }
          additions.append(addition)
        }
        saved = sum
        return true
      } catch {
        if error.kind != .limit { return false }
      }
    }
    return false
  }

  // MARK: Reporting

  /// Says what became of each copy, and what is lost.
  private mutating func report() {
    repair.document = saved?.document
    repair.unchecked = saved?.unchecked ?? []
    for number in order where contents[number].isWhole {
      repair.copies[number].isAccountedFor = true
    }
    // What to compare the others with takes memory.
    if contents.allSatisfy(\.isWhole) { return }
    var report = RepairReport(
      saved: saved?.document, proven: proven?.document, additions: additions)
    // Of a change that several copies lost the first one tells why.
    for number in order {
      if case .none(let copy?) = contents[number] {
        report.addLost(of: copy, else: .unknownDocument)
      }
      guard let copy = contents[number].salvaged else { continue }
      report.add(
        copy, else: provenOnly ? .unproven : limited.contains(number) ? .limit : .contradiction,
        to: &repair.copies[number])
      if copy.changes.isEmpty { repair.copies[number].reading = .unusable(whyUnusable(number)) }
    }
    for (copy, reason) in refused { report.addLost(of: copy, reason: reason) }
    repair.unproven = report.unproven
    repair.lost = report.lost
    repair.lostDeletedScalars = report.lostDeletedScalars
  }
}

extension MergeError {
  /// Why a whole copy is left out that cannot be merged with others; `nil` if no two such copies can be
  /// right.
  fileprivate var reasonToLeaveOut: Repair.LostChange.Reason? {
    switch self {
    case .forked: nil
    case .damaged(let error): error.kind == .limit ? .limit : nil
    case .filled: .limit
    case .noSharedHistory, .sharedHistory, .differentDocument: .contradiction
    }
  }
}
