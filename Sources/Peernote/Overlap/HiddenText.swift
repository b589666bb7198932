/// The text of those segments of a merge that are not visible, as far as it is known.
package struct HiddenText: Sendable {
  private var bytes: [UInt8] = []
  /// Where the text of each segment ends.
  private var ends: [Int] = []

  package init() {}

  /// Makes room for this many segments.
  package mutating func reserve(segments count: Int) {
    ends.reserveCapacity(count)
  }

  /// Appends the text of the next segment; nothing if it is visible or not known.
  package mutating func append(_ text: some Collection<UInt8>) {
    if !text.isEmpty { bytes.append(contentsOf: text) }
    ends.append(bytes.count)
  }

  /// Appends more of the text of the last segment.
  package mutating func appendToLast(_ text: some Collection<UInt8>) {
    if text.isEmpty { return }
    bytes.append(contentsOf: text)
    ends[ends.count - 1] = bytes.count
  }

  /// How many bytes some segments have.
  package func byteCount(of segments: Range<Int>) -> Int {
    self[segments].count
  }

  /// The text of a segment in UTF-8; empty if it is visible or not known.
  package subscript(segment: Int) -> ArraySlice<UInt8> {
    self[segment..<segment + 1]
  }

  /// The text of consecutive segments.
  private subscript(segments: Range<Int>) -> ArraySlice<UInt8> {
    guard !segments.isEmpty else { return [] }
    let start = segments.lowerBound == 0 ? 0 : ends[segments.lowerBound - 1]
    return bytes[start..<ends[segments.upperBound - 1]]
  }
}
