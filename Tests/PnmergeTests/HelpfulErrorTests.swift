import Peernote
import PeernoteFuzzing
import PnmergeCommands
import Testing

/// What no file of outputs can show; the words of most errors stand in `Fixtures/outputs`.
@Suite("Errors say what, where and what next")
struct HelpfulErrorTests {
  private let host = MemoryHost()

  init() {
    host.pnmerge("new", "a", "--title", "T")
    host.copy("a", "b")
  }

  @Test("a value that is no text is refused because of that", arguments: ["--title", "--author"])
  func noText(option: String) {
    let arguments = ["edit", "a", option].map { Array($0.utf8) } + [[0xE9]]
    let run = host.pnmerge(arguments)
    #expect(run.status == .usage && run.errors.contains(": it is not UTF-8; see"), "\(run.errors)")
  }

  @Test("that a file is waited for is said, unless all is to be quiet")
  func lockedFile() throws {
    let file = try #require(host.entries[FileName("/work/a")])
    for isQuiet in [false, true] {
      host.locked = [file.inode]
      let run = host.pnmerge(["set", "a", "/n", "2"] + (isQuiet ? ["-q"] : []))
      let waiting =
        "pnmerge: a: waiting for another process, which has locked it, for at most 20 s\n"
      #expect(run.status == .tryAgain)
      #expect(
        run.errors == (isQuiet ? "" : waiting)
          + "pnmerge: a: is locked by another process; try again\n")
    }
  }

  @Test("a repair of a sound file of a newer format advises nothing that loses its history")
  func newerFormat() throws {
    var bytes = try #require(host["a"])
    // The version stands behind the tags, the head of the array and a zero.
    #expect(bytes[10] == 1)
    bytes[10] = 2
    host["n"] = resealed(bytes)
    let run = host.pnmerge("repair", "n", "-o", "r")
    #expect(run.status == .newerFormat && host["r"] == nil, "\(run)")
    #expect(run.errors.contains("need not be damaged: install a newer pnmerge"), "\(run)")
  }

  @Test("text in another encoding is refused with the place of the first byte that is wrong")
  func encodings() {
    host["latin"] = Array("one\ncaf".utf8) + [0xE9, 0x0A]
    let run = host.pnmerge("import", "latin", "--format", "text")
    #expect(run.errors.contains("is not UTF-8 text (line 2, byte 4)"), "\(run)")
  }

  @Test("text is to be imported, a damaged document repaired, and other bytes neither")
  func files() {
    host.setText("notes on é.md", String(repeating: "日本é🎉", count: 200))
    let text = host.pnmerge("redact", "notes on é.md")
    #expect(text.status == .damaged)
    #expect(text.errors.hasSuffix("; to make a document of it: pnmerge import 'notes on é.md'\n"))
    #expect(host.pnmerge("import", "notes on é.md").status == .done)
    host["a"]?.removeLast(3)
    let damaged = host.pnmerge("merge", "b", "a")
    #expect(damaged.status == .damaged)
    #expect(
      damaged.errors.hasSuffix("; to save what is intact: pnmerge repair a -o NEW-FILE\n"),
      "\(damaged.errors)")
    host["binary"] = [0, 1, 2, 0xFF]
    #expect(!host.pnmerge("cat", "binary").errors.contains("pnmerge import"))
  }

  @Test("the help groups the commands")
  func groups() {
    let help = host.pnmerge("--help").output
    var rest = help[...]
    for title in ["DOCUMENT", "MERGING", "HISTORY", "GIT", "CHECKING"] {
      let place = rest.firstRange(of: "\n\(title) SUBCOMMANDS:\n")
      #expect(place != nil, "\(title) in \(help)")
      if let place { rest = rest[place.upperBound...] }
    }
  }
}
