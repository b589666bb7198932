import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Validation goes on behind a fault, and every finding has its place.
@Suite struct ValidationDepthTests {
  /// A file in which something is wrong, and what is to be said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var description: String
    var expected: [String]
    var hasChange: Bool
    var make: @Sendable () throws -> [UInt8]

    init(
      _ description: String, _ expected: [String], hasChange: Bool = false,
      _ make: @escaping @Sendable () throws -> [UInt8]
    ) {
      self.description = description
      self.expected = expected
      self.hasChange = hasChange
      self.make = make
    }

    var testDescription: String { description }
  }

  private static func forged(
    _ file: ForgedFile, _ change: (inout ForgedFile) -> Void
  ) -> [UInt8] {
    var file = file
    change(&file)
    return file.bytes
  }

  private static let log = "log: "
  private static let viewDisagrees = "view: " + HistoryError.Reason.viewDisagrees.description
  private static let length = "view: a text is not as long as its history makes it"

  static let cases: [Case] = [
    Case("a head that is too long", ["envelope: "]) {
      var bytes = RuleTests.oneChange.bytes
      bytes.replaceSubrange(8..<9, with: [0x98, 0x05])
      return resealed(bytes)
    },
    Case("a wrong checksum and a wrong value", ["checksum: ", viewDisagrees]) {
      var bytes = forged(RuleTests.elements) {
        $0.view.items[0].items[1] = .array([.unsigned(8)])
      }
      bytes[bytes.count - 1] ^= 1
      return bytes
    },
    Case("more texts of a wrong length than are listed", Array(repeating: length, count: 1000)) {
      let names = (0..<1100).map { "\($0)" }
      var document = Document(id: Samples.id)
      try document.change(by: .person(1, "ann", at: 1000)) { editor in
        for name in names { try editor.put(node: .text("xy"), at: Samples.path("/" + name)) }
      }
      var file = try ForgedFile(document.bytes())
      for name in names { file.view.items[0][name] = RuleTests.text("x") }
      return file.bytes
    },
    Case("an agent twice", [log + "an agent stands twice"]) {
      forged(RuleTests.chains) { $0.log.agents = bigEndian(1) + bigEndian(1) }
    },
    Case("a parent that comes later", [log + "a parent that does not come earlier"]) {
      forged(RuleTests.chains) { $0.log.chains = column(0, 1, 0, 2, 0, 1, 2) }
    },
    Case("chains out of order", [log + "chains out of order"]) {
      forged(RuleTests.chains) { file in
        file.log.agents = bigEndian(5) + bigEndian(2)
        file.log.chains = column(0, 1, 0, 2, 0, 0)
      }
    },
    Case(
      "parents that are ancestors of each other",
      ["heads: ", log + HistoryError.Reason.redundantParents.description], hasChange: true
    ) {
      forged(RuleTests.chains) { $0.log.chains = column(0, 1, 0, 2, 0, 2, 0, 0) }
    },
    Case(
      "an agent that has not seen its own change",
      [
        log + HistoryError.Reason.agentForksItself.description,
        log + HistoryError.Reason.containerNotSeen.description,
      ], hasChange: true
    ) {
      forged(RuleTests.chains) { file in
        file.log.chains = column(0, 0, 0, 0, 0, 0, 2, 0, 1, 1)
        file.log.agents = bigEndian(5) + bigEndian(2)
        file.log.counts = column(1, 4, 2, 1)
        file.log.metadata = column(1, zigzag(1000), 0, 0, 1, zigzag(1), 1, 0, 1, zigzag(1), 1, 0)
        file.setHeads([(2, 1), (5, 2)])
      }
    },
    Case(
      "an element that its writer had not seen",
      [log + HistoryError.Reason.unknownElement.description], hasChange: true
    ) {
      // One side inserts an element after the first change, the other one sets it.
      forged(RuleTests.chains) { file in
        file.view = .array([.map([.string("list"), .array([.unsigned(2)])]), .array([])])
        file.log.keys = ["list"]
        file.log.counts = column(3, 1)
        file.log.values = [0x80, 0x01, 0x02]
        file.log.operations = column(
          Row.put, 0, Row.target, 1, Row.insertElements, 0, 0, 0, Row.putElement, 1)
      }
    },
    unseenElement("to insert after it", [.unsigned(2), .unsigned(3), .unsigned(1)]) {
      [Row.insertElements, 0, 1, 0]
    },
    unseenElement("to insert before it", [.unsigned(3), .unsigned(2), .unsigned(1)]) {
      [Row.insertElements, 0, 0, 1]
    },
    unseenElement("to move it", [.unsigned(1), .unsigned(2)]) { [Row.moveElement, 1, 2, 0] },
    unseenElement("to move another after it", [.unsigned(2), .unsigned(1)]) {
      [Row.moveElement, 2, 1, 0]
    },
    unseenElement("to move another before it", [.unsigned(1), .unsigned(2)]) {
      [Row.moveElement, 2, 0, 1]
    },
    unseenElement("to remove it", [.unsigned(2), .unsigned(1)]) { [Row.removeElement, 1] },
    Case("metadata that is missing, and other heads", ["heads: ", log + "the metadata"]) {
      forged(RuleTests.oneChange) {
        $0.log.metadata = []
        $0.setHeads([(1, 2)])
      }
    },
    Case("columns of other lengths", [log + "a column ends where"], hasChange: false) {
      forged(RuleTests.oneChange) { $0.log.operations.removeLast() }
    },
    Case("deleted text that is not UTF-8", [log + "a text that is not UTF-8"]) {
      forged(RuleTests.deletions) { $0.log.deleted = [0xC0, 0x80, 0x61, 0x61] }
    },
    Case(
      "deleted text of another length and a text of another length",
      [log + HistoryError.Reason.deletedTextLength.description, length]
    ) {
      forged(RuleTests.deletions) {
        $0.log.deleted.removeLast()
        $0.view.items[0]["body"] = RuleTests.text("efghi")
      }
    },
    Case(
      "a position outside its text",
      [log + HistoryError.Reason.positionOutOfRange.description], hasChange: true
    ) {
      forged(RuleTests.deletions) {
        $0.log.operations = column(
          Row.put, 0, Row.target, 1, Row.insert(8), Row.forward(2) | Row.jumps, zigzag(1),
          Row.backward(2))
      }
    },
    Case(
      "a position outside its text, which is as long as if nothing was inserted",
      [log + HistoryError.Reason.positionOutOfRange.description], hasChange: true
    ) {
      forged(RuleTests.oneChange) {
        $0.log.operations = column(
          Row.put, 0, Row.target, 1, Row.insert(2), Row.insert(1) | Row.jumps, zigzag(3))
        $0.view.items[0]["body"] = RuleTests.text("ab")
      }
    },
    concurrentPosition("which is as long as if nobody inserted anything", "abc"),
    concurrentPosition("which is as long as if one inserted nothing", ";abc"),
    concurrentPosition("which is as long as if both inserted", ";:abc"),
    Case("two values that are others", [viewDisagrees, viewDisagrees]) {
      forged(RuleTests.elements) {
        $0.view.items[0].items[1] = .array([.unsigned(8)])
        $0.view.items[0].items[5] = .array([.unsigned(3), .unsigned(5)])
      }
    },
    Case("a text of another length", [length], hasChange: true) {
      forged(RuleTests.oneChange) { $0.view.items[0]["body"] = RuleTests.text("abcd") }
    },
    Case(
      "two deletions of one scalar that disagree",
      [log + HistoryError.Reason.deletionsDisagree.description], hasChange: true
    ) { try twoDeletions(deleted: "ax").bytes },
    Case(
      "two texts in which operations do not apply",
      [
        log + HistoryError.Reason.positionOutOfRange.description,
        log + HistoryError.Reason.positionOutOfRange.description, length,
      ], hasChange: true
    ) { try threeTexts() },
  ]

  /// Two people go on from a list of 1: one inserts 2 before it, the other knows that element
  /// though they have not seen it.
  private static func unseenElement(
    _ purpose: String, _ list: [CBORTree], _ row: @escaping @Sendable () -> [UInt64]
  ) -> Case {
    Case(
      "an element that its writer had not seen, \(purpose)",
      [log + HistoryError.Reason.unknownElement.description], hasChange: true
    ) {
      forged(RuleTests.chains) { file in
        file.view = .array([.map([.string("list"), .array(list)]), .array([])])
        file.log.keys = ["list"]
        file.log.counts = column(1, 2, 2, 1)
        file.log.values = [0x80, 0x01, 0x02] + (row()[0] == Row.insertElements ? [0x03] : [])
        file.log.operations = column(
          [Row.put, 0, Row.target, 1, Row.insertElements, 0, 0, 0, Row.insertElements, 0, 0, 1]
            + row())
      }
    }
  }

  /// One of two people who insert at once does so outside of the text.
  private static func concurrentPosition(_ length: String, _ text: String) -> Case {
    Case(
      "a position outside a text that two edit, \(length)",
      [log + HistoryError.Reason.positionOutOfRange.description], hasChange: true
    ) {
      forged(RuleTests.chains) {
        $0.log.operations = column(
          Row.put, 0, Row.target, 1, Row.insert(3), Row.insert(1) | Row.jumps, zigzag(-3),
          Row.insert(1) | Row.jumps, zigzag(9))
        $0.view.items[0]["body"] = RuleTests.text(text)
      }
    }
  }

  /// Two people delete the same letter.
  private static func twoDeletions(deleted: String) throws -> ForgedFile {
    var ours = Samples.letters
    var theirs = Samples.letters
    try ours.change(by: .person(2, "bob", at: 2000)) {
      try $0.spliceText(at: Samples.path("/body"), scalars: 0..<1, with: "")
    }
    try theirs.change(by: .person(3, "eve", at: 2000)) {
      try $0.spliceText(at: Samples.path("/body"), scalars: 0..<1, with: "")
    }
    _ = try ours.merge(theirs)
    var file = try ForgedFile(ours.bytes())
    file.log.deleted = Array(deleted.utf8)
    return file
  }

  /// Three texts: in the first two an insertion is beyond the end, the third is too short.
  private static func threeTexts() throws -> [UInt8] {
    var document = Document(id: Samples.id)
    try document.change(by: .person(1, "ann", at: 1000)) { editor in
      for name in ["a", "b", "c"] {
        try editor.putContainer(.text, at: Samples.path("/" + name))
        try editor.spliceText(at: Samples.path("/" + name), scalars: 0..<0, with: "xy")
      }
    }
    var file = try ForgedFile(document.bytes())
    #expect(
      file.log.operations
        == column(
          Row.put, 0, Row.target, 1, Row.insert(2), Row.target, 0, Row.put, 1, Row.target, 2,
          Row.insert(2) | Row.jumps, zigzag(-2), Row.target, 0, Row.put, 2, Row.target, 3,
          Row.insert(2) | Row.jumps, zigzag(-2)))
    file.log.operations = column(
      Row.put, 0, Row.target, 1, Row.insert(2) | Row.jumps, zigzag(1), Row.target, 0, Row.put, 1,
      Row.target, 2, Row.insert(2), Row.target, 0, Row.put, 2, Row.target, 3,
      Row.insert(2) | Row.jumps, zigzag(-5))
    file.view.items[0]["c"] = RuleTests.text("x")
    return file.bytes
  }

  @Test("every fault is found and has its section, its byte, and its change:", arguments: cases)
  func findings(expected: Case) throws {
    let bytes = try expected.make()
    let findings = Document.validate(bytes: bytes)
    let said = findings.map { "\($0.section?.rawValue ?? ""): \($0.reason)" }
    #expect(said.count == expected.expected.count, "\(said)")
    for (found, wanted) in zip(said, expected.expected) {
      #expect(found.hasPrefix(wanted), "\(found)")
    }
    for finding in findings {
      #expect(finding.offset.map { bytes.indices.contains($0) } ?? false, "\(finding)")
    }
    if expected.hasChange { #expect(findings.last?.change != nil, "\(findings)") }
  }

  @Test("a file that is longer than the limit is refused by that name, and one as long is read")
  func sizeLimit() throws {
    let bytes = Samples.everything.bytes()
    var limits = Limits()
    limits.fileSize = bytes.count
    _ = try Envelope(bytes, limits: limits)
    _ = try Document(bytes: bytes, limits: limits)
    #expect(Document.validate(bytes: bytes, limits: limits) == [])
    limits.fileSize -= 1
    let reason = "the file is longer than the limit of \(limits.fileSize) bytes"
    let error = #expect(throws: DocumentError.self) { try Document(bytes: bytes, limits: limits) }
    #expect(error?.kind == .limit && error?.reason == reason)
    #expect(Document.validate(bytes: bytes, limits: limits).map(\.reason) == [reason])
  }

  /// How many faults of a kind are listed.
  private static let listed = 1000

  @Test(
    "of values that are others, and texts of another length, as many are listed as fit into a list",
    arguments: [
      (DocumentNode.value(.integer(1)), CBORTree.unsigned(2), ""),
      (.text(""), RuleTests.text("x"), "a text is not as long"),
    ])
  func many(node: DocumentNode, lie: CBORTree, reason: String) throws {
    var document = Document(id: Samples.id)
    let count = Self.listed + 5
    try document.change(by: .person(1, "ann", at: 1000)) { editor in
      try editor.putContainer(.list, at: Samples.path("/list"))
      try editor.insert(nodes: Array(repeating: node, count: count), at: Samples.path("/list/0"))
    }
    var file = try ForgedFile(document.bytes())
    file.view.items[0]["list"] = .array(Array(repeating: lie, count: count))
    let findings = Document.validate(bytes: file.bytes)
    #expect(findings.count == Self.listed)
    #expect(findings.allSatisfy { $0.section == "view" && $0.reason.hasPrefix(reason) })
  }

  @Test("of operations on what their author had not seen as many are listed as fit into a list")
  func manyUnseen() throws {
    // Agents 1 and 2 follow the first change; agent 1 makes a list, agent 2 inserts into it.
    var file = RuleTests.chains
    let count = Self.listed + 5
    file.log.keys.append("list")
    file.log.values = file.log.values + [0x80] + [UInt8](repeating: 5, count: count)
    file.log.counts = column(1, 4, 1, 1, 1, UInt64(count))
    file.log.operations =
      column(Row.put, 0, Row.target, 1, Row.insert(3), Row.target, 0, Row.put, 1, Row.target, 2)
      + (0..<count).flatMap { column(Row.insertElements, 0, 0, $0 == 0 ? 0 : 1) }
    file.view.items[0] = .map([
      .string("body"), RuleTests.text("abc"), .string("list"),
      .array(Array(repeating: .unsigned(5), count: count)),
    ])
    let findings = Document.validate(bytes: file.bytes)
    #expect(findings.count == Self.listed)
    #expect(
      findings.allSatisfy { $0.reason == HistoryError.Reason.containerNotSeen.description })
  }

  @Test("a finding names the row of an operation, and the item of a text, to the byte")
  func offsets() throws {
    let bytes = try Self.threeTexts()
    let file = try ForgedFile(bytes)
    let rows = try #require(bytes.firstRange(of: file.log.operations)).lowerBound
    let text = try #require(bytes.firstRange(of: [0x61, 0x63, 0xD9, 0xF0, 0x74])).upperBound
    let offsets = Document.validate(bytes: bytes).map(\.offset)
    // Put and target before the first insertion take four bytes, what follows to the next nine.
    #expect(offsets == [rows + 4, rows + 12, text])
  }
}
