import PeernoteCBOR

/// A whole item with all items inside it, as a model that tests compare with.
indirect enum ItemTree: Hashable, Sendable {
  case unsigned(UInt64)
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([ItemTree])
  case map([Pair])
  case tag(UInt64, ItemTree)
  case bool(Bool)
  case null
  /// The value's bits, so that a NaN equals itself and 0 differs from -0.
  case double(UInt64)

  struct Pair: Hashable, Sendable {
    var key: ItemTree
    var value: ItemTree
  }
}

// MARK: Writing and reading

extension ItemTree {
  func write(to writer: inout CBORWriter) {
    switch self {
    case .unsigned(let value): writer.unsigned(value)
    case .negative(let argument): writer.negative(argument)
    case .bytes(let content): writer.bytes(content)
    case .text(let content): writer.text(content)
    case .array(let elements):
      writer.arrayHeader(elements.count)
      for element in elements { element.write(to: &writer) }
    case .map(let pairs):
      writer.mapHeader(pairs.count)
      for pair in pairs {
        pair.key.write(to: &writer)
        pair.value.write(to: &writer)
      }
    case .tag(let number, let content):
      writer.tag(number)
      content.write(to: &writer)
    case .bool(let value): writer.bool(value)
    case .null: writer.null()
    case .double(let bits): writer.double(Double(bitPattern: bits))
    }
  }

  var encoded: [UInt8] { written { write(to: &$0) } }

  init(from reader: inout CBORReader) throws(CBORError) {
    switch try reader.peekKind() {
    case .unsigned: self = .unsigned(try reader.readUnsigned())
    case .negative:
      guard case .negative(let argument) = try reader.nextItem() else { preconditionFailure() }
      self = .negative(argument)
    case .bytes: self = .bytes(Array(reader.bytes[try reader.readBytes()]))
    case .text: self = .text(try reader.readString())
    case .array:
      var elements: [ItemTree] = []
      for _ in 0..<(try reader.readArrayHeader()) { elements.append(try ItemTree(from: &reader)) }
      self = .array(elements)
    case .map:
      var pairs: [Pair] = []
      var order = MapKeyOrder()
      for _ in 0..<(try reader.readMapHeader()) {
        let start = reader.offset
        let key = try ItemTree(from: &reader)
        try order.follow(start..<reader.offset, in: reader.bytes)
        pairs.append(Pair(key: key, value: try ItemTree(from: &reader)))
      }
      self = .map(pairs)
    case .tag:
      guard case .tag(let number) = try reader.nextItem() else { preconditionFailure() }
      self = .tag(number, try ItemTree(from: &reader))
    case .bool: self = .bool(try reader.readBool())
    case .null:
      guard try reader.skipNull() else { preconditionFailure() }
      self = .null
    case .double:
      guard case .double(let value) = try reader.nextItem() else { preconditionFailure() }
      self = .double(value.bitPattern)
    }
  }
}

// MARK: Random trees

extension ItemTree {
  /// Draws a tree of at most `depth` levels of containers; map keys are unique and sorted.
  static func random(depth: Int, using generator: inout SeededGenerator) -> ItemTree {
    switch Int.random(in: 0..<(depth > 0 ? 13 : 8), using: &generator) {
    case 0: return .unsigned(randomArgument(using: &generator))
    case 1: return .negative(randomArgument(using: &generator))
    case 2:
      let count = randomCount(using: &generator)
      return .bytes((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    case 3: return .text(randomText(using: &generator))
    case 4: return .bool(Bool.random(using: &generator))
    case 5: return .null
    case 6:
      let number = Double(bitPattern: generator.next())
      return .double(number.isNaN ? canonicalNaN : number.bitPattern)
    case 7: return .double((Double.random(in: -8...8, using: &generator) * 4).rounded().bitPattern)
    case 8:
      return .tag(randomArgument(using: &generator), random(depth: depth - 1, using: &generator))
    case 9, 10:
      let count = Int.random(in: 0...5, using: &generator)
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      let count = Int.random(in: 0...5, using: &generator)
      let keys = Set((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
      return .map(
        keys.sorted { $0.encoded.lexicographicallyPrecedes($1.encoded) }
          .map { Pair(key: $0, value: random(depth: depth - 1, using: &generator)) })
    }
  }

  private static var canonicalNaN: UInt64 { 0x7ff8_0000_0000_0000 }

  /// Draws numbers of all magnitudes alike.
  private static func randomArgument(using generator: inout SeededGenerator) -> UInt64 {
    generator.next() >> UInt64.random(in: 0..<64, using: &generator)
  }

  /// Draws a length on either side of each width of a head, short ones more often.
  private static func randomCount(using generator: inout SeededGenerator) -> Int {
    let bound = [24, 40, 40, 300, 66_000].randomElement(using: &generator) ?? 0
    return bound > 300 && Int.random(in: 0..<50, using: &generator) > 0
      ? 3 : Int.random(in: 0...bound, using: &generator)
  }

  private static func randomText(using generator: inout SeededGenerator) -> String {
    let scalars: [Unicode.Scalar] = ["a", "\n", "\"", "ß", "字", "👩", "\u{200d}", "\u{0}"]
    var text = ""
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
    }
    return text
  }
}
