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

  @Test("a file that is empty, and was not, is left alone, as 'tidy' does")
  func emptied() {
    start()
    host.save("a/n.md", "")
    for run in [host.pnmerge("status", "a"), host.pnmerge("tidy", "a")] {
      let said = run.output + run.errors
      #expect(said.contains("a/n.md: is empty, but was not before, and was left alone"), "\(run)")
    }
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

  @Test("a conflict copy of a file that is not tracked is named")
  func copyOfUntracked() {
    start()
    host.save("a/other.sync-conflict-20261126-101010-ABCDEFG.md", "gamma\n")
    let run = host.pnmerge("status", "a")
    #expect(
      run.output.contains("a/other.sync-conflict-20261126-101010-ABCDEFG.md: a conflict copy\n"),
      "\(run)")
  }

  @Test("a file that was deleted in the other folder is said to be that")
  func deletedThere() {
    start()
    host.pnmerge("delete", "a/n.md")
    host.pnmerge("tidy", "a")
    for folders in [["a", "b"], ["b", "a"]] {
      let run = host.pnmerge(["status"] + folders)
      #expect(run.output.contains("b/n.md: deleted in a; 'sync' deletes it here"), "\(run)")
    }
    host.pnmerge("sync", "a", "b")
    #expect(host.text("b/n.md") == nil)
  }

  @Test("of a file that was tracked apart in both folders the way to join them is said, and works")
  func trackedApart() {
    host.save("a/n.md", "list\nmilk\nbread\ntea\n")
    host.pnmerge("track", "a")
    host.pass(seconds: 60)
    host.save("b/n.md", "list\nmilk\neggs\nbread\n")
    host.pnmerge("track", "b")
    let run = host.pnmerge("status", "a", "b")
    let command = "pnmerge adopt b/n.md a/n.md"
    #expect(run.output.contains("b/n.md: tracked as another document in a; to join"), "\(run)")
    #expect(run.output.contains(command), "\(run)")
    #expect(host.pnmerge("adopt", "b/n.md", "a/n.md").output.contains("b/n.md: adopted a/n.md"))
    host.pass(seconds: 60)
    let sync = host.pnmerge("sync", "a", "b")
    #expect(sync.status == .done, "\(sync)")
    for folder in ["a", "b"] {
      let lines = Set((host.text("\(folder)/n.md") ?? "").split(separator: "\n"))
      #expect(lines == ["list", "milk", "eggs", "bread", "tea"], "\(folder)")
      #expect(host.text("\(folder)/n (2).md") == nil)
    }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    #expect(host.pnmerge("status", "a", "b").status == .done)
  }

  @Test("what one of them deleted after the other was adopted does not come back")
  func adoptedBefore() {
    host.save("a/n.md", "list\nmilk\nbread\ntea\n")
    host.pnmerge("track", "a")
    host.pass(seconds: 60)
    host.save("b/n.md", "list\nmilk\neggs\nbread\n")
    host.pnmerge("track", "b")
    host.pnmerge("adopt", "a/n.md", "b/n.md")
    host.pnmerge("tidy", "a")
    host.pass(seconds: 300)
    let text = host.text("a/n.md") ?? ""
    host.save("a/n.md", text.replacing("eggs\n", with: "").replacing("tea\n", with: ""))
    host.pnmerge("tidy", "a")
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] { #expect(host.text("\(folder)/n.md") == "list\nmilk\nbread\n") }
  }

  @Test("files with one history are named in whatever directories they are, and when one is copied")
  func twoFiles() throws {
    start()
    try host.makeDirectory(FileName("a/sub"))
    try host.makeDirectory(FileName("a/sub/.peernote"))
    host.copy("a/n.md", "a/sub/n.md")
    host.copy("a/.peernote/n.md.peernote", "a/sub/.peernote/n.md.peernote")
    host.pass(seconds: 60)
    let run = host.pnmerge("status", "a")
    #expect(run.output.contains("a/sub/n.md: has the same history as a/n.md"), "\(run)")
    host.pnmerge("sync", "a", "b")
    // What was written a moment ago is waited for.
    for folder in ["a", "b"] {
      #expect(host.pnmerge("tidy", "--match=id", folder).status == .done)
      #expect(host.text("\(folder)/sub/n.md") == nil)
      #expect(host["\(folder)/sub/.peernote/n.md.peernote"] == nil)
    }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
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

  @Test("patches of a tracked file show its text alone")
  func patches() {
    start()
    host.save("a/n.md", "alpha\nbeta2\n")
    host.pnmerge("tidy", "a")
    let log = host.pnmerge("log", "-p", "a/n.md").output
    #expect(log.contains("@@ -1,2 +1,2 @@\n alpha\n-beta\n+beta2\n"), "\(log)")
    #expect(!log.contains("---"), "\(log)")
  }
}
