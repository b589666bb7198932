package import Peernote

/// What tells a state of a document from every other one: the document's name, and its heads.
package struct DocumentState: Hashable {
  package let id: UniqueID
  package let heads: [ChangeID]

  package init(of document: Document) {
    (id, heads) = (document.id, document.heads)
  }

  /// The state with this identity and these heads, ascending.
  init(id: UniqueID, heads: [ChangeID]) {
    (self.id, self.heads) = (id, heads)
  }

  /// Checks that encoded bytes of the document in this state can be read back, to be done before
  /// they take the place of what `file` holds.
  ///
  /// The document itself may be gone by then, which leaves its memory to the one that is read.
  package func check(_ bytes: [UInt8], _ file: FileName) throws(Failure) {
    let found: Document
    do {
      found = try Document(bytes: bytes)
    } catch {
      throw Failure(
        .ioError, file: file,
        "the new document cannot be read back (\(error)); nothing was written")
    }
    guard DocumentState(of: found) == self else {
      throw Failure(
        .ioError, file: file, "the new document reads back differently; nothing was written")
    }
  }
}

extension Document {
  /// Its identity and heads.
  var state: DocumentState { DocumentState(of: self) }
}

extension Invocation {
  /// Writes a document to standard output, which must not be a terminal.
  func writeDocument(_ document: Document, dryRun: Bool) throws {
    try writeDocument(document.encoded(), document.state, dryRun: dryRun)
  }

  /// Writes the encoded bytes of a document in a state likewise.
  func writeDocument(_ bytes: [UInt8], _ state: DocumentState, dryRun: Bool) throws {
    guard !host.isTerminal(.output) else {
      throw Failure(.usage, "a document is not written to a terminal; give a file, or a pipe")
    }
    try state.check(bytes, FileName("-"))
    if !dryRun { try console.write(bytes) }
  }
}
