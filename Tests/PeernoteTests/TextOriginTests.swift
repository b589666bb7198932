import Peernote
import PeernoteTestSupport
import Testing

@Suite("Who wrote which part of a text")
struct TextOriginTests {
  @Test(
    "the passages of a text cover it, each by the change that inserted it",
    arguments: [1, 2, 3] as [UInt64])
  func origins(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var document = Document(id: UniqueID(high: 1, low: seed))
    let path = JSONPointer(["t"])
    var expected: [ChangeID] = []
    for number in 1...40 {
      let session = DocumentSession.person(
        UInt64(generator.within(1...3)), at: Int64(number))
      var edit: (range: Range<Int>, text: String) = (0..<0, "")
      let id = try document.change(by: session) { editor in
        if number == 1 { try editor.putContainer(.text, at: path) }
        let start = generator.within(0...expected.count)
        let end = generator.within(start...min(expected.count, start + 3))
        edit = (start..<end, String(repeating: "é", count: generator.within(1...4)))
        try editor.spliceText(at: path, scalars: edit.range, with: edit.text)
      }
      let change = try #require(id)
      expected.replaceSubrange(
        edit.range, with: Array(repeating: change, count: edit.text.unicodeScalars.count))
    }
    var origins: [ChangeID] = []
    for passage in try #require(try document.passages(ofTextAt: path)) {
      let change = document.changes[passage.change.number].id
      origins += Array(repeating: change, count: Int(passage.end) - origins.count)
    }
    #expect(origins == expected)
    #expect(try document.passages(ofTextAt: JSONPointer()) == nil)
  }
}
