import Peernote
import PeernoteTestSupport
import Testing

/// What a repair says of particular damage, and what it does with particular copies.
@Suite struct RepairReportTests {
  private let whole = DamagedCopies.whole
  private let old = DamagedCopies.old
  private let bytes = DamagedCopies.whole.encoded()

  /// A file without the place of some text, which takes another form that cannot be text.
  private func damaged(_ document: Document, at text: String) throws -> [UInt8] {
    let bytes = document.encoded()
    let place = try #require(bytes.firstRange(of: Array(text.utf8)))
    return DamagedCopies.overwrite(
      bytes, at: place.lowerBound, with: repeatElement(0xFF, count: place.count))
  }

  @Test("text that is lost takes its change with it, and what follows; the rest is saved")
  func lostText() throws {
    // The last line of the body, which the last change wrote.
    let file = try damaged(whole, at: "5 von ann")
    let repair = try DamagedCopies.check([file], "lost text")
    let last = try #require(whole.changes.last)
    #expect(repair.lost.map(\.id) == [last.id] && repair.lost.first?.time == last.time)
    #expect(repair.lost.first?.author == "ann" && repair.lost.first?.reason == .text)
    #expect(repair.unproven.map(\.summary) == Array(whole.changes.dropLast()))
    #expect(repair.unproven.allSatisfy { $0.witnesses == 1 })
    #expect(repair.copies[0].damagedText.map(\.count) == [9])
    let before = try whole.at(version: last.parents)
    #expect(repair.document?.root == before.root)
    // A good copy that turns up later brings the rest.
    var merged = try #require(repair.document)
    _ = try merged.merge(whole)
    #expect(merged.changes == whole.changes && merged.root == whole.root)
  }

  @Test("lost text that an older copy has comes from there, and the checksum proves it")
  func textOfOtherCopies() throws {
    let repair = try DamagedCopies.check(
      [damaged(whole, at: "1 von ann"), old.encoded()], sound: old, "text of others")
    #expect(repair.isComplete && repair.document?.encoded() == bytes)
  }

  @Test("lost text that was deleted before counts as redacted, and is counted")
  func deletedText() throws {
    let last = whole.encoded().count - 34
    let cut = Array(bytes[..<(last - 3)])
    let repair = try DamagedCopies.check([cut], "deleted text")
    #expect(repair.lost == [] && repair.lostDeletedScalars == 3)
    #expect(repair.document?.root == whole.root)
    #expect(repair.unproven.count == whole.changeCount && !repair.isComplete)
    let helped = try DamagedCopies.check([cut, bytes], sound: whole, "deleted text, and whole")
    #expect(helped.isComplete && helped.document?.encoded() == bytes)
  }

  @Test("damage to what follows from the rest loses nothing")
  func derived() throws {
    let title = try #require(bytes.firstRange(of: Array("Plan B".utf8)))
    let file = DamagedCopies.overwrite(bytes, at: title.lowerBound, with: Array("Pl8n C".utf8))
    let repair = try DamagedCopies.check([file], "derived")
    #expect(repair.copies[0].reading == .restored(.derived))
    #expect(repair.isComplete && repair.document?.encoded() == bytes)
  }

