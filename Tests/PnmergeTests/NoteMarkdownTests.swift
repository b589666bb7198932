import PeernoteTestSupport
import Peernote
import PnmergeCommands
import Testing

@Suite("Notes as Markdown")
struct NoteMarkdownTests {
  private func note(
    title: String? = nil, body: String = "", tags: [String] = [], priority: Note.Priority? = nil,
    created: Timestamp? = nil, fields: NoteFields = [:], frontMatter: String? = nil
  ) -> Note {
    Note(
      title: title, body: body, tags: tags, priority: priority, created: created, fields: fields,
      frontMatter: frontMatter)
  }

  @Test("the form is the one shown in the manual")
  func form() {
    let note = note(
      title: "Weekly", body: "Hello\n", tags: ["work", "planning"], priority: .high,
      created: Timestamp(milliseconds: 1_795_183_331_250),
      fields: [
        "rating": .value(.integer(4)), "aspect": .value(.double(1.5)), "done": .value(.bool(false)),
        "nothing": .value(.null), "place": .value(.string("Room: 3")),
        "id": .value(.uuid(UniqueID(high: 1, low: 2))), "data": .value(.bytes([1, 2])),
        "seen": .value(.timestamp(Timestamp(milliseconds: 0))),
        "nested": .map([
          .init(key: "empty", node: .list([])),
          .init(
            key: "list",
            node: .list([
              .value(.integer(1)), .map([]),
              .map([
                .init(key: "x", node: .value(.null)), .init(key: "z", node: .list([.list([])])),
              ]),
            ])),
        ]),
      ])
    let expected = """
      ---
      title: Weekly
      tags:
        - planning
        - work
      priority: high
      created: 2026-11-20T14:02:11.250Z
      aspect: 1.5
      data: !!binary "AQI="
      done: false
      id: !uuid 00000000-0000-0001-0000-000000000002
      nested:
        empty: []
        list:
          - 1
          - {}
          - x: null
            z:
              - []
      nothing: null
      place: "Room: 3"
      rating: 4
      seen: 1970-01-01T00:00:00Z
      ---
      Hello

      """
    #expect(NoteMarkdown.text(of: note) == expected)
  }

  @Test("what a note lacks is left out")
  func empty() throws {
    #expect(NoteMarkdown.text(of: note()) == "---\n---\n")
    #expect(try NoteMarkdown.parsed("---\n---\n").note == note())
    #expect(try NoteMarkdown.parsed("---\n---").note == note())
  }

  @Test(
    "any body reads back byte for byte",
    arguments: [
      "", "\n", "\n\n", "no line feed", "---", "---\n", "---\n---\n", "\n---\ntitle: x\n---\n",
      "a\r\nb\r\n", "\u{FEFF}x", "\u{0}\u{1B}", " ", "e\u{301}\n", "- a\n- b: c", "...\n",
    ])
  func bodies(body: String) throws {
    let read = try NoteMarkdown.parsed(NoteMarkdown.text(of: note(title: "t", body: body))).note
    #expect(read.body.utf8.elementsEqual(body.utf8))
  }

  @Test("any note reads back, and its text has one line an entry", arguments: 0..<500)
  func anyNote(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let note = RandomNotes.note(using: &generator)
    let text = NoteMarkdown.text(of: note)
    let read = try NoteMarkdown.parsed(text).note
    var expected = note
    expected.tags = note.tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(read == expected)
    #expect(read.body.utf8.elementsEqual(note.body.utf8))
    #expect(NoteMarkdown.text(of: read) == text)

    let lines = text.utf8.dropLast(note.body.utf8.count).count { $0 == UInt8(ascii: "\n") }
    let entries = [note.title != nil, note.priority != nil, note.created != nil].count { $0 }
    let tagLines = note.tags.isEmpty ? 0 : note.tags.count + 1
    #expect(lines == 2 + entries + tagLines + note.fields.count)
  }

