import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Files of the right checksum that lie, merged into good ones.
@Suite struct ForgedMergeTests {
  private static let body = Samples.path("/body")

  /// The text "abc" with one more change by agent 7.
  private static func edited(
    _ edit: (inout Editor) throws -> Void
  ) throws -> ForgedFile {
    var document = Samples.letters
    try document.change(by: .person(7, "eve", at: 2000)) { try edit(&$0) }
    return try ForgedFile(document.bytes())
  }

  /// The text "abc", and one that was edited on its own.
  private static var goodDocuments: [Document] {
    get throws {
      var own = Samples.letters
      try own.change(by: .person(4, "bob", at: 3000)) {
        try $0.spliceText(at: body, scalars: 3..<3, with: "!")
        try $0.put(.integer(1), at: Samples.path("/n"))
      }
      return [Samples.letters, own]
    }
  }

  private func text(of document: Document) -> DocumentNode? { document.node(at: Self.body) }

  @Test("a copy that says something else of text that we have is refused")
  func rewrittenText() throws {
    let forged = try Document(bytes: try Self.rewritten.bytes)
    for good in try Self.goodDocuments {
      for (ours, theirs) in [(good, forged), (forged, good)] {
        var document = ours
        let error = #expect(throws: MergeError.self) { try document.merge(theirs) }
        guard case .damaged(let fault) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(fault.kind == .damaged && fault.section == "view")
        #expect(fault.reason == HistoryError.Reason.textsDisagree.description)
        #expect(document.bytes() == ours.bytes())
      }
    }
    // Who has nothing yet has only the copy's word.
    var empty = try Document(id: Samples.id, changes: [])
    let report = try empty.merge(forged)
    #expect(report.result == .fastForward)
    #expect(empty.bytes() == forged.bytes())
  }

  /// The text "axyzbc", whose "abc" is told as "AxyzBC".
  private static var rewritten: ForgedFile {
    get throws {
      var file = try edited { try $0.spliceText(at: body, scalars: 1..<1, with: "xyz") }
      file.view.items[0]["body"] = RuleTests.text("AxyzBC")
      #expect(Document.validate(bytes: file.bytes) == [])
      return file
    }
  }

  @Test("copies with the same changes and other text are not the same, and none is taken")
  func otherTextOfTheSameChanges() throws {
    let good = Samples.letters
    for lie in ["abC", "abcd", "ab", "åbc"] {
      var file = try ForgedFile(good.bytes())
      file.view.items[0]["body"] = RuleTests.text(lie)
      let forged = try Document(bytes: file.bytes)
      expectRefusal(of: good, forged) { $0.kind == .damaged && $0.section == "view" }
      var same = forged
      #expect(try same.merge(forged).result == .identical)
      #expect(try forged.relation(to: forged) == .same)
    }
  }

  @Test("a deletion that claims to have removed other text is refused")
  func otherDeletedText() throws {
    var file = try Self.edited { try $0.spliceText(at: Self.body, scalars: 1..<3, with: "") }
    #expect(file.log.deleted == Array("bc".utf8))
    file.log.deleted = Array("bX".utf8)
    try expectRefusal(file, .deletionsDisagree)
  }

  @Test("a deletion that has other text in two copies is refused, whatever else they hold")
  func otherTextOfOneDeletion() throws {
    var file = try Self.edited { try $0.spliceText(at: Self.body, scalars: 1..<3, with: "") }
    let sound = try Document(bytes: file.bytes)
    var edited = sound
    try edited.change(by: .person(4, "bob", at: 3000)) {
      try $0.spliceText(at: Self.body, scalars: 0..<0, with: "!")
    }
    file.log.deleted = Array("bX".utf8)
    let forged = try Document(bytes: file.bytes)
    for good in [sound, edited] {
      expectRefusal(of: good, forged) {
        $0.reason == HistoryError.Reason.deletionsDisagree.description
      }
    }
  }

