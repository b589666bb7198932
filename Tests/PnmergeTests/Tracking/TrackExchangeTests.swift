import Peernote
import PnmergeCommands
import Testing

@Suite("Tracked files whose names were exchanged")
struct TrackExchangeTests {
  private let host = MemoryHost()

  private static let texts = [
    "x": "Bring the tent.\nBring the map.\nBuy some bread.\n",
    "y": "Nothing of that kind at all.\n",
    "z": "Third, and unlike both others.\n",
  ]

  init() throws {
    host.keepsTime = true
    for folder in ["a", "a/sub", "b"] { try host.makeDirectory(FileName(folder)) }
    for (name, text) in Self.texts { host.save("a/\(name).md", text) }
    host.pnmerge("track", "a")
  }

  private func rename(_ name: String, to new: String) throws {
    try host.rename(FileName("a/\(name).md"), to: FileName("a/\(new).md"), replacing: false)
    host.pass()
  }

  private func id(_ name: String) throws -> UniqueID {
    let directory = name.hasPrefix("sub/") ? "a/sub" : "a"
    let file = "\(directory)/.peernote/\(name.split(separator: "/").last ?? "").md.peernote"
    return try Document(bytes: #require(host[file], "\(file)")).id
  }

  private func ids(_ names: String...) throws -> [UniqueID] { try names.map { try id($0) } }

  private func files(_ folder: String) -> [String] {
    host.tree(of: folder).keys.filter { !$0.contains("/trash/") }.sorted()
  }

  @Test(
    "the histories follow the files, on all file systems, looked at before or not",
    arguments: [(true, true), (true, false), (false, true), (false, false)])
  func two(exchangesNames: Bool, isSettled: Bool) throws {
    host.exchangesNames = exchangesNames
    if isSettled { host.pnmerge("tidy", "a") }
    let ids = try ids("x", "y", "z")
    for (old, new) in [("x", "t"), ("y", "x"), ("t", "y")] { try rename(old, to: new) }
    #expect(host.pnmerge("tidy", "-n", "a").output == "3 notes: 2 would be renamed\n")
    let run = host.pnmerge("tidy", "-v", "a")
    #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    #expect(run.output.contains("a/y.md: renamed to a/x.md\n"), "\(run)")
    #expect(run.output.contains("a/x.md: renamed to a/y.md\n"), "\(run)")
    #expect(try self.ids("y", "x", "z") == ids)
    #expect(host.text("a/x.md") == Self.texts["y"] && host.text("a/y.md") == Self.texts["x"])
    #expect(files("a").count == 6)
    #expect(host.pnmerge("tidy", "a").output == "3 notes, nothing to do\n")
    // What is saved next goes on with the history that the file has now.
    host.save("a/y.md", (Self.texts["x"] ?? "") + "Call Ann.\n")
    #expect(host.pnmerge("tidy", "a").output == "3 notes: 1 recorded\n")
    let history = try Document(bytes: #require(host["a/.peernote/y.md.peernote"]))
    #expect(history.changeCount == 2)
  }

  @Test("one of the two was edited, too; the other folder gets both names")
  func edited() throws {
    host.pnmerge("sync", "a", "b")
    let ids = try ids("x", "y")
    for (old, new) in [("x", "t"), ("y", "x"), ("t", "y")] { try rename(old, to: new) }
    // In place, so that it is the same file.
    let entry = try #require(host.entries[FileName("/work/a/y.md")])
    entry.bytes += Array("Call Ann.\n".utf8)
    entry.modified = host.now.milliseconds * 1_000_000
    entry.changed = entry.modified
    host.pass()
    let run = host.pnmerge("sync", "a", "b")
    #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    #expect(try self.ids("y", "x") == ids)
    host.pnmerge("sync", "a", "b")
    for folder in ["a", "b"] {
      #expect(host.text("\(folder)/x.md") == Self.texts["y"])
      #expect(host.text("\(folder)/y.md") == (Self.texts["x"] ?? "") + "Call Ann.\n")
      #expect(files(folder).count == 6)
    }
    #expect(host.pnmerge("sync", "a", "b").output == "3 notes, nothing to do\n")
  }

  @Test(
    "a file that was saved anew where another one was is known, wherever that is now",
    arguments: ["x", "w"])
  func savedAnew(name: String) throws {
    host.pnmerge("sync", "a", "b")
    let ids = try ids("x", "y")
    host.save("b/y.md", (Self.texts["y"] ?? "") + "Call Ann.\n")
    try host.remove(FileName("a/x.md"))
    try rename("y", to: name)
    host.save("a/y.md", "Bring the tent.\nBring the map.\nCall Bob.\n")
    for _ in 1...2 {
      let run = host.pnmerge("sync", "a", "b")
      #expect(run.status == .done && run.errors.isEmpty, "\(run)")
    }
    #expect(try self.ids("y", name) == ids)
    for folder in ["a", "b"] {
      #expect(host.text("\(folder)/\(name).md") == (Self.texts["y"] ?? "") + "Call Ann.\n")
      #expect(host.text("\(folder)/y.md") == "Bring the tent.\nBring the map.\nCall Bob.\n")
      #expect(files(folder).count == 6)
    }
    #expect(host.pnmerge("sync", "a", "b").output == "3 notes, nothing to do\n")
  }

  @Test("three in a circle, over directories, and one that passes its name on")
  func more() throws {
    host.pnmerge("tidy", "a")
    let ids = try ids("x", "y", "z")
    for (old, new) in [("x", "t"), ("y", "x"), ("z", "y"), ("t", "z")] { try rename(old, to: new) }
    host.pnmerge("tidy", "a")
    #expect(try self.ids("z", "x", "y") == ids)
    #expect(host.pnmerge("tidy", "a").output == "3 notes, nothing to do\n")
    for (old, new) in [("z", "sub/w"), ("x", "z")] { try rename(old, to: new) }
    let run = host.pnmerge("tidy", "a")
    #expect(run.output == "3 notes: 2 renamed\n", "\(run)")
    #expect(try self.ids("sub/w", "z", "y") == ids)
    #expect(files("a").count == 6)
    #expect(host.pnmerge("tidy", "a").output == "3 notes, nothing to do\n")
  }

  @Test(
    "killed at any call, and run again: no text or history is lost",
    arguments: [true, false])
  func killed(exchangesNames: Bool) throws {
    func exchanged() throws -> (tests: TrackExchangeTests, ids: [UniqueID]) {
      let tests = try TrackExchangeTests()
      tests.host.exchangesNames = exchangesNames
      tests.host.pnmerge("sync", "a", "b")
      let ids = try tests.ids("x", "y", "z")
      for (old, new) in [("x", "t"), ("y", "x"), ("t", "y")] { try tests.rename(old, to: new) }
      return (tests, ids)
    }
    let whole = try exchanged().tests
    let start = whole.host.calls.count
    whole.host.pnmerge("sync", "a", "b")
    for death in start..<whole.host.calls.count {
      let (tests, ids) = try exchanged()
      let host = tests.host
      host.death = death
      host.pnmerge("sync", "a", "b")
      let call = host.calls[death]
      host.death = nil
      host.locked = []
      for _ in 1...3 {
        host.pass()
        host.pnmerge("sync", "a", "b")
      }
      let wanted = Set(Self.texts.values)
      for folder in ["a", "b"] {
        let names = tests.files(folder)
        let texts = names.filter { !$0.contains(".peernote/") }.compactMap {
          host.text("\(folder)/\($0)")
        }
        #expect(Set(texts) == wanted, "call \(death), \(call): \(folder): \(names)")
        let kept = try names.filter { $0.contains(".peernote/") }.map {
          try Document(bytes: #require(host["\(folder)/\($0)"])).id
        }
        #expect(Set(kept) == Set(ids), "call \(death), \(call): \(folder): \(names)")
      }
      #expect(tests.files("a") == whole.files("a"), "call \(death), \(call)")
      #expect(tests.files("b") == whole.files("b"), "call \(death), \(call)")
      for name in ["x", "y", "z"] {
        let files = ["a", "b"].map { "\($0)/\(name).md" }
        #expect(host.text(files[0]) == host.text(files[1]), "call \(death), \(call)")
      }
      let last = host.pnmerge("sync", "a", "b").output
      #expect(last.hasSuffix(" notes, nothing to do\n"), "call \(death), \(call): \(last)")
    }
  }

  @Test("a text that took the place of another one is an edit of that")
  func overwritten() throws {
    host.pnmerge("tidy", "a")
    let ids = try ids("x", "y")
    host["a/y.md"] = nil
    try rename("x", to: "y")
    #expect(host.pnmerge("tidy", "a").output == "3 notes: 1 recorded\n")
    #expect(try self.ids("x", "y") == ids)
    #expect(host.text("a/y.md") == Self.texts["x"])
  }

  @Test("files that were edited until each says what the other one said keep their histories")
  func bothEdited() throws {
    host.pnmerge("tidy", "a")
    for name in ["x", "y"] { host.save("a/\(name).md", "More.\n" + (Self.texts[name] ?? "")) }
    let ids = try ids("x", "y")
    #expect(host.pnmerge("tidy", "a").output == "3 notes: 2 recorded\n")
    #expect(try self.ids("x", "y") == ids)
  }
}
