import PeernoteCBOR

/// A file as people read CBOR (RFC 8949, section 8): an item a line where items are long.
///
/// Bytes that are no CBOR are shown up to the fault, which a comment names.
package func diagnosticNotation(of bytes: [UInt8]) -> String {
  CBORDiagnostic.describe(bytes)
}
