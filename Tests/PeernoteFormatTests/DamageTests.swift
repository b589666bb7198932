import Peernote
import PeernoteFuzzing
import Testing

/// Files that were cut off, flipped or are something else.
@Suite struct DamageTests {
  @Test("every beginning of a file is refused as damaged, with a place", arguments: Samples.all)
  func truncation(sample: Samples.Sample) {
    let bytes = sample.document.bytes()
    for count in bytes.indices {
      expectRefusal(Array(bytes[..<count]), "\(sample) cut to \(count) bytes")
    }
  }

  @Test("a file with any one bit flipped is refused, with a place", arguments: Samples.all)
  func bitFlips(sample: Samples.Sample) {
    let bytes = sample.document.bytes()
    for bit in 0..<8 * bytes.count {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      let error = refusal(of: flipped)
      // The version can turn into a newer one.
      let isVersion = bit / 8 == 10
      #expect(
        error?.kind == .damaged || isVersion && error?.kind == .newerFormat, "\(sample), bit \(bit)"
      )
      #expect(error?.offset != nil, "\(sample), bit \(bit)")
    }
  }

  @Test(
    "a file with any one bit flipped and the checksum made right is refused, or read as canonical",
    arguments: Samples.all)
  func repairedBitFlips(sample: Samples.Sample) {
    let bytes = sample.document.bytes()
    for bit in 0..<8 * (bytes.count - 34) {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      let faults = Probe.faults(resealed(flipped), good: sample.document)
      #expect(faults.isEmpty, "\(sample), bit \(bit): \(faults)")
    }
  }

  @Test(
    "what is no document is refused as damaged",
    arguments: [
      ("nothing", []),
      ("text", Array("# A note\n".utf8)),
      ("an integer", [0x00]),
      ("a map", [0xA1, 0x01, 0x02]),
      ("an array", [0x85, 0x00, 0x01, 0x02, 0x03, 0x04]),
      ("self-described CBOR of something else", [0xD9, 0xD9, 0xF7, 0xA0]),
      ("another protocol", [0xD9, 0xD9, 0xF7, 0xDA, 0x00, 0x00, 0x00, 0x01, 0x85, 0x00, 0x01]),
      ("zeros", [UInt8](repeating: 0, count: 100)),
      ("the magic alone", Format.magic),
      ("a huge array", Format.magic + [0x9A, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x01]),
      ("an array of 2^63 items", Format.magic + [0x9B, 0x80, 0, 0, 0, 0, 0, 0, 0, 0]),
      ("an array without end", Format.magic + [0x9F, 0x00, 0x01, 0xFF]),
    ] as [(String, [UInt8])])
  func somethingElse(name: String, bytes: [UInt8]) {
    expectRefusal(bytes, name)
  }

  private func expectRefusal(_ bytes: [UInt8], _ comment: String) {
    let error = refusal(of: bytes)
    #expect(error?.kind == .damaged, "\(comment)")
    #expect(
      error?.offset.map { $0 <= bytes.count } ?? false, "\(comment): \(String(describing: error))")
  }
}

/// Why a file cannot be opened; `nil` if it can.
func refusal(of bytes: [UInt8], _ limits: Limits = Limits()) -> DocumentError? {
  do {
    _ = try DocumentFile(bytes, limits: limits)
    return nil
  } catch {
    return error
  }
}
