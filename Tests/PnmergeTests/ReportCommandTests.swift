import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `reports.txt` and `plain.txt` of
/// `Fixtures/outputs`.
@Suite("Comparing, listing and checking")
struct ReportCommandTests {
  private let host = MemoryHost()

  init() {
    host.setText("draft", "one\ntwo\n")
    host.pnmerge(
      "new", "a", "--title", "T", "--body-file", "draft", "--author", "desk", "--agent", "aa")
    host.copy("a", "b")
    host.pnmerge("edit", "b", "--title", "U", "--author", "phone", "--agent", "bb", "-m", "why")
  }

  @Test("inspect --diag shows any bytes")
  func diagnostics() {
    #expect(host.pnmerge("inspect", "--diag", "a").output.hasPrefix("55799("))
    host.setText("text", "Dear diary")
    let run = host.pnmerge("inspect", "--diag", "text")
    #expect(run.status == .done && !run.output.isEmpty)
    #expect(host.pnmerge("inspect", "--diag", "--json", "a").status == .usage)
  }

  @Test("validate goes on behind a fault, and says where each is")
  func validateInDepth() throws {
    var bytes = try #require(host["b"])
    // A letter of the shown title, and the checksum, which covers it.
    let title = try #require(bytes.firstRange(of: Array("title".utf8) + [0x61])).upperBound
    bytes[title] = UInt8(ascii: "V")
    host["b"] = bytes
    let run = host.pnmerge("validate", "b")
    #expect(run.status == .damaged)
    #expect(
      run.output == """
        b: byte \(bytes.count - 34): checksum: the checksum does not match: the file was changed \
        or damaged
        b: byte \(title - 1): view: the view does not agree with the log
        b: to save what is intact: pnmerge repair b -o NEW-FILE

        """)
    let json = host.pnmerge("validate", "--json", "b").output
    #expect(json.contains(#""section":"view","offset":\#(title - 1),"change":null,"#))
  }

  @Test("colours follow the option, NO_COLOR, TERM and the terminal")
  func colors() {
    func hasColor(_ arguments: String...) -> Bool {
      host.pnmerge(["log", "a"] + arguments).output.contains("\u{1B}[")
    }
    #expect(!hasColor())
    host.terminals = [.output]
    #expect(!hasColor())
    host.variables["TERM"] = "xterm"
    #expect(hasColor())
    #expect(!hasColor("--color", "never"))
    host.variables["NO_COLOR"] = "1"
    #expect(!hasColor())
    #expect(hasColor("--color=always"))
  }
}
