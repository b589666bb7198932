import Peernote
import PeernoteJSON

extension Node {
  /// The content to read: texts and strings as they are, all else as indented JSON.
  var readableText: String {
    string ?? String(decoding: json.encoded(indented: true), as: UTF8.self)
  }
}

/// A line that may be long, cut.
func cutLine(_ line: String) -> String {
  let limit = 300
  let count = line.count
  return count > limit ? String(line.prefix(limit - 20)) + "… (\(count) characters)" : line
}
