/// Valid UTF-8 with its length in Unicode scalars.
package struct TextBuffer: Hashable, Sendable {
  /// The bytes; always valid UTF-8.
  package private(set) var utf8: [UInt8]
  /// The length in Unicode scalars.
  package private(set) var scalarCount: Int

  package init() {
    utf8 = []
    scalarCount = 0
  }

  /// Takes over bytes that are known to be valid UTF-8, in O(n).
  package init(validated utf8: [UInt8]) {
    self.utf8 = utf8
    scalarCount = unsafe utf8.span.bytes.scalarCount(in: 0..<utf8.count)
  }

  /// A copy of a string's scalars, in O(n).
  package init(_ string: String) {
    self.init(validated: Array(string.utf8))
  }

  /// Whether every scalar takes one byte, so that scalar and byte offsets are the same.
  package var isASCII: Bool { utf8.count == scalarCount }

  /// Traps unless the bytes are UTF-8 of so many scalars, in O(bytes); for tests.
  package func checkInvariants() {
    let text = String(validating: utf8, as: UTF8.self)
    precondition(text?.unicodeScalars.count == scalarCount, "it knows how many scalars it has")
  }

  /// The place after the last scalar.
  package var end: TextPlace { TextPlace(scalar: scalarCount, byte: utf8.count) }

  package var string: String { String(decoding: utf8, as: UTF8.self) }

  /// The scalars between two places, in O(bytes).
  package func string(from start: TextPlace, to end: TextPlace) -> String {
    String(decoding: utf8[start.byte..<end.byte], as: UTF8.self)
  }

  /// Makes room for this many bytes in all.
  package mutating func reserve(bytes: Int) {
    utf8.reserveCapacity(bytes)
  }

  /// Appends the scalars between two places of another text, in O(bytes appended).
  package mutating func append(
    _ other: borrowing TextBuffer, from start: TextPlace, to end: TextPlace
  ) {
    precondition(
      start.byte >= 0 && end.byte <= other.utf8.count, "places are those of the text")
    // Not as a slice, which would be retained: parts are mostly short.
    unsafe other.utf8.withUnsafeBufferPointer { bytes in
      unsafe utf8.append(
        contentsOf: UnsafeBufferPointer(rebasing: bytes[start.byte..<end.byte]))
    }
    scalarCount += end.scalar - start.scalar
  }

  /// Appends a whole text, in O(bytes appended).
  package mutating func append(_ other: TextBuffer) {
    utf8.append(contentsOf: other.utf8)
    scalarCount += other.scalarCount
  }

  /// Replaces the scalars between two places, in O(n).
  package mutating func replace(from start: TextPlace, to end: TextPlace, with new: TextBuffer) {
    utf8.replaceSubrange(start.byte..<end.byte, with: new.utf8)
    scalarCount += new.scalarCount - (end.scalar - start.scalar)
  }

  /// How many line feeds stand between two places, in O(bytes), eight bytes at a time.
  package func lineFeeds(from start: TextPlace, to end: TextPlace) -> Int {
    unsafe utf8.span.bytes.lineFeedCount(in: start.byte..<end.byte)
  }

  /// The place of the `scalar`-th scalar, reached from a known place by counting, eight bytes at a
  /// time, in O(distance); O(1) in ASCII text.
  ///
  /// Precondition: `0 <= scalar <= scalarCount`.
  package func place(ofScalar scalar: Int, from known: TextPlace = TextPlace()) -> TextPlace {
    precondition(scalar >= 0 && scalar <= scalarCount, "a place outside the text")
    if isASCII { return TextPlace(scalar: scalar, byte: scalar) }
    let bytes = unsafe utf8.span.bytes
    let byte =
      scalar >= known.scalar
      ? bytes.offset(skipping: scalar - known.scalar, from: known.byte)
      : bytes.offset(skippingBack: known.scalar - scalar, from: known.byte)
    return TextPlace(scalar: scalar, byte: byte)
  }
}

/// A place between two scalars of a text.
package struct TextPlace: Hashable, Sendable {
  /// Scalars before it.
  package var scalar: Int
  /// Bytes before it.
  package var byte: Int

  package init(scalar: Int = 0, byte: Int = 0) {
    self.scalar = scalar
    self.byte = byte
  }
}

extension RawSpan {
  /// How many scalars start in a range of bytes of valid UTF-8, in O(n), eight bytes at a time.
  package func scalarCount(in range: Range<Int>) -> Int {
    range.count - count(in: range) { ($0 >> 7) & ~($0 >> 6) & 0x0101_0101_0101_0101 }
  }

