import Peernote
import PeernoteFuzzing
import Testing

/// What the manual page says of rare cases is what the library does.
@Suite("Corners of the format") struct CornerTests {
  @Test("a file at the edge of what is allowed is read or refused:", arguments: Corner.all)
  func corner(_ corner: Corner) throws {
    let bytes = corner.make()
    let findings = Document.validate(bytes: bytes)
    #expect(findings.isEmpty == corner.isSound, "\(findings)")
    if corner.isSound {
      let document = try Document(bytes: bytes)
      #expect(document.bytes() == bytes)
      _ = try DocumentReader(bytes: bytes)
    }
  }
}
