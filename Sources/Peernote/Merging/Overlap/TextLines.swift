/// Finds the lines of places in a text, fastest if the places ascend.
struct TextLines {
  private let text: TextBuffer
  /// How far lines were counted.
  private var place = TextPlace()
  private var line = 1

  init(_ text: TextBuffer) { self.text = text }

  /// The line of a place, from 1.
  ///
  /// O(bytes since the place before, or since the start).
  mutating func line(ofScalar scalar: Int) -> Int {
    if scalar < place.scalar { (place, line) = (TextPlace(), 1) }
    let next = text.place(ofScalar: scalar, from: place)
    line += text.lineFeeds(from: place, to: next)
    place = next
    return line
  }

  /// The text from the last place that was asked for on.
  ///
  /// O(bytes).
  ///
  /// - Parameter end: where it ends, in scalars of the whole text.
  /// - Returns: the text, in UTF-8.
  func text(upToScalar end: Int) -> ArraySlice<UInt8> {
    text.utf8[place.byte..<text.place(ofScalar: end, from: place).byte]
  }
}