  @Test("texts that YAML would take for something else are quoted and stay texts")
  func quotedTexts() throws {
    let texts = [
      "", " a", "a ", "~", "null", "true", "False", "yes", "No", "on", "OFF", "y", "<<", "=", "1",
      "-1", "+1", "1.5", ".5", "1e3", ".inf", "-.INF", ".nan", "0x1F", "0o17", "017", "1_000",
      "12:30", "2026-11-20", "2026-11-20T14:02:11Z", "a: b", "a #b", "#a", "- a", "-", "?", ": a",
      "a:", "[a", "{a", "&a", "*a", "!a", "|", ">", "'a'", "\"a\"", "%a", "@a", "`a", "a\nb",
      "a\tb", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{7F}", "\u{FFFE}", "\\", ",a", "...", "---",
      "9223372036854775808",
    ]
    for text in texts {
      let rendered = NoteMarkdown.text(
        of: note(title: text, fields: ["key": .value(.string(text))]))
      let read = try NoteMarkdown.parsed(rendered).note
      #expect(read.title == text, "\(rendered)")
      #expect(read.fields["key"] == .value(.string(text)), "\(rendered)")
      if text != "\\" { #expect(rendered.contains("title: \""), "\(rendered)") }
    }
  }

  @Test("ordinary texts stay without quotes")
  func plainTexts() {
    for text in [
      "Weekly", "Budget 2027", "it's", "a, b", "x", "20 Nov", "2nd", "a-b", "Café 🎉", "C++", "a#b",
      "http://x.org/?a=b", "日本語", "50%",
    ] {
      #expect(NoteMarkdown.text(of: note(title: text)) == "---\ntitle: \(text)\n---\n")
    }
  }

  @Test("what people write by hand is understood")
  func handwritten() throws {
    let text = """
      \u{FEFF}---\r
      # a remark
      title:   'It''s'   # another
      tags: [b, "a b", 7, b]
      created: 2026-11-20T15:02:11+01:00
      priority:
      plus: +5
      zip: 01234
      hex: 0xFF
      big: 123456789012345678901
      text: >
        folded
        lines
      quoted: !!str 7
      version: "1.10"
      ---\r
      body
      """
    let read = try NoteMarkdown.parsed(text).note
    let expected = note(
      title: "It's", body: "body", tags: ["b", "a b", "7"],
      created: Timestamp(milliseconds: 1_795_183_331_000),
      fields: [
        "plus": .value(.integer(5)), "zip": .value(.string("01234")),
        "hex": .value(.string("0xFF")), "big": .value(.string("123456789012345678901")),
        "text": .value(.string("folded lines\n")), "quoted": .value(.string("7")),
        "version": .value(.string("1.10")),
      ], frontMatter: read.frontMatter)
    #expect(read == expected)
    // As it came, but for what stands at its edges.
    let kept = String.UnicodeScalarView(
      text.unicodeScalars.filter { $0 != "\r" && $0 != "\u{FEFF}" })
    #expect(NoteMarkdown.text(of: read) == String(kept))
  }

  @Test(
    "what cannot be understood is refused with its line",
    arguments: [
      ("", 1), ("title: x\n", 1), ("--- \n---\n", 1), ("---\ntitle: x\n", 2),
      ("---\na: 1\na: 2\n---\n", 3), ("---\na: 1\nb: *x\n---\n", 3), ("---\n- a\n---\n", 2),
      ("---\njust text\n---\n", 2), ("---\n[a]: b\n---\n", 2), ("---\na: !uuid b\n---\n", 2),
      ("---\na: \"b\n---\n", 3), ("---\na: b: c\n---\n", 2), ("---\n\n\n  \ta: [\n---\n", 4),
      ("---\n%YAML 1.1\n---\n", 3), ("---\na: 1\n... \nb: 2\n---\n", 4),
      ("---\na: \u{1}\n---\n", 2), ("---\ntitle: [a]\n$title: b\n---\n", 3),
    ])
  func refused(text: String, line: Int) {
    #expect {
      try NoteMarkdown.parsed(text).note
    } throws: { error in
      (error as? NoteMarkdown.ParseError)?.line == line
    }
  }

  @Test("front matter beyond the limits is refused, not swallowed")
  func limits() {
    let long = "---\na: " + String(repeating: "x", count: NoteMarkdown.frontMatterLimit)
    #expect(throws: NoteMarkdown.ParseError.self) { try NoteMarkdown.parsed(long + "\n---\n").note }
    let many = (0...NoteMarkdown.entryLimit).map { "k\($0):\n" }.joined()
    #expect(throws: NoteMarkdown.ParseError.self) {
      try NoteMarkdown.parsed("---\n\(many)---\n").note
    }
    let nested = String(repeating: "[", count: 100_000)
    #expect(throws: NoteMarkdown.ParseError.self) {
      try NoteMarkdown.parsed("---\na: \(nested)\n---\n").note
    }
  }

  @Test("no text at all makes the reader trap", arguments: 0..<500)
  func anyText(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let pieces = [
      "---", "\n", "a", ": ", "- ", "[", "]", "{", "}", "\"", "'", "!", "!!binary ", "&a ", "*a",
      "|",
      ">", "#", " ", "\t", "\r", "title", "tags", "é", "\u{1F389}", "\u{0}", "\\", "\\x", "%", "?",
      "1", "\u{FEFF}", "...", ",",
    ]
    let text =
      "---\n"
      + (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined() + "\n---\n"
    // Either outcome will do; a text that is read must also be written and read again.
    guard let note = try? NoteMarkdown.parsed(text).note else { return }
    #expect((try? NoteMarkdown.parsed(NoteMarkdown.text(of: note)).note) != nil, "\(text)")
  }
}
