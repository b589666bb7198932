import Peernote
import PeernoteJSON

/// That other programs cannot read a tracked file any more since both sides' edits are in it, though
/// they could read both.
struct MergeFault {
  /// What the file is to be.
  enum Form {
    case json
    case frontMatter

    /// What a file is to be, going by its name and text; `nil` if it is just text.
    init?(of text: String, name: FileName) {
      if DocumentFormat(of: name.lastComponent) == .json {
        self = .json
      } else if NoteMarkdown.beginsWithDelimiter(text) {
        self = .frontMatter
      } else {
        return nil
      }
    }

    /// Why a text is none; `nil` if it is.
    func fault(in text: String) -> String? {
      switch self {
      case .json:
        do throws(JSONReader.Fault) {
          _ = try JSONReader.value(in: Array(text.utf8))
          return nil
        } catch {
          return error.description
        }
      case .frontMatter:
        do throws(NoteMarkdown.ParseError) {
          _ = try NoteMarkdown.parsed(text)
          return nil
        } catch {
          return "line \(error.line): \(error.reason)"
        }
      }
    }
  }

  var form: Form
  /// What is wrong, and where.
  var reason: String

  /// What is wrong with what a tracked file shows; `nil` if nothing is, or if it was so before both
  /// sides' edits were merged, or if somebody has saved it so.
  ///
  /// A walk over the history for each of the saves that were merged, if something is wrong.
  ///
  /// - Throws: `DocumentError` if the history takes more than the limits.
  init?(of history: PlainHistory, name: FileName) throws(DocumentError) {
    let text = history.text
    guard let form = Form(of: text, name: name), let reason = form.fault(in: text) else {
      return nil
    }
    let merged = try history.mergedTexts()
    guard !merged.isEmpty, merged.allSatisfy({ form.fault(in: $0) == nil }) else { return nil }
    (self.form, self.reason) = (form, reason)
  }

  /// What is wrong, after the file's name.
  var words: String {
    let what =
      switch form {
      case .json: "is no longer JSON"
      case .frontMatter: "has front matter that can no longer be read"
      }
    return "\(what) since both sides' edits are in it (\(reason))"
  }
}
