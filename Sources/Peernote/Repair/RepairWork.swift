import PeernoteEngine
import PeernoteFormat

/// One repair, step by step; see ``Document/repair(copies:)``.
struct RepairWork {
  /// The report so far.
  private(set) var repair = Repair()
  /// What stands in each copy.
  private var contents: [Content]
  /// The copies in an order that does not depend on the one given.
  private var order: [Int] = []
  /// What whole copies hold together.
  private var proven: Document?
  /// What can be read of copies that are left out because nobody knows what they are copies of.
  private var unplaced: [Int: SalvagedCopy] = [:]
  /// The whole copies that contradict others.
  private var contradicting: [Document] = []
  private let limits: Limits

  private enum Content {
    /// Bytes that are sound.
    case whole([UInt8])
    case damaged([UInt8])
    case salvaged(SalvagedCopy)
    /// Of no use.
    case none

    var isWhole: Bool {
      if case .whole = self { true } else { false }
    }

    var isSalvaged: Bool {
      if case .salvaged = self { true } else { false }
    }
  }

  /// The most copies looked for in one file.
  private static let copyLimit = 16

  /// Finds the copies in files, which are read within limits.
  init(_ files: [[UInt8]], limits: Limits) {
    var limits = limits
    // No copy is given up for the memory that checking it takes.
    limits.memoryEachByte *= 9
    self.limits = limits
    contents = []
    for (number, file) in files.enumerated() {
      for range in Self.copies(in: file) {
        contents.append(.damaged(Array(file[range])))
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
    } while addUnproven()
    report()
  }

  // MARK: Whole copies

  private mutating func readWholeCopies() {
    for number in contents.indices {
      guard case .damaged(let bytes) = contents[number] else { continue }
      let findings = Document.validate(bytes: bytes, limits: limits)
      repair.copies[number].reading = findings.isEmpty ? .sound : .salvaged(findings)
      if findings.isEmpty { contents[number] = .whole(bytes) }
    }
    order = contents.indices.sorted { left, right in
      switch (contents[left], contents[right]) {
      case (.whole, .damaged): true
      case (.damaged, .whole): false
      case (.whole(let one), .whole(let other)), (.damaged(let one), .damaged(let other)):
        one.count != other.count ? one.count > other.count : one.lexicographicallyPrecedes(other)
      case (.salvaged, _), (.none, _), (_, .salvaged), (_, .none): left < right
      }
    }
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
          guard let whole = otherBytes(other), whole != bytes,
            let (right, damage) = Restoration.find(
              bytes, with: whole, limits: limits, work: &work)
          else { continue }
          if take(right, for: number, .init(damage)) {
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
      _ = take(right, for: number, .init(damage))
    }
  }

  private func otherBytes(_ number: Int) -> [UInt8]? {
    switch contents[number] {
    case .whole(let bytes), .damaged(let bytes): bytes
    case .salvaged, .none: nil
    }
  }

  private mutating func take(
    _ bytes: [UInt8], for number: Int, _ damage: Repair.Damage
  ) -> Bool {
    guard Document.validate(bytes: bytes, limits: limits).isEmpty else { return false }
    contents[number] = .whole(bytes)
    repair.copies[number].reading = .restored(damage)
    return true
  }

  // MARK: Which document

  private mutating func salvage() {
    for number in contents.indices {
      guard case .damaged(let bytes) = contents[number] else { continue }
      let copy = SalvagedCopy(bytes, limits: limits)
      contents[number] = .salvaged(copy)
      repair.copies[number].changeCount = copy.changes.count
      repair.copies[number].damagedText = copy.file.damagedText
    }
  }

  /// Decides which document is repaired, and leaves out the copies of others.
  private mutating func chooseDocument() {
    let choice = DocumentChoice(
      contents.map { content in
        switch content {
        case .whole(let bytes): document(bytes).map { .whole($0) } ?? .none
        case .salvaged(let copy): .salvaged(copy)
        case .damaged, .none: .none
        }
      })
    id = choice.id
    for (number, other) in choice.others {
      if let other {
        leaveOut(number, .otherDocument(other))
      } else {
        if case .salvaged(let copy) = contents[number] { unplaced[number] = copy }
        leaveOut(number, .unusable(whyUnusable(number)))
      }
    }
  }

  /// The identity of the document that is repaired.
  private var id: UniqueID?

  private mutating func leaveOut(_ number: Int, _ reading: Repair.Reading) {
    contents[number] = .none
    repair.copies[number].reading = reading
  }

  private func whyUnusable(_ number: Int) -> String {
    guard case .salvaged(let findings) = repair.copies[number].reading, let first = findings.first
    else { return "its identity is lost" }
    return first.description
  }

  // MARK: Adding copies

  private mutating func mergeWholeCopies() {
    for number in order {
      guard case .whole(let bytes) = contents[number] else { continue }
      if let reason = merge(bytes, number) { leaveOut(number, .unusable(reason)) }
    }
    repair.document = proven
  }

  /// Merges a whole copy; returns why that cannot be done, if so.
  private mutating func merge(_ bytes: [UInt8], _ number: Int) -> String? {
    guard let copy = document(bytes) else { return "it cannot be read" }
    do throws(MergeError) {
      proven = try union(proven, copy)
      repair.copies[number].changeCount = copy.changeCount
      return nil
    } catch {
      contradicting.append(copy)
      return "it cannot be merged: \(error)"
    }
  }

  private func document(_ bytes: [UInt8]) -> Document? {
    try? Document(bytes: bytes, limits: limits)
  }

  /// Unites two documents, which are sound each, if what comes of it is.
  private func union(_ one: Document?, _ other: Document) throws(MergeError) -> Document {
    guard var union = one else { return other }
    let report = try union.merge(other)
    if report.result == .identical { return union }
    // A merge replays what is new to it, and no more.
    if let fault = Document.validate(bytes: union.encoded(), limits: limits).first {
      throw .damaged(
        DocumentError(
          kind: .damaged, section: fault.section, change: fault.change, reason: fault.message))
    }
    return union
  }

  /// Finds a salvaged copy whose checksum agrees with what its history and the texts that are known
  /// lead to.
  private mutating func prove() -> Bool {
    guard let id else { return false }
    for number in order {
      guard case .salvaged(let copy) = contents[number] else { continue }
      let found = copy.insertedTexts(with: repair.document).lazy
        .compactMap { copy.file.proven(id: id, insertedText: $0) }.first
      guard let bytes = found, Document.validate(bytes: bytes, limits: limits).isEmpty,
        let whole = document(bytes), let union = try? union(proven, whole)
      else { continue }
      // What was not proven before may be contradicted now; it is added again.
      proven = union
      repair.document = union
      contents[number] = .whole(bytes)
      repair.copies[number].reading = .restored(.derived)
      repair.copies[number].changeCount = whole.changeCount
      return true
    }
    return false
  }

  /// Adds what copies that are not proven tell of; returns whether there was anything.
  private mutating func addUnproven() -> Bool {
    guard let id, contents.contains(where: \.isSalvaged) else { return false }
    let before = repair.document?.changeCount ?? 0
    let settled = proven.flatMap { try? ChangeTexts(of: $0) }
    let others = order.compactMap { number -> ChangeTexts? in
      if case .salvaged(let copy) = contents[number] { copy.texts } else { nil }
    }
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
        guard case .salvaged(let copy) = contents[number],
          let addition = try? copy.addition(
            to: repair.document, id: id, settled: settled, others: others),
          let union = try? union(repair.document, addition)
        else { continue }
        repair.document = union
        hasAdded = true
      }
    }
    return before < repair.document?.changeCount ?? 0
  }

  // MARK: Reporting

  private mutating func report() {
    for number in order where contents[number].isWhole {
      repair.copies[number].isAccountedFor = true
    }
    // What to compare the others with takes memory.
    if contents.allSatisfy(\.isWhole) { return }
    var report = RepairReport(document: repair.document, proven: proven)
    // Of a change that several copies lost the first one tells why.
    for number in order {
      switch contents[number] {
      case .whole:
        break
      case .salvaged(let copy):
        report.add(copy, to: &repair.copies[number])
        if copy.changes.isEmpty { repair.copies[number].reading = .unusable(whyUnusable(number)) }
      case .damaged, .none:
        if let copy = unplaced[number] { report.addLost(of: copy, else: .unknownDocument) }
      }
    }
    for document in contradicting { report.addLost(of: document) }
    repair.unproven = report.unproven
    repair.lost = report.lost
    repair.lostDeletedScalars = report.lostDeletedScalars
  }
}

extension [UInt8] {
  /// Where the bytes that every document begins with stand next.
  fileprivate func firstDocument(from start: Int) -> Int? {
    let magic = Format.magic
    var offset = start
    while let next = self[Swift.min(offset, count)...].firstIndex(of: magic[0]) {
      if self[next...].starts(with: magic) { return next }
      offset = next + 1
    }
    return nil
  }
}

extension Repair.Damage {
  fileprivate init(_ damage: Restoration.Damage) {
    switch damage {
    case .trailingBytes(let count): self = .trailingBytes(count)
    case .checksum: self = .checksum
    case .bit(let offset): self = .bit(offset: offset)
    case .pieces(let count): self = .pieces(count)
    }
  }
}