  @Test("what two damaged copies agree on has two witnesses, and one file given twice has one")
  func witnesses() throws {
    // The same letters are wrong in both, and no bit tells them.
    let place = try #require(bytes.firstRange(of: Array("2 von ann".utf8))).lowerBound
    let one = DamagedCopies.overwrite(bytes, at: place, with: Array("7 fuu".utf8))
    let other = DamagedCopies.overwrite(
      one, at: bytes.count - 30, with: repeatElement(0, count: 30))
    #expect(
      try DamagedCopies.check([one, other], "two").unproven.allSatisfy { $0.witnesses == 2 })
    #expect(try DamagedCopies.check([one, one], "twice").unproven.allSatisfy { $0.witnesses == 1 })
  }

  @Test("what cannot be read is named by the heads")
  func heads() throws {
    let repair = try DamagedCopies.check(
      [Array(bytes[..<200]), old.encoded()], sound: old, "heads")
    #expect(repair.lost.map(\.id) == whole.heads)
    #expect(repair.lost.allSatisfy { $0.reason == .unreadable && $0.time == nil })
    let same = try DamagedCopies.check(
      [Array(bytes[..<200]), bytes], sound: whole, "heads that are there")
    #expect(same.isComplete)
  }

  @Test("copies of other documents are left out, and so is what is no document")
  func otherDocuments() throws {
    var other = Document(id: UniqueID(high: 9, low: 9))
    let session = Session(
      agent: AgentID(rawValue: 77), author: "", time: Timestamp(milliseconds: 0))
    try other.change(by: session) { try $0.put(.null, at: JSONPointer(["x"])) }
    let repair = try DamagedCopies.check(
      [bytes, other.encoded(), [], Array("hello".utf8), old.encoded()], sound: whole, "others")
    #expect(repair.document?.encoded() == bytes && !repair.isComplete)
    #expect(repair.copies[1].reading == .otherDocument(other.id))
    // As many of one as of the other: nobody knows which is meant.
    let tied = try DamagedCopies.check([bytes, other.encoded()], "tied")
    #expect(tied.document == nil)
    #expect(tied.copies.map(\.reading) == [.otherDocument(whole.id), .otherDocument(other.id)])
    for files in [[], [[]], [[], []]] as [[[UInt8]]] {
      #expect(try DamagedCopies.check(files, "nothing").document == nil)
    }
  }

  @Test("a copy whose identity is damaged is known by its changes")
  func damagedIdentity() throws {
    let file = DamagedCopies.overwrite(bytes, at: 14, with: repeatElement(0xAA, count: 16))
    let repair = try DamagedCopies.check([file, old.encoded()], sound: old, "identity")
    #expect(repair.isComplete && repair.document?.encoded() == bytes)
  }

  @Test("what one copy has redacted stays redacted, and no damaged copy brings it back")
  func redaction() throws {
    var redacted = old
    try redacted.redactDeletedText()
    let file = DamagedCopies.overwrite(
      bytes, at: bytes.count - 30, with: repeatElement(0, count: 30))
    for copies in [[redacted.encoded(), bytes], [redacted.encoded(), file]] {
      var merged = redacted
      _ = try merged.merge(whole)
      let repair = try DamagedCopies.check(copies, of: merged, sound: redacted, "redacted")
      #expect(repair.document?.encoded() == merged.encoded())
      #expect(repair.lostDeletedScalars == 0)
    }
    var all = whole
    try all.redactDeletedText()
    let damaged = try damaged(all, at: "5 von ann")
    let repair = try DamagedCopies.check(
      [damaged, old.encoded()], of: nil, "redacted and damaged")
    #expect(repair.lostDeletedScalars == 0)
    // The older copy has the text; the redaction wins all the same.
    var expected = old
    _ = try expected.merge(all.at(version: whole.changes.last?.parents ?? []))
    #expect(repair.document?.encoded() == expected.encoded())
  }

  @Test("two copies that contradict each other: one is taken, the other one named")
  func forks() throws {
    var other = old
    var fork = old
    for (document, value) in [(0, "one"), (1, "two")] {
      let session = Session(
        agent: AgentID(rawValue: 5), author: "x", time: Timestamp(milliseconds: 5))
      try (document == 0 ? change(&other, session, value) : change(&fork, session, value))
    }
    let files = [other.encoded(), fork.encoded(), old.encoded()]
    let repair = Document.repair(copies: files)
    #expect(
      repair.document?.encoded() == Document.repair(copies: files.reversed()).document?.encoded())
    #expect(
      repair.document.map { [other.encoded(), fork.encoded()].contains($0.encoded()) } == true)
    #expect(!repair.isComplete)
    #expect(repair.copies.count { if case .unusable = $0.reading { true } else { false } } == 1)
  }

  private func change(_ document: inout Document, _ session: Session, _ value: String) throws {
    try document.change(by: session) { try $0.put(.string(value), at: JSONPointer(["title"])) }
  }

  @Test("a document made to be dear is salvaged within the limits:", arguments: HostileFile.all)
  func hostile(file: HostileFile) throws {
    let document = try file.document(size: 3000)
    var damaged = document.encoded()
    damaged.removeLast(40)
    let sibling = try file.sibling()
    let repair = Document.repair(copies: [damaged, sibling.encoded()])
    let saved = try #require(repair.document)
    #expect(Document.validate(bytes: saved.encoded()) == [])
    #expect(saved.changes.map(\.id).contains { sibling.heads.contains($0) })
  }
}