  /// Expects that neither of two copies is merged into the other, for a fault, nor said to be the
  /// same.
  private func expectRefusal(
    of one: Document, _ other: Document, for isExpected: (DocumentError) -> Bool
  ) {
    for (ours, theirs) in [(one, other), (other, one)] {
      var document = ours
      let error = #expect(throws: MergeError.self) { _ = try document.merge(theirs) }
      guard case .damaged(let fault) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(isExpected(fault), "\(fault)")
      #expect(document.bytes() == ours.bytes())
      #expect(throws: MergeError.self) { try ours.relation(to: theirs) }
    }
  }

  @Test("a deletion whose text is redacted is merged")
  func redactedText() throws {
    var file = try Self.edited { try $0.spliceText(at: Self.body, scalars: 1..<3, with: "") }
    file.log.deleted = Array("b".utf8)
    file.log.redactions = column(1, 1)
    for good in try Self.goodDocuments {
      let document = try merged(good, Document(bytes: file.bytes))
      #expect(Document.validate(bytes: document.bytes()) == [])
      #expect(text(of: document) == .text("a"))
      #expect(document.conflicts.isEmpty == (good.changeCount == 1))
    }
  }

  @Test(
    "deletions of the same scalars have to agree, whichever way they run", arguments: ["", "ñ☕"])
  func deletedTwice(inserted: String) throws {
    var base = Samples.letters
    try base.change(by: .person(4, "bob", at: 2000)) {
      try $0.spliceText(at: Self.body, scalars: 1..<1, with: inserted + "-")
    }
    let count = 4 + inserted.unicodeScalars.count
    func copy(_ agent: UInt64, deleting ranges: [Range<Int>]) throws -> Document {
      var copy = base
      try copy.change(by: .person(agent, "eve", at: 3000)) { editor in
        for range in ranges { try editor.spliceText(at: Self.body, scalars: range, with: "") }
      }
      return copy
    }
    let forward = try copy(5, deleting: [0..<count])
    let backward = try copy(6, deleting: (0..<count).reversed().map { $0..<$0 + 1 })
    for (ours, theirs) in [(forward, backward), (backward, forward)] {
      let merged = try PeernoteTestSupport.merged(ours, theirs)
      #expect(text(of: merged) == .text(""))
      var file = try ForgedFile(theirs.bytes())
      for place in [0, file.log.deleted.count - 1] {
        let sound = file.log.deleted
        file.log.deleted[place] = UInt8(ascii: "X")
        let forged = try Document(bytes: file.bytes)
        file.log.deleted = sound
        var document = ours
        let error = #expect(throws: MergeError.self) { _ = try document.merge(forged) }
        guard case .damaged(let fault) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(fault.reason == HistoryError.Reason.deletionsDisagree.description)
      }
    }
  }

  @Test("a deletion has to agree with another one also where a third one overlaps with that")
  func deletionsInARow() throws {
    var base = Samples.letters
    try base.change(by: .person(4, "bob", at: 2000)) {
      try $0.spliceText(at: Self.body, scalars: 3..<3, with: "defghij")
    }
    func copy(_ agent: UInt64, deleting range: Range<Int>) throws -> Document {
      var copy = base
      try copy.change(by: .person(agent, "eve", at: 3000)) {
        try $0.spliceText(at: Self.body, scalars: range, with: "")
      }
      return copy
    }
    var ours = try copy(5, deleting: 0..<5)
    _ = try ours.merge(copy(6, deleting: 3..<8))
    let theirs = try copy(7, deleting: 6..<9)
    var merged = try PeernoteTestSupport.merged(ours, theirs)
    #expect(merged.rawRoot[Self.body] == .text("j"))
    var file = try ForgedFile(theirs.bytes())
    #expect(file.log.deleted == Array("ghi".utf8))
    for lie in ["Xhi", "gXi"] {
      file.log.deleted = Array(lie.utf8)
      let forged = try Document(bytes: file.bytes)
      merged = ours
      #expect(throws: MergeError.self, "\(lie)") { try merged.merge(forged) }
      #expect(merged.bytes() == ours.bytes())
    }
  }

