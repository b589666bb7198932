import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Arguments")
struct ArgumentTextTests {
  @Test("every two bytes pass through the parser's strings without loss")
  func allPairs() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second]
        #expect(ArgumentText.bytes(for: ArgumentText.string(for: bytes)) == bytes)
      }
    }
  }

  @Test("random bytes pass without loss", arguments: 0..<200)
  func randomBytes(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    // Lead and continuation bytes of UTF-8 come up far more often than by chance.
    let choices: [UInt8] = [0x61, 0x80, 0xBF, 0xC3, 0xE2, 0x82, 0xAC, 0xED, 0xA0, 0xF4, 0x8F, 0xB8]
    let bytes = (0..<40).map { _ in choices.randomElement(using: &generator) ?? 0 }
    #expect(ArgumentText.bytes(for: ArgumentText.string(for: bytes)) == bytes)
  }

  @Test("text passes as it is")
  func text() {
    let text = "é.peernote \u{1F389}"
    #expect(ArgumentText.string(for: Array(text.utf8)).utf8.elementsEqual(text.utf8))
  }

  @Test("an argument that holds an escape itself is not taken for another one")
  func escapes() {
    let argument = Array("\u{10FEFF}".utf8)
    #expect(ArgumentText.bytes(for: ArgumentText.string(for: argument)) == argument)
    #expect(ArgumentText.string(for: argument) != ArgumentText.string(for: [0xFF]))
  }

  @Test("a name comes apart into directory, last component and stem")
  func parts() {
    #expect(FileName("/a/b.c").directory == FileName("/a"))
    #expect(FileName("/b").directory == FileName("/"))
    #expect(FileName("b").directory == FileName("."))
    #expect(FileName("/a/b.c").lastComponent == FileName("b.c"))
    #expect(FileName("x/b.c.d").stem == FileName("b.c"))
    #expect(FileName(".hidden").stem == FileName(".hidden"))
    #expect(FileName("/").appending("a") == FileName("/a"))
  }
}
