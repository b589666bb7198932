import PeernoteCBOR

/// A CBOR item with those inside it, to be changed at will.
package indirect enum CBORTree: Hashable, Sendable {
  case unsigned(UInt64)
  case negative(UInt64)
  case bytes([UInt8])
  case text([UInt8])
  case array([CBORTree])
  /// Keys and values in turn.
  case map([CBORTree])
  case tag(UInt64, CBORTree)
  case bool(Bool)
  case null
  case double(Double)

  /// Reads one item.
  package init(_ bytes: [UInt8]) throws {
    var reader = CBORReader(bytes)
    self = try Self.read(&reader)
  }

  private static func read(_ reader: inout CBORReader) throws -> CBORTree {
    switch try reader.nextItem() {
    case .unsigned(let number): return .unsigned(number)
    case .negative(let number): return .negative(number)
    case .bytes(let range): return .bytes(Array(reader.bytes[range]))
    case .text(let range): return .text(Array(reader.bytes[range]))
    case .array(let count): return .array(try (0..<count).map { _ in try read(&reader) })
    case .map(let count): return .map(try (0..<2 * count).map { _ in try read(&reader) })
    case .tag(let number): return .tag(number, try read(&reader))
    case .bool(let flag): return .bool(flag)
    case .null: return .null
    case .double(let number): return .double(number)
    }
  }

  /// Reads one item that is not nested too deeply; `nil` if it is, or no item.
  package init?(_ bytes: [UInt8], depthLimit: Int) {
    var reader = CBORReader(bytes)
    guard (try? reader.skipItem(depthLimit: depthLimit)) != nil, reader.isAtEnd,
      let tree = try? CBORTree(bytes)
    else { return nil }
    self = tree
  }

  /// A text string.
  package static func string(_ string: String) -> CBORTree { .text(Array(string.utf8)) }

  /// The item's bytes.
  package var encoded: [UInt8] {
    var writer = CBORWriter()
    write(to: &writer)
    return writer.bytes
  }

  private func write(to writer: inout CBORWriter) {
    switch self {
    case .unsigned(let number): writer.unsigned(number)
    case .negative(let number): writer.negative(number)
    case .bytes(let bytes): writer.bytes(bytes)
    case .text(let utf8): writer.text(utf8: utf8.span)
    case .array(let items):
      writer.arrayHeader(items.count)
      for item in items { item.write(to: &writer) }
    case .map(let items):
      writer.mapHeader(items.count / 2)
      for item in items { item.write(to: &writer) }
    case .tag(let number, let item):
      writer.tag(number)
      item.write(to: &writer)
    case .bool(let flag): writer.bool(flag)
    case .null: writer.null()
    case .double(let number): writer.double(number)
    }
  }

  /// The items directly inside.
  package var items: [CBORTree] {
    get {
      switch self {
      case .array(let items), .map(let items): items
      case .tag(_, let item): [item]
      case .unsigned, .negative, .bytes, .text, .bool, .null, .double: []
      }
    }
    set {
      switch self {
      case .array: self = .array(newValue)
      case .map: self = .map(newValue)
      case .tag(let number, _): self = .tag(number, newValue.first ?? .null)
      case .unsigned, .negative, .bytes, .text, .bool, .null, .double: break
      }
    }
  }

  /// The value under a text key of a map; setting `nil` removes the key.
  package subscript(key: String) -> CBORTree? {
    get {
      stride(from: 0, to: items.count, by: 2).first { items[$0] == .string(key) }
        .map { items[$0 + 1] }
    }
    set {
      guard
        let place = stride(from: 0, to: items.count, by: 2).first(where: {
          items[$0] == .string(key)
        })
      else {
        if let newValue { items += [.string(key), newValue] }
        return
      }
      if let newValue {
        items[place + 1] = newValue
      } else {
        items.removeSubrange(place..<place + 2)
      }
    }
  }
}
