import Peernote
import PnmergeCommands
import Testing

@Suite("What 'status' and 'sync' say of tracked files")
struct TrackStatusTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
  }

  private func start(_ text: String = "alpha\nbeta\n") {
    host.save("a/n.md", text)
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    host.pass(seconds: 300)
  }

  @Test("what git left in conflict is not taken in", arguments: ["\n", "\r\n"])
  func conflictMarkers(end: String) {
    start()
    let marked = ["alpha", "<<<<<<< HEAD", "beta", "=======", "BETA", ">>>>>>> other", ""]
      .joined(separator: end)
    host.save("a/n.md", marked)
    for run in [host.pnmerge("status", "a"), host.pnmerge("tidy", "a")] {
      let said = run.output + run.errors
      #expect(said.contains("a/n.md: line 2 begins what git left in conflict"), "\(run)")
    }
    #expect(host.text("a/n.md") == marked)
    host.save("a/n.md", "alpha\nBETA\n")
    #expect(host.pnmerge("tidy", "a").status == .done)
    // An example is a text like any other.
    let example = "alpha\n```\n<<<<<<< HEAD\nbeta\n=======\nBETA\n>>>>>>> other\n```\n"
    host.save("a/n.md", example)
    host.pass(seconds: 300)
    #expect(host.pnmerge("tidy", "a").status == .done)
    #expect(host.pnmerge("cat", "--body", "a/.peernote/n.md.peernote").output == example)
  }

  @Test("a conflict copy that is empty, or no text, is left alone, and the others are taken in")
  func emptiedCopy() {
    for bytes in [[], [0, 1]] as [[UInt8]] {
      start()
      let copies = [
        "a/n.sync-conflict-20261126-101010-ABCDEFG.md",
        "a/n.sync-conflict-20261126-111010-ABCDEFG.md",
      ]
      host[copies[0]] = bytes
      host.save(copies[1], "alpha\nbeta\ngamma\n")
      for _ in 0..<2 {
        let run = host.pnmerge("tidy", "a")
        #expect(run.status == .unreadable, "\(run)")
        #expect(run.errors.contains("\(copies[0]): is "), "\(run)")
        #expect(run.errors.contains("was left alone"), "\(run)")
      }
      #expect(host.text("a/n.md") == "alpha\nbeta\ngamma\n")
      #expect(host[copies[0]] == bytes && host[copies[1]] == nil)
      host[copies[0]] = nil
      #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
      host["a/n.md"] = nil
      host["a/.peernote/n.md.peernote"] = nil
      host["b/n.md"] = nil
      host["b/.peernote/n.md.peernote"] = nil
      host.pnmerge("tidy", "a")
    }
  }

  @Test("a dry run says what comes of a save that is waited for")
  func recentSave() {
    start()
    host.setText("a/n.md", "alpha\nbeta\ngamma\n")
    #expect(
      host.pnmerge("tidy", "-n", "a").output
        == "a/n.md: 1 save would be recorded\n1 note: 1 would be recorded\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note: 1 recorded\n")
  }
}
