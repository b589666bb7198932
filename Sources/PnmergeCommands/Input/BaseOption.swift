import ArgumentParser
import Peernote

/// Which version of a document content from outside is an edit of.
struct BaseOption: ParsableArguments {
  @Option(
    name: .customLong("base"),
    help: ArgumentHelp("Edit the state after this change, and merge it.", valueName: "change"))
  var names: [String] = []

  /// The heads of the version; `nil` if none is given; throws if the document, in `file`, has no
  /// such change.
  func heads(in document: Document, _ file: FileName) throws(Failure) -> [ChangeID]? {
    names.isEmpty ? nil : try document.changes(named: names, in: file)
  }
}

extension Document {
  /// A version for people: `5f0c21ab9d3e4477.12 (20 Nov 14:02)`.
  func words(forVersion heads: [ChangeID], _ invocation: Invocation) -> String {
    let places = places(ofChanges: heads)
    let changes = changes
    return enumerated(
      zip(heads, places).map { head, place in
        place.map { "\(head) (\(invocation.localText(changes[$0].time)))" } ?? head.description
      })
  }
}
