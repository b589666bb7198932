import PeernoteCBOR

/// Reads what a damaged file shows, without its history: the view, up to the first place where its
/// structure is lost.
package struct DamagedView {
  private var reader: CBORReader
  /// Whether the structure is lost, so that nothing more can be read.
  private var isLost = false

  /// What can be read of the content of a file, as a map; `nil` if nothing can be.
  ///
  /// O(n). In texts U+FFFD stands for what is no text; names that cannot be read, and large byte
  /// strings, which stand elsewhere, are left out.
  package static func read(_ bytes: [UInt8]) -> DocumentNode? {
    guard let start = DamagedSections(bytes).likelyView else { return nil }
    var view = DamagedView(
      reader: CBORReader(bytes, range: start..<bytes.count))
    guard case .array(count: 2) = try? view.reader.nextItem(),
      case .map(let entries)? = view.readNode(depth: 1), !entries.isEmpty
    else { return nil }
    return .map(entries)
  }

  /// Reads what stands next; `nil` if it cannot be read.
  private mutating func readNode(depth: Int) -> DocumentNode? {
    let start = reader.offset
    guard !isLost, depth <= Objects.depthLimit, let item = nextItem() else {
      isLost = true
      return nil
    }
    switch item {
    case .map(let count): return .map(readEntries(count, depth: depth))
    case .array(let count):
      var nodes: [DocumentNode] = []
      for _ in 0..<count where !isLost {
        if let node = readNode(depth: depth + 1) { nodes.append(node) }
      }
      return .list(nodes)
    case .tag(Format.textTag):
      guard case .text(let range)? = nextItem() else { break }
      return .text(text(range))
    case .tag(Format.setTag):
      guard case .array(let count)? = nextItem() else { break }
      var members: [Value] = []
      var known: Set<Value> = []
      for _ in 0..<count where !isLost {
        guard let item = nextItem(), let member = value(item, at: start) else { continue }
        if known.insert(member).inserted { members.append(member) }
      }
      return .set(members)
    case .tag(Format.counterTag):
      guard case .integer(let sum)? = try? reader.readValue() else { break }
      return .counter(sum)
    case .tag(Format.byteReferenceTag):
      _ = nextItem()
      return nil
    case .unsigned, .negative, .bytes, .text, .tag, .bool, .null, .double:
      return value(item, at: start).map { .value($0) }
    }
    isLost = true
    return nil
  }

  private mutating func readEntries(_ count: Int, depth: Int) -> [DocumentNode.MapEntry] {
    var entries: [DocumentNode.MapEntry] = []
    var names: Set<[UInt8]> = []
    for _ in 0..<count where !isLost {
      guard case .text(let range)? = nextItem() else {
        isLost = true
        break
      }
      let name = String(decoding: reader.bytes[range], as: UTF8.self)
      guard let node = readNode(depth: depth + 1), names.insert(Array(name.utf8)).inserted else {
        continue
      }
      entries.append(.init(key: name, node: node))
    }
    return entries
  }

  private mutating func value(_ item: CBORItem, at start: Int) -> Value? {
    if case .text(let range) = item { return .string(text(range)) }
    guard let value = try? reader.value(item, at: start) else {
      isLost = true
      return nil
    }
    return value
  }

  /// The next item; of a text that is cut off what is there of it.
  private mutating func nextItem() -> CBORItem? {
    do throws(CBORError) {
      return try reader.nextItem()
    } catch {
      isLost = true
      // The major type of a text is 3.
      guard case .lengthBeyondEnd(_, let left) = error.reason,
        reader.bytes[reader.offset] >> 5 == 3
      else { return nil }
      return .text(reader.end - left..<reader.end)
    }
  }

  /// Bytes as text, U+FFFD for what is none.
  private func text(_ range: Range<Int>) -> String {
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
}
