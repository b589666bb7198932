import Peernote
import PeernoteJSON

extension Node {
  /// The content to read: texts and strings as they are, all else as indented JSON.
  var readableText: String {
    string ?? String(decoding: json.encoded(indented: true), as: UTF8.self)
  }
}
