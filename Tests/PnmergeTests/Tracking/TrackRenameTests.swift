import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; more stands in `Fixtures/outputs/track-renames.txt`.
@Suite("Tracked files that are renamed")
struct TrackRenameTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/note.md", Self.text)
    host.pnmerge("track", "a")
    host.pnmerge("tidy", "a")
  }

  private static let text = "Bring the tent.\nBring the map.\nBuy some bread.\n"

  private func rename(_ name: String, to new: String) throws {
    try host.rename(FileName(name), to: FileName(new), replacing: false)
    host.pass()
  }

  private func files(_ folder: String) -> [String] {
    host.tree(of: folder).keys.filter {
      !$0.contains("/trash/") && !$0.hasSuffix(".peernote/folder")
    }.sorted()
  }

  @Test("conflict copies under old names are those of the file, whichever run sees them")
  func copiesOfRenamed() throws {
    func copy(_ name: String, _ line: String) {
      host.save("a/\(name).sync-conflict-20261101-101010-ABCDEFG.md", Self.text + line)
    }
    copy("note", "First.\n")
    try rename("a/note.md", to: "a/sub.md")
    #expect(host.pnmerge("tidy", "a").output.contains("1 renamed, 1 folded"))
    try rename("a/sub.md", to: "a/trip.md")
    host.pnmerge("tidy", "a")
    for (name, line) in [("note", "Second.\n"), ("sub", "Third.\n"), ("trip", "Fourth.\n")] {
      copy(name, line)
    }
    host.pass()
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.contains("3 folded") && !run.output.contains("left alone"), "\(run)")
    let lines = Set((host.text("a/trip.md") ?? "").split(separator: "\n"))
    #expect(lines.isSuperset(of: ["First.", "Second.", "Third.", "Fourth."]), "\(lines)")
    // Another file has the name by now.
    host.save("a/note.md", "Nothing of that kind at all.\n")
    host.pnmerge("tidy", "a")
    copy("note", "Fifth.\n")
    host.pass()
    host.pnmerge("tidy", "a")
    #expect(host.text("a/note.md")?.contains("Fifth.") ?? false)
    #expect(host.text("a/trip.md")?.contains("Fifth.") == false)
  }

  @Test("a name of 255 bytes, or one that is no text, can be renamed to, if its history can")
  func hardNames() throws {
    let long = String(repeating: "x", count: 243) + ".md"
    try rename("a/note.md", to: "a/\(long)")
    host.pnmerge("tidy", "a")
    #expect(files("a") == [".peernote/\(long).peernote", long])
    let longer = String(repeating: "y", count: 252) + ".md"
    try rename("a/\(long)", to: "a/\(longer)")
    let run = host.pnmerge("tidy", "a")
    #expect(run.status == .cannotCreate && run.errors.contains("its name is too long"), "\(run)")
    #expect(host.text("a/\(longer)") == Self.text)
    let bytes: [UInt8] = [0xE4, 0x2E, 0x6D, 0x64]
    let name = FileName(bytes: Array("a/".utf8) + bytes)
    try host.rename(FileName("a/\(longer)"), to: name, replacing: false)
    host.pass()
    #expect(host.pnmerge("tidy", "a").status == .done)
    let history = FileName(
      bytes: Array("/work/a/.peernote/".utf8) + bytes + Array(".peernote".utf8))
    #expect(host.entries[history] != nil)
  }

  @Test("a stick with FAT: names that it cannot have, and times to two seconds")
  func stick() throws {
    host.stick = FileName("/work/b")
    host.exchangesNames = false
    try rename("a/note.md", to: "a/Trip: north?.md")
    host.pnmerge("tidy", "a")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.output.contains("called b/Trip_ north_.md"), "\(run)")
    #expect(files("b") == [".peernote/Trip_ north_.md.peernote", "Trip_ north_.md"])
    for (folder, name, line) in [
      ("b", "Trip_ north_.md", "Call Ann.\n"), ("a", "Trip: north?.md", "Bring Bob.\n"),
    ] {
      host.pass(seconds: 60)
      let text = try #require(host.text("\(folder)/\(name)"))
      host.save("\(folder)/\(name)", folder == "a" ? line + text : text + line)
      host.pnmerge("sync", "a", "b")
    }
    let wanted = "Bring Bob.\n" + Self.text + "Call Ann.\n"
    #expect(host.text("a/Trip: north?.md") == wanted && host.text("b/Trip_ north_.md") == wanted)
    // A rename on the stick is one, and its own name there is not.
    try rename("b/Trip_ north_.md", to: "b/South.md")
    host.pnmerge("sync", "a", "b")
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] {
      #expect(files(folder) == [".peernote/South.md.peernote", "South.md"])
    }
    #expect(host.pnmerge("sync", "a", "b").output == "1 note, nothing to do\n")
    host.pnmerge("delete", "a/South.md")
    host.pnmerge("sync", "a", "b")
    #expect(files("a").isEmpty && files("b").isEmpty)
  }
}
