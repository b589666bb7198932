import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files that were edited apart, or tracked apart")
struct TrackConflictTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "c", "c/.peernote"] { try host.makeDirectory(FileName(folder)) }
  }

  @Test("what becomes contested is said once, also where it is only delivered")
  func contested() {
    host.save("a/a.md", "Pay 12,000 on time.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.save("a/a.md", "Pay 11,000 on time.\n")
    host.save("b/a.md", "Pay 9,500 on time.\n")
    let words =
      "a/.peernote/a.md.peernote: 1 passage is contested; "
      + "to see them: pnmerge conflicts a/.peernote/a.md.peernote\n"
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.output.hasPrefix(words), "\(run)")
    #expect(host.text("a/a.md") == host.text("b/a.md"))
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    for name in ["a.md", ".peernote/a.md.peernote"] { host.copy("a/\(name)", "c/\(name)") }
    host.pass()
    let delivered = host.pnmerge("tidy", "c").output
    #expect(
      delivered.hasPrefix("c/.peernote/a.md.peernote: 1 passage is contested;"), "\(delivered)")
    #expect(host.pnmerge("tidy", "c").output == "1 note, nothing to do\n")
    host.save("b/a.md", (host.text("b/a.md") ?? "") + "More.\n")
    let next = host.pnmerge("sync", "--json", "a", "b").output
    #expect(next.contains("\"what\":\"taken\"") && !next.contains("conflicts"), "\(next)")
  }

  @Test("one file that was tracked twice becomes one, whatever was edited since")
  func trackedApart() throws {
    host.save("a/t.md", "one\ntwo\n")
    host.save("b/t.md", "one\ntwo\n")
    host.pnmerge("track", "a")
    host.pnmerge("track", "b")
    let name = ".peernote/t.md.peernote"
    let ids = try ["a", "b"].map { try Document(bytes: #require(host["\($0)/\(name)"])).id }
    #expect(ids[0] != ids[1])
    host.save("a/t.md", "zero\none\ntwo\n")
    host.pnmerge("tidy", "a")
    host.save("b/t.md", "one\ntwo\nthree\n")
    host.pnmerge("tidy", "b")
    for _ in 1...2 {
      let run = host.pnmerge("sync", "a", "b")
      #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    }
    for folder in ["a", "b"] {
      #expect(host.text("\(folder)/t.md") == "zero\none\ntwo\nthree\n")
      #expect(host["\(folder)/\(name)"] == host["a/\(name)"])
    }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
  }

  @Test("two files of one name that have nothing in common stay two, and it is said")
  func unlike() {
    host.save("a/t.md", "one\ntwo\n")
    host.save("b/t.md", "bread\n")
    host.pnmerge("track", "a")
    host.pnmerge("track", "b")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .notSameDocument && run.errors.contains("rename one of them"), "\(run)")
    #expect(host.text("a/t.md") == "one\ntwo\n" && host.text("b/t.md") == "bread\n")
  }

  @Test(
    "a command that takes documents names the history of a tracked file", arguments: ["log", "cat"])
  func namesHistory(command: String) {
    host.save("a/a.md", "Pay.\n")
    host.pnmerge("track", "a")
    #expect(
      host.pnmerge(command, "a/a.md").errors
        == "pnmerge: a/a.md: is a tracked text file; the document is its history: "
        + "a/.peernote/a.md.peernote\n")
    host.save("a/b.md", "Pay.\n")
    #expect(host.pnmerge(command, "a/b.md").errors.contains("pnmerge import a/b.md"))
  }
}
