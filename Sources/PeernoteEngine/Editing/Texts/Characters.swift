/// Counts the characters of a text up to scalars that are asked for in ascending order; O(bytes)
/// for all questions together.
package struct CharacterCounter {
  private let text: String
  private var place: String.Index
  private var scalars = 0
  private var characters = 0

  package init(_ text: String) {
    self.text = text
    place = text.startIndex
  }

  /// How many whole characters stand before a scalar.
  package mutating func characters(upToScalar scalar: Int) -> Int {
    while place < text.endIndex {
      let length = text[place].unicodeScalars.count
      if scalars + length > scalar { break }
      scalars += length
      characters += 1
      place = text.index(after: place)
    }
    return characters
  }
}

extension String {
  /// The range of scalars that a range of characters covers; `nil` if it reaches outside.
  func scalars(ofCharacters range: Range<Int>) -> Range<Int>? {
    guard range.lowerBound >= 0,
      let start = index(startIndex, offsetBy: range.lowerBound, limitedBy: endIndex),
      let end = index(start, offsetBy: range.count, limitedBy: endIndex)
    else { return nil }
    let before = unicodeScalars.distance(from: startIndex, to: start)
    return before..<before + unicodeScalars.distance(from: start, to: end)
  }
}

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
