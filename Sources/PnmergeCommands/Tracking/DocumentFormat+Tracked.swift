import Peernote
import PeernoteJSON

/// What other programs expect of a tracked file, going by its name and text; of Markdown that front
/// matter can be read, if there is some.
extension DocumentFormat? {
  /// Why a text is not what it should be; `nil` if it is.
  func fault(in text: String) -> String? {
    switch self {
    case .json:
      do throws(JSONReader.Fault) {
        _ = try JSONReader.value(in: Array(text.utf8))
        return nil
      } catch {
        return "it would be no JSON: \(error.description)"
      }
    case .markdown:
      guard NoteMarkdown.beginsWithDelimiter(text) else { return nil }
      do throws(NoteMarkdown.ParseError) {
        _ = try NoteMarkdown.parsed(text)
        return nil
      } catch {
        return "its front matter could not be read: line \(error.line): \(error.reason)"
      }
    default: return nil
    }
  }

  /// The same for the library, where the file shows a text.
  func plain(_ text: String) -> PlainForm {
    switch self {
    case .json:
      return PlainForm(structuredLines: { _ in .max }, isValid: { fault(in: $0) == nil })
    case .markdown where NoteMarkdown.beginsWithDelimiter(text):
      return PlainForm(
        structuredLines: { PlainMarker.lineCount(of: $0) }, isValid: { fault(in: $0) == nil })
    default: return .prose
    }
  }
}
