/// What operations write, by number: five bytes each, and a place in a table of its own for what
/// does not fit into them.
package struct ContentTable: Sendable {
  private enum Code: UInt8 {
    case null, no, yes
    /// An integer of 32 bits.
    case small
    /// 64 bits in ``words``.
    case integer, double, timestamp
    /// In a table of its own.
    case string, bytes, uuid
    case map, list, text, set, counter
  }

  private var codes: [UInt8] = []
  /// A small integer, or where in its table something stands.
  private var arguments: [Int32] = []
  private var words: [Int64] = []
  private var strings: [String] = []
  private var byteStrings: [[UInt8]] = []
  private var identifiers: [UniqueID] = []
  /// What all contents weigh; see ``Content/weight``.
  package private(set) var weight = 0

  package init() {}

  /// About how many bytes the table takes, without strings that do not fit into theirs.
  var byteCount: Int {
    5 * count + 8 * words.count
      + 16 * (strings.count + byteStrings.count + identifiers.count)
  }

  /// Appends a content.
  package mutating func append(_ content: Content) {
    weight += content.weight
    switch content {
    case .value(.null): append(.null)
    case .value(.bool(let flag)): append(flag ? .yes : .no)
    case .value(.integer(let number)):
      if let small = Int32(exactly: number) {
        append(.small, small)
      } else {
        append(.integer, word: number)
      }
    case .value(.double(let number)):
      append(.double, word: Int64(bitPattern: number.canonicalBits))
    case .value(.timestamp(let time)):
      append(.timestamp, word: time.milliseconds)
    case .value(.string(let string)):
      append(.string, Int32(strings.count))
      strings.append(string)
    case .value(.bytes(let bytes)):
      append(.bytes, Int32(byteStrings.count))
      byteStrings.append(bytes)
    case .value(.uuid(let identifier)):
      append(.uuid, Int32(identifiers.count))
      identifiers.append(identifier)
    case .container(.map): append(.map)
    case .container(.list): append(.list)
    case .container(.text): append(.text)
    case .container(.set): append(.set)
    case .container(.counter): append(.counter)
    }
  }

  private mutating func append(_ code: Code, _ argument: Int32 = 0) {
    codes.append(code.rawValue)
    arguments.append(argument)
  }

  private mutating func append(_ code: Code, word: Int64) {
    append(code, Int32(words.count))
    words.append(word)
  }

  /// Takes off the last contents.
  ///
  /// O(contents taken off).
  mutating func removeLast(_ count: Int) {
    for content in suffix(count) { weight -= content.weight }
    for code in codes.suffix(count) {
      switch Self.code(code) {
      case .integer, .double, .timestamp: words.removeLast()
      case .string: strings.removeLast()
      case .bytes: byteStrings.removeLast()
      case .uuid: identifiers.removeLast()
      case .null, .no, .yes, .small, .map, .list, .text, .set, .counter: break
      }
    }
    codes.removeLast(count)
    arguments.removeLast(count)
  }

  /// Whether the first contents are the same in another table.
  ///
  /// O(count).
  func agrees(with other: ContentTable, first count: Int) -> Bool {
    guard other.count >= count, codes[..<count] == other.codes[..<count],
      arguments[..<count] == other.arguments[..<count]
    else { return false }
    return (0..<count).allSatisfy { index in
      switch Self.code(codes[index]) {
      case .null, .no, .yes, .small, .map, .list, .text, .set, .counter: true
      case .integer, .double, .timestamp, .string, .bytes, .uuid: self[index] == other[index]
      }
    }
  }

  /// A table of the first contents, with room for as many as there will be.
  ///
  /// O(count).
  func table(ofFirst count: Int, growingTo size: Int) -> ContentTable {
    var result = ContentTable()
    result.codes = codes.prefix(count, growingTo: size)
    result.arguments = arguments.prefix(count, growingTo: size)
    for code in result.codes {
      switch Self.code(code) {
      case .integer, .double, .timestamp: result.words.append(words[result.words.count])
      case .string: result.strings.append(strings[result.strings.count])
      case .bytes: result.byteStrings.append(byteStrings[result.byteStrings.count])
      case .uuid: result.identifiers.append(identifiers[result.identifiers.count])
      case .null, .no, .yes, .small, .map, .list, .text, .set, .counter: break
      }
    }
    result.weight = result.reduce(0) { $0 + $1.weight }
    return result
  }

  private static func code(_ rawValue: UInt8) -> Code {
    guard let code = Code(rawValue: rawValue) else {
      preconditionFailure("a table holds contents of known kinds")
    }
    return code
  }
}

extension ContentTable: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { codes.count }
  package var count: Int { codes.count }

  package subscript(index: Int) -> Content {
    let argument = arguments[index]
    let place = Int(argument)
    return switch Self.code(codes[index]) {
    case .null: .value(.null)
    case .no: .value(.bool(false))
    case .yes: .value(.bool(true))
    case .small: .value(.integer(Int64(argument)))
    case .integer: .value(.integer(words[place]))
    case .double: .value(.double(Double(bitPattern: UInt64(bitPattern: words[place]))))
    case .timestamp: .value(.timestamp(Timestamp(milliseconds: words[place])))
    case .string: .value(.string(strings[place]))
    case .bytes: .value(.bytes(byteStrings[place]))
    case .uuid: .value(.uuid(identifiers[place]))
    case .map: .container(.map)
    case .list: .container(.list)
    case .text: .container(.text)
    case .set: .container(.set)
    case .counter: .container(.counter)
    }
  }
}

extension Content {
  /// How many bytes it takes in the values column of a file, or a few less; see peernote(5),
  /// "Limits".
  var weight: Int {
    switch self {
    case .value(.null), .value(.bool), .container(.map), .container(.list): 1
    case .value(.integer(let number)):
      Self.headSize(UInt64(bitPattern: number < 0 ? ~number : number))
    case .value(.double): 3
    case .value(.timestamp): 6
    case .value(.uuid): 19
    case .value(.string(let string)): Self.headSize(UInt64(string.utf8.count)) + string.utf8.count
    case .value(.bytes(let bytes)): Self.headSize(UInt64(bytes.count)) + bytes.count
    case .container(.text), .container(.set), .container(.counter): 4
    }
  }

  /// How many bytes say a number or a length.
  private static func headSize(_ number: UInt64) -> Int {
    switch number {
    case ..<24: 1
    case ...0xFF: 2
    case ...0xFFFF: 3
    case ...0xFFFF_FFFF: 5
    case _: 9
    }
  }
}
