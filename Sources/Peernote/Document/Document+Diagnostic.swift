extension Document {
  /// The bytes of a file in CBOR diagnostic notation, as far as they are CBOR at all.
  ///
  /// O(n).
  package static func diagnosticNotation(of bytes: [UInt8]) -> String {
    Peernote.diagnosticNotation(of: bytes)
  }
}
