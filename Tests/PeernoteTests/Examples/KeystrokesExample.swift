import Peernote
import Testing

/// Two processes that are connected: each keystroke is sent, and carets stay where they are.
@Suite struct KeystrokesExample {
  /// Somebody who types.
  struct Writer {
    let session: DocumentSession
    var document: Document
    var caret: TextCursor

    init(_ document: Document, by author: String, at scalar: Int) throws {
      (self.document, session) = (document, DocumentSession(author: author))
      caret = try document.cursor(inTextAt: ["body"], scalar: scalar)
    }

    /// Types at the caret, and returns what the others need.
    mutating func type(_ letter: String) throws -> [UInt8] {
      let sent = document.heads
      let place = try document.place(of: caret).scalar
      try document.change(by: session) { editor in
        try editor.spliceText(at: ["body"], scalars: place..<place, with: letter)
      }
      caret = try document.cursor(
        inTextAt: ["body"], scalar: place + letter.unicodeScalars.count)
      return try document.delta(since: sent)
    }
  }

  @Test("two people type at once, letter by letter, and read the same")
  func typing() throws {
    var document = Document()
    try document.change(by: DocumentSession(author: "Ada")) { editor in
      try editor.put(node: .text("Dear ,\n"), at: ["body"])
    }
    var ada = try Writer(document, by: "Ada", at: 5)
    var bob = try Writer(document, by: "Bob", at: 7)
    for (mine, yours) in zip("Cleo", "Soon") {
      let (sent, received) = (try ada.type(String(mine)), try bob.type(String(yours)))
      #expect(sent.count < 150)
      try bob.document.apply(sent)
      try ada.document.apply(received)
      // What arrives twice changes nothing.
      try ada.document.apply(received)
    }
    #expect(ada.document.node(at: ["body"]) == .text("Dear Cleo,\nSoon"))
    #expect(ada.document == bob.document)
    #expect(try bob.document.place(of: ada.caret).scalar == 9)
  }
}
