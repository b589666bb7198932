import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `Fixtures/outputs/paths.txt`.
@Suite("Editing by path")
struct PathCommandTests {
  private let host = MemoryHost()

  init() {
    host.pnmerge("new", "a", "--title", "T")
  }

  @Test("raw bytes are printed as they are")
  func raw() {
    host.pnmerge("set", "a", "/x", "--type", "bytes", "YQD/")
    host.pnmerge("cat", "a", "/x", "-r")
    #expect(host.output == [0x61, 0, 0xFF])
    host.pnmerge("set", "a", "/body", "\"a\\nb\"")
    #expect(host.pnmerge("cat", "a", "/body", "--raw").output == "a\nb")
  }

  @Test("what is set as bytes from a file are the file's bytes")
  func bytes() {
    host["photo"] = [0xFF, 0xD8, 0x00, 0x0A]
    host.pnmerge("set", "a", "/photo", "--type", "bytes", "--value-file", "photo")
    #expect(host.pnmerge("cat", "a", "/photo").output == "\"/9gACg==\"\n")
  }

  @Test("an old state can be looked at")
  func versions() {
    host.pnmerge("set", "a", "/title", "\"U\"")
    let log = host.pnmerge("log", "a").output.split(separator: "\n")
    let first = log.last?.split(separator: " ").last.map(String.init) ?? ""
    #expect(host.pnmerge("cat", "a", "/title", "--at", first).output == "\"T\"\n")
  }

  @Test("documents come from standard input, and go to standard output")
  func streams() {
    host.input = host["a"] ?? []
    let run = host.pnmerge("set", "-", "/title", "\"U\"")
    #expect(run.errors == "standard input: set /title\n")
    host["b"] = host.output
    #expect(host.pnmerge("cat", "b", "/title").output == "\"U\"\n")
  }
}
