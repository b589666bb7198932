import PeernoteCBOR

/// Reads the view section of a file by itself: the content without the history.
package struct ViewTree {
  private var reader: CBORReader
  /// Where the byte strings stand that the view only refers to; `nil` for a damaged file.
  private let envelope: Envelope?
  /// Whether the structure of a damaged file is lost, so that nothing more can be read.
  private var isLost = false

  private var isDamaged: Bool { envelope == nil }

  /// The content of a file, of whose log only byte strings are read that stand there alone; throws
  /// the first fault with its place; O(n).
  package static func read(_ envelope: Envelope) throws(DocumentError) -> DocumentNode {
    let view = envelope.view
    var tree = ViewTree(reader: CBORReader(envelope.bytes, range: view), envelope: envelope)
    return try reading(.view) {
      guard case .array(count: 2) = try tree.reader.nextItem() else {
        throw CBORError("the view is not a pair", at: view.lowerBound)
      }
      guard let root = try tree.readNode(depth: 1), case .map = root else {
        throw CBORError("the view does not hold a map", at: view.lowerBound)
      }
      return root
    }
  }

  /// What can be read of the content of a damaged file, up to the first place where its structure is
  /// lost, as a map; `nil` if nothing can be.
  ///
  /// O(n). In texts U+FFFD stands for what is no text; names that cannot be read, and large byte
  /// strings, which stand elsewhere, are left out.
  package static func readDamaged(_ bytes: [UInt8]) -> DocumentNode? {
    guard let start = DamagedSections(bytes).likelyView else { return nil }
    var tree = ViewTree(reader: CBORReader(bytes, range: start..<bytes.count), envelope: nil)
    guard case .array(count: 2) = try? tree.reader.nextItem(),
      case .map(let entries)? = try? tree.readNode(depth: 1), !entries.isEmpty
    else { return nil }
    return .map(entries)
  }

  /// Reads what stands next; `nil` if that is left out.
  private mutating func readNode(depth: Int) throws -> DocumentNode? {
    let start = reader.offset
    let item = try nextItem()
    guard depth <= Objects.depthLimit || !Self.isContainer(item) else {
      throw DocumentError(.tooDeep, in: .view, at: start)
    }
    switch item {
    case .map(let count):
      return .map(try readEntries(count, depth: depth))
    case .array(let count):
      var nodes: [DocumentNode] = []
      try forEach(count) { tree in
        if let node = try tree.readNode(depth: depth + 1) { nodes.append(node) }
      }
      return .list(nodes)
    case .tag(Format.textTag):
      guard case .value(.string(let text))? = try readNode(depth: depth + 1) else {
        throw CBORError("a text is not a text string", at: start)
      }
      return .text(text)
    case .tag(Format.setTag):
      guard case .array(let count) = try nextItem() else {
        throw CBORError("a set is not an array", at: start)
      }
      return .set(try readMembers(count))
    case .tag(Format.counterTag):
      guard case .integer(let sum) = try reader.readValue() else {
        throw CBORError("a counter is not an integer", at: start)
      }
      return .counter(sum)
    case .tag(Format.byteReferenceTag):
      let reference = try nextItem()
      guard let envelope else { return nil }
      guard case .unsigned(let number) = reference else {
        throw CBORError("a reference is not a number", at: start)
      }
      return .value(try Self.content(number, of: envelope, at: start))
    case .unsigned, .negative, .bytes, .text, .tag, .bool, .null, .double:
      return .value(try value(item, at: start))
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
    var known: Set<[UInt8]> = []
    try forEach(count) { tree in
      let start = tree.reader.offset
      guard case .text(let range) = try tree.nextItem() else {
        throw CBORError("a key is not a text string", at: start)
      }
      if !tree.isDamaged {
        try tree.reader.checkText(range)
        try order.follow(start..<tree.reader.offset, in: tree.reader.bytes)
      }
      let key = String(decoding: tree.reader.bytes[range], as: UTF8.self)
      guard !tree.isLost, let node = try tree.readNode(depth: depth + 1) else { return }
      if tree.isDamaged, !known.insert(Array(key.utf8)).inserted { return }
      entries.append(.init(key: key, node: node))
    }
    return entries
  }

  private mutating func readMembers(_ count: Int) throws -> [Value] {
    var members: [Value] = []
    var known: Set<Value> = []
    try forEach(count) { tree in
      let start = tree.reader.offset
      let member = try tree.value(try tree.nextItem(), at: start)
      if tree.isDamaged, !known.insert(member).inserted { return }
      members.append(member)
    }
    return members
  }

  /// Reads so many parts of a container; those of a damaged file up to the first fault.
  private mutating func forEach(_ count: Int, _ read: (inout ViewTree) throws -> Void) throws {
    for _ in 0..<count where !isLost {
      do {
        try read(&self)
      } catch {
        guard isDamaged else { throw error }
        isLost = true
      }
    }
  }

  /// The next item; of a text in a damaged file that is cut off what is there of it.
  private mutating func nextItem() throws(CBORError) -> CBORItem {
    do throws(CBORError) {
      return try reader.nextItem()
    } catch {
      // The major type of texts is 3.
      guard isDamaged, let left = error.left, reader.bytes[reader.offset] >> 5 == 3 else {
        throw error
      }
      isLost = true
      return .text(reader.end - left..<reader.end)
    }
  }

  private mutating func value(_ item: CBORItem, at start: Int) throws(CBORError) -> Value {
    if isDamaged, case .text(let range) = item { return .string(damagedText(range)) }
    return try reader.value(item, at: start)
  }

  /// Bytes as text, U+FFFD for what is none.
  private func damagedText(_ range: Range<Int>) -> String {
    var result = ""
    var rest = reader.bytes[range]
    while let zero = rest.firstIndex(of: 0) {
      let zeros = rest[zero...].prefix { $0 == 0 }
      let isHole = zeros.count >= DamagedText.holeSize
      result += String(decoding: rest[..<(isHole ? zero : zeros.endIndex)], as: UTF8.self)
      if isHole { result += "\u{FFFD}" }
      rest = rest[zeros.endIndex...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }

  /// The byte string that stands in the log as the content with a number.
  private static func content(
    _ number: UInt64, of envelope: Envelope, at start: Int
  ) throws -> Value {
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
