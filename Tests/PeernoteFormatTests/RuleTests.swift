import Peernote
import PeernoteFuzzing
import Testing

/// Every rule of the log's columns, broken one at a time in files that are spelled out here.
@Suite struct RuleTests {
  @Test("the files that rules are broken in are sound and canonical")
  func soundFiles() throws {
    for file in [Self.oneChange, Self.chains, Self.deletions, Self.elements, Self.roots] {
      let document = try Document(bytes: file.bytes)
      #expect(document.bytes() == file.bytes)
      #expect(Document.validate(bytes: file.bytes) == [])
    }
    #expect(Self.oneChange.bytes == Samples.letters.bytes())
  }

  @Test("opening a file refuses what breaks a rule:", arguments: Rule.all)
  func opening(rule: Rule) {
    let bytes = rule.broken.bytes
    guard let error = refusal(of: bytes) else {
      Issue.record("it is opened; validation: \(Document.validate(bytes: bytes))")
      return
    }
    #expect(error.reason.hasPrefix(rule.reason), "\(error)")
    #expect(error.kind == rule.kind)
    #expect(error.section == rule.section)
    #expect(error.offset.map { bytes.indices.contains($0) } ?? (error.change != nil), "\(error)")
    for known in [rule.sound.bytes, Samples.letters.bytes()] {
      let beside = #expect(throws: DocumentError.self) {
        try DocumentFile(bytes, beside: DocumentFile(known))
      }
      #expect(beside == error)
    }
    #expect(!Document.validate(bytes: bytes).isEmpty)
  }

  @Test("a file of ever deeper containers is refused at the limit, not before")
  func depth() throws {
    for (depth, isFine) in [(64, true), (65, false), (5000, false)] {
      var file = Self.oneChange
      let maps = UInt64(depth - 1)
      file.log.keys = ["m"]
      file.log.values = [UInt8](repeating: 0xA0, count: depth - 1)
      file.log.counts = column(1, maps)
      file.log.operations = column(
        [Row.put, 0] + (1..<maps).flatMap { [Row.target, $0, Row.put, 0] })
      file.view = .array([
        (0..<depth - 1).reduce(.map([])) { inner, _ in
          .map([.string("m"), inner])
        }, .array([]),
      ])
      let error = refusal(of: file.bytes)
      if isFine {
        #expect(error == nil)
        #expect(Document.validate(bytes: file.bytes) == [])
        _ = try DocumentReader(bytes: file.bytes)
      } else {
        #expect(error?.kind == .limit || depth > 100, "\(String(describing: error))")
        #expect((try? DocumentReader(bytes: file.bytes)) == nil)
      }
    }
  }

  // MARK: Sound files

  static func text(_ text: String) -> CBORTree { .tag(61556, .string(text)) }

  /// One change that makes a body and types "abc" into it.
  static let oneChange = make { file in
    file.setHeads([(1, 1)])
    file.view = .array([.map([.string("body"), text("abc")]), .array([])])
    file.log.counts = column(1, 4)
    file.log.operations = column(Row.put, 0, Row.target, 1, Row.insert(3))
  }

  /// Agents 1 and 2 go on from the same change.
  static let chains = make { file in
    file.setHeads([(1, 2), (2, 1)])
    file.view = .array([.map([.string("body"), text(";a\nc.")]), .array([])])
    file.log.agents += bigEndian(2)
    file.log.authors.append("bob")
    file.log.chains = column(0, 1, 0, 2, 0, 1, 1)
    file.log.counts = column(1, 4, 2, 1)
    file.log.metadata = column(2, zigzag(1000), 0, 0, 1, zigzag(1), 1, 0)
    file.log.operations = column(
      Row.put, 0, Row.target, 1, Row.insert(3), Row.insert(1) | Row.jumps, zigzag(-3),
      Row.insert(1) | Row.jumps, zigzag(2))
  }

  /// Four deletions in one change: two at one place, then two backward.
  static let deletions = make { file in
    file.setHeads([(1, 1)])
    file.view = .array([.map([.string("body"), text("efgh")]), .array([])])
    file.log.counts = column(1, 13)
    file.log.operations = column(
      Row.put, 0, Row.target, 1, Row.insert(8), Row.forward(2) | Row.jumps, zigzag(-6),
      Row.backward(2))
    file.log.deleted = Array("cdba".utf8)
  }

  /// Two lists and a set; see ``Rule/onElements``.
  static let elements = make { file in
    file.setHeads([(1, 1)])
    file.view = .array([
      .map([
        .string("one"), .array([.unsigned(9)]), .string("set"), .tag(258, .array([.unsigned(5)])),
        .string("two"), .array([.unsigned(3), .unsigned(4)]),
      ]), .array([]),
    ])
    file.log.keys = ["one", "two", "set"]
    file.log.counts = column(1, 11)
    file.log.values = [0x80, 1, 2, 9, 0x80, 3, 4, 0xD9, 0x01, 0x02, 0x80, 5]
    file.setRows { _ in }
  }

  /// Two agents who each set a key and have not seen the other's change.
  static let roots = make { file in
    file.setHeads([(1, 1), (2, 1)])
    file.view = .array([
      .map([.string("a"), .unsigned(1), .string("b"), .unsigned(2)]), .array([]),
    ])
    file.log.agents += bigEndian(2)
    file.log.keys = ["a", "b"]
    file.log.chains = column(0, 0, 0, 2, 0, 0)
    file.log.counts = column(2, 1)
    file.log.metadata = column(2, zigzag(1000), 0, 0)
    file.log.values = [1, 2]
    file.log.operations = column(Row.put, 0, Row.put, 1)
  }

  private static func make(_ change: (inout ForgedFile) -> Void) -> ForgedFile {
    var file = ForgedFile(id: bigEndian(Samples.id.high) + bigEndian(Samples.id.low))
    file.log.agents = bigEndian(1)
    file.log.authors = ["ann"]
    file.log.keys = ["body"]
    file.log.chains = column(0, 0, 0)
    file.log.metadata = column(1, zigzag(1000), 0, 0)
    file.log.values = [0xD9, 0xF0, 0x74, 0x60]
    change(&file)
    return file
  }
}
