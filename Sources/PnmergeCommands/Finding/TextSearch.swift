import Peernote

/// A text to look for in texts and strings, in upper or lower case.
struct TextSearch {
  /// A line that has the text.
  struct Line {
    /// The text it stands in.
    var path: JSONPointer
    /// Its number, from 1; `nil` for a string of one line.
    var line: Int?
    var text: String
  }

  private let needle: String
  /// The bytes in lower case, if all are ASCII.
  private let ascii: [UInt8]?

  /// Looks for a text; `nil` if it is empty.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    needle = text.lowercased()
    let bytes = Array(needle.utf8)
    ascii = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  /// The lines of a document's texts and strings that have the text, in the order of the content.
  ///
  /// O(length of the texts).
  func lines(in root: DocumentNode) -> [Line] {
    var result: [Line] = []
    search(root, JSONPointer(), &result)
    return result
  }

  private func search(_ node: DocumentNode, _ path: JSONPointer, _ result: inout [Line]) {
    switch node {
    case .text(let text): search(text, path, &result)
    case .value(.string(let text)): search(string: text, path, &result)
    case .set(let members):
      for case .string(let text) in members { search(string: text, path, &result) }
    case _:
      for child in node.children { search(child.node, path.appending(child.token), &result) }
    }
  }

  private func search(string: String, _ path: JSONPointer, _ result: inout [Line]) {
    if string.utf8.contains(UInt8(ascii: "\n")) { return search(string, path, &result) }
    if isIn(Array(string.utf8)[...]) { result.append(Line(path: path, line: nil, text: string)) }
  }

  private func search(_ text: String, _ path: JSONPointer, _ result: inout [Line]) {
    let bytes = Array(text.utf8)
    // Most texts have it nowhere, which is soon seen.
    if ascii != nil, !isIn(bytes[...]) { return }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where isIn(line) {
      let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let text = String(decoding: end, as: UTF8.self)
      result.append(Line(path: path, line: index + 1, text: text))
    }
  }

  private func isIn(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let ascii else {
      return String(decoding: bytes, as: UTF8.self).lowercased().contains(needle)
    }
    guard bytes.count >= ascii.count else { return false }
    for start in bytes.startIndex...(bytes.endIndex - ascii.count)
    where Self.lowercase(bytes[start]) == ascii[0] {
      var length = 1
      while length < ascii.count, Self.lowercase(bytes[start + length]) == ascii[length] {
        length += 1
      }
      if length == ascii.count { return true }
    }
    return false
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