  @Test("a view that is longer or shorter than new changes make it is refused")
  func otherLength() throws {
    var file = try Self.edited { try $0.spliceText(at: Self.body, scalars: 1..<1, with: "xyz") }
    for lie in ["axyzbcd", "axyzb", "", "abc"] {
      file.view.items[0]["body"] = RuleTests.text(lie)
      try expectRefusal(file, .viewDisagrees)
    }
  }

  @Test("a new text with content that nobody wrote is refused")
  func textFromNowhere() throws {
    var file = try Self.edited { try $0.putContainer(.text, at: Samples.path("/new")) }
    file.view.items[0]["new"] = RuleTests.text("x")
    try expectRefusal(file, .viewDisagrees)
    file = try Self.edited {
      try $0.putContainer(.text, at: Samples.path("/new"))
      try $0.spliceText(at: Samples.path("/new"), scalars: 0..<0, with: "xy")
    }
    file.view.items[0]["new"] = RuleTests.text("xyz")
    try expectRefusal(file, .viewDisagrees)
  }

  @Test("an insertion or deletion outside the text is refused")
  func outside() throws {
    let sound = try Self.edited { try $0.spliceText(at: Self.body, scalars: 3..<3, with: "d") }
    for position in [4, 5, 100, 1 << 29] as [Int64] {
      var file = sound
      file.log.operations =
        Array(sound.log.operations.prefix(5))
        + column(
          Row.insert(1) | Row.jumps, zigzag(position))
      try expectRefusal(file, nil)
    }
    let deletion = try Self.edited { try $0.spliceText(at: Self.body, scalars: 2..<3, with: "") }
    for position in [3, 4, 100, 1 << 29] as [Int64] {
      var file = deletion
      file.log.operations =
        Array(deletion.log.operations.prefix(5))
        + column(
          Row.forward(1) | Row.jumps, zigzag(position))
      try expectRefusal(file, nil)
    }
  }

  @Test("operations on what their author has not seen are refused")
  func unseen() throws {
    // Agents 1 and 2 follow the first change; agent 1 makes a list, agent 2 inserts into it.
    var file = RuleTests.chains
    file.log.keys.append("list")
    file.log.values = file.log.values + [0x80, 0x05]
    file.log.operations = column(
      Row.put, 0, Row.target, 1, Row.insert(3), Row.target, 0, Row.put, 1,
      Row.target, 2, Row.insertElements, 0, 0, 0)
    file.view.items[0] = .map([
      .string("body"), RuleTests.text("abc"), .string("list"), .array([.unsigned(5)]),
    ])
    try expectRefusal(file, .containerNotSeen)
  }

  @Test("parents that are ancestors of each other are refused")
  func redundantParents() throws {
    var file = RuleTests.chains
    // Agent 2's change follows both of agent 1's, one after the other.
    file.log.chains = column(0, 1, 0, 2, 0, 2, 0, 0)
    file.setHeads([(2, 1)])
    try expectRefusal(file, .redundantParents)
  }

  private func expectRefusal(
    _ file: ForgedFile, _ reason: HistoryError.Reason?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(!Document.validate(bytes: file.bytes).isEmpty || reason == .deletionsDisagree)
    let forged = try Document(bytes: file.bytes)
    for good in try Self.goodDocuments {
      var document = good
      do {
        _ = try document.merge(forged)
        Issue.record("merged into \(document.root)", sourceLocation: sourceLocation)
      } catch MergeError.damaged(let error) {
        if let reason {
          #expect(error.reason == reason.description, sourceLocation: sourceLocation)
        }
      } catch MergeError.forked {
        Issue.record("taken for a fork", sourceLocation: sourceLocation)
      }
      #expect(document.bytes() == good.bytes(), sourceLocation: sourceLocation)
    }
  }
}
