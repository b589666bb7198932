import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// The outermost layer: versions, sections and the checksum.
@Suite struct EnvelopeTests {
  @Test("a newer version is refused as such, whatever follows", arguments: [2, 23, 24, UInt64.max])
  func newerVersion(version: UInt64) throws {
    var file = try ForgedFile(Samples.letters.bytes())
    file.version = version
    expectNewer(file.bytes)
    // The envelope of a newer version may be made otherwise.
    expectNewer(Format.magic + [0x82, 0x00, 0x02])
  }

  @Test("version 0 is damaged")
  func versionZero() throws {
    var file = try ForgedFile(Samples.letters.bytes())
    file.version = 0
    #expect(refusal(of: file.bytes)?.kind == .damaged)
  }

  @Test("an envelope is an array of five parts, of which the first is 0, around a tagged UUID")
  func parts() throws {
    let bytes = Samples.letters.bytes()
    #expect(Array(bytes[8..<13]) == [0x85, 0x00, 0x01, 0xD8, 0x25])
    for (place, byte, reason) in [
      (8, 0x84, "an envelope of 4 parts"), (8, 0x86, "an envelope of 6 parts"),
      (9, 0x01, "the number 1"), (12, 0x26, "tag 38"), (13, 0x4F, ""),
    ] as [(Int, UInt8, String)] {
      var changed = bytes
      changed[place] = byte
      let error = refusal(of: resealed(changed))
      #expect(error?.section == .envelope && error?.kind == .damaged)
      #expect(error?.reason.contains(reason) ?? false, "\(String(describing: error))")
    }
  }

  @Test("what follows the checksum is refused, and what does not begin like a document")
  func surroundings() {
    for bytes in Samples.all.map({ $0.document.bytes() }) {
      for rest in [[0xF6], [0], bytes] {
        let error = refusal(of: bytes + rest)
        #expect(error?.kind == .damaged && error?.section == .checksum)
        #expect(error?.offset == bytes.count)
      }
    }
    let bytes = Samples.letters.bytes()
    for place in 0..<8 {
      var changed = bytes
      changed[place] ^= 1
      #expect(refusal(of: resealed(changed))?.reason.hasPrefix("not a peernote document") == true)
    }
  }

  @Test("an unknown required section is refused as newer", arguments: [5, 23, 24, 127])
  func requiredSection(number: UInt64) throws {
    var file = try ForgedFile(Samples.letters.bytes())
    file.sections = [(number, [0xF6])]
    expectNewer(file.bytes)
    file.sections = [(number, [0xF6]), (128, [0xF6])]
    expectNewer(file.bytes)
  }

  private func expectNewer(_ bytes: [UInt8]) {
    #expect(refusal(of: bytes)?.kind == .newerFormat)
    #expect((try? DocumentReader(bytes: bytes)) == nil)
    #expect(Document.validate(bytes: bytes).count == 1)
  }

  @Test("unknown optional sections are kept when read, edited and written")
  func optionalSections() throws {
    let file = try ForgedFile(Samples.letters.bytes())
    var extended = file
    extended.sections = [(128, [0xF6]), (255, [0xA1, 0x01, 0x80]), (.max, [0x61, 0x61])]
    var document = try Document(bytes: extended.bytes)
    #expect(document.bytes() == extended.bytes)
    #expect(Document.validate(bytes: extended.bytes) == [])
    document.change(by: .person(1, "ann", at: 2)) { try? $0.remove(at: Samples.path("/body")) }
    let edited = try ForgedFile(document.bytes())
    #expect(edited.sections.map(\.number) == extended.sections.map(\.number))
    #expect(edited.sections.map(\.content) == extended.sections.map(\.content))
  }

  @Test("of two contents of an optional section a merge keeps the larger, whichever way")
  func unionOfSections() throws {
    let file = try ForgedFile(Samples.letters.bytes())
    let pairs: [(small: [UInt8], large: [UInt8])] = [
      ([0x00], [0x01]), ([0x17], [0x18, 0x18]), ([0x61, 0x7A], [0x62, 0x61, 0x61]),
      ([0xF5], [0xF6]),
    ]
    for pair in pairs {
      var one = file
      var other = file
      one.sections = [(128, pair.small), (130, [0x00])]
      other.sections = [(128, pair.large), (129, [0x01])]
      var wanted = file
      wanted.sections = [(128, pair.large), (129, [0x01]), (130, [0x00])]
      for (ours, theirs) in [(one, other), (other, one)] {
        var document = try Document(bytes: ours.bytes)
        let report = try document.merge(try Document(bytes: theirs.bytes))
        #expect(document.bytes() == wanted.bytes)
        #expect(report.newChanges.isEmpty && report.conflicts.isEmpty)
        let again = try document.merge(try Document(bytes: theirs.bytes))
        #expect(again.newChanges.isEmpty)
        #expect(document.bytes() == wanted.bytes)
      }
    }
  }

  @Test("sections out of order, twice, missing or malformed are damaged")
  func sectionFaults() throws {
    let file = try ForgedFile(Samples.letters.bytes())
    let faulty: [[(number: UInt64, content: [UInt8])]] = [
      [(129, [0x00]), (128, [0x00])], [(128, [0x00]), (128, [0x00])], [(2, [0x00])],
      [(128, [0x9F, 0xFF])], [(128, [0x18, 0x00])], [(128, [0x9A, 0xFF, 0xFF, 0xFF, 0xFF])],
      [(128, [UInt8](repeating: 0x81, count: 100) + [0x00])], [(128, [])],
    ]
    for sections in faulty {
      var forged = file
      forged.sections = sections
      let error = refusal(of: forged.bytes)
      #expect(error?.kind == .damaged, "\(sections): \(String(describing: error))")
      #expect(error?.offset != nil)
    }
  }

  @Test("without the heads, the view or the log a file is damaged", arguments: 0..<8)
  func missingSections(present: Int) throws {
    let bytes = Samples.letters.bytes()
    let envelope = try Envelope(bytes)
    let sections = [(UInt8(1), envelope.heads), (2, envelope.view), (3, envelope.log)]
      .enumerated().filter { present >> $0.offset & 1 == 1 }.map(\.element)
    var file = bytes[..<30] + [0xA0 | UInt8(sections.count)]
    for (number, content) in sections { file += [number] + bytes[content] }
    let error = refusal(of: sealed(Array(file)))
    let isWhole = sections.count == 3
    #expect(error?.reason == (isWhole ? nil : "the heads, the view or the log is missing"))
    #expect(error?.kind == (isWhole ? nil : .damaged))
  }

  @Test("a file whose checksum is another one is refused at the checksum")
  func checksum() {
    let bytes = Samples.letters.bytes()
    for byte in bytes.count - 32..<bytes.count {
      var wrong = bytes
      wrong[byte] ^= 0xFF
      let error = refusal(of: wrong)
      #expect(error?.section == .checksum)
      #expect(error?.offset == bytes.count - 34)
    }
    #expect(refusal(of: resealed(bytes)) == nil)
  }
}
