import Peernote
import PeernoteFuzzing
import Testing

/// Reading a file beside another one that begins with the same bytes, but means something else.
///
/// What the two share is taken over unread; ``RuleTests`` tries broken files likewise.
@Suite struct ReadingBesideTests {
  /// A sound file that differs from one of ``RuleTests`` in a table or a column.
  struct Twin: Sendable, CustomStringConvertible {
    var description: String
    var original: ForgedFile
    var file: ForgedFile

    init(
      _ description: String, of original: ForgedFile, _ change: (inout ForgedFile) -> Void
    ) {
      self.description = description
      self.original = original
      file = original
      change(&file)
    }
  }

  static let twins = [
    Twin("another agent", of: RuleTests.oneChange) { file in
      file.log.agents = bigEndian(7)
      file.setHeads([(7, 1)])
    },
    Twin("another second agent", of: RuleTests.chains) { file in
      file.log.agents = bigEndian(1) + bigEndian(3)
      file.setHeads([(1, 2), (3, 1)])
    },
    Twin("another key", of: RuleTests.oneChange) { file in
      file.log.keys = ["bodz"]
      file.view = .array([.map([.string("bodz"), RuleTests.text("abc")]), .array([])])
    },
    Twin("another second key", of: RuleTests.elements) { file in
      file.log.keys = ["one", "twp", "set"]
      file.view = .array([
        .map([
          .string("one"), .array([.unsigned(9)]), .string("set"),
          .tag(258, .array([.unsigned(5)])), .string("twp"),
          .array([.unsigned(3), .unsigned(4)]),
        ]), .array([]),
      ])
    },
    Twin("changes that begin elsewhere", of: RuleTests.oneChange) { file in
      file.log.counts = column(1, 3, 1, 1)
      file.log.chains = column(0, 1, 0)
      file.log.metadata = column(2, zigzag(1000), 0, 0)
      file.setHeads([(1, 2)])
    },
    Twin("other authors", of: RuleTests.chains) { $0.log.authors = ["zoë", "ann"] },
    Twin("other times", of: RuleTests.chains) { file in
      file.log.metadata = column(1, zigzag(5), 0, 0, 1, zigzag(7), 0, 0, 1, zigzag(1), 1, 0)
    },
    Twin("a message", of: RuleTests.chains) { file in
      file.log.messages = ["m"]
      file.log.metadata = column(2, zigzag(1000), 0, 1, 1, zigzag(1), 1, 0)
    },
    Twin("another parent", of: RuleTests.chains) { file in
      file.log.chains = column(0, 1, 0, 2, 0, 1, 0)
      file.setHeads([(2, 1)])
      file.view = .array([.map([.string("body"), RuleTests.text("y abc")]), .array([])])
    },
    Twin("other deleted text", of: RuleTests.deletions) {
      $0.log.deleted = Array("cdbz".utf8)
    },
    Twin("redacted text", of: RuleTests.deletions) { file in
      file.log.redactions = column(0, 2)
      file.log.deleted = Array("ba".utf8)
    },
    Twin("another text", of: RuleTests.oneChange) { file in
      file.view = .array([.map([.string("body"), RuleTests.text("xyz")]), .array([])])
    },
  ]

  @Test("what is taken from another file is what reading it would give:", arguments: twins)
  func law(twin: Twin) throws {
    let documents = try [twin.original, twin.file].map { file in
      #expect(Document.validate(bytes: file.bytes) == [])
      return try Document(bytes: file.bytes)
    }
    for (known, alone) in [(documents[0], documents[1]), (documents[1], documents[0])] {
      let bytes = alone.bytes()
      try #require(bytes != known.bytes())
      let beside = try Document(bytes: bytes, beside: known)
      #expect(try Array(beside.exportedChanges) == Array(alone.exportedChanges))
      #expect(beside.root == alone.root && beside.bytes() == bytes)
      // It serves the next one in turn.
      let next = try Document(bytes: known.bytes(), beside: beside)
      #expect(next.bytes() == known.bytes())
    }
  }

  @Test("the limits are those given for the file, not those of the other one")
  func limits() throws {
    var narrow = Limits()
    narrow.freeSteps = 7
    let bytes = RuleTests.chains.bytes
    let known = try DocumentFile(bytes, limits: narrow)
    #expect(try DocumentFile(bytes, beside: known).log.limits == Limits())
    #expect(
      try DocumentFile(bytes, beside: DocumentFile(bytes), limits: narrow).log.limits == narrow)
  }

  @Test("chains that other agents' names put out of order are refused beside those that are not")
  func agentOrder() throws {
    let known = try DocumentFile(RuleTests.roots.bytes)
    var file = RuleTests.roots
    file.log.agents = bigEndian(2) + bigEndian(1)
    let error = #expect(throws: DocumentError.self) { try DocumentFile(file.bytes, beside: known) }
    #expect(error == refusal(of: file.bytes) && error?.reason == "chains out of order")
  }
}
