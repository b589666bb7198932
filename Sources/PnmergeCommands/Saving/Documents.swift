package import Peernote
package import PeernoteFiles

extension DocumentState {
  /// Checks that encoded bytes of the document in this state can be read back, to be done before
  /// they take the place of what `file` holds; see ``fault(of:beside:)``.
  package func check(
    _ bytes: [UInt8], _ file: FileName, beside document: Document? = nil
  ) throws(Failure) {
    if let fault = fault(of: bytes, beside: document) { throw Failure(.ioError, file: file, fault) }
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
