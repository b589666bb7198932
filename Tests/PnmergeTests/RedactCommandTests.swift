import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/redactions.txt`.
@Suite("Redacting")
struct RedactCommandTests {
  private let host = MemoryHost()

  /// A note whose body held a password, and a copy from before it was deleted.
  init() {
    host.setText("draft", "Call Ann.\npassword: hunter2\nBuy milk.\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft")
    host.copy("a", "old")
    host.setText("draft", "Call Ann.\nBuy milk.\n")
    host.pnmerge("edit", "a", "--body-file", "draft")
  }

  private func holds(_ name: String, _ text: String) -> Bool {
    String(decoding: host[name] ?? [], as: UTF8.self).contains(text)
  }

  @Test("deleted text is gone from the file, and no old copy brings it back")
  func all() throws {
    #expect(holds("a", "hunter2"))
    let run = host.pnmerge("redact", "a")
    #expect(run.status == .done)
    #expect(
      run.output == """
        a: removed 18 characters of deleted text
          1 state kept for undo is left as before; --clear-undo removes them

        """)
    #expect(!holds("a", "hunter2"))
    #expect(try host.note("a")?.body == "Call Ann.\nBuy milk.\n")
    let redacted = host["a"]
    #expect(host.pnmerge("merge", "a", "old").status == .done)
    #expect(host["a"] == redacted)
    #expect(host.pnmerge("merge", "old", "a").status == .done)
    #expect(host["old"] == redacted)
    #expect(host.pnmerge("validate", "a").output == "a: sound\n")
    #expect(host.pnmerge("redact", "a").output.hasPrefix("a: holds no deleted text\n"))
  }

  @Test("what is redacted in a past version is left out and said, never written as U+FFFD")
  func redactedPast() throws {
    let first = "first\u{FFFD}"
    host.setText("draft", "Call Ann.\npassword: hunter2\n\(first)\n")
    host.pnmerge("new", "n", "--title", "T", "--body-file", "draft", "--agent", "a1")
    host.setText("draft", "Call Ann.\n")
    host.pnmerge("edit", "n", "--body-file", "draft")
    host.pnmerge("redact", "n", "--matching", "hunter2")
    let said = "n: /body: 7 characters of that version were redacted and cannot come back\n"
    let past = "Call Ann.\npassword: \n\(first)\n"
    let version = "00000000000000a1"
    let printed = host.pnmerge("cat", "--body", "--at", version, "n")
    #expect(printed.output == past && printed.errors == said, "\(printed)")
    let got = host.pnmerge("cat", "--raw", "n", "/body", "--at", version)
    #expect(got.output == past && got.errors == said)
    #expect(host.pnmerge("cat", "n", "/title", "--at", version).errors == "")
    let exported = host.pnmerge("export", "n", "--at", version)
    #expect(!exported.output.contains("password: \u{FFFD}") && exported.errors == said)
    host.copy("n", "m")
    let restored = host.pnmerge("restore", "n", "--at", version)
    #expect(restored.output.hasPrefix("n: changed /body") && restored.errors == said, "\(restored)")
    #expect(try host.note("n")?.body == past)
    #expect(host.pnmerge("restore", "n", "--at", version).output == "n: unchanged\n")
    #expect(host.pnmerge("validate", "n").status == .done)
    // A part that misses nothing comes back without a word.
    #expect(host.pnmerge("restore", "m", "/title", "--at", version).errors == "")
  }

  @Test("a passage that a side of an earlier merge had is not taken with what is redacted in it")
  func redactedSide() throws {
    var base = try Document(bytes: try #require(host["old"]))
    var other = base
    func session(_ agent: UInt64) -> DocumentSession {
      DocumentSession.person(agent, "ann", at: 9)
    }
    let body = JSONPointer(["body"])
    try base.change(by: session(51)) {
      try $0.replaceText(at: body, with: "Call Ann.\npassword: hunter2 or so\nBuy milk.\n")
    }
    try other.change(by: session(52)) {
      try $0.replaceText(at: body, with: "Call Ann.\npassword: swordfish\nBuy milk.\n")
    }
    let versions = [base.heads, other.heads]
    _ = try base.merge(other)
    let before = try base.adjoiningLines(ofMerging: versions)
    func sides(_ overlaps: [Conflict]) -> [String] {
      overlaps.flatMap(\.others).compactMap { side in
        if case .text(let text)? = side.node { text } else { nil }
      }
    }
    try #require(sides(before).contains { $0.contains("hunter2") }, "\(before)")
    try base.redactDeletedText()
    let after = sides(try base.adjoiningLines(ofMerging: versions))
    #expect(after.count == sides(before).count)
    for text in after {
      #expect(!text.contains("hunter2"))
      #expect(!text.unicodeScalars.contains { $0 == "\u{FFFD}" || $0.value > 0xFFFF }, "\(text)")
    }
  }

  @Test("old states are removed when that is asked for")
  func clearUndo() {
    let run = host.pnmerge("redact", "--clear-undo", "a")
    #expect(run.output.hasSuffix("  removed 1 state kept for undo\n"))
    #expect(host.pnmerge("undo", "a").status == .unreadable)
    let held = host.entries.values.contains { entry in
      String(decoding: entry.bytes, as: UTF8.self).contains("hunter2") && entry.kind == .regular
        && !entry.bytes.elementsEqual(host["old"] ?? [])
    }
    #expect(!held)
  }

  @Test("no old bytes are kept of what is redacted")
  func noBackup() {
    let before = host.entries.count
    host.pnmerge("redact", "a")
    #expect(host.entries.count == before)
  }

  @Test("a redaction works on streams")
  func streams() throws {
    host.input = host["a"] ?? []
    let run = host.pnmerge("redact", "-")
    #expect(run.status == .done)
    #expect(run.errors.hasPrefix("standard input: removed 18 characters"))
    #expect(!run.output.contains("hunter2"))
    _ = try Document(bytes: host.output)
  }

  @Test("a dry run on a stream says the same and writes nothing")
  func dryStream() {
    host.input = host["a"] ?? []
    let run = host.pnmerge("redact", "-n", "-")
    #expect(run.status == .done && run.output == "")
    #expect(run.errors.hasPrefix("standard input: would remove 18 characters of deleted text\n"))
    host.terminals = [.output]
    #expect(host.pnmerge("redact", "-n", "-").status == .usage)
  }

  @Test("a merge that brings a redaction says so")
  func mergedRedaction() {
    host.copy("a", "b")
    host.pnmerge("redact", "b")
    let run = host.pnmerge("merge", "a", "b")
    #expect(run.output.hasPrefix("a: took over what was redacted in b; no new changes\n"))
    #expect(!holds("a", "hunter2"))
  }
}