  /// How many bytes of a range are line feeds.
  fileprivate func lineFeedCount(in range: Range<Int>) -> Int {
    count(in: range) { word in
      // Line feeds become zero; only a zero byte leaves its highest bit clear in the sum.
      let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
      let rest = word ^ 0x0A0A_0A0A_0A0A_0A0A
      return ~((rest & low) + low | rest | low) >> 7
    }
  }

  /// How many bytes of a range are those for which `mark` makes 1 of a byte, of eight at once, and of
  /// others 0.
  @inline(__always)
  private func count(in range: Range<Int>, _ mark: (UInt64) -> UInt64) -> Int {
    var count = 0
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      // Each byte of the sum has room for 255.
      let words = Swift.min((range.upperBound - offset) / 8, 255)
      var sum: UInt64 = 0
      for _ in 0..<words {
        sum &+= unsafe mark(unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      let pairs = (sum & 0x00FF_00FF_00FF_00FF) + (sum >> 8 & 0x00FF_00FF_00FF_00FF)
      count += Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
    while offset < range.upperBound {
      let byte = unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      count += Int(mark(UInt64(byte)) & 1)
      offset += 1
    }
    return count
  }

  /// The offset of the scalar that is `count` scalars after the one that starts at `start`.
  fileprivate func offset(skipping count: Int, from start: Int) -> Int {
    var left = count
    var offset = start
    // So many scalars take at least so many bytes.
    while left >= 8, offset + 8 <= byteCount {
      let end = Swift.min(offset + left, byteCount)
      left -= scalarCount(in: offset..<end)
      offset = end
    }
    // `offset` may stand inside a scalar whose start has been counted.
    while offset < byteCount, !isScalarStart(offset) { offset += 1 }
    while left > 0, offset < byteCount {
      offset += 1
      while offset < byteCount, !isScalarStart(offset) { offset += 1 }
      left -= 1
    }
    return offset
  }

  /// The offset of the scalar that is `count` scalars before the one that starts at `start`.
  fileprivate func offset(skippingBack count: Int, from start: Int) -> Int {
    var left = count
    var offset = start
    while left >= 8, offset >= 8 {
      let end = offset
      offset = Swift.max(0, end - left)
      left -= scalarCount(in: offset..<end)
    }
    while left > 0, offset > 0 {
      offset -= 1
      if isScalarStart(offset) { left -= 1 }
    }
    // Stand on the scalar start that was counted last.
    while offset < byteCount, !isScalarStart(offset) { offset += 1 }
    return offset
  }

  private func isScalarStart(_ offset: Int) -> Bool {
    unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) & 0xC0 != 0x80
  }
}

extension [TextBuffer] {
  /// About how many bytes the texts take, with the place of each in a file, in O(texts).
  package var byteCount: Int {
    reduce(20 * count) { $0 + ($1.utf8.isEmpty ? 0 : 40 + $1.utf8.count) }
  }
}

/// A text with an index that finds any scalar in O(1) steps of ``stride`` scalars.
struct IndexedText {
  private static let stride = 512

  let text: TextBuffer
  /// The place of every ``stride``-th scalar; empty for ASCII.
  private var places: [TextPlace] = []

  /// O(bytes).
  init(_ text: TextBuffer) {
    self.text = text
    if text.isASCII { return }
    var place = TextPlace()
    places.append(place)
    while place.scalar + Self.stride <= text.scalarCount {
      place = text.place(ofScalar: place.scalar + Self.stride, from: place)
      places.append(place)
    }
  }

  func place(ofScalar scalar: Int) -> TextPlace {
    if places.isEmpty { return TextPlace(scalar: scalar, byte: scalar) }
    return text.place(ofScalar: scalar, from: places[scalar / Self.stride])
  }

  /// A part of the text, in O(bytes).
  func scalars(from first: Int, count: Int) -> TextBuffer {
    var result = TextBuffer()
    result.append(text, from: place(ofScalar: first), to: place(ofScalar: first + count))
    return result
  }
}

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
  /// The text parted at its line feeds, also at those after a carriage return: with that they are a
  /// character of their own, at which `split(separator: "\n")` does not part, in O(text).
  package func splitAtLineFeeds(omittingEmptySubsequences omitsEmpty: Bool = true) -> [Substring] {
    utf8.split(separator: 0x0A, omittingEmptySubsequences: omitsEmpty).map { Substring($0) }
  }

  /// A line without the carriage return before its line feed.
  package var withoutCarriageReturn: String {
    guard unicodeScalars.last == "\r" else { return String(self) }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.dropLast())
    return String(scalars)
  }
}
