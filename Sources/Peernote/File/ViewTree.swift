import PeernoteCBOR

/// Reads the view section of a file by itself: the content without the history.
package struct ViewTree {
  private let envelope: Envelope
  private var reader: ValueReader

  /// The content of a file.
  ///
  /// O(n); the log is not read, but for byte strings that stand there only. Throws the first fault
  /// with its place.
  package static func read(_ envelope: Envelope) throws(DocumentError) -> DocumentNode {
    var tree = ViewTree(
      envelope: envelope,
      reader: ValueReader(
        reader: CBORReader(envelope.bytes, range: envelope.view), section: .view))
    guard case .array(count: 2) = try tree.reader.nextItem() else {
      throw DocumentError("the view is not a pair", in: .view, at: envelope.view.lowerBound)
    }
    let root = try tree.readNode(depth: 1)
    guard case .map = root else {
      throw DocumentError("the view does not hold a map", in: .view, at: envelope.view.lowerBound)
    }
    return root
  }

  private mutating func readNode(depth: Int) throws(DocumentError) -> DocumentNode {
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
        throw DocumentError("a text is not a text string", in: .view, at: start)
      }
      return .text(text)
    case .tag(Format.setTag):
      guard case .array(let count) = try reader.nextItem() else {
        throw DocumentError("a set is not an array", in: .view, at: start)
      }
      var members: [Value] = []
      for _ in 0..<count { members.append(try reader.readValue()) }
      return .set(members)
    case .tag(Format.counterTag):
      guard case .integer(let sum) = try reader.readValue() else {
        throw DocumentError("a counter is not an integer", in: .view, at: start)
      }
      return .counter(sum)
    case .tag(Format.byteReferenceTag):
      guard case .unsigned(let number) = try reader.nextItem() else {
        throw DocumentError("a reference is not a number", in: .view, at: start)
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
  ) throws(DocumentError) -> [DocumentNode.MapEntry] {
    var entries: [DocumentNode.MapEntry] = []
    var order = MapKeyOrder()
    for _ in 0..<count {
      let start = reader.offset
      guard case .value(.string(let key)) = try reader.readContent() else {
        throw DocumentError("a key is not a text string", in: .view, at: start)
      }
      let range = start..<reader.offset
      do throws(CBORError) {
        try order.follow(range, in: envelope.bytes)
      } catch {
        throw DocumentError(error, in: .view)
      }
      entries.append(.init(key: key, node: try readNode(depth: depth + 1)))
    }
    return entries
  }

  /// The byte string that stands in the log as the content with a number.
  private func referenced(_ number: UInt64, at start: Int) throws(DocumentError) -> Value {
    var values = ValueReader(
      reader: CBORReader(envelope.bytes, range: try LogReader.values(of: envelope)),
      section: .log)
    var left = number
    while !values.reader.isAtEnd {
      let content = try values.readContent()
      if left == 0, case .value(let value) = content, case .bytes = value { return value }
      if left == 0 { break }
      left -= 1
    }
    throw DocumentError("a reference to bytes that are not there", in: .view, at: start)
  }
}
