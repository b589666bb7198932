package import Peernote

extension Document {
  /// A copy that says the same of every change, and shows another text; sound by itself if the text
  /// is as long.
  ///
  /// - Parameters:
  ///   - path: where the text stands.
  ///   - retell: makes another text of it.
  /// - Returns: the copy; `nil` if no text stands there.
  /// - Throws: ``DocumentError`` if it is no document any more.
  package func retelling(
    _ path: JSONPointer, _ retell: (String) -> String
  ) throws -> Document? {
    guard case .text(let text)? = rawRoot[path] else { return nil }
    var file = try DocumentFile(bytes())
    guard let number = file.texts.firstIndex(of: TextBuffer(text)) else { return nil }
    file.texts[number] = TextBuffer(retell(text))
    return try Document(bytes: file.bytes())
  }
}
