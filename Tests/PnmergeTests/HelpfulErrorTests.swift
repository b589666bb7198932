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

  @Test("a directory that cannot be listed is said, and hides none of the others")
  func closedDirectory() throws {
    let host = MemoryHost()
    for name in ["n", "n/closed", "n/open"] {
      try host.makeDirectory(FileName(name), isPrivate: false)
    }
    host.pnmerge("new", "n/open/x.peernote", "--title", "Milk")
    host.entries[FileName("/work/n/closed")]?.mode = 0
    for words in [
      ["find", "Milk", "n"], ["conflicts", "n"], ["log", "n"], ["validate", "n"], ["ls", "n"],
    ] {
      let run = host.pnmerge(words)
      #expect(run.status == .unreadable, "\(words) \(run)")
      #expect(run.errors.hasSuffix("n/closed: cannot list: permission denied\n"), "\(run.errors)")
      #expect(
        run.output.contains("x.peernote") || words[0] == "conflicts" || words[0] == "validate",
        "\(words) \(run)")
    }
    #expect(host.pnmerge("validate", "n", "--json").output.contains("x.peernote"))
  }
}
