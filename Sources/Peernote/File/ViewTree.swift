import PeernoteCBOR

/// Reads the view section of a file by itself: the content without the history.
package struct ViewTree {
  private let envelope: Envelope
  private var reader: CBORReader

  /// The content of a file.
  ///
  /// O(n); the log is not read, but for byte strings that stand there only. Throws the first fault
  /// with its place.
  package static func read(_ envelope: Envelope) throws(DocumentError) -> DocumentNode {
    let view = envelope.view
    var tree = ViewTree(envelope: envelope, reader: CBORReader(envelope.bytes, range: view))
    return try reading(.view) {
      guard case .array(count: 2) = try tree.reader.nextItem() else {
        throw CBORError("the view is not a pair", at: view.lowerBound)
      }
      let root = try tree.readNode(depth: 1)
      guard case .map = root else {
        throw CBORError("the view does not hold a map", at: view.lowerBound)
      }
      return root
    }
  }

  private mutating func readNode(depth: Int) throws -> DocumentNode {
    let start = reader.offset
    let item = try reader.nextItem()
    guard depth <= Objects.depthLimit || !Self.isContainer(item) else {
      throw DocumentError(
        HistoryError.Reason.tooDeep.description, kind: .limit, in: .view, at: start)
    }
    switch item {
    case .map(let count):
      return .map(try readEntries(count, depth: depth))
    case .array(let count):
      var nodes: [DocumentNode] = []
      for _ in 0..<count { nodes.append(try readNode(depth: depth + 1)) }
      return .list(nodes)
    case .tag(Format.textTag):
      guard case .value(.string(let text)) = try readNode(depth: depth + 1) else {
        throw CBORError("a text is not a text string", at: start)
      }
      return .text(text)
    case .tag(Format.setTag):
      guard case .array(let count) = try reader.nextItem() else {
        throw CBORError("a set is not an array", at: start)
      }
      var members: [Value] = []
      for _ in 0..<count { members.append(try reader.readValue()) }
      return .set(members)
    case .tag(Format.counterTag):
      guard case .integer(let sum) = try reader.readValue() else {
        throw CBORError("a counter is not an integer", at: start)
      }
      return .counter(sum)
    case .tag(Format.byteReferenceTag):
      guard case .unsigned(let number) = try reader.nextItem() else {
        throw CBORError("a reference is not a number", at: start)
      }
      return .value(try referenced(number, at: start))
    case .unsigned, .negative, .bytes, .text, .tag, .bool, .null, .double:
      return .value(try reader.value(item, at: start))
    }
  }

  private static func isContainer(_ item: CBORItem) -> Bool {
    switch item {
    case .map, .array, .tag(Format.textTag), .tag(Format.setTag), .tag(Format.counterTag): true
    case .unsigned, .negative, .bytes, .text, .tag, .bool, .null, .double: false
    }
  }

  private mutating func readEntries(
    _ count: Int, depth: Int
  ) throws -> [DocumentNode.MapEntry] {
    var entries: [DocumentNode.MapEntry] = []
    var order = MapKeyOrder()
    for _ in 0..<count {
      let start = reader.offset
      guard case .value(.string(let key)) = try reader.readContent() else {
        throw CBORError("a key is not a text string", at: start)
      }
      let range = start..<reader.offset
      try order.follow(range, in: envelope.bytes)
      entries.append(.init(key: key, node: try readNode(depth: depth + 1)))
    }
    return entries
  }

  /// The byte string that stands in the log as the content with a number.
  private func referenced(_ number: UInt64, at start: Int) throws -> Value {
    var values = CBORReader(envelope.bytes, range: try LogReader.values(of: envelope))
    var left = number
    while !values.isAtEnd {
      let content = try reading(.log) { try values.readContent() }
      if left == 0, case .value(let value) = content, case .bytes = value { return value }
      if left == 0 { break }
      left -= 1
    }
    throw CBORError("a reference to bytes that are not there", at: start)
  }
}
