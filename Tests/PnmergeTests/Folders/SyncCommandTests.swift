import Peernote
import PnmergeCommands
import Testing

@Suite("Folders brought together")
struct SyncCommandTests {
  private let host = MemoryHost()

  init() throws {
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
  }

  private func new(_ file: String, _ title: String) {
    host.pnmerge("new", file, "--title", title)
  }

  private func title(_ file: String) -> String {
    String(host.pnmerge("cat", "--raw", file, "/title").output.prefix { $0 != "\n" })
  }

  /// The visible files below a folder, with their bytes.
  private func tree(_ folder: String) -> [String: [UInt8]] { Self.tree(folder, host) }

  private static func tree(_ folder: String, _ host: MemoryHost) -> [String: [UInt8]] {
    let start = "/work/\(folder)/"
    var result: [String: [UInt8]] = [:]
    for (name, entry) in host.entries where entry.kind == .regular {
      let path = name.visible
      guard path.hasPrefix(start), !path.contains("/.") else { continue }
      result[String(path.dropFirst(start.count))] = entry.bytes
    }
    return result
  }

  @discardableResult
  private func sync(_ options: String...) -> MemoryHost.Run {
    host.pnmerge(["sync"] + options + ["a", "b"])
  }

  /// How many files a second run opens and writes.
  private func callsOfAnotherRun() -> [MemoryHost.Call] {
    let before = host.calls.count
    sync()
    // What is known of each folder is read from one file.
    return Array(host.calls[before...].drop { $0 == .read }.filter { $0 != .read })
      + (host.calls[before...].count { $0 == .read } > 2 ? [.read] : [])
  }

