import Peernote
import PnmergeCommands
import Testing

@Suite("Content from before a redaction")
struct RedactedImportTests {
  private let host = MemoryHost()
  private let base: String

  /// A note whose body held a password, and exports from then.
  init() throws {
    host.setText("draft", "Call Ann.\npassword: hunter2\nBuy milk.\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft")
    base = try #require(try Document(bytes: host["a"] ?? []).heads.first).description
    for file in ["a.md", "a.json", "a.txt"] { host.pnmerge("export", "a", "-o", file) }
    host.pnmerge("export", "a", "-o", "marked.md", "--with-version")
    host.setText("new", "Call Ann.\nBuy milk.\n")
    host.pnmerge("edit", "a", "--body-file", "new")
    host.pnmerge("redact", "a", "--matching", "password: hunter2")
  }

  private var isClean: Bool {
    !String(decoding: host["a"] ?? [], as: UTF8.self).contains("hunter2")
  }

  private func edit(_ file: String, _ old: String, _ new: String) {
    let text = String(decoding: host[file] ?? [], as: UTF8.self)
    host.setText(file, text.replacing(old, with: new))
  }

  private func forgetExports() {
    for name in host.entries.keys where name.visible.contains("/exports/") {
      host.entries[name] = nil
    }
  }

  private static let files = ["a.md", "a.json", "a.txt", "marked.md"]

  @Test("an old export is the old version, whatever was redacted of it", arguments: files)
  func unchanged(file: String) {
    let bytes = host["a"]
    for _ in 0..<2 {
      let run = host.pnmerge("import", file, "-o", "a")
      #expect(run.status == .done)
      #expect(run.output.hasPrefix("a: unchanged; \(file) is the version of \(base)"))
      #expect(
        run.output.hasSuffix("  17 characters of /body were redacted since and stay out\n"),
        "\(run.output)")
      #expect(host["a"] == bytes)
      forgetExports()
    }
  }

  @Test("what was edited in an old export comes in without what was redacted", arguments: files)
  func edited(file: String) throws {
    edit(file, "milk", "milk and eggs")
    let redacted = host["a"]
    for _ in 0..<2 {
      host.entries[FileName("/work/a")]?.bytes = redacted ?? []
      let run = host.pnmerge("import", file, "-o", "a")
      #expect(run.status == .done)
      #expect(
        run.output.contains("  17 characters of /body were redacted since and stay out\n"),
        "\(run.output)")
      #expect(!run.output.contains("to make it read like"))
      #expect(try host.note("a")?.body == "Call Ann.\nBuy milk and eggs.\n")
      #expect(isClean && host.pnmerge("validate", "a").status == .done)
      forgetExports()
    }
  }

  @Test(
    "edit and set on the old version leave it out",
    arguments: [
      ["edit", "a", "--body-file", "draft"], ["edit", "a", "--json-file", "a.json"],
      ["set", "a", "/body", "--text", "--value-file", "draft"],
    ])
  func named(arguments: [String]) throws {
    edit("draft", "Ann", "Bob")
    edit("a.json", "Ann", "Bob")
    let run = host.pnmerge(arguments + ["--base", base])
    #expect(run.status == .done)
    #expect(
      run.output.contains("  17 characters of /body were redacted since and stay out\n"),
      "\(run.output)")
    #expect(try host.note("a")?.body == "Call Bob.\nBuy milk.\n")
    #expect(isClean)
  }

  @Test("what may be redacted text is refused, with what to do")
  func refused() throws {
    edit("a.md", "hunter2", "hunter23")
    let bytes = host["a"]
    let head = try #require(try Document(bytes: bytes ?? []).heads.first)
    let run = host.pnmerge("import", "a.md", "-o", "a")
    #expect(run.status == .usage)
    #expect(
      run.errors == """
        pnmerge: a: /body: line 2 of what comes in cannot be told from text that was redacted since; \
        nothing was written; to make it an edit of the present version, take out of it what was \
        redacted, and give --base \(head)

        """)
    #expect(host["a"] == bytes)
    edit("a.md", "password: hunter23\n", "see the vault\n")
    #expect(host.pnmerge("import", "a.md", "-o", "a", "--base", "\(head)").status == .done)
    #expect(try host.note("a")?.body == "Call Ann.\nsee the vault\nBuy milk.\n")
  }

  @Test("blame says what stands for redacted text, and log -p what it leaves out")
  func words() {
    let blame = host.pnmerge("blame", "a", "--at", base)
    #expect(blame.output.contains(String(repeating: "\u{FFFD}", count: 17)))
    #expect(
      blame.errors
        == "a: /body: 17 characters of that version were redacted; \u{FFFD} stands for each\n")
    #expect(host.pnmerge("blame", "a").errors.isEmpty)
    let log = host.pnmerge("log", "-p", "a").output
    #expect(
      log.contains("    it also deleted 17 characters of /body that were redacted since\n"),
      "\(log)")
    #expect(log.contains("    it also wrote 17 characters of /body that were redacted since\n"))
    #expect(!log.contains("\u{FFFD}"))
  }

  @Test("a stale copy of a tracked file does not bring back what was redacted from its history")
  func tracked() throws {
    host.keepsTime = true
    try host.makeDirectory(FileName("t"))
    func save(_ text: String) {
      host.setText("t/x.md", text)
      host.now = Timestamp(milliseconds: host.now.milliseconds + 300_000)
      host.pnmerge("tidy", "t")
    }
    save("Call Ann.\npassword: hunter2\nBuy milk.\n")
    host.pnmerge("track", "t/x.md")
    save("Call Ann.\nBuy milk.\n")
    let history = "t/.peernote/x.md.peernote"
    host.pnmerge("redact", history, "--clear-undo")
    func isClean() -> Bool {
      !String(decoding: host[history] ?? [], as: UTF8.self).contains("hunter2")
    }
    #expect(isClean())
    try host.makeDirectory(FileName("u"))
    try host.makeDirectory(FileName("u/.peernote"))
    host.copy(history, "u/.peernote/x.md.peernote")
    host.setText("u/x.md", "Call Ann.\npassword: hunter2\nBuy milk and eggs.\n")
    host.now = Timestamp(milliseconds: host.now.milliseconds + 300_000)
    let run = host.pnmerge("tidy", "u")
    #expect(run.status == .done, "\(run.errors)")
    #expect(
      !String(decoding: host["u/.peernote/x.md.peernote"] ?? [], as: UTF8.self).contains("hunter2"))
    #expect(
      host.pnmerge("cat", "--body", "u/.peernote/x.md.peernote").output
        == "Call Ann.\nBuy milk and eggs.\n")
    // Nor does a conflict copy that was edited beside it, of which it cannot be told what that is.
    let copy = "t/x.sync-conflict-20261126-101010-ABCDEFG.md"
    host.setText(copy, "Call Ann.\npassword: hunter2\nSell the car.\n")
    let left = host.pnmerge("tidy", "t")
    #expect(left.status == .unreadable)
    #expect(left.errors.contains("\(copy): line 2 of this conflict copy"), "\(left.errors)")
    #expect(host.text(copy) != nil && isClean())
    #expect(host.text("t/x.md") == "Call Ann.\nBuy milk.\n")
    host[copy] = nil
    save("Call Ann.\nSell the car.\n")
    #expect(host.text("t/x.md") == "Call Ann.\nSell the car.\n")
    #expect(host.pnmerge("tidy", "t").output == "1 note, nothing to do\n")
  }
}
