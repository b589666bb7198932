import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `redactions.txt`, `redacted.txt` and
/// `redacted-imports.txt` of `Fixtures/outputs`.
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

  @Test("a document is not printed at a terminal, not even by a dry run")
  func terminal() {
    host.input = host["a"] ?? []
    host.terminals = [.output]
    #expect(host.pnmerge("redact", "-n", "-").status == .usage)
  }
}
