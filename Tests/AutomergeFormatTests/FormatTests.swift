import AutomergeFormat
import PeernoteTestSupport
import Testing

/// The format to the byte, and what bounds it.
@Suite("The format of Automerge documents") struct FormatTests {
  /// A title that two actors set, and a text in which one deleted where the other inserted.
  ///
  /// Written by the library, core 0.5.7.
  private static let example = bytes(
    """
    856f4a83fc77152f00df0102010a010b02900b7da205984d8ce40f6e3c67e65af736a2cca2fee1dffecb20bfcc0dcb82
    4cdcc9a0ae71ec411a9169d449f3f355947a88e99b5d38baf905b6a323b9938243070104030413042302400443025602
    0e0104020411041306150c2109230834024204560757078001078101048301040200
    7f0102017f7f7d04020003007f0002010200030700040300000403020005020000047d0003007f016e03057469746c65
    000302007f0102007e010079027f04017d037e04037f0406017f0004167e261654555661c3a9627e000204007f017f01
    02007d05017f0201
    """)

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter(\.isHexDigit).compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private func history(_ bytes: [UInt8]) throws(AutomergeError) -> AutomergeHistory {
    try AutomergeHistory(AutomergeHistory.Source(bytes, bytes.indices))
  }

  @Test("the worked example has its hashes and content, and is written as the library wrote it")
  func workedExample() throws {
    let history = try history(Self.example)
    #expect(
      history.order.map { history.changes[$0].hash.description } == [
        "5825ae22eaa9b9c3501c6d6fd03bd3d37931df9e47e1444773e3de30f5b1a92f",
        "dcc9a0ae71ec411a9169d449f3f355947a88e99b5d38baf905b6a323b9938243",
        "900b7da205984d8ce40f6e3c67e65af736a2cca2fee1dffecb20bfcc0dcb824c",
      ])
    let state = AutomergeState(history)
    #expect(
      state.lines.dropFirst(2) == [" map", "/6e text 61c3a9", "/7469746c65 string 56"])
    #expect(
      state.conflicts.map { cell in
        state.visible(cell).map { state.name(ofOperation: $0) }
      } == [["5@0b", "6@0a"]])
    #expect(AutomergeState.encoded(history) == Self.example)
  }

  @Test("an empty document is an empty file, or a chunk that says so")
  func empty() throws {
    let empty = Self.bytes("856f4a83b81a95440004 00000000")
    #expect(try history([]).order.isEmpty)
    #expect(try history(empty).order.isEmpty)
    #expect(AutomergeState.encoded(try history([])) == empty)
  }

  @Test("a change without operations that two copies hold is one change")
  func emptyChange() throws {
    let bytes = AutomergeState.encoded(try AutomergeBuilder(by: [1]).finish(time: 0))
    let source = AutomergeHistory.Source(bytes, bytes.indices)
    let history = try AutomergeHistory([source, source])
    #expect(history.order.count == 1)
    #expect(AutomergeState.encoded(history) == bytes)
  }

  @Test("a change with a column that nobody knows is kept as it is")
  func unknownColumns() throws {
    // Dependencies, actor, number, first operation, time, message, no other actors.
    var body: [UInt8] = [0x00, 0x01, 0x0A, 0x01, 0x01, 0x00, 0x00, 0x00]
    // Four columns: key string, insert, action, value metadata, and one that is not known.
    body += [0x05, 0x15, 0x03, 0x34, 0x01, 0x42, 0x02, 0x56, 0x02, 0xC2, 0x02, 0x02]
    body += [0x7F, 0x01, 0x6B, 0x01, 0x7F, 0x01, 0x7F, 0x00, 0x7F, 0x05]
    let file = Chunk.encoded(.change, body: body)
    let history = try history(file)
    #expect(AutomergeState(history).lines.last == "/6b null ")
    let written = AutomergeState.encoded(history)
    #expect(written.count == 14 + file.count && written.suffix(file.count) == file[...])
    #expect(try self.history(written).changes.map(\.hash) == history.changes.map(\.hash))
  }

  @Test("runs that claim more than there can be are refused at once")
  func bombs() {
    // An action column of 2^40 rows in a change of a few bytes, which is all that a row needs.
    var body: [UInt8] = [0x00, 0x01, 0x0A, 0x01, 0x01, 0x00, 0x00, 0x00]
    body += [0x04, 0x15, 0x08, 0x34, 0x06, 0x42, 0x07, 0x56, 0x07]
    let many: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x80, 0x20]
    body += many + [0x01, 0x6B]
    body += many
    body += many + [0x01]
    body += many + [0x00]
    let file = Chunk.encoded(.change, body: body)
    #expect { try history(file) } throws: { error in
      (error as? AutomergeError)?.kind == .limit
    }
  }

  @Test("increments of a counter on two sides add up, and a set beside them replaces it")
  func counters() throws {
    var builder = AutomergeBuilder(by: [1])
    builder.put(.counter(-5), at: "n", of: AutomergeBuilder.root)
    let start = try builder.finish(time: 0)
    let base = AutomergeState.encoded(start)
    /// A change of the counter by an actor: the columns of action, value's type and value.
    func change(_ actor: UInt8, action: UInt8, type: UInt8, _ value: UInt8) -> [UInt8] {
      var body: [UInt8] = [0x01] + start.changes[0].hash.bytes
      // Actor, number, first operation, time, message, the other actor.
      body += [0x01, actor, 0x01, 0x02, 0x00, 0x00, 0x01, 0x01, 0x01]
      body += [0x08, 0x15, 0x03, 0x34, 0x01, 0x42, 0x02, 0x56, 0x02, 0x57, 0x01]
      body += [0x70, 0x02, 0x71, 0x02, 0x73, 0x02]
      body += [0x7F, 0x01, 0x6E, 0x01, 0x7F, action, 0x7F, 0x10 | type, value]
      body += [0x7F, 0x01, 0x7F, 0x01, 0x7F, 0x01]
      return Chunk.encoded(.change, body: body)
    }
    let more = change(2, action: 5, type: 4, 7)
    let less = change(3, action: 5, type: 4, 0x7E)
    let other = change(4, action: 1, type: 4, 0x2A)
    func merged(_ files: [UInt8]...) throws -> AutomergeHistory {
      let history = try AutomergeHistory(
        files.map { AutomergeHistory.Source(base + $0, 0..<(base + $0).count) })
      let again = try self.history(AutomergeState.encoded(history))
      #expect(again.heads == history.heads)
      #expect(AutomergeState(again).lines == AutomergeState(history).lines)
      return again
    }
    #expect(AutomergeState(try merged(more, less)).lines.last == "/6e counter 0")
    #expect(AutomergeState(try merged(less, more, less)).lines.last == "/6e counter 0")
    let replaced = AutomergeState(try merged(more, other))
    #expect(replaced.lines.last == "/6e integer 42")
    #expect(replaced.conflicts.isEmpty)
  }

  @Test("a forged operation on an object that its change was not made upon is not shown without it")
  func strays() throws {
    var builder = AutomergeBuilder(by: [1])
    builder.put(.null, at: "k", of: AutomergeBuilder.root)
    let start = try builder.finish(time: 0)
    var next = AutomergeBuilder(by: [2], upon: start)
    next.put(.object(.map), at: "m", of: AutomergeBuilder.root)
    // Actor, number, first operation, time, message, the other actor; a key of its map.
    var body: [UInt8] = [0x01] + start.changes[0].hash.bytes
    body += [0x01, 0x03, 0x01, 0x03, 0x00, 0x00, 0x01, 0x01, 0x02]
    body += [
      0x07, 0x01, 0x02, 0x02, 0x02, 0x15, 0x03, 0x34, 0x01, 0x42, 0x02, 0x56, 0x02, 0x70, 0x02,
    ]
    body += [0x7F, 0x01, 0x7F, 0x02, 0x7F, 0x01, 0x78, 0x01, 0x7F, 0x01, 0x7F, 0x00, 0x7F, 0x00]
    let ours = AutomergeState.encoded(try next.finish(time: 0))
    let theirs = AutomergeState.encoded(start) + Chunk.encoded(.change, body: body)
    let history = try AutomergeHistory(
      [ours, theirs].map { AutomergeHistory.Source($0, $0.indices) })
    #expect(AutomergeState(history).lines.last == "/6d/78 null ")
    let found = try #require(history.changeWithoutBase())
    #expect(found.change.firstCounter == 3 && found.base.firstCounter == 2)
    let known = history.changes.map { $0.firstCounter != 2 }
    #expect(AutomergeState(history, including: known).lines.last == "/6b null ")
  }

  @Test("compressed columns share what they may inflate to")
  func inflation() {
    // 300,000 zeros.
    let zeros =
      Self.bytes("edc1010d000000c2a0f74f6d0f0714") + [UInt8](repeating: 0, count: 290)
      + Self.bytes("fc18")
    func document(columns: UInt8) -> [UInt8] {
      // No actors, heads and columns of changes; then columns that nobody knows.
      var body: [UInt8] = [0, 0, 0, columns]
      for number in 0..<columns {
        body += [0x8F | number << 4 & 0x70, 0x20 + number / 8, 0xB3, 0x02]
      }
      for _ in 0..<columns { body += zeros }
      return Chunk.encoded(.document, body: body)
    }
    #expect(throws: Never.self) { try history(document(columns: 4)) }
    #expect { try history(document(columns: 40)) } throws: { error in
      (error as? AutomergeError)?.kind == .limit
    }
  }

  @Test("a column that takes all that is left leaves no room for the next one's entry")
  func columnTable() {
    // Three columns, of which the first claims what is left behind its own entry.
    let body: [UInt8] = [0x00, 0x01, 0x0A, 0x01, 0x01, 0x00, 0x00, 0x00, 0x03, 0x15, 0x04]
    for next: UInt8 in [0, 1, 4, 127] {
      let file = Chunk.encoded(.change, body: body + [0x34, next, 0x42, next])
      #expect(throws: AutomergeError.self) { try history(file) }
    }
  }

  @Test("a document that is made here is read as what was put into it")
  func builder() throws {
    var builder = AutomergeBuilder(by: [7, 7])
    builder.put(.counter(-5), at: "count", of: AutomergeBuilder.root)
    let list = builder.put(.object(.list), at: "list", of: AutomergeBuilder.root)
    let first = builder.insert(.unsigned(.max), into: list)
    let map = builder.insert(.object(.map), into: list, after: first)
    builder.put(.double((-0.0).bitPattern), at: "é", of: map)
    builder.put(.timestamp(-1), at: "e\u{301}", of: map)
    let text = builder.put(.object(.text), at: "text", of: AutomergeBuilder.root)
    builder.insert("a\r\nb👩‍👩‍👧", into: text)
    let history = try builder.finish(time: 12, message: "made")
    let bytes = AutomergeState.encoded(history)
    let again = try self.history(bytes)
    #expect(again.changes.map(\.hash) == history.changes.map(\.hash))
    #expect(
      AutomergeState(again).lines.dropFirst(2) == [
        "/636f756e74 counter -5", "/6c697374 list", "/6c697374/0 unsigned 18446744073709551615",
        "/6c697374/1 map", "/6c697374/1/65cc81 timestamp -1",
        "/6c697374/1/c3a9 double 8000000000000000",
        "/74657874 text 610d0a62f09f91a9e2808df09f91a9e2808df09f91a7",
      ])
    var next = AutomergeBuilder(by: [1], upon: again)
    next.put(.bool(true), at: "more", of: AutomergeBuilder.root)
    let both = try next.finish(time: 13)
    #expect(both.order.count == 2 && both.heads.count == 1)
    #expect(try self.history(AutomergeState.encoded(both)).heads == both.heads)
  }
}
