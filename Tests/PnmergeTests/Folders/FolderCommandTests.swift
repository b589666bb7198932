import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `Fixtures/outputs/directories.txt`.
@Suite("Directories as operands")
struct FolderCommandTests {
  private let host = MemoryHost()

  init() throws {
    for folder in ["a", "a/sub", "b"] { try host.makeDirectory(FileName(folder)) }
    host.setText("body", "Take the night train.\nPack the TENT.\n")
    host.pnmerge("new", "a/trip.peernote", "--title", "Trip", "--tag", "x", "--body-file", "body")
    host.pnmerge("new", "a/sub/plan.peernote", "--title", "Äpfel", "--tag", "a", "--tag", "b")
  }

  @Test("ls opens nothing that stayed as it was")
  func reading() {
    host.pnmerge("ls", "a")
    let before = host.calls.count
    host.pnmerge("ls", "a")
    #expect(Array(host.calls[before...]) == [.read])
  }

  @Test("import of a directory leaves alone what a link leads to, and says so")
  func importBesideLink() {
    host.setText("b/trip.md", "New.\n")
    host.link("b/trip.peernote", to: "/work/a/trip.peernote")
    let before = host["a/trip.peernote"]
    let run = host.pnmerge("import", "b")
    #expect(
      run.errors.hasPrefix(
        "pnmerge: b/trip.md: was left alone, since b/trip.peernote is a symbolic link"), "\(run)")
    #expect(run.status == .cannotCreate && host["a/trip.peernote"] == before)
  }

  @Test("a damaged file hides none of the others, and is named with what helps")
  func damaged() {
    host.copy("a/trip.peernote", "other.peernote")
    host.pnmerge("set", "other.peernote", "/title", #""Tour""#)
    host.pnmerge("set", "a/trip.peernote", "/title", #""Journey""#)
    host.pnmerge("merge", "a/trip.peernote", "other.peernote")
    host["a/bad.peernote"] = [1, 2, 3]
    let damaged = host.pnmerge("conflicts", "a")
    #expect(damaged.status == .damaged && damaged.output.hasPrefix("a/trip.peernote: /title\n"))
    let unreadable = host.pnmerge("conflicts", "--json", "a/bad.peernote", "a/none.peernote")
    #expect(unreadable.status == .unreadable && unreadable.output.isEmpty, "\(unreadable)")
    // What to do next is said as of a single file.
    host["a/bad.peernote"] = (host["a/trip.peernote"] ?? []).dropLast(9)
    for words in [["ls", "a"], ["sync", "-n", "a", "b"]] {
      let run = host.pnmerge(words)
      #expect(run.errors.hasPrefix("pnmerge: a/bad.peernote: "), "\(run.errors)")
      #expect(run.errors.contains("pnmerge repair a/bad.peernote -o NEW-FILE\n"), "\(run.errors)")
    }
  }
}
