import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `exports.txt`, `exports-marked.txt`,
/// `exports-old.txt` and `base.txt` of `Fixtures/outputs`.
@Suite("Content that comes back")
struct ImportBaseTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "milk\neggs\nbread\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft", "--author", "desk")
  }

  private func body(_ file: String = "a") -> String {
    host.pnmerge("cat", "--body", file).output
  }

  @Test("the nearest of many versions is found")
  func nearestOfMany() throws {
    var exports: [(name: String, text: String)] = []
    for round in 0..<80 {
      host.setText("new", body() + "line \(round) of the long list\n")
      host.pnmerge("edit", "a", "--body-file", "new", "--no-backup")
      let head = try #require(try Document(bytes: host["a"] ?? []).heads.first)
      exports.append((head.description, body()))
    }
    for round in [3, 78] {
      host.copy("a", "b")
      host.setText("x.txt", "first\n" + exports[round].text)
      let run = host.pnmerge("import", "x.txt", "-o", "b")
      #expect(run.output.contains("as an edit of \(exports[round].name) ("), "\(run.output)")
      #expect(body("b") == "first\n" + body())
    }
  }

  @Test("the memory of exports is bounded, and none of it is needed")
  func memory() {
    for number in 0..<120 {
      host.pnmerge("export", "a", "-o", "x\(number) y%.txt")
    }
    let store = host.entries.first { $0.key.visible.contains("/exports/") }
    #expect(store?.value.bytes.count { $0 == UInt8(ascii: "\n") } == 100)
    store?.value.bytes = Array("exported %zz 1.1\nwhat is this\n\u{0}".utf8)
    #expect(host.pnmerge("import", "x119 y%.txt", "-o", "a").output == "a: unchanged\n")
    for name in ["HOME", "XDG_STATE_HOME"] { host.variables[name] = nil }
    let run = host.pnmerge("export", "a", "-o", "y.txt")
    #expect(run.status == .done)
    #expect(run.errors.hasPrefix("pnmerge: warning: cannot remember which version y.txt holds: "))
  }
}
