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

  /// A part of the text.
  ///
  /// O(bytes).
  func scalars(from first: Int, count: Int) -> TextBuffer {
    var result = TextBuffer()
    result.append(text, from: place(ofScalar: first), to: place(ofScalar: first + count))
    return result
  }
}
