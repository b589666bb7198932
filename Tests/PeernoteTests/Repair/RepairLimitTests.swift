import Peernote
import PeernoteTestSupport
import Testing

/// Repairing copies of a document that takes more than the limits to check, or to take apart.
///
/// Such a one opens, and is edited and merged like any other, so a repair must not be worse.
@Suite struct RepairLimitTests {
  /// What there is too much of.
  enum Excess: CaseIterable {
    /// Steps to replay the history: a check ends at the limit.
    case steps
    /// Deleted pieces: a check does not need them all at once, but looking up changes does.
    case pieces
  }

  /// Two copies within the limits.
  private let halves: [Document]
  /// What merging makes of them, which is beyond.
  private let whole: Document

  init() throws {
    halves = try HostileFile.halves(count: 4).map {
      try Document(id: HostileFile.id, changes: $0, recoveringDeletedText: true)
    }
    whole = try merged(halves[0], halves[1])
  }

  /// The widest limits that the whole is beyond.
  private func limits(_ excess: Excess) throws -> Limits {
    var limits = Limits()
    switch excess {
    case .steps:
      limits.stepsEachRow = 0
      let bytes = whole.bytes()
      let enough = try #require(
        (1...1000).first { steps in
          limits.freeSteps = steps
          return Document.validate(bytes: bytes, limits: limits) == []
        })
      limits.freeSteps = enough - 1
    case .pieces:
      limits.deletedPiecesEachRow = 0
      limits.freeDeletedPieces = try Replay(whole.log).deletions.count - 1
    }
    return limits
  }

  /// Repairs copies, in either order, which makes no difference.
  private func repair(_ copies: [[UInt8]], _ limits: Limits) -> Repair {
    let repair = Document.repair(copies: copies, limits: limits)
    let other = Document.repair(copies: copies.reversed(), limits: limits)
    #expect(repair.document?.bytes() == other.document?.bytes())
    #expect(repair.unchecked == other.unchecked && repair.lost.elementsEqual(other.lost))
    #expect(repair.copies.map(\.reading) == other.copies.map(\.reading).reversed())
    return repair
  }

  private func findings(_ document: Document, _ limits: Limits) -> [DocumentError] {
    Document.validate(bytes: document.bytes(), limits: limits)
  }

  /// A file without a checksum, which nothing proves.
  private func unsealed(_ document: Document) -> [UInt8] {
    let bytes = document.bytes()
    return DamagedCopies.overwrite(
      bytes, at: bytes.count - 30, with: repeatElement(0, count: 30))
  }

  /// One of the two copies, in which somebody went on.
  private func extended(_ text: String = "new words, ") throws -> Document {
    var document = halves[0]
    try document.change(
      by: .person(0xABCD, "ann", at: 9)
    ) {
      try $0.spliceText(at: ["body"], scalars: 0..<0, with: text)
    }
    return document
  }

  @Test("a copy beyond the limits is taken as it is, and it is said that it was not checked")
  func alone() throws {
    let narrow = try limits(.steps)
    let found = findings(whole, narrow)
    #expect(found.map(\.reason) == [HistoryError.Reason.tooMuchWork.description])
    #expect(halves.allSatisfy { findings($0, narrow) == [] })
    let bytes = whole.bytes()
    for copies in [[bytes], [bytes, bytes], [bytes] + halves.map { $0.bytes() }] {
      let repair = repair(copies, narrow)
      #expect(repair.document?.bytes() == bytes && !repair.isComplete)
      #expect(repair.copies[0].reading == .unchecked(found))
      #expect(repair.unchecked == found && repair.lost.isEmpty && repair.unproven.isEmpty)
      #expect(repair.copies.allSatisfy { $0.isAccountedFor })
    }
  }

  @Test("sound copies that pass the limits only together are merged as a merge does it")
  func together() throws {
    let narrow = try limits(.steps)
    let repair = repair(halves.map { $0.bytes() }, narrow)
    #expect(repair.document?.bytes() == whole.bytes())
    #expect(repair.copies.map(\.reading) == [.sound, .sound])
    #expect(repair.unchecked == findings(whole, narrow) && repair.lost.isEmpty)
    #expect(!repair.isComplete)
  }

  @Test("of sound copies whose merge passes the limits one is kept, and the limit is named")
  func apart() throws {
    let narrow = try limits(.pieces)
    let files = halves.map { $0.bytes() }
    let repair = repair(files, narrow)
    let saved = try #require(repair.document)
    #expect(files.contains(saved.bytes()) && !repair.isComplete)
    #expect(!repair.lost.isEmpty && repair.lost.allSatisfy { $0.reason == .limit })
    #expect(repair.copies.count { $0.reading == .sound } == 1)
  }

  @Test("what a damaged copy adds to one beyond the limits is merged in")
  func addition() throws {
    let narrow = try limits(.steps)
    let longer = try extended()
    let expected = try merged(whole, longer)
    let damaged = unsealed(longer)
    for (copies, witnesses) in [
      ([damaged, whole.bytes()], 1),
      ([damaged, halves[0].bytes(), halves[1].bytes()], 1),
      (
        [damaged, DamagedCopies.overwrite(damaged, at: damaged.count - 1, with: [1])]
          + [whole.bytes()], 2
      ),
    ] {
      let repair = repair(copies, narrow)
      #expect(repair.document?.bytes() == expected.bytes())
      #expect(repair.unproven.map(\.summary.id) == longer.heads.filter { !whole.contains($0) })
      #expect(repair.unproven.map(\.witnesses) == [witnesses])
      #expect(repair.lost.isEmpty && repair.unchecked == findings(expected, narrow))
      #expect(repair.copies[0].isAccountedFor && repair.copies[0].unprovenChangeCount == 1)
    }
  }

  @Test("two damaged copies that pass the limits only together are put together")
  func damagedTogether() throws {
    let narrow = try limits(.steps)
    let repair = repair(halves.map(unsealed), narrow)
    #expect(repair.document?.bytes() == whole.bytes())
    #expect(Set(repair.unproven.map(\.summary.id)) == Set(whole.changes.map(\.id)))
    #expect(repair.unproven.allSatisfy { 1...2 ~= $0.witnesses })
    #expect(repair.lost.isEmpty && repair.unchecked == findings(whole, narrow))
  }

  @Test("what a damaged copy says was redacted stays beside a copy beyond the limits")
  func redaction() throws {
    let narrow = try limits(.steps)
    let longer = try extended()
    let expected = try merged(whole, longer)
    var redacted = longer
    let report = try redacted.redactDeletedText()
    #expect(report.removedScalars > 20)
    let repair = repair([unsealed(redacted), whole.bytes()], narrow)
    #expect(repair.document?.bytes() == expected.bytes())
    #expect(repair.copies.map(\.unredactedScalars) == [report.removedScalars, 0])
    #expect(repair.copies.map(\.redactedScalars) == [0, 0] && repair.lostDeletedScalars == 0)
  }

  @Test(
    "a damaged copy whose own text does not suffice adds nothing, and the limit is named",
    arguments: Excess.allCases)
  func lostText(excess: Excess) throws {
    let narrow = try limits(excess)
    let longer = try extended()
    let bytes = longer.bytes()
    let place = try #require(bytes.firstRange(of: Array("words, base".utf8)))
    let damaged = DamagedCopies.overwrite(
      bytes, at: place.upperBound - 4, with: repeatElement(0xFF, count: 4))
    let repair = repair([damaged, whole.bytes()], narrow)
    #expect(repair.document?.bytes() == whole.bytes())
    #expect(repair.lost.map(\.id) == longer.heads.filter { !whole.contains($0) })
    #expect(repair.lost.map(\.reason) == [.limit])
    // Within the limits the other copy has the text.
    let helped = Document.repair(copies: [damaged, whole.bytes()])
    #expect(helped.lost.isEmpty && helped.document?.changeCount == whole.changeCount + 1)
  }

  @Test("damage to a copy beyond the limits is undone where the checksum proves it")
  func restored() throws {
    let narrow = try limits(.steps)
    var damaged = whole.bytes()
    damaged[200] ^= 4
    let repair = repair([damaged], narrow)
    #expect(repair.document?.bytes() == whole.bytes() && !repair.isComplete)
    #expect(repair.copies.map(\.reading) == [.restored(.bit(offset: 200))])
    #expect(repair.unchecked == findings(whole, narrow) && repair.lost.isEmpty)
  }

  @Test(
    "a damaged copy beyond the limits costs nothing that others have, and what it had is named",
    arguments: Excess.allCases)
  func damagedBeyond(excess: Excess) throws {
    let narrow = try limits(excess)
    let repair = repair([unsealed(whole), halves[0].bytes()], narrow)
    #expect(repair.document?.bytes() == halves[0].bytes() && repair.unchecked == [])
    let lost = Set(whole.changes.map(\.id)).subtracting(halves[0].changes.map(\.id))
    #expect(Set(repair.lost.map(\.id)) == lost)
  }

  @Test("the format's own limits do what lower ones do")
  func formatLimits() throws {
    let halves = try HostileFile.halves(count: 200).map {
      try Document(id: HostileFile.id, changes: $0, recoveringDeletedText: true)
    }
    var whole = halves[0]
    let error = #expect(throws: MergeError.self) { try whole.merge(halves[1]) }
    #expect(error?.description.contains(HistoryError.Reason.tooMuchWork.description) == true)
    #expect(whole.bytes() == halves[0].bytes())
    // Beyond them in one walk, so that it cannot be checked.
    let bytes = try HostileFile.beyondLimits()
    let alone = Document.repair(copies: [bytes])
    #expect(alone.document?.bytes() == bytes)
    #expect(alone.copies.map(\.reading) == [.unchecked(alone.unchecked)])
    #expect(alone.unchecked.map(\.reason) == [HistoryError.Reason.tooMuchWork.description])
  }

  @Test("a copy that takes more than the limits to be read is of no use, and the limit is named")
  func unreadable() throws {
    let file = try #require(HostileFile.named("keys written before and after a crossing"))
    let bytes = try file.document(size: 4000).bytes()
    var narrow = Limits()
    (narrow.stepsEachRow, narrow.freeSteps) = (0, 500)
    let repair = Document.repair(copies: [bytes], limits: narrow)
    #expect(repair.document == nil)
    guard case .unusable(let reason)? = repair.copies.first?.reading else {
      Issue.record("\(repair.copies)")
      return
    }
    #expect(reason.hasSuffix(HistoryError.Reason.tooMuchWork.description), "\(reason)")
  }

  @Test("of copies that cannot be merged within the limits one is kept, and the limit is named")
  func refusedMerge() throws {
    var none = try limits(.pieces)
    none.freeDeletedPieces = 0
    let first = HostileFile.halves(count: 2)[0]
    let copies = try [2, 3].map { number in
      try Document(
        id: HostileFile.id, changes: Array(first[..<2]) + [first[number]],
        recoveringDeletedText: true)
    }
    for files in [copies.map { $0.bytes() }, [copies[0].bytes(), unsealed(copies[1])]] {
      let repair = repair(files, none)
      let saved = try #require(repair.document)
      #expect(saved.changeCount == 3 && repair.unchecked == [] && !repair.isComplete)
      #expect(repair.lost.map(\.reason) == [.limit])
      #expect(!saved.contains(try #require(repair.lost.first).id))
    }
  }
}
