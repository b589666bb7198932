import Peernote
import PeernoteTestSupport

extension GoldenDocument {
  /// Passages: two readings, three, a deletion against an edit, the same edit twice, one that
  /// includes another, a reading that was itself open, and two texts.
  static let passages = GoldenDocument("passages") { story in
    let made = story.change(1, .put("body", new: .text), .put("other", new: .text))
    let (body, other) = (made.container(0), made.container(1))
    let base = story.change(
      1,
      .insertText(into: body, at: 0, text: "Pay 12,000 now.\nWe recieve it.\nA b c.\nold line\n"),
      .insertText(into: other, at: 0, text: "one\n"))
    @discardableResult
    func replace(
      _ agent: UInt64, after parents: [ChangeID], _ text: ContainerID, at position: Int,
      _ old: String, _ new: String
    ) -> ChangeID {
      story.change(
        agent, after: parents, time: goldenTime + Int64(agent),
        .insertText(into: text, at: position + old.unicodeScalars.count, text: new),
        .deleteText(
          from: text, at: position, count: old.unicodeScalars.count, backward: false, text: old))
    }
    let left = replace(2, after: [base], body, at: 4, "12,000", "11,000")
    let right = replace(3, after: [base], body, at: 4, "12,000", "9,500")
    let third = replace(4, after: [base], body, at: 4, "12,000", "8,000")
    let mended = replace(2, after: [left], body, at: 19, "recieve", "receive")
    let again = replace(3, after: [right], body, at: 18, "recieve", "receive")
    story.change(
      5, after: [mended, again], time: goldenTime + 9,
      .insertText(into: other, at: 4, text: "two\n"))
    story.change(
      4, after: [third], time: goldenTime + 8,
      .deleteText(from: body, at: 37, count: 9, backward: false, text: "old line\n"))
    replace(6, after: [base], body, at: 38, "old", "new")
    replace(7, after: [base], other, at: 0, "one", "uno")
    replace(8, after: [base], other, at: 0, "one", "eins")
  }

  /// Runs of typing and deleting in both directions, over the ends of changes, with jumps.
  static let text = GoldenDocument("text") { story in
    let made = story.change(1, .put("body", new: .text))
    let body = made.container(0)
    func type(_ text: String, at position: Int) {
      story.change(1, .insertText(into: body, at: position, text: text))
    }
    func delete(_ text: String, at position: Int, backward: Bool = false) {
      story.change(
        1,
        .deleteText(
          from: body, at: position, count: text.unicodeScalars.count, backward: backward, text: text
        ))
    }
    type("The quick brown fox", at: 0)
    type(" jumps over the lazy dog", at: 19)
    delete("lazy", at: 35)
    delete("the ", at: 31, backward: true)
    // One at a time: backward, forward, and a turn at the end of each.
    delete("x", at: 18)
    delete("o", at: 17)
    delete("f", at: 16)
    delete(" ", at: 16)
    delete("j", at: 16)
    delete("u", at: 16)
    delete(" ", at: 15)
    delete("m", at: 15)
    delete("n", at: 14)
    type("a", at: 14)
    type("b", at: 14)
    type("c", at: 15)
    delete("c", at: 15)
    delete("T", at: 0)
    type("t", at: 0)
  }

  /// Deletions of the same passage by two people, with and without what was deleted.
  static let redacted = GoldenDocument("redacted") {
    var story = Story(time: goldenTime)
    let made = story.change(1, .put("body", new: .text))
    let body = made.container(0)
    let typed = story.change(
      1, .insertText(into: body, at: 0, text: "my secret is 1234, yours 5678"))
    story.change(
      1, .deleteText(from: body, at: 13, count: 4, backward: true, text: "1234"),
      .deleteText(from: body, at: 3, count: 7, backward: false, text: "secret "))
    story.change(
      2, after: [typed],
      .deleteText(from: body, at: 10, count: 7, backward: false, text: "is 1234"),
      .deleteText(from: body, at: 18, count: 4, backward: false, text: "5678"))
    // The first person's numbers are redacted with one deletion, the second's altogether.
    let changes = story.changes.map { change in
      var change = change
      for (index, edit) in change.edits.enumerated()
      where edit.kind.deletesText && ["1234", "5678"].contains(edit.text?.string) {
        change.edits[index].text = nil
      }
      return change
    }
    return try GoldenDocument.file(of: "redacted", changes)
  }

  /// Three people typing at one place, forward and backward, from different versions.
  static let interleaving = GoldenDocument("interleaving") { story in
    let made = story.change(1, .put("body", new: .text))
    let body = made.container(0)
    let base = story.change(1, .insertText(into: body, at: 0, text: "[]"))
    let forward = story.change(2, after: [base], .insertText(into: body, at: 1, text: "forward"))
    let backward = story.change(
      3, after: [base],
      "backward".reversed().map { .insertText(into: body, at: 1, text: String($0)) })
    let other = story.change(
      4, after: [base], .insertText(into: body, at: 1, text: "other"),
      .deleteText(from: body, at: 0, count: 1, backward: false, text: "["))
    story.change(3, after: [forward], .insertText(into: body, at: 8, text: "<3>"))
    story.change(2, after: [other], .insertText(into: body, at: 0, text: "<2>"))
    story.change(1, after: [backward], .insertText(into: body, at: 9, text: "<1>"))
  }

  /// Text beyond ASCII, of every length in UTF-8, edited inside grapheme clusters.
  static let unicode = GoldenDocument("unicode") { story in
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
    let made = story.change(
      1, .put("text", new: .text), .put("e\u{301}", .null), .put("\u{E9}", .bool(true)))
    let text = made.container(0)
    let typed = story.change(
      1,
      .insertText(
        into: text, at: 0,
        text: "\u{0}a\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF} \(family) "
          + "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{4F60}\u{597D} e\u{301}\r\n"))
    story.change(
      2, after: [typed],
      .deleteText(from: text, at: 11, count: 2, backward: true, text: "\u{200D}\u{1F469}"),
      .insertText(into: text, at: 4, text: "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}"))
    story.change(
      3, after: [typed],
      .deleteText(
        from: text, at: 5, count: 4, backward: true, text: "\u{800}\u{FFFF}\u{10000}\u{10FFFF}"),
      .put("e\u{301}", .string("decomposed")))
  }
}
