import Peernote

extension Document {
  /// A check that encoded bytes of this document can be read back, to be made before they take
  /// the place of what `file` holds.
  func verify(_ file: FileName) -> ([UInt8]) throws -> Void {
    { bytes in try checkReadBack(bytes, file) }
  }

  /// Reads encoded bytes of this document back.
  func checkReadBack(_ bytes: [UInt8], _ file: FileName) throws(Failure) {
    let found: Document
    do {
      found = try Document(bytes: bytes)
    } catch {
      throw Failure(
        .ioError, file: file,
        "the new document cannot be read back (\(error)); nothing was written")
    }
    guard found.id == id, found.heads == heads else {
      throw Failure(
        .ioError, file: file, "the new document reads back differently; nothing was written")
    }
  }
}

extension Invocation {
  /// Writes a document to standard output, which must not be a terminal.
  func writeDocument(_ document: Document, dryRun: Bool) throws {
    guard !host.isTerminal(.output) else {
      throw Failure(.usage, "a document is not written to a terminal; give a file, or a pipe")
    }
    let bytes = document.encoded()
    try document.verify(FileName("-"))(bytes)
    if !dryRun { try console.write(bytes) }
  }
}
