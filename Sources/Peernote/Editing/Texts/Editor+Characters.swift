extension Editor {
  /// Replaces a range of a text, in characters (extended grapheme clusters, as `String` counts).
  ///
  /// O(bytes of the text).
  ///
  /// - Throws: ``EditError`` if there is no text or the range lies outside it.
  public mutating func spliceText(
    at path: JSONPointer, characters: Range<Int>, with text: String
  ) throws(EditError) {
    let container = try container(at: path, .text)
    guard let scalars = shownText(of: container).string.scalars(ofCharacters: characters) else {
      throw .rangeOutsideText(path)
    }
    try spliceText(at: path, scalars: scalars, with: text)
  }
}
