import Peernote
import PnmergeCommands
import Testing

@Suite("Symbolic links where histories belong")
struct TrackLinkTests {
  private let host = MemoryHost()
  private static let words = "is a symbolic link, which is not followed here"

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "victim"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/t.md", "Tent.\n")
  }

  /// Runs a command that is to name a link, once, and do nothing.
  private func expectRefusal(of name: String, by command: [String]) {
    let run = host.pnmerge(command)
    #expect(run.status == .cannotCreate, "\(command): \(run)")
    #expect(
      run.errors.hasPrefix("pnmerge: \(name): \(Self.words)")
        && run.errors.hasSuffix("or delete it: rm \(name)\n")
        && run.errors.split(separator: "\n").count == 1, "\(command): \(run)")
  }

  @Test("one in the place of .peernote is named by each command, and nothing goes through it")
  func directory() {
    host.save("b/t.md", "Tent.\n")
    host.pnmerge("track", "b")
    host.link("a/.peernote", to: "/work/victim")
    let commands = [
      ["track", "a"], ["track", "a/t.md"], ["untrack", "a"], ["untrack", "a/t.md"], ["tidy", "a"],
      ["status", "a"], ["ls", "a"], ["sync", "a", "b"], ["delete", "a/t.md"], ["undo", "a/t.md"],
      ["restore", "a/t.md", "--at", "00"], ["conflicts", "a/t.md"],
    ]
    for command in commands { expectRefusal(of: "a/.peernote", by: command) }
    #expect(host.tree(of: "victim").isEmpty && host.text("a/t.md") == "Tent.\n")
    #expect(!host.entries.keys.contains { $0.visible.hasPrefix("/work/a/.peernote/") })
  }

  @Test("one in the place of a history is named, and what it leads to is not read")
  func history() {
    host.pnmerge("track", "a")
    host.pnmerge("tidy", "a")
    host.setText("victim/garbage", "no document")
    let history = "a/.peernote/t.md.peernote"
    host[history] = nil
    host.link(history, to: "/work/victim/garbage")
    let commands = [
      ["track", "a"], ["track", "a/t.md"], ["tidy", "a"], ["status", "a"], ["untrack", "a/t.md"],
      ["ls", "a/t.md"], ["validate", "a/t.md"],
    ]
    for command in commands { expectRefusal(of: history, by: command) }
    #expect(host.text("victim/garbage") == "no document")
  }

  @Test("one in the place of the trash is named, and nothing is moved there")
  func trash() {
    host.pnmerge("track", "a")
    host.link("a/.peernote/trash", to: "/work/victim")
    for command in [["untrack", "a/t.md"], ["tidy", "a"]] {
      expectRefusal(of: "a/.peernote/trash", by: command)
    }
    #expect(host["a/.peernote/t.md.peernote"] != nil && host.tree(of: "victim").isEmpty)
  }
}
