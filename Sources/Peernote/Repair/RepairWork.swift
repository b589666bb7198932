/// One repair, step by step; see ``Document/repair(copies:provenOnly:limits:)``.
struct RepairWork {
  /// The report so far.
  var repair = Repair()
  /// What stands in each copy.
  private(set) var contents: [CopyContent]
  /// The copies in an order that does not depend on the one given.
  private(set) var order: [Int] = []
  /// The identity of the document that is repaired.
  var id: UniqueID?
  /// What whole copies hold together.
  private(set) var proven: CheckedDocument?
  /// That, and what others add.
  private(set) var saved: CheckedDocument?
  /// What holds the texts of all that others added, as soon as ``saved`` cannot be taken apart
  /// within the limits.
  private(set) var additions: [Document] = []
  /// What can be read of copies that are left out because nobody knows what they are copies of.
  var unplaced: [Int: SalvagedCopy] = [:]
  /// The whole copies that cannot be merged with others, and why.
  private(set) var refused: [(copy: Document, reason: Repair.LostChange.Reason)] = []
  /// The copies of which some changes take more than the limits to be added.
  private(set) var limited: Set<Int> = []
  let provenOnly: Bool
  private let limits: Limits

  /// The most copies looked for in one file.
  private static let copyLimit = 16

  /// Finds the copies in files, which are read within limits.
  init(_ files: [[UInt8]], provenOnly: Bool, limits: Limits) {
    self.provenOnly = provenOnly
    self.limits = limits
    contents = []
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
    restore()
    salvage()
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
      guard case .damaged(let bytes) = contents[number] else { continue }
      switch FileState(bytes, limits: limits) {
      case .whole(let unchecked):
        contents[number] = .whole(bytes, unchecked: unchecked)
        repair.copies[number].reading = unchecked.isEmpty ? .sound : .unchecked(unchecked)
      case .damaged(let findings):
        if findings.allSatisfy({ $0.section == .passages }),
          let right = findingPassages(in: bytes), take(right, for: number, .derived)
        {
          continue
        }
        repair.copies[number].reading = .salvaged(findings)
      }
    }
    // What fills a document by itself comes last, so that it is left out, and not the others.
    let isFilling = contents.map { $0.isWhole && LogReader.usesMost(of: limits, $0.bytes) }
    order = contents.indices.sorted { left, right in
      let (one, other) = (contents[left], contents[right])
      if one.rank != other.rank { return one.rank < other.rank }
      if isFilling[left] != isFilling[right] { return isFilling[right] }
      let (first, second) = (one.bytes, other.bytes)
      return first.count != second.count
        ? first.count > second.count : first.lexicographicallyPrecedes(second)
    }
  }

  /// A file with the passages that its history makes; `nil` if it cannot be read.
  private func findingPassages(in bytes: [UInt8]) -> [UInt8]? {
    guard var file = try? DocumentFile(bytes, limits: limits),
      (try? file.findPassages()) != nil
    else { return nil }
    return file.bytes()
  }

  /// Undoes damage where the checksum proves that it is undone.
  private mutating func restore() {
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
              bytes, with: whole, limits: limits, work: &work)
          else { continue }
          if take(right, for: number, damage) {
            hasFound = true
            break
          }
        }
      }
    }
    for number in order {
      guard case .damaged(let bytes) = contents[number],
        let (right, damage) = Restoration.find(bytes, work: &work)
      else { continue }
      _ = take(right, for: number, damage)
    }
  }

  /// Takes over what a damaged copy was before; returns whether that is a document.
  private mutating func take(
    _ bytes: [UInt8], for number: Int, _ damage: Repair.Damage
  ) -> Bool {
    guard case .whole(let unchecked) = FileState(bytes, limits: limits) else { return false }
    contents[number] = .whole(bytes, unchecked: unchecked)
    repair.copies[number].reading = .restored(damage)
    return true
  }

  private mutating func salvage() {
    for number in contents.indices {
      guard case .damaged(let bytes) = contents[number] else { continue }
      let copy = SalvagedCopy(bytes, limits: limits)
      contents[number] = .salvaged(copy)
      repair.copies[number].changeCount = copy.changes.count
      repair.copies[number].damagedText = copy.file.damagedText
    }
  }

  mutating func leaveOut(_ number: Int, _ reading: Repair.Reading) {
    contents[number] = .none
    repair.copies[number].reading = reading
  }

  func whyUnusable(_ number: Int) -> String {
    guard case .salvaged(let findings) = repair.copies[number].reading, let first = findings.first
    else { return "its identity is lost" }
    return first.description
  }

  // MARK: Adding copies

  private mutating func mergeWholeCopies() {
    for number in order {
      guard case .whole(let bytes, let unchecked) = contents[number] else { continue }
      if let reason = merge(bytes, unchecked, number) { leaveOut(number, .unusable(reason)) }
    }
    saved = proven
  }

  /// Merges a whole copy; returns why that cannot be done, if so.
  private mutating func merge(
    _ bytes: [UInt8], _ unchecked: [DocumentError], _ number: Int
  ) -> String? {
    guard let copy = document(bytes) else { return "it cannot be read" }
    do throws(MergeError) {
      proven = try union(proven, CheckedDocument(document: copy, unchecked: unchecked))
      repair.copies[number].changeCount = copy.changeCount
      return nil
    } catch {
      if error.isContradiction {
        record(error, between: copy, number)
      } else {
        refused.append((copy, error.isLimit ? .limit : .contradiction))
      }
      return "it cannot be merged: \(error)"
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

  func document(_ bytes: [UInt8]) -> Document? {
    try? Document(bytes: bytes, limits: limits)
  }

  private func union(
    _ one: CheckedDocument?, _ other: CheckedDocument
  ) throws(MergeError) -> CheckedDocument {
    guard let one else { return other }
    return try one.union(with: other, limits: limits)
  }

  /// Finds a salvaged copy whose checksum agrees with what its history and the texts that are known
  /// lead to.
  private mutating func prove() -> Bool {
    guard let id else { return false }
    for number in order {
      guard let copy = contents[number].salvaged else { continue }
      let found = copy.insertedTexts(with: saved?.document).lazy
        .compactMap { copy.file.proven(id: id, insertedText: $0) }.first
      guard let bytes = found, let whole = checked(bytes) else { continue }
      let union: CheckedDocument
      do throws(MergeError) {
        union = try self.union(proven, whole)
      } catch {
        guard error.isContradiction else { continue }
        record(error, between: whole.document, number)
        return false
      }
      // What was not proven before may be contradicted now; it is added again.
      proven = union
      saved = union
      additions = []
      contents[number] = .whole(bytes, unchecked: whole.unchecked)
      repair.copies[number].reading = .restored(.derived)
      repair.copies[number].changeCount = whole.document.changeCount
      return true
    }
    return false
  }

  /// The document that a file holds; `nil` if it is damaged.
  private func checked(_ bytes: [UInt8]) -> CheckedDocument? {
    guard case .whole(let unchecked) = FileState(bytes, limits: limits) else { return nil }
    return document(bytes).map { CheckedDocument(document: $0, unchecked: unchecked) }
  }

  /// Adds what copies that are not proven tell of; returns whether there was anything.
  private mutating func addUnproven() -> Bool {
    guard let id, contents.contains(where: { $0.salvaged != nil }) else { return false }
    let before = saved?.document.changeCount ?? 0
    let settled = proven.flatMap { try? ChangeTexts(of: $0.document) }
    let others = order.compactMap { contents[$0].salvaged?.texts }
    var hasAdded = true
    while hasAdded {
      hasAdded = false
      // The copy that tells most comes first.
      let salvaged = order.enumerated().sorted { left, right in
        let first = repair.copies[left.element].changeCount
        let second = repair.copies[right.element].changeCount
        return first != second ? first > second : left.offset < right.offset
      }
      for (_, number) in salvaged {
        guard let copy = contents[number].salvaged,
          let addition = addition(of: copy, number, id: id, settled: settled, others: others),
          let sum = try? union(saved, CheckedDocument(document: addition.document))
        else { continue }
        if addition.isBeside {
          if additions.isEmpty { additions = [saved?.document].compactMap(\.self) }
          additions.append(addition.document)
        }
        saved = sum
        hasAdded = true
      }
    }
    return before < saved?.document.changeCount ?? 0
  }

  /// What a salvaged copy adds to what is saved, as a document with all that, or, if that takes more
  /// than the limits, beside it; `nil` if it adds nothing.
  private mutating func addition(
    of copy: SalvagedCopy, _ number: Int, id: UniqueID, settled: ChangeTexts?,
    others: [ChangeTexts]
  ) -> (document: Document, isBeside: Bool)? {
    if additions.isEmpty {
      do throws(DocumentError) {
        return try copy.addition(
          to: saved?.document, id: id, settled: settled, others: others
        ).map { ($0, false) }
      } catch {
        if error.kind != .limit { return nil }
      }
    }
    limited.insert(number)
    return saved.flatMap { saved in
      try? copy.addition(beside: saved.document, id: id, others: others)
    }.map { ($0, true) }
  }
}

extension MergeError {
  /// Whether no two such copies can be right.
  fileprivate var isContradiction: Bool {
    switch self {
    case .forked: true
    case .damaged: !isLimit
    case .filled, .noSharedHistory, .sharedHistory, .differentDocument: false
    }
  }

  /// Whether the two may well be sound, and take more than the limits together.
  fileprivate var isLimit: Bool {
    switch self {
    case .damaged(let error): error.kind == .limit
    case .filled: true
    case .forked, .noSharedHistory, .sharedHistory, .differentDocument: false
    }
  }
}

extension RepairWork {
  /// Decides which document is repaired, and leaves out the copies of others.
  ///
  /// It is that of most whole copies, or of most others if none is whole, so that it does not depend
  /// on the order of the copies. O(changes of all copies).
  mutating func chooseDocument() {
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
        leaveOut(number, .otherDocument(other))
      } else {
        unplaced[number] = contents[number].salvaged
        leaveOut(number, .unusable(whyUnusable(number)))
      }
    }
  }

  /// The identity that each copy has.
  ///
  /// The names of changes are random: who shares one with a whole copy is a copy of the same
  /// document, whatever its damaged identity says.
  private func identities() -> [UniqueID?] {
    var ids = contents.map { $0.isWhole ? document($0.bytes)?.id : nil }
    let wholes = ids.enumerated().compactMap { number, id in id.map { (id: $0, number: number) } }
    var others = contents.indices.filter { contents[$0].salvaged != nil }
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
    for number in others { ids[number] = contents[number].salvaged?.file.id }
    return ids
  }
}

extension RepairWork {
  /// Says what became of each copy, and what is lost.
  mutating func report() {
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
      switch contents[number] {
      case .whole:
        break
      case .salvaged(let copy):
        report.add(
          copy, else: provenOnly ? .unproven : limited.contains(number) ? .limit : .contradiction,
          to: &repair.copies[number])
        if copy.changes.isEmpty { repair.copies[number].reading = .unusable(whyUnusable(number)) }
      case .damaged, .none:
        if let copy = unplaced[number] { report.addLost(of: copy, else: .unknownDocument) }
      }
    }
    for (copy, reason) in refused { report.addLost(of: copy, reason: reason) }
    repair.unproven = report.unproven
    repair.lost = report.lost
    repair.lostDeletedScalars = report.lostDeletedScalars
  }
}
