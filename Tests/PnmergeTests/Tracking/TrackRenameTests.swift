import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files that are renamed")
struct TrackRenameTests {
  private let host = MemoryHost()

  init() throws {
    host.keepsTime = true
    for folder in ["a", "b", "a/sub", "c"] { try host.makeDirectory(FileName(folder)) }
    host.save("a/note.md", Self.text)
    host.pnmerge("track", "a")
    host.pnmerge("tidy", "a")
  }

  private static let text = "Bring the tent.\nBring the map.\nBuy some bread.\n"

  private func rename(_ name: String, to new: String) throws {
    try host.rename(FileName(name), to: FileName(new), replacing: false)
    host.pass()
  }

  /// Gives a file another name on another machine, from where it is delivered.
  private func redeliver(_ name: String, as new: String, _ text: String? = nil) {
    let entry = host.entries[FileName("/work/\(name)")]
    let modified = text == nil ? entry?.modified : host.now.milliseconds * 1_000_000
    host.setText(new, text ?? host.text(name) ?? "")
    host[name] = nil
    host.pass(seconds: 60)
    let file = host.entries[FileName("/work/\(new)")]
    file?.modified = modified ?? 0
    file?.changed = host.now.milliseconds * 1_000_000
    host.pass()
  }

  private func history(_ name: String) throws -> Document {
    try Document(bytes: #require(host[name], "\(name)"))
  }

  private func files(_ folder: String) -> [String] {
    host.tree(of: folder).keys.filter {
      !$0.contains("/trash/") && !$0.hasSuffix(".peernote/folder")
    }.sorted()
  }

  @Test("who tracks the folder once more tracks no renamed file anew", arguments: [false, true])
  func trackedAgain(isSynced: Bool) throws {
    if isSynced { host.pnmerge("sync", "a", "b") }
    let id = try history("a/.peernote/note.md.peernote").id
    try rename("a/note.md", to: "a/trip.md")
    host.save("a/new.md", "Call the hotel.\n")
    let trial = host.pnmerge("track", "-n", "a").output
    #expect(
      trial == "a/note.md: would be renamed to a/trip.md\na/new.md: would be tracked\n",
      "\(trial)")
    let run = host.pnmerge("track", "a")
    #expect(
      run.output == "a/note.md: renamed to a/trip.md\n1 file tracked, 1 tracked already\n", "\(run)"
    )
    #expect(try history("a/.peernote/trip.md.peernote").id == id)
    host.pass()
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] {
      let expected = [
        ".peernote/new.md.peernote", ".peernote/trip.md.peernote", "new.md", "trip.md",
      ]
      #expect(files(folder).map { String($0.drop { $0 == "/" }) } == expected, "\(files(folder))")
    }
    #expect(host.pnmerge("sync", "a", "b").output == "2 notes, nothing to do\n")
  }

  @Test("the history follows a file that got another name, also in another directory")
  func followsFile() throws {
    let id = try history("a/.peernote/note.md.peernote").id
    try rename("a/note.md", to: "a/sub/trip.md")
    #expect(
      host.pnmerge("tidy", "-n", "a").output
        == "a/note.md: would be renamed to a/sub/trip.md\n1 note: 1 would be renamed\n")
    let run = host.pnmerge("tidy", "-v", "a")
    #expect(run.output.hasPrefix("a/note.md: renamed to a/sub/trip.md\n"), "\(run)")
    #expect(files("a") == ["sub/.peernote/trip.md.peernote", "sub/trip.md"])
    #expect(try history("a/sub/.peernote/trip.md.peernote").id == id)
    host.save("a/sub/trip.md", Self.text + "More.\n")
    #expect(host.pnmerge("tidy", "a").output == "1 note: 1 recorded\n")
    let count = host.calls.count
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    #expect(Array(host.calls[count...]) == [.read])
  }

  @Test("a file that was renamed before anything else was done with it is known")
  func justTracked() throws {
    host.save("c/new.md", "One two three.\n")
    host.pnmerge("track", "c/new.md")
    try rename("c/new.md", to: "c/old.md")
    host.pnmerge("tidy", "c")
    #expect(files("c") == [".peernote/old.md.peernote", "old.md"])
  }

  @Test("renamed and edited at once, here or elsewhere", arguments: [true, false])
  func renamedAndEdited(isHere: Bool) throws {
    if isHere {
      try rename("a/note.md", to: "a/trip.md")
      host.save("a/trip.md", Self.text + "Call Ann.\n")
    } else {
      redeliver("a/note.md", as: "a/trip.md", Self.text + "Call Ann.\n")
    }
    let run = host.pnmerge("tidy", "a")
    #expect(run.output == "1 note: 1 recorded, 1 renamed\n", "\(run)")
    #expect(files("a") == [".peernote/trip.md.peernote", "trip.md"])
    let document = try history("a/.peernote/trip.md.peernote")
    #expect(document.changeCount == 2 && document.root["body"] == .text(Self.text + "Call Ann.\n"))
  }

  @Test("another file that is new is not taken for one that is missing")
  func unlike() throws {
    host["a/note.md"] = nil
    host.save("a/other.md", "Nothing of that kind at all.\n")
    #expect(
      host.pnmerge("tidy", "a").output == "a/other.md: new, and tracked\n2 notes: 1 tracked\n")
    #expect(
      files("a") == [".peernote/note.md.peernote", ".peernote/other.md.peernote", "other.md"])
  }

  @Test("a note made from the template of one that was deleted is a new note")
  func template() throws {
    func day(_ number: Int) -> String {
      "---\ndate: x\nupdated: 0\n---\n## Log\n- woke up on day \(number)\n"
    }
    for number in 1...3 { host.save("a/day\(number).md", day(number)) }
    host.pnmerge("track", "a")
    let id = try history("a/.peernote/day1.md.peernote").id
    host["a/day1.md"] = nil
    host.save("a/day4.md", day(4))
    let run = host.pnmerge("tidy", "a")
    #expect(run.output.contains("a/day4.md: new, and tracked\n") && !run.output.contains("renamed"))
    #expect(try history("a/.peernote/day1.md.peernote").id == id)
    // Moved with another title it is the same note.
    host["a/day2.md"] = nil
    host.save("a/two.md", day(2).replacing("date: x", with: "date: y"))
    #expect(host.pnmerge("tidy", "a").output.contains("1 renamed"))
  }

  @Test("an old copy that somebody kept is not taken for one that is missing")
  func keptCopy() throws {
    host.save("a/kept.md", Self.text)
    host.save("a/note.md", Self.text + "Call Ann.\n")
    host.pnmerge("tidy", "a")
    host["a/note.md"] = nil
    host.pass()
    host.pnmerge("tidy", "a")
    #expect(host.text("a/kept.md") == Self.text)
    #expect(host["a/.peernote/note.md.peernote"] != nil)
  }

  @Test("the file follows its history, where that is delivered first")
  func followsHistory() throws {
    host.pnmerge("sync", "a", "b")
    // Somebody renamed it on a, and a synchroniser brings the history to b.
    try rename("b/.peernote/note.md.peernote", to: "b/.peernote/trip.md.peernote")
    host.save("b/note.md", Self.text + "Call Ann.\n")
    host.pnmerge("tidy", "b")
    #expect(files("b") == [".peernote/trip.md.peernote", "trip.md"])
    #expect(host.text("b/trip.md") == Self.text + "Call Ann.\n")
    #expect(host.pnmerge("tidy", "b").output == "1 note, nothing to do\n")
  }

  @Test("sync carries a rename over, and the one that was made last counts")
  func sync() throws {
    host.pnmerge("sync", "a", "b")
    host.pnmerge("sync", "b", "c")
    try rename("a/note.md", to: "a/trip.md")
    host.pnmerge("tidy", "a")
    host.pass(seconds: 60)
    try rename("b/note.md", to: "b/tour.md")
    host.save("b/tour.md", Self.text + "Call Ann.\n")
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    host.pnmerge("sync", "b", "c")
    for folder in ["a", "b", "c"] {
      #expect(files(folder) == [".peernote/tour.md.peernote", "tour.md"], "\(folder)")
      #expect(host.text("\(folder)/tour.md") == Self.text + "Call Ann.\n")
    }
    for pair in [("a", "b"), ("b", "c"), ("c", "a")] {
      host.pnmerge("sync", pair.0, pair.1)
      let count = host.calls.count
      #expect(host.pnmerge("sync", pair.0, pair.1).output == "1 note, nothing to do\n")
      #expect(Array(host.calls[count...]) == [.read, .read])
    }
  }

  @Test("names that two files exchange are exchanged in the other folder")
  func exchanged() throws {
    host.save("a/other.md", "Nothing of that kind at all.\n")
    host.pnmerge("track", "a")
    host.pnmerge("sync", "a", "b")
    for (old, new) in [("note", "x"), ("other", "note"), ("x", "other")] {
      try rename("a/\(old).md", to: "a/\(new).md")
      try rename("a/.peernote/\(old).md.peernote", to: "a/.peernote/\(new).md.peernote")
    }
    host.pnmerge("sync", "a", "b")
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] {
      #expect(host.text("\(folder)/other.md") == Self.text)
      #expect(host.text("\(folder)/note.md") == "Nothing of that kind at all.\n")
      #expect(files(folder).count == 4)
    }
    #expect(host.pnmerge("sync", "a", "b").output == "2 notes, nothing to do\n")
  }

  @Test("a file that somebody moved on a stick which comes here for the first time")
  func movedOnStick() throws {
    host.pnmerge("sync", "a", "b")
    // Another machine has the note from elsewhere.
    host.variables["XDG_STATE_HOME"] = "/home/me/other"
    host.pnmerge("sync", "a", "c")
    let id = try history("c/.peernote/note.md.peernote").id
    try rename("b/note.md", to: "b/trip.md")
    host.save("b/other.md", "Nothing of that kind at all.\n")
    let run = host.pnmerge("sync", "b", "c")
    #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    let all = [
      ".peernote/other.md.peernote", ".peernote/trip.md.peernote", "other.md", "trip.md",
    ]
    #expect(files("b") == all && files("c") == all)
    #expect(try history("b/.peernote/trip.md.peernote").id == id)
    #expect(host.pnmerge("sync", "b", "c").output == "2 notes, nothing to do\n")
  }

  @Test("a file that an editor keeps under another name when it saves is none that was renamed")
  func keptByEditor() throws {
    try rename("a/note.md", to: "a/note.bak.md")
    host.save("a/note.md", Self.text + "Call Ann.\n")
    #expect(host.pnmerge("tidy", "a").output.hasSuffix(": 1 recorded, 1 tracked\n"))
    #expect(host.text("a/note.bak.md") == Self.text)
    #expect(try history("a/.peernote/note.md.peernote").changeCount == 2)
  }

  @Test("a file that comes under the old name is a new note")
  func newFile() throws {
    let id = try history("a/.peernote/note.md.peernote").id
    try rename("a/note.md", to: "a/trip.md")
    host.pnmerge("tidy", "a")
    host.save("a/note.md", "Nothing of that kind at all.\n")
    #expect(host.pnmerge("tidy", "a").output.contains("a/note.md: new, and tracked"))
    #expect(try history("a/.peernote/trip.md.peernote").id == id)
    #expect(try history("a/.peernote/note.md.peernote").id != id)
    #expect(host.text("a/trip.md") == Self.text)
  }

  @Test("two names that were given on two machines stay two files, until they are made one")
  func twoNames() throws {
    try rename("a/note.md", to: "a/trip.md")
    host.pnmerge("tidy", "a")
    host.copy("a/.peernote/trip.md.peernote", "a/.peernote/tour.md.peernote")
    host.save("a/tour.md", "Bring Bob.\n" + Self.text)
    host.pnmerge("tidy", "a")
    #expect(host.text("a/trip.md") == Self.text)
    let status = host.pnmerge("status", "a").output
    #expect(status.contains("a/trip.md: has the same history as a/tour.md; to"), "\(status)")
    host.pnmerge("tidy", "--match=id", "a")
    #expect(files("a") == [".peernote/tour.md.peernote", "tour.md"])
    #expect(host.text("a/tour.md") == "Bring Bob.\n" + Self.text)
    #expect(host.pnmerge("status", "a").status == .done)
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

  @Test("links are left alone, as files that have another name and as tracked ones")
  func links() throws {
    host.save("c/elsewhere.md", Self.text)
    host["a/note.md"] = nil
    host.link("a/trip.md", to: "/work/c/elsewhere.md")
    #expect(host.pnmerge("tidy", "a").output == "1 note, nothing to do\n")
    #expect(host["a/.peernote/note.md.peernote"] != nil)
    host.link("a/note.md", to: "/work/c/elsewhere.md")
    host.save("c/elsewhere.md", Self.text + "Call Ann.\n")
    host.pnmerge("tidy", "a")
    #expect(try history("a/.peernote/note.md.peernote").changeCount == 1)
    #expect(host.text("c/elsewhere.md") == Self.text + "Call Ann.\n")
  }
}
