import Peernote
import PnmergeCommands
import Testing

@Suite("Conflict copies folded into their notes")
struct TidyCommandTests {
  private let host = MemoryHost()

  init() throws {
    try host.makeDirectory(FileName("n"))
    host.pnmerge("new", "n/trip.peernote", "--title", "Trip")
  }

  private var names: [String] {
    host.entries.keys.filter { $0.directory == FileName("/work/n") }.map(\.lastComponent.visible)
      .filter { $0 != ".peernote" }.sorted()
  }

  @Test(
    "a copy of any program's name is folded, with its changes",
    arguments: [
      "trip.sync-conflict-20261101-101010-ABCDEFG.peernote",
      "trip.sync-conflict-20261101-101010-ABCDEFG.sync-conflict-20261102-101010-ABCDEFG.peernote",
      "trip (conflicted copy 2026-11-01 101010).peernote",
      "trip (Ada's conflicted copy 2026-11-01).peernote",
      "trip (conflict_on_2026-11-01).peernote", "trip.variant-1a2f.peernote",
      "trip (SFConflict ada@example.org 2026-11-01-10-10-10).peernote",
      "trip_LOCAL_4711.peernote", "trip_REMOTE_4711.peernote", "trip.peernote.conflict1",
      "trip.peernote.orig",
    ])
  func programs(name: String) {
    host.copy("n/trip.peernote", "n/\(name)")
    host.pnmerge("set", "n/\(name)", "/priority", #""high""#)
    let run = host.pnmerge("tidy", "n")
    #expect(run.output == "1 note: 1 merged, 1 folded into their notes\n", "\(run.errors)")
    #expect(names == ["trip.peernote"])
    #expect(host.pnmerge("cat", "n/trip.peernote", "/priority").output == "\"high\"\n")
    #expect(host.entries[FileName("/work/n/.peernote/trash/\(name)")] != nil)
    #expect(host.pnmerge("tidy", "n").output == "1 note, nothing to do\n")
  }

  @Test(
    "a copy under another name is left alone, but for --match=id",
    arguments: ["trip 2.peernote", "trip (old).peernote", "trip.variant-.peernote", "x.peernote"])
  func freeNames(name: String) {
    host.copy("n/trip.peernote", "n/\(name)")
    #expect(host.pnmerge("tidy", "n").output == "2 notes, nothing to do\n")
    #expect(host.pnmerge("tidy", "n", "--match=id").output == "1 note: 1 folded into their notes\n")
    #expect(names.count == 1)
  }

  @Test("of copies made by hand the plain name stays, and until then they are said")
  func plainName() {
    for name in ["trip 2", "trip (1)"] {
      host.copy("n/trip.peernote", "n/\(name).peernote")
      host.pnmerge("set", "n/\(name).peernote", "/title", "\"\(name)\"")
    }
    let run = host.pnmerge("tidy", "n")
    for name in ["trip 2", "trip (1)"] {
      let words = "n/\(name).peernote: is the same document as n/trip.peernote, and differs;"
      #expect(run.output.contains(words), "\(run)")
    }
    #expect(run.output.hasSuffix("3 notes, nothing to do\n"))
    host.pnmerge("tidy", "n", "--match=id")
    #expect(names == ["trip.peernote"])
  }

  @Test("a conflict copy's name with another document behind it is left alone")
  func otherDocument() {
    host.pnmerge("new", "n/trip.variant-1a2f.peernote")
    #expect(host.pnmerge("tidy", "n").output == "2 notes, nothing to do\n")
  }

  @Test("a copy is folded into a note that was renamed, and one without a note stays")
  func renamed() throws {
    let copy = "trip.sync-conflict-20261101-101010-ABCDEFG.peernote"
    host.copy("n/trip.peernote", "n/\(copy)")
    try host.rename(FileName("n/trip.peernote"), to: FileName("n/tour.peernote"), replacing: false)
    host.pnmerge("tidy", "n")
    #expect(names == ["tour.peernote"])
    host.copy("n/tour.peernote", "n/\(copy)")
    try host.remove(FileName("n/tour.peernote"))
    #expect(host.pnmerge("tidy", "n").output == "1 note, nothing to do\n")
    #expect(names == [copy])
  }

  @Test("a second copy of the same name finds a free one in the trash, unless it is the same")
  func trash() {
    for title in ["One", "One", "Two"] {
      host.pnmerge("set", "n/trip.peernote", "/title", "\"\(title)\"")
      host.copy("n/trip.peernote", "n/trip.variant-1a2f.peernote")
      host.pnmerge("tidy", "n")
    }
    let trash = host.entries.keys.filter { $0.directory == FileName("/work/n/.peernote/trash") }
    #expect(
      trash.map(\.lastComponent.visible).sorted() == [
        "trip.variant-1a2f (2).peernote", "trip.variant-1a2f.peernote",
      ])
  }

  @Test("what Syncthing is still receiving is left alone, and said")
  func unfinished() {
    host.copy("n/trip.peernote", "n/.syncthing.new.peernote.tmp")
    #expect(
      host.pnmerge("tidy", "n").output
        == "1 note, nothing to do\nn/.syncthing.new.peernote.tmp: is still being received, left alone\n"
    )
  }

  @Test("the current folder is tidied where none is named, and JSON says what was done")
  func json() {
    host.copy("n/trip.peernote", "trip.peernote")
    host.copy("n/trip.peernote", "trip.variant-1a2f.peernote")
    let run = host.pnmerge("tidy", "--json", "--dry-run")
    #expect(run.output.contains(#""what":"folded","file":"trip.variant-1a2f.peernote""#))
    #expect(run.output.contains(#""written":false"#) && run.output.contains(#""failures":[]"#))
  }
}
