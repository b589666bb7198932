import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files that say which version they were made from")
struct TrackMarkerTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    try host.makeDirectory(FileName("a"))
  }

  private func history() throws -> Document {
    try Document(bytes: #require(host["a/.peernote/trip.md.peernote"]))
  }

  private func line() throws -> String {
    let document = try history()
    let heads = document.heads.map(\.description).joined(separator: " ")
    return "peernote-version: \(document.id) \(heads)"
  }

  /// A file of its own, tracked and written with its line.
  private func start(_ text: String) {
    host.save("a/trip.md", text)
    host.pnmerge("track", "--marker", "a/trip.md")
    host.pnmerge("tidy", "a")
    host.pass()
  }

  @Test(
    "the line stands last in the front matter, and the history holds the text as it was",
    arguments: [
      ("Tent.\n", "---\nLINE\n---\nTent.\n"), ("", "---\nLINE\n---\n"),
      ("---\ntitle: Trip\n---\nTent.", "---\ntitle: Trip\nLINE\n---\nTent."),
      ("---\r\ntitle: Trip\r\n---\r\nTent.", "---\r\ntitle: Trip\r\nLINE\r\n---\r\nTent."),
      ("---\n---\nTent.\n", "---\nLINE\n---\n---\n---\nTent.\n"),
      ("---\nno end", "---\nLINE\n---\n---\nno end"),
      ("Tent.\r\nMap.\r\n", "---\r\nLINE\r\n---\r\nTent.\r\nMap.\r\n"),
      ("\u{FEFF}Tent.\n", "\u{FEFF}---\nLINE\n---\nTent.\n"),
      ("\u{FEFF}---\ntitle: Trip\n---\nTent.", "\u{FEFF}---\ntitle: Trip\nLINE\n---\nTent."),
    ])
  func places(text: String, marked: String) throws {
    start(text)
    #expect(try host.text("a/trip.md") == marked.replacing("LINE", with: line()))
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    #expect(try history().root["body"] == .text(text))
    #expect(host.pnmerge("status", "a").output.hasSuffix(", 0 with something to do\n"))
  }

  @Test("an editor puts a byte order mark before the front matter, and takes it off again")
  func byteOrderMark() throws {
    start("---\ntitle: Trip\n---\nTent.\n")
    for (mark, more) in [("\u{FEFF}", "Map.\n"), ("", "Bread.\n")] {
      let old = try #require(host.text("a/trip.md"))
      host.save("a/trip.md", mark + String(old.unicodeScalars.drop { $0 == "\u{FEFF}" }) + more)
      let run = host.pnmerge("tidy", "a")
      #expect(run.output == "1 note: 1 recorded, 1 brought up to date\n", "\(run)")
      let text = try #require(host.text("a/trip.md"))
      #expect(try text.hasPrefix("\(mark)---\ntitle: Trip\n\(line())\n---\nTent.\n"), "\(text)")
      #expect(text.hasSuffix(more))
      host.pass()
    }
  }

  @Test("an edit is one of the version that the file names, and the line follows")
  func edits() throws {
    start("one\ntwo\n")
    let old = try #require(host.text("a/trip.md"))
    host.save("a/trip.md", old.replacing("two", with: "two\nthree"))
    #expect(host.pnmerge("tidy", "a").output == "1 note: 1 recorded, 1 brought up to date\n")
    #expect(try host.text("a/trip.md") == "---\n\(line())\n---\none\ntwo\nthree\n")
    host.pass()
    // A phone sends the old file, twice edited since: nothing that came meanwhile is taken back.
    host.save("a/trip.md", old.replacing("one", with: "zero\none"))
    host.pnmerge("tidy", "a")
    #expect(try host.text("a/trip.md") == "---\n\(line())\n---\nzero\none\ntwo\nthree\n")
    host.pass()
    host.save("a/trip.md", old.replacing("one", with: "zero\none and a half"))
    host.pnmerge("tidy", "a")
    #expect(host.text("a/trip.md")?.hasSuffix("---\nzero\none and a half\ntwo\nthree\n") ?? false)
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test("a file that was made from a version which is not here yet waits for its history")
  func early() throws {
    start("one\n")
    let history = try #require(host["a/.peernote/trip.md.peernote"])
    host.save("a/trip.md", try #require(host.text("a/trip.md")) + "two\n")
    host.pnmerge("tidy", "a")
    host.pass()
    let newer = try #require(host["a/.peernote/trip.md.peernote"])
    // On another machine, where the file comes first.
    host.variables["XDG_STATE_HOME"] = "/home/me/other"
    host["a/.peernote/trip.md.peernote"] = history
    host.save("a/trip.md", try #require(host.text("a/trip.md")) + "three\n")
    let file = host.text("a/trip.md")
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.hasPrefix("a/trip.md: waits for its history"), "\(run.output)")
    #expect(host.text("a/trip.md") == file)
    host["a/.peernote/trip.md.peernote"] = newer
    host.pass()
    host.pnmerge("tidy", "a")
    #expect(host.text("a/trip.md")?.hasSuffix("---\none\ntwo\nthree\n") ?? false)
  }

  @Test("the line goes with --no-marker, and is for Markdown alone")
  func options() throws {
    start("one\n")
    let run = host.pnmerge("track", "--no-marker", "a/trip.md")
    #expect(
      run.output == "a/trip.md: will say no more which version it was made from\n", "\(run.errors)")
    host.pnmerge("tidy", "a")
    #expect(host.text("a/trip.md") == "one\n")
    host.pass()
    #expect(
      host.pnmerge("track", "--marker", "a/trip.md").output
        == "a/trip.md: will say which version it was made from\n")
    host.save("a/list.txt", "x\n")
    #expect(host.pnmerge("track", "--marker", "a/list.txt").status == .usage)
    #expect(host["a/.peernote/list.txt.peernote"] == nil)
    #expect(host.pnmerge("track", "--marker", "a").status == .done)
    host.pnmerge("tidy", "a")
    #expect(
      host.text("a/list.txt") == "x\n"
        && host.text("a/trip.md")?.hasPrefix("---\npeernote") ?? false)
  }

  @Test("the line is there at once, and one that is damaged is mended")
  func atOnce() throws {
    host.save("a/trip.md", "---\ntitle: T\n---\none\ntwo\n")
    host.pnmerge("track", "--marker", "a")
    #expect(try host.text("a/trip.md") == "---\ntitle: T\n\(line())\n---\none\ntwo\n")
    host.pass()
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    let marked = try #require(host.text("a/trip.md"))
    for damaged in [
      marked.replacing("version: ", with: "version: Z"),
      marked.replacing("version: ", with: "version:"),
      marked.replacing("---\none", with: "peernote-version: x\n---\none"),
    ] {
      host.save("a/trip.md", damaged)
      host.pnmerge("tidy", "a")
      #expect(try host.text("a/trip.md") == "---\ntitle: T\n\(line())\n---\none\ntwo\n")
    }
    #expect(try history().root["body"] == .text("---\ntitle: T\n---\none\ntwo\n"))
    host.pnmerge("track", "--no-marker", "a/trip.md")
    #expect(host.text("a/trip.md") == "---\ntitle: T\n---\none\ntwo\n")
    // What is not recorded yet is left to the next run.
    host.save("a/trip.md", "---\ntitle: T\n---\none\ntwo\nthree\n")
    host.pnmerge("track", "--marker", "a/trip.md")
    #expect(host.text("a/trip.md") == "---\ntitle: T\n---\none\ntwo\nthree\n")
    host.pnmerge("tidy", "a")
    #expect(try host.text("a/trip.md") == "---\ntitle: T\n\(line())\n---\none\ntwo\nthree\n")
  }
}
