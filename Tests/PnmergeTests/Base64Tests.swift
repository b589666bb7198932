import Peernote
import PnmergeCommands
import Testing

@Suite("Bytes in front matter")
struct Base64Tests {
  /// Writes and reads bytes as a field of a note.
  private func text(_ bytes: [UInt8]) -> String {
    let note = Note(
      title: nil, body: "", tags: [], priority: nil, created: nil,
      fields: ["data": .value(.bytes(bytes))])
    return NoteMarkdown.text(of: note)
  }

  @Test("the vectors of RFC 4648, section 10")
  func vectors() {
    let vectors = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
      "foobar": "Zm9vYmFy",
    ]
    for (plain, encoded) in vectors {
      #expect(text(Array(plain.utf8)) == "---\ndata: !!binary \"\(encoded)\"\n---\n")
    }
  }

  @Test("all lengths read back")
  func roundTrip() throws {
    for length in 0..<100 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ length) }
      #expect(try NoteMarkdown.parsed(text(bytes)).note.fields["data"] == .value(.bytes(bytes)))
    }
  }

  @Test("what is not base 64 is refused", arguments: ["A", "A===", "AB=", "AB==C", "A-==", "AB=="])
  func refused(text: String) {
    #expect(throws: NoteMarkdown.ParseError.self) {
      try NoteMarkdown.parsed("---\ndata: !!binary \"\(text)\"\n---\n").note
    }
  }
}
