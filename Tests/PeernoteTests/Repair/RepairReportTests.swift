import Peernote
import PeernoteTestSupport
import Testing

/// What a repair says of particular damage, and what it does with particular copies.
@Suite struct RepairReportTests {
  private let whole = DamagedCopies.whole
  private let old = DamagedCopies.old
  private let bytes = DamagedCopies.whole.bytes()

  /// A file without the place of some text, which takes another form that cannot be text.
  private func damaged(_ document: Document, at text: String) throws -> [UInt8] {
    let bytes = document.bytes()
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
      [damaged(whole, at: "1 von ann"), old.bytes()], sound: old, "text of others")
    #expect(repair.isComplete && repair.document?.bytes() == bytes)
  }

  @Test("lost text that was deleted before counts as redacted, and is counted")
  func deletedText() throws {
    let last = whole.bytes().count - 34
    let cut = Array(bytes[..<(last - 3)])
    let repair = try DamagedCopies.check([cut], "deleted text")
    #expect(repair.lost.isEmpty && repair.lostDeletedScalars == 3)
    #expect(repair.document?.root == whole.root)
    #expect(repair.unproven.count == whole.changeCount && !repair.isComplete)
    let helped = try DamagedCopies.check([cut, bytes], sound: whole, "deleted text, and whole")
    #expect(helped.isComplete && helped.document?.bytes() == bytes)
  }

  @Test("damage to what follows from the rest loses nothing")
  func derived() throws {
    let title = try #require(bytes.firstRange(of: Array("Plan B".utf8)))
    let file = DamagedCopies.overwrite(bytes, at: title.lowerBound, with: Array("Pl8n C".utf8))
    let repair = try DamagedCopies.check([file], "derived")
    #expect(repair.copies[0].reading == .restored(.derived))
    #expect(repair.isComplete && repair.document?.bytes() == bytes)
  }

  @Test("with only what is proven, the rest is lost, and nothing contradicts what was written")
  func provenOnly() throws {
    // The last change reads otherwise than it was written, and nothing tells.
    let place = try #require(bytes.firstRange(of: Array("5 von ann".utf8))).lowerBound
    let damaged = DamagedCopies.overwrite(bytes, at: place, with: Array("7 fuu".utf8))
    let all = Document.repair(copies: [damaged, old.bytes()])
    #expect(!all.unproven.isEmpty)
    let repair = Document.repair(copies: [damaged, old.bytes()], provenOnly: true)
    #expect(repair.document?.bytes() == old.bytes() && !repair.isComplete)
    #expect(repair.unproven.isEmpty && repair.copies[0].unprovenChangeCount == 0)
    #expect(
      Set(repair.lost.map(\.id))
        == Set(whole.changes.map(\.id)).subtracting(old.changes.map(\.id)))
    #expect(repair.lost.contains { $0.reason == .unproven })
    let alone = Document.repair(copies: [damaged], provenOnly: true)
    #expect(alone.document == nil && alone.lost.count == whole.changeCount)
    // What is proven is all there.
    var flipped = bytes
    flipped[90] ^= 1
    let complete = Document.repair(copies: [flipped], provenOnly: true)
    #expect(complete.isComplete && complete.document?.bytes() == bytes)
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
      [Array(bytes[..<200]), old.bytes()], sound: old, "heads")
    #expect(repair.lost.map(\.id) == whole.heads)
    #expect(repair.lost.allSatisfy { $0.reason == .unreadable && $0.time == nil })
    let same = try DamagedCopies.check(
      [Array(bytes[..<200]), bytes], sound: whole, "heads that are there")
    #expect(same.isComplete)
  }

  @Test("copies of other documents are left out, and so is what is no document")
  func otherDocuments() throws {
    var other = Document(id: UniqueID(high: 9, low: 9))
    try other.change(by: .person(77, "", at: 0)) { try $0.put(.null, at: ["x"]) }
    let repair = try DamagedCopies.check(
      [bytes, other.bytes(), [], Array("hello".utf8), old.bytes()], sound: whole, "others")
    #expect(repair.document?.bytes() == bytes && !repair.isComplete)
    #expect(repair.copies[1].reading == .otherDocument(other.id))
    // As many of one as of the other: nobody knows which is meant.
    let tied = try DamagedCopies.check([bytes, other.bytes()], "tied")
    #expect(tied.document == nil)
    #expect(tied.copies.map(\.reading) == [.otherDocument(whole.id), .otherDocument(other.id)])
    for files in [[], [[]], [[], []]] as [[[UInt8]]] {
      #expect(try DamagedCopies.check(files, "nothing").document == nil)
    }
  }

  @Test("a copy whose identity is damaged is known by its changes")
  func damagedIdentity() throws {
    let file = DamagedCopies.overwrite(bytes, at: 14, with: repeatElement(0xAA, count: 16))
    let repair = try DamagedCopies.check([file, old.bytes()], sound: old, "identity")
    #expect(repair.isComplete && repair.document?.bytes() == bytes)
  }

  @Test("what one copy has redacted stays redacted, and no damaged copy brings it back")
  func redaction() throws {
    var redacted = old
    try redacted.redactDeletedText()
    let file = DamagedCopies.overwrite(
      bytes, at: bytes.count - 30, with: repeatElement(0, count: 30))
    for copies in [[redacted.bytes(), bytes], [redacted.bytes(), file]] {
      let merged = try PeernoteTestSupport.merged(redacted, whole)
      let repair = try DamagedCopies.check(copies, of: merged, sound: redacted, "redacted")
      #expect(repair.document?.bytes() == merged.bytes())
      #expect(repair.lostDeletedScalars == 0)
    }
  }

  @Test("what one of two sound copies has redacted stays redacted, whatever else they hold")
  func redactionOfSoundCopies() throws {
    var redacted = whole
    try redacted.redactDeletedText()
    #expect(redacted.bytes() != bytes)
    let copies = [redacted.bytes(), bytes, old.bytes()]
    for order in [[0, 1], [1, 0], [2, 1, 0], [0, 2, 1], [1, 0, 1]] {
      let repair = Document.repair(copies: order.map { copies[$0] })
      #expect(repair.isComplete && repair.document?.bytes() == redacted.bytes(), "\(order)")
    }
  }

  @Test("what a damaged copy says was redacted stays where another copy has it, and is counted")
  func unprovenRedaction() throws {
    var redacted = whole
    try redacted.redactDeletedText()
    let file = try damaged(redacted, at: "5 von ann")
    let before = try whole.at(version: whole.changes.last?.parents ?? [])
    let count = before.log.deletedText.text.scalarCount
    #expect(count > 4)
    // A sound copy has the text, or a damaged one.
    let expected = try merged(old, before)
    for other in [old.bytes(), try damaged(whole, at: "5 von ann")] {
      let repair = try DamagedCopies.check([file, other], of: nil, "redacted and damaged")
      #expect(repair.document?.bytes() == expected.bytes())
      #expect(repair.copies.map(\.unredactedScalars) == [count, 0])
      #expect(repair.copies.map(\.redactedScalars) == [0, 0])
      #expect(repair.lostDeletedScalars == 0 && !repair.isComplete)
      #expect(
        repair.unproven.map(\.witnesses)
          == repair.unproven.map { _ in other == old.bytes() ? 1 : 2 })
    }
    // No copy has it.
    let alone = try DamagedCopies.check([file], of: nil, "redacted and alone")
    #expect(alone.document?.log.deletedText.text.scalarCount == 0)
    #expect(alone.copies.map(\.redactedScalars) == [count])
    #expect(alone.copies.map(\.unredactedScalars) == [0] && alone.lostDeletedScalars == 0)
    // All that the copy holds is there, and proven; only what it says was redacted is not.
    let unsealed = DamagedCopies.overwrite(
      file, at: file.count - 30, with: repeatElement(0, count: 30))
    let beside = try DamagedCopies.check(
      [unsealed, bytes], sound: whole, "redacted, and a whole one")
    #expect(beside.unproven.isEmpty && beside.lost.isEmpty && !beside.isComplete)
    #expect(beside.document?.bytes() == bytes)
    #expect(beside.copies.map(\.unredactedScalars) == [whole.log.deletedText.text.scalarCount, 0])
  }

  @Test("text that a sound copy has redacted does not come back from damaged copies")
  func provenRedaction() throws {
    func splice(
      _ range: Range<Int>, _ text: String, in document: inout Document, _ agent: UInt64
    ) throws {
      try document.change(by: .person(agent, "x", at: Int64(agent))) {
        try $0.spliceText(at: DamagedCopies.body, scalars: range, with: text)
      }
    }
    var base = Document(id: whole.id)
    try base.change(by: .person(1, "x", at: 1)) {
      try $0.put(node: .text("hunter2 and more"), at: DamagedCopies.body)
    }
    // Two people delete the secret; one has redacted it in a sound copy.
    var copies = [base, base]
    for index in 0..<2 { try splice(0..<7, "", in: &copies[index], 2 + UInt64(index)) }
    var sound = copies[0]
    try sound.redactDeletedText()
    // A damaged copy has both deletions without their text, another one the first with its text.
    var both = try merged(copies[0], copies[1])
    try both.redactDeletedText()
    try splice(0..<0, "lost in one", in: &both, 4)
    var other = copies[0]
    try splice(0..<0, "lost in the other", in: &other, 5)
    let repair = try DamagedCopies.check(
      [
        sound.bytes(), damaged(both, at: "in one"), damaged(other, at: "in the other"),
      ], of: nil, sound: nil, "a redaction that is proven")
    let saved = try #require(repair.document)
    #expect(saved.changeCount == 3)
    #expect(saved.bytes().firstRange(of: Array("hunter2".utf8)) == nil)
  }

  @Test("what unreadable copies name is lost, be it known or not what they are copies of")
  func unreadable() throws {
    let cut = Array(bytes[..<200])
    let alone = try DamagedCopies.check([cut], "alone")
    #expect(alone.document == nil && alone.lost.map(\.id) == whole.heads)
    #expect(alone.lost.allSatisfy { $0.reason == .unreadable })
    let nameless = DamagedCopies.overwrite(cut, at: 10, with: repeatElement(0xAA, count: 20))
    let beside = try DamagedCopies.check([nameless, old.bytes()], sound: old, "beside another")
    #expect(beside.lost.map(\.id) == whole.heads && !beside.isComplete)
    // What can be read of a copy whose document nobody knows.
    let file = DamagedCopies.overwrite(bytes, at: 10, with: repeatElement(0xAA, count: 20))
    let unknown = try DamagedCopies.check([file], of: nil, "of no document")
    #expect(unknown.document == nil)
    #expect(Set(unknown.lost.map(\.id)) == Set(whole.changes.map(\.id)))
    #expect(unknown.lost.contains { $0.reason == .unknownDocument && $0.author == "ann" })
  }

  @Test("two copies that contradict each other: neither is taken, and both are named")
  func forks() throws {
    let files = try ["one", "two"].map { value in
      var copy = old
      try copy.change(by: .person(5, "x", at: 5)) { try $0.put(.string(value), at: ["title"]) }
      return copy.bytes()
    }
    let repair = Document.repair(copies: files + [old.bytes()])
    #expect(repair.document == nil && !repair.isComplete)
    #expect(repair.contradictions.map { Set([$0.copy] + $0.others) } == [[0, 1]])
    guard case .forked? = repair.contradictions.first?.reason else {
      Issue.record("\(repair.contradictions)")
      return
    }
    #expect(repair.copies.count { if case .unusable = $0.reading { true } else { false } } == 1)
  }

  @Test("a document made to be dear is salvaged within the limits:", arguments: HostileFile.all)
  func hostile(file: HostileFile) throws {
    let document = try file.document(size: 3000)
    var damaged = document.bytes()
    damaged.removeLast(40)
    let sibling = try file.sibling()
    let repair = Document.repair(copies: [damaged, sibling.bytes()])
    let saved = try #require(repair.document)
    #expect(Document.validate(bytes: saved.bytes()) == [])
    #expect(saved.changes.map(\.id).contains { sibling.heads.contains($0) })
  }
}