  @Test("new notes are copied, diverged ones merged, and the next run opens and writes nothing")
  func merging() throws {
    new("a/one.peernote", "One")
    new("b/sub.peernote", "Sub")
    #expect(sync().output == "2 notes: 2 copied\n")
    #expect(tree("a") == tree("b") && tree("a").count == 2)

    host.pnmerge("set", "a/one.peernote", "/title", #""One here""#)
    host.pnmerge("set", "b/one.peernote", "/priority", #""high""#)
    #expect(sync().output == "2 notes: 2 merged\n")
    #expect(tree("a") == tree("b") && title("b/one.peernote") == "One here")
    #expect(callsOfAnotherRun() == [])
    #expect(sync().output == "2 notes, nothing to do\n")
  }

  @Test("a dry run says the same and writes nothing")
  func dryRun() {
    new("a/one.peernote", "One")
    let before = host.entries.keys.sorted()
    #expect(
      sync("--dry-run").output
        == "b/one.peernote: would be new\n1 note: 1 would be copied\n")
    #expect(host.entries.keys.sorted() == before)
  }

  @Test("a rename is carried over, whichever side made it last")
  func renames() throws {
    new("a/one.peernote", "One")
    sync()
    try host.makeDirectory(FileName("a/sub"))
    try host.rename(
      FileName("a/one.peernote"), to: FileName("a/sub/uno.peernote"), replacing: false)
    #expect(sync().output == "1 note: 1 renamed\n")
    #expect(Set(tree("b").keys) == ["sub/uno.peernote"])
    try host.rename(
      FileName("b/sub/uno.peernote"), to: FileName("b/ein.peernote"), replacing: false)
    host.pnmerge("set", "a/sub/uno.peernote", "/title", #""Uno""#)
    sync()
    #expect(Set(tree("a").keys) == ["ein.peernote"] && tree("a") == tree("b"))
    // The directory that became empty is gone.
    #expect(host.entries[FileName("/work/a/sub")] == nil)
    #expect(callsOfAnotherRun() == [])
  }

  @Test("names that are exchanged on one side are exchanged on the other")
  func exchange() throws {
    new("a/one.peernote", "One")
    new("a/two.peernote", "Two")
    sync()
    let files = ["one", "two", "three"].map { FileName("a/\($0).peernote") }
    try host.rename(files[0], to: files[2], replacing: false)
    try host.rename(files[1], to: files[0], replacing: false)
    try host.rename(files[2], to: files[1], replacing: false)
    #expect(sync().errors == "")
    #expect(tree("a") == tree("b") && Set(tree("b").keys) == ["one.peernote", "two.peernote"])
    #expect(title("b/one.peernote") == "Two")
  }

  @Test("of two notes with one name the younger gets a number, on both sides")
  func clash() {
    new("a/todo.peernote", "Older")
    new("b/todo.peernote", "Younger")
    let run = sync()
    #expect(run.output.contains("2 copied, 1 renamed"))
    #expect(tree("a") == tree("b"))
    #expect(title("a/todo.peernote") == "Older" && title("a/todo (2).peernote") == "Younger")
    #expect(callsOfAnotherRun() == [])
  }

  @Test("a file that is missing is copied again, and an emptied folder is asked about")
  func missing() throws {
    new("a/one.peernote", "One")
    new("a/two.peernote", "Two")
    sync()
    try host.remove(FileName("b/one.peernote"))
    #expect(sync().output == "2 notes: 1 copied\n")
    for name in ["one", "two"] { try host.remove(FileName("b/\(name).peernote")) }
    let run = sync()
    #expect(run.status == .unreadable && run.errors.contains("--fill"))
    #expect(tree("b").isEmpty)
    #expect(sync("--fill").output == "2 notes: 2 copied\n")
  }

  @Test("a deleted note goes to the trash everywhere, also where a stale copy comes later")
  func deletion() throws {
    new("a/one.peernote", "One")
    sync()
    try host.makeDirectory(FileName("stick"))
    host.pnmerge("sync", "a", "stick")
    host.pnmerge("delete", "b/one.peernote")
    let run = sync()
    #expect(run.output.hasSuffix("0 notes: 1 merged, 2 moved to the trash\n"))
    #expect(tree("a").isEmpty && tree("b").isEmpty)
    #expect(host.entries[FileName("/work/a/.peernote/trash/one.peernote")] != nil)
    // What was moved a moment ago is looked at once more.
    host.pass()
    sync()
    #expect(callsOfAnotherRun() == [])
    // The stick knows nothing of it yet.
    host.pnmerge("sync", "a", "stick")
    #expect(tree("a").isEmpty && tree("stick").isEmpty)
  }

  @Test("an edit that knew nothing of the deletion brings the note back, and that is said")
  func broughtBack() throws {
    new("a/one.peernote", "One")
    sync()
    try host.makeDirectory(FileName("stick"))
    host.pnmerge("sync", "a", "stick")
    host.pnmerge("delete", "b/one.peernote")
    sync()
    host.pnmerge("set", "stick/one.peernote", "/title", #""Needed""#)
    let run = host.pnmerge("sync", "a", "stick")
    #expect(run.output.contains("is back; me deleted it without knowing of later edits"))
    #expect(title("a/one.peernote") == "Needed" && tree("a") == tree("stick"))
    #expect(host.pnmerge("cat", "a/one.peernote", "/deleted").status != .done)
    sync()
    #expect(tree("a") == tree("b"))
    #expect(!host.entries.keys.contains { $0.visible.contains("b/.peernote/trash/") })
    #expect(callsOfAnotherRun() == [])
  }

  @Test("a damaged file is left alone and said, and stops nothing else")
  func damage() throws {
    new("a/one.peernote", "One")
    new("a/two.peernote", "Two")
    sync()
    host.entries[FileName("/work/b/one.peernote")]?.bytes.removeLast(7)
    host.entries[FileName("/work/b/one.peernote")]?.modified += 1
    host.pnmerge("set", "a/two.peernote", "/title", #""Two!""#)
    let run = sync()
    #expect(run.status == .damaged && run.errors.contains("b/one.peernote: "))
    #expect(title("b/two.peernote") == "Two!" && tree("b").count == 2)
  }

  @Test("an edit that knew of the deletion brings the note back, and its author is said and listed")
  func editedKnowingly() {
    new("a/one.peernote", "One")
    sync()
    host.pnmerge("delete", "a/one.peernote")
    host.pnmerge("set", "a/one.peernote", "/title", #""Needed""#, "--author", "you")
    let run = sync()
    #expect(
      run.output.contains("a/one.peernote: is back; you brought it back after me deleted it"),
      "\(run)")
    #expect(tree("a") == tree("b") && title("b/one.peernote") == "Needed")
    for folder in ["a", "b"] {
      let list = host.pnmerge("ls", folder).output
      #expect(list.hasSuffix(" you\n"), "\(list)")
    }
    #expect(sync().output == "1 note, nothing to do\n")
  }

  @Test("a link is never followed, whether it is a file or a directory")
  func links() throws {
    try host.makeDirectory(FileName("outside"))
    new("outside/secret.peernote", "Secret")
    try host.makeDirectory(FileName("a/sub"))
    new("a/sub/one.peernote", "One")
    for name in ["b/sub", "b/linked.peernote"] { host.link(name, to: "/work/outside") }
    let run = sync()
    #expect(run.errors.hasPrefix("pnmerge: b/sub: is a symbolic link, which is not followed"))
    #expect(run.errors.split(separator: "\n").count == 1, "\(run)")
    #expect(run.status == .cannotCreate)
    #expect(Set(tree("outside").keys) == ["secret.peernote"])
  }

  @Test("names that are no text, and of 255 bytes, are kept to the byte")
  func strangeNames() throws {
    let long = Array(repeating: UInt8(ascii: "x"), count: 246) + Array(".peernote".utf8)
    let latin = [0x63, 0x61, 0x66, 0xE9] + Array(".peernote".utf8)
    for name in [long, latin] {
      #expect(host.pnmerge([Array("new".utf8), Array("a/".utf8) + name]).status == .done)
    }
    // Another note of the same long name.
    #expect(host.pnmerge([Array("new".utf8), Array("b/".utf8) + long]).status == .done)
    #expect(sync().errors == "")
    let names = Set(
      host.entries.keys.filter { $0.directory == FileName("/work/b") }
        .map(\.lastComponent.bytes))
    #expect(names.contains(latin) && names.contains(long) && names.count == 3)
    #expect(names.allSatisfy { $0.count <= 255 })
    #expect(tree("a") == tree("b"))
  }

  @Test("what a document says is never used as a name")
  func hostileTitles() {
    new("a/one.peernote", "../../escaped")
    sync()
    #expect(Set(tree("b").keys) == ["one.peernote"])
  }

  @Test("folders in one another, and one folder twice, are refused")
  func nesting() throws {
    try host.makeDirectory(FileName("a/sub"))
    #expect(host.pnmerge("sync", "a", "a/sub").status == .usage)
    #expect(host.pnmerge("sync", "a", "a").status == .usage)
    #expect(host.pnmerge("sync", "a", "none").status == .unreadable)
  }

  @Test("two copies of a note in a folder, under free names, are each paired by name")
  func deliberateCopies() throws {
    new("a/one.peernote", "One")
    host.copy("a/one.peernote", "a/as it was.peernote")
    sync()
    #expect(tree("a") == tree("b") && tree("b").count == 2)
    host.pnmerge("set", "b/one.peernote", "/title", #""Two""#)
    sync()
    #expect(tree("a") == tree("b"))
    #expect(title("a/one.peernote") == "Two" && title("a/as it was.peernote") == "One")
    #expect(callsOfAnotherRun() == [])
  }

  @Test("killed at any call, the next run ends where an undisturbed one does")
  func killed() throws {
    func scene() throws -> MemoryHost {
      let host = MemoryHost()
      for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
      for name in ["one", "two", "gone", "moved"] {
        host.pnmerge("new", "a/\(name).peernote", "--title", name)
      }
      host.pnmerge("sync", "a", "b")
      host.pnmerge("set", "a/one.peernote", "/title", #""One""#)
      host.pnmerge("set", "b/one.peernote", "/priority", #""low""#)
      host.pnmerge("delete", "a/gone.peernote")
      try host.rename(
        FileName("b/moved.peernote"), to: FileName("b/sub name.peernote"), replacing: false)
      host.pnmerge("new", "b/new.peernote")
      host.copy("a/two.peernote", "a/two.sync-conflict-20261101-101010-ABCDEFG.peernote")
      return host
    }
    func trees(_ host: MemoryHost) -> [[String: [UInt8]]] {
      ["a", "b"].map { Self.tree($0, host) }
    }
    let whole = try scene()
    let start = whole.calls.count
    #expect(whole.pnmerge("sync", "a", "b").status == .done)
    let expected = trees(whole)
    #expect(expected[0] == expected[1] && expected[0].count == 4)
    for death in 0..<(whole.calls.count - start) {
      let host = try scene()
      host.death = host.calls.count + death
      host.pnmerge("sync", "a", "b")
      host.death = nil
      let run = host.pnmerge("sync", "a", "b")
      #expect(run.status == .done && trees(host) == expected, "call \(death): \(run.errors)")
    }
  }

  @Test(
    "a note that is renamed on either side after a killed run is renamed on the other side, too",
    arguments: ["a", "b"])
  func renamedAfterDeath(side: String) throws {
    func scene() throws -> MemoryHost {
      let host = MemoryHost()
      for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
      host.pnmerge("new", "a/one.peernote")
      host.pnmerge("sync", "a", "b")
      host.pnmerge("new", "a/two.peernote")
      return host
    }
    let whole = try scene()
    let start = whole.calls.count
    #expect(whole.pnmerge("sync", "a", "b").output == "2 notes: 1 copied\n")
    for death in 0..<(whole.calls.count - start) {
      let host = try scene()
      host.death = host.calls.count + death
      host.pnmerge("sync", "a", "b")
      host.death = nil
      guard host["\(side)/two.peernote"] != nil else { continue }
      try host.rename(
        FileName("\(side)/two.peernote"), to: FileName("\(side)/zwei.peernote"), replacing: false)
      host.pnmerge("sync", "a", "b")
      for folder in ["a", "b"] {
        let names = Self.tree(folder, host).keys.sorted()
        #expect(names == ["one.peernote", "zwei.peernote"], "call \(death): \(folder)")
      }
    }
  }

  @Test("a folder that is taken away at any call is left alone, and said in one line")
  func takenAway() throws {
    func scene() throws -> MemoryHost {
      let host = MemoryHost()
      for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
      for name in ["one", "two", "three"] { host.pnmerge("new", "a/\(name).peernote") }
      host.pnmerge("sync", "a", "b")
      for name in ["one", "two", "three"] {
        host.pnmerge("set", "a/\(name).peernote", "/title", #""New""#)
      }
      for name in ["four", "five"] { host.pnmerge("new", "a/\(name).peernote") }
      return host
    }
    let folder = FileName("/work/b")
    let inside = folder.appending("").bytes
    let whole = try scene()
    let start = whole.calls.count
    whole.pnmerge("sync", "a", "b")
    let expected = Self.tree("b", whole)
    #expect(expected.count == 5)
    for number in 0..<(whole.calls.count - start) {
      let host = try scene()
      let last = host.calls.count + number
      var taken: [FileName: MemoryHost.Entry] = [:]
      host.witness = { _ in
        guard taken.isEmpty, host.calls.count > last else { return }
        taken = host.entries.filter { $0.key == folder || $0.key.bytes.starts(with: inside) }
        for name in taken.keys { host.entries[name] = nil }
        // What lies below the mount point.
        try? host.makeDirectory(folder)
        host.entries[folder]?.device = 2
      }
      let run = host.pnmerge("sync", "a", "b")
      host.witness = { _ in }
      guard !taken.isEmpty else { continue }
      // Only of the note that was being written the folder was still there when that began.
      #expect(Self.tree("b", host).count <= 1, "call \(number)")
      #expect(run.errors.count { $0 == "\n" } <= 1, "call \(number): \(run.errors)")
      #expect(Self.tree("a", host).count == 5, "call \(number)")
      for name in host.entries.keys where name.bytes.starts(with: inside) {
        host.entries[name] = nil
      }
      for (name, entry) in taken { host.entries[name] = entry }
      let again = host.pnmerge("sync", "--fill", "a", "b")
      #expect(again.status == .done, "call \(number): \(again)")
      #expect(Self.tree("b", host) == expected, "call \(number)")
    }
  }
}
