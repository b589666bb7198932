/// What operations write, by number: five bytes each, and a place in a table of its own for what
/// does not fit into them; strings stand one after the other in UTF-8.
package struct ContentTable: Sendable {
  private enum Code: UInt8 {
    case null
    /// What it is says the argument; of an integer if it has 32 bits.
    case bool, small, container
    /// 64 bits in ``words``.
    case integer, double, timestamp
    /// In a table of its own.
    case string, bytes, uuid
  }

  private var codes: [UInt8] = []
  /// What a short content is, or where in its table another one stands.
  private var arguments: [Int32] = []
  private var words: [Int64] = []
  /// All strings, one after the other in UTF-8.
  private(set) var utf8: [UInt8] = []
  /// Where each string ends there.
  private var stringEnds: [UInt32] = []
  private var byteStrings: [[UInt8]] = []
  private var identifiers: [UniqueID] = []
  /// What all contents weigh; see ``Content/weight``.
  package private(set) var weight = 0

  package init() {}

  /// About how many bytes of a file a content takes.
  private static let usualSize = 8

  /// Makes room for what so many bytes of a file hold, so that little is copied to grow.
  mutating func reserve(encodedIn byteCount: Int) {
    utf8.reserveCapacity(utf8.count + byteCount)
    let more = byteCount / Self.usualSize
    codes.reserveCapacity(count + more)
    arguments.reserveCapacity(count + more)
    stringEnds.reserveCapacity(stringEnds.count + more / 2)
    words.reserveCapacity(words.count + more / 4)
  }

  /// About how many bytes the table takes, without what byte strings hold.
  var byteCount: Int {
    5 * count + 8 * words.count + utf8.count + 4 * stringEnds.count
      + 16 * (byteStrings.count + identifiers.count)
  }

  /// Appends a string that is at hand as UTF-8, which the caller answers for.
  mutating func append(utf8 string: Span<UInt8>) {
    weight += Content.weight(ofStringOf: string.count)
    append(.string, Int32(stringEnds.count))
    utf8.append(bytes: string)
    stringEnds.append(UInt32(utf8.count))
  }

  /// Appends a content.
  package mutating func append(_ content: Content) {
    if case .value(.string(let string)) = content { return append(utf8: string.utf8.span) }
    weight += content.weight
    switch content {
    case .value(.null): append(.null)
    case .value(.bool(let flag)): append(.bool, flag ? 1 : 0)
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
    case .value(.string): preconditionFailure("strings are appended as UTF-8")
    case .value(.bytes(let bytes)):
      append(.bytes, Int32(byteStrings.count))
      byteStrings.append(bytes)
    case .value(.uuid(let identifier)):
      append(.uuid, Int32(identifiers.count))
      identifiers.append(identifier)
    case .container(let kind): append(.container, Int32(kind.rawValue))
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
    let last = Self.uses(of: codes.suffix(count))
    words.removeLast(last.words)
    stringEnds.removeLast(last.strings)
    utf8.removeLast(utf8.count - Int(stringEnds.last ?? 0))
    byteStrings.removeLast(last.byteStrings)
    identifiers.removeLast(last.identifiers)
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
    let first = Self.uses(of: codes[..<count])
    let size = first.strings == 0 ? 0 : Int(stringEnds[first.strings - 1])
    return words[..<first.words] == other.words[..<first.words]
      && stringEnds[..<first.strings] == other.stringEnds[..<first.strings]
      && byteStrings[..<first.byteStrings] == other.byteStrings[..<first.byteStrings]
      && identifiers[..<first.identifiers] == other.identifiers[..<first.identifiers]
      && utf8.span.extracting(..<size).isSame(as: other.utf8.span.extracting(..<size))
  }

  /// A table of the first contents, with room for as many as there will be.
  ///
  /// O(count).
  func table(ofFirst count: Int, growingTo size: Int) -> ContentTable {
    var result = ContentTable()
    result.codes = codes.prefix(count, growingTo: size)
    result.arguments = arguments.prefix(count, growingTo: size)
    let first = Self.uses(of: codes[..<count])
    result.words = Array(words[..<first.words])
    result.stringEnds = Array(stringEnds[..<first.strings])
    result.utf8 = Array(utf8[..<Int(result.stringEnds.last ?? 0)])
    result.byteStrings = Array(byteStrings[..<first.byteStrings])
    result.identifiers = Array(identifiers[..<first.identifiers])
    result.weight = weight - self[count...].reduce(0) { $0 + $1.weight }
    return result
  }

  /// The kind of the new container that a content is; `nil` for a value.
  ///
  /// O(1); no value is made.
  func containerKind(ofContent index: ContentIndex) -> ContainerKind? {
    let place = Int(index.rawValue)
    return Self.code(codes[place]) == .container ? Self.kind(arguments[place]) : nil
  }

  /// Where the string that a content is stands in ``utf8``; `nil` if it is none.
  ///
  /// O(1); nothing is copied.
  func stringRange(ofContent index: ContentIndex) -> Range<Int>? {
    let place = Int(index.rawValue)
    return Self.code(codes[place]) == .string ? stringRange(Int(arguments[place])) : nil
  }

  private func stringRange(_ place: Int) -> Range<Int> {
    (place == 0 ? 0 : Int(stringEnds[place - 1]))..<Int(stringEnds[place])
  }

  private static func code(_ rawValue: UInt8) -> Code {
    guard let code = Code(rawValue: rawValue) else {
      preconditionFailure("a table holds contents of known kinds")
    }
    return code
  }

  private static func kind(_ argument: Int32) -> ContainerKind {
    guard let kind = ContainerKind(rawValue: UInt8(argument)) else {
      preconditionFailure("a table holds containers of known kinds")
    }
    return kind
  }

  /// How many of some contents stand in each of the tables.
  private static func uses(
    of codes: ArraySlice<UInt8>
  ) -> (words: Int, strings: Int, byteStrings: Int, identifiers: Int) {
    var uses = (words: 0, strings: 0, byteStrings: 0, identifiers: 0)
    for code in codes {
      switch Self.code(code) {
      case .integer, .double, .timestamp: uses.words += 1
      case .string: uses.strings += 1
      case .bytes: uses.byteStrings += 1
      case .uuid: uses.identifiers += 1
      case .null, .bool, .small, .container: break
      }
    }
    return uses
  }
}

extension ContentTable {
  /// Traps unless every content is in its table, strings are UTF-8, and the weight is that of all.
  ///
  /// O(n + bytes); for tests.
  package func checkInvariants() {
    precondition(codes.count == arguments.count, "every code has an argument")
    precondition(
      zip(stringEnds, stringEnds.dropFirst()).allSatisfy(<=)
        && Int(stringEnds.last ?? 0) == utf8.count, "strings stand one after the other")
    precondition(
      Self.uses(of: codes[...])
        == (words.count, stringEnds.count, byteStrings.count, identifiers.count),
      "nothing stands in a table that no content is in")
    precondition(reduce(0) { $0 + $1.weight } == weight, "the weight is that of all contents")
  }
}

extension ContentTable: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { codes.count }
  package var count: Int { codes.count }

  @inline(__always)
  package subscript(index: ContentIndex) -> Content { self[Int(index.rawValue)] }

  package subscript(index: Int) -> Content {
    let argument = arguments[index]
    let place = Int(argument)
    return switch Self.code(codes[index]) {
    case .null: .value(.null)
    case .bool: .value(.bool(argument == 1))
    case .small: .value(.integer(Int64(argument)))
    case .integer: .value(.integer(words[place]))
    case .double: .value(.double(Double(bitPattern: UInt64(bitPattern: words[place]))))
    case .timestamp: .value(.timestamp(Timestamp(milliseconds: words[place])))
    case .string: .value(.string(String(decoding: utf8[stringRange(place)], as: UTF8.self)))
    case .bytes: .value(.bytes(byteStrings[place]))
    case .uuid: .value(.uuid(identifiers[place]))
    case .container: .container(Self.kind(argument))
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
    case .value(.string(let string)): Self.weight(ofStringOf: string.utf8.count)
    case .value(.bytes(let bytes)): Self.headSize(UInt64(bytes.count)) + bytes.count
    case .container(.text), .container(.set), .container(.counter): 4
    }
  }

  /// The weight of a string of so many bytes.
  fileprivate static func weight(ofStringOf count: Int) -> Int { headSize(UInt64(count)) + count }

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
