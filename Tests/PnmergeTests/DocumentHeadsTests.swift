import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Looking at what is to be written")
struct DocumentHeadsTests {
  private static func document(_ value: String) throws -> Document {
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: .person(UInt64(value.utf8.count), "ann", at: 1)) { editor in
      try editor.put(.string(value), at: JSONPointer(["title"]))
    }
    return document
  }

  @Test("bytes that do not read back as the document are not written")
  func check() throws {
    let document = try Self.document("one")
    let state = DocumentHeads(of: document)
    let file = FileName("a")
    try state.check(document.bytes(), in: file)
    let wrong = [
      (Array(document.bytes().dropLast()), "cannot be read back"),
      (try Self.document("another").bytes(), "reads back differently"),
    ]
    for (bytes, reason) in wrong {
      let error = #expect(throws: FileError.self) { try state.check(bytes, in: file) }
      #expect(error?.kind == .inputOutput)
      #expect(error?.reason.contains(reason) ?? false)
    }
  }
}
