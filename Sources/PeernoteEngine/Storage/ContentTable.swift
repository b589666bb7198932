import PeernoteCBOR

/// What operations write, by number, in the bytes of a file.
package struct ContentTable: Sendable {
  /// The contents as in the values column of a file, one after the other.
  private(set) var encoded = CBORWriter()
  /// Where each content ends there.
  private var ends: [UInt32] = []
  /// What all contents weigh; see ``Content/weight``.
  package private(set) var weight = 0

  /// About how many bytes of a file a content takes.
  private static let usualSize = 8

  /// Makes room for what so many bytes of a file hold, so that little is copied to grow.
  mutating func reserve(encodedIn byteCount: Int) {
    encoded.reserve(byteCount)
    ends.reserveCapacity(count + byteCount / Self.usualSize)
  }

  var byteCount: Int { encoded.bytes.count + 4 * ends.count }

  package mutating func append(_ content: Content) {
    encoded.content(content)
    ends.append(UInt32(encoded.bytes.count))
    weight += content.weight
  }

  /// Appends a content that is at hand in the bytes of a file; the caller answers for these, and for
  /// what it weighs.
  mutating func append(encoded content: Span<UInt8>, weight: Int) {
    encoded.encoded(content)
    ends.append(UInt32(encoded.bytes.count))
    self.weight += weight
  }

  /// Whether some contents are the same in another table, which has as many bytes before them;
  /// O(bytes), most of it comparing memory.
  func agrees(with other: ContentTable, in contents: Range<Int>) -> Bool {
    guard other.count >= contents.upperBound, ends[contents] == other.ends[contents] else {
      return false
    }
    let places = places(of: contents)
    return encoded.bytes.span.extracting(places).isSame(
      as: other.encoded.bytes.span.extracting(places))
  }

  /// A table of the first contents, with room for as many as there will be; O(count).
  func table(ofFirst count: Int, growingTo size: Int) -> ContentTable {
    var result = ContentTable()
    result.encoded.encoded(encoded.bytes.span.extracting(places(of: 0..<count)))
    result.ends = ends.prefix(count, growingTo: size)
    result.weight = weight - self[count...].reduce(0) { $0 + $1.weight }
    return result
  }

  /// Where a content stands in the encoded ones.
  func place(of index: ContentIndex) -> Range<Int> {
    let index = Int(index.rawValue)
    return places(of: index..<index + 1)
  }

  /// Where contents stand in the encoded ones.
  func places(of contents: Range<Int>) -> Range<Int> {
    start(of: contents.lowerBound)..<start(of: contents.upperBound)
  }

  private func start(of index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }

  /// A value that is known to be one, as the members of sets are.
  func value(_ index: ContentIndex) -> Value {
    guard case .value(let value) = self[index] else {
      preconditionFailure("a content that is no value")
    }
    return value
  }

  /// A table with another content in the place of each.
  package func replacing(_ replacement: (Content) -> Content) -> ContentTable {
    var result = ContentTable()
    for content in self { result.append(replacement(content)) }
    return result
  }

  /// The kind of the new container that a content is; `nil` for a value; O(1).
  func containerKind(ofContent index: ContentIndex) -> ContainerKind? {
    // Numbers and strings are of major types below that of arrays, which is 4.
    guard encoded.bytes[place(of: index).lowerBound] >> 5 >= 4,
      case .container(let kind) = self[index]
    else { return nil }
    return kind
  }
}

extension ContentTable {
  /// Traps unless the contents stand one after the other, each as it is written, and the weight is
  /// that of all; O(n + bytes); for tests.
  package func checkInvariants() {
    var writer = CBORWriter()
    for (content, end) in zip(self, ends) {
      writer.content(content)
      precondition(writer.bytes.count == Int(end), "contents stand one after the other")
    }
    precondition(writer.bytes == encoded.bytes, "contents stand there as they are written")
    precondition(reduce(0) { $0 + $1.weight } == weight, "the weight is that of all contents")
  }
}

extension ContentTable: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }
  package var count: Int { ends.count }

  @inline(__always)
  package subscript(index: ContentIndex) -> Content { self[Int(index.rawValue)] }

  package subscript(index: Int) -> Content {
    var reader = CBORReader(encoded.bytes, range: places(of: index..<index + 1))
    guard let content = try? reader.readContent() else {
      preconditionFailure("a table holds contents that can be read")
    }
    return content
  }
}

extension Content {
  /// How many bytes it takes in the values of a file, or a few less; see peernote(5), "Limits".
  var weight: Int {
    switch self {
    case .value(.null), .value(.bool), .container(.map), .container(.list): 1
    case .value(.integer(let number)):
      Self.headSize(UInt64(bitPattern: number < 0 ? ~number : number))
    case .value(.double): 3
    case .value(.timestamp): 6
    case .value(.uuid): 19
    case .value(.string(let string)):
      Self.headSize(UInt64(string.utf8.count)) + string.utf8.count
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
