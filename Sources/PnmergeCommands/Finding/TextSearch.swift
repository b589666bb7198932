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
    case .text(let text): search(text, isText: true, path, &result)
    case .value(.string(let text)): search(text, isText: false, path, &result)
    case .set(let members):
      for case .string(let text) in members { search(text, isText: false, path, &result) }
    case _:
      for child in node.children { search(child.node, path.appending(child.token), &result) }
    }
  }

  private func search(
    _ text: String, isText: Bool, _ path: JSONPointer, _ result: inout [Line]
  ) {
    let bytes = Array(text.utf8)
    // Most texts have it nowhere, which is soon seen.
    if ascii != nil, !isIn(bytes[...]) { return }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where isIn(line) {
      let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let number = isText || lines.count > 1 ? index + 1 : nil
      result.append(Line(path: path, line: number, text: String(decoding: end, as: UTF8.self)))
    }
  }

  private func isIn(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let ascii else {
      return String(decoding: bytes, as: UTF8.self).lowercased().contains(needle)
    }
    return bytes.indices.dropLast(ascii.count - 1).contains { start in
      zip(bytes[start...], ascii).allSatisfy { Self.lowercase($0) == $1 }
    }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
