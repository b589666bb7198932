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
