import Peernote
import PnmergeCommands
import Testing

/// What no file of outputs can show; all else stands in `Fixtures/outputs/sync.txt`.
@Suite("Folders brought together")
struct SyncCommandTests {
  /// A machine with two folders.
  private static func folders() throws -> MemoryHost {
    let host = MemoryHost()
    for folder in ["a", "b"] { try host.makeDirectory(FileName(folder)) }
    return host
  }

  /// The visible files below a folder, with their bytes.
  private static func tree(_ folder: String, _ host: MemoryHost) -> [String: [UInt8]] {
    host.tree(of: folder).filter { !"/\($0.key)".contains("/.") }
  }

  @Test("names that are no text, and of 255 bytes, are kept to the byte")
  func strangeNames() throws {
    let host = try Self.folders()
    let long = Array(repeating: UInt8(ascii: "x"), count: 246) + Array(".peernote".utf8)
    let latin = [0x63, 0x61, 0x66, 0xE9] + Array(".peernote".utf8)
    for name in [long, latin] {
      #expect(host.pnmerge([Array("new".utf8), Array("a/".utf8) + name]).status == .done)
    }
    // Another note of the same long name.
    #expect(host.pnmerge([Array("new".utf8), Array("b/".utf8) + long]).status == .done)
    #expect(host.pnmerge("sync", "a", "b").errors == "")
    let names = Set(
      host.entries.keys.filter { $0.directory == FileName("/work/b") }
        .map(\.lastComponent.bytes))
    #expect(names.contains(latin) && names.contains(long) && names.count == 3)
    #expect(names.allSatisfy { $0.count <= 255 })
    #expect(Self.tree("a", host) == Self.tree("b", host))
  }

  @Test("killed at any call, the next run ends where an undisturbed one does")
  func killed() throws {
    func scene() throws -> MemoryHost {
      let host = try Self.folders()
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
    let calls = whole.calls { #expect(whole.pnmerge("sync", "a", "b").status == .done) }
    let expected = trees(whole)
    #expect(expected[0] == expected[1] && expected[0].count == 4)
    for death in calls {
      let host = try scene()
      host.kill(at: death) { host.pnmerge("sync", "a", "b") }
      let run = host.pnmerge("sync", "a", "b")
      #expect(run.status == .done && trees(host) == expected, "call \(death): \(run.errors)")
    }
  }

  @Test(
    "a note that is renamed on either side after a killed run is renamed on the other side, too",
    arguments: ["a", "b"])
  func renamedAfterDeath(side: String) throws {
    func scene() throws -> MemoryHost {
      let host = try Self.folders()
      host.pnmerge("new", "a/one.peernote")
      host.pnmerge("sync", "a", "b")
      host.pnmerge("new", "a/two.peernote")
      return host
    }
    let whole = try scene()
    let calls = whole.calls {
      #expect(whole.pnmerge("sync", "a", "b").output == "2 notes: 1 copied\n")
    }
    for death in calls {
      let host = try scene()
      host.kill(at: death) { host.pnmerge("sync", "a", "b") }
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
      let host = try Self.folders()
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
    let calls = whole.calls { whole.pnmerge("sync", "a", "b") }
    let expected = Self.tree("b", whole)
    #expect(expected.count == 5)
    for number in calls {
      let host = try scene()
      var taken: [FileName: MemoryHost.Entry] = [:]
      host.witness = { _ in
        guard taken.isEmpty, host.calls.count > number else { return }
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
