import AutomergeFormat
import Peernote

/// What `undo` has to know of a state of a document, of whatever format.
struct KeptDocument {
  let state: DocumentState
  let changeCount: Int
  /// The document as the history of a tracked plain file, if it is one.
  private(set) var history: PlainHistory?

  /// Reads a file.
  init(_ bytes: [UInt8], from file: FileName, _ invocation: Invocation) throws(Failure) {
    guard AutomergeFile.begins(bytes) else {
      let document = try invocation.parseDocument(bytes, from: file)
      (state, changeCount) = (document.state, document.changeCount)
      history = PlainHistory(document: document)
      return
    }
    guard let document = try AutomergeDocument(bytes, from: file) else {
      throw Failure(.damaged, file: file, "is not a document")
    }
    changeCount = document.history.order.count
    state = document.documentState
  }
}

extension AutomergeDocument {
  /// Its identity and heads, under the names that they have here.
  var documentState: DocumentState {
    DocumentState(
      id: history.documentID(copy.container.envelope),
      heads: history.heads.compactMap { history.numbers[$0] }.map { history.changeID($0) }.sorted())
  }
}
