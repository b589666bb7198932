import AutomergeFormat
import Peernote
import PeernoteJSON

/// `pnmerge git textconv`: a document as the text that git compares, lists and searches.
///
/// Stable: equal content gives equal text, on any machine and at any time. A command that fails
/// would end a whole `git log -p`, so whatever the file holds becomes a line of text.
struct TextConversion {
  var file: FileName

  /// Prints the text.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    // Whoever closed the pipe has seen enough.
    try? invocation.console.write(text(invocation.host).utf8)
    return .done
  }

  private func text(_ host: any Host) -> String {
    do throws(HostError) {
      return Self.text(of: try host.read(file, limit: Invocation.inputLimit).bytes)
    } catch {
      return "(unreadable: \(error.explanation))\n"
    }
  }

  /// The text for a file's bytes.
  static func text(of bytes: [UInt8]) -> String {
    if AutomergeFile.begins(bytes) { return foreignText(of: bytes) }
    do {
      // git may show it at a terminal as it is, and nothing reads it back.
      let text = PlainText.readableForm(of: try DocumentReader(bytes: bytes).root)
      return visibleText(text, keeping: ["\n", "\t"])
    } catch {
      if let pointer = LFSPointer(bytes) {
        return "(in Git LFS: \(visibleText(pointer.oid)), \(counted(pointer.size, "byte")))\n"
      }
      let state =
        switch error.kind {
        case .damaged, .limit: "damaged peernote"
        case .newerFormat: "peernote of a newer format"
        }
      return "(\(state), \(counted(bytes.count, "byte")): \(visibleText(error.description)))\n"
    }
  }

  /// The text for an Automerge document.
  private static func foreignText(of bytes: [UInt8]) -> String {
    do throws(Failure) {
      guard let document = try AutomergeDocument(bytes, from: FileName("-")) else { return "" }
      let text = PlainText.readableForm(of: document.state.root)
      return visibleText(text, keeping: ["\n", "\t"])
    } catch {
      return "(damaged Automerge document, \(counted(bytes.count, "byte")): "
        + "\(visibleText(error.message)))\n"
    }
  }
}
