import Foundation
import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// Folders of tracked files that meet in any order, and a model that knows every edit.
@Suite("Two trees and a stick, with tracked files")
struct TrackRoundsTests {
  private struct World {
    let host = MemoryHost()
    var generator: SplitMix64
    /// What each file has seen, by its name with the folder; conflict copies among them.
    var files: [String: (id: UniqueID, model: NoteModel)] = [:]
    /// What the deleted files in each folder's trash have seen.
    var trash: [String: [UniqueID: NoteModel]] = ["a": [:], "b": [:], "stick": [:]]
    var count = 0
    /// Files that have a name of which no run knows.
    var fresh: Set<String> = []

    init(seed: UInt64) throws {
      generator = SplitMix64(seed: seed)
      host.keepsTime = true
      for folder in trash.keys.sorted() { try host.makeDirectory(FileName(folder)) }
    }

    /// The files of a folder, with their bytes, but for its trash.
    func tree(_ folder: String) -> [String: [UInt8]] {
      host.tree(of: folder).filter { !"/\($0.key)".contains("/trash/") }
    }

    mutating func next(_ what: String) -> String {
      count += 1
      return "\(what)\(count)"
    }

    /// A file of a folder that is not marked as deleted, and no conflict copy.
    mutating func anyFile(of folder: String) -> String? {
      let names = files.filter {
        $0.key.hasPrefix(folder + "/") && !$0.value.model.isDeleted
          && !$0.key.contains("sync-conflict")
      }.keys.sorted()
      return names.isEmpty ? nil : generator.pick(names)
    }

    /// Writes a word into a file, as an editor does.
    mutating func edit(_ name: String) {
      let word = next("word")
      var lines = (host.text(name) ?? "").split(separator: "\n").map(String.init)
      lines.insert(word, at: generator.below(lines.count + 1))
      host.save(name, lines.map { $0 + "\n" }.joined())
      files[name]?.model.add(word)
    }

    static func history(_ name: String) -> String {
      let slash = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
      return name[..<slash] + ".peernote/" + name[slash...] + ".peernote"
    }

    func id(_ name: String) throws -> UniqueID {
      try Document(bytes: #require(host[Self.history(name)], "\(name)")).id
    }

    static let isTraced = ProcessInfo.processInfo.environment["PEERNOTE_TRACE"] != nil

    mutating func step(in folder: String) throws {
      let before = tree(folder)
      defer {
        if Self.isTraced {
          let after = tree(folder)
          for name in Set(before.keys).union(after.keys).sorted()
          where before[name] != after[name] && !name.contains(".peernote") {
            print(folder, name, after[name].map { String(decoding: $0, as: UTF8.self) } ?? "gone")
          }
        }
      }
      switch generator.below(10) {
      case 0, 1:
        let name = "\(folder)/\(generator.pick(["todo", next("note")])).md"
        guard host[name] == nil, host[Self.history(name)] == nil else { return }
        let words = (1...6).map { _ in next("word") }
        host.save(name, words.map { $0 + "\n" }.joined())
        guard host.pnmerge("track", name).status == .done else { return }
        files[name] = (try id(name), NoteModel())
        for word in words { files[name]?.model.add(word) }
      case 2:
        guard let name = anyFile(of: folder), host[name] != nil,
          host.pnmerge("delete", name).status == .done
        else { return }
        let mark = next("deleted")
        files[name]?.model.add(mark)
      case 3, 4:
        guard let name = anyFile(of: folder) else { return }
        for part in ["sub", "sub/deep"] { try? host.makeDirectory(FileName("\(folder)/\(part)")) }
        let new = "\(folder)/\(generator.pick(["", "sub/", "sub/deep/"]))\(next("name")).md"
        try host.rename(FileName(name), to: FileName(new), replacing: false)
        let moved = files.removeValue(forKey: name)
        files[new] = moved
        fresh.insert(new)
        // Who moves a whole directory moves the history, too.
        if generator.below(3) == 0 {
          let (from, to) = (Self.history(name), Self.history(new))
          let directory = FileName(to).directory
          if host.entries[FileName("/work").appending(directory)] == nil {
            try host.makeDirectory(directory)
          }
          // It may have stayed behind another time.
          try? host.rename(FileName(from), to: FileName(to), replacing: false)
        } else {
          // Until the next run nobody can tell what belongs together.
          try settleNames(folder)
        }
        if generator.below(2) == 0 { edit(new) }
      case 5:
        // What stands beside a name that no run has ever seen belongs to nothing.
        guard let name = anyFile(of: folder), !fresh.contains(name) else { return }
        let copy = name.dropLast(3) + ".sync-conflict-20261101-101010-ABCDEFG.md"
        guard host[String(copy)] == nil else { return }
        host.copy(name, String(copy))
        files[String(copy)] = files[name]
        edit(String(copy))
      case 6:
        // Lost without a mark, while another folder has it.
        guard let name = anyFile(of: folder), let (id, model) = files[name],
          files[name.dropLast(3) + ".sync-conflict-20261101-101010-ABCDEFG.md"] == nil,
          files.contains(where: { other, file in
            !other.hasPrefix(folder + "/") && file.id == id
              && Set(file.model.seen.keys).isSuperset(of: model.seen.keys)
          })
        else { return }
        try host.remove(FileName(name))
        if generator.below(2) == 0 { try? host.remove(FileName(Self.history(name))) }
        files[name] = nil
      default:
        guard let name = anyFile(of: folder) else { return }
        edit(name)
      }
    }

    /// Now and then the folder is looked at before the next edit.
    private mutating func settleNames(_ folder: String) throws {
      guard generator.below(2) == 0 else { return }
      try run(["tidy", folder], [folder])
    }

    mutating func sync(_ first: String, _ second: String) throws -> MemoryHost.Run {
      try run(["sync", "--fill", first, second], [first, second])
    }

    @discardableResult
    private mutating func run(
      _ arguments: [String], _ folders: [String]
    ) throws -> MemoryHost.Run {
      let ours = files.filter { file in folders.contains { file.key.hasPrefix($0 + "/") } }
      var unions: [UniqueID: NoteModel] = [:]
      var homes: [UniqueID: Set<String>] = [:]
      func add(_ id: UniqueID, _ model: NoteModel, _ folder: String) {
        unions[id, default: NoteModel()].seen.merge(model.seen) { ours, _ in ours }
        homes[id, default: []].insert(folder)
      }
      for (name, file) in ours {
        add(file.id, file.model, String(name.prefix { $0 != "/" }))
        files[name] = nil
      }
      for folder in folders {
        for (id, model) in trash[folder] ?? [:] { add(id, model, folder) }
      }
      fresh = fresh.filter { name in !folders.contains { name.hasPrefix($0 + "/") } }
      host.pass(seconds: 200)
      let run = host.pnmerge(arguments + ["-v"])
      if Self.isTraced { print(arguments.joined(separator: " ") + "\n" + run.output + run.errors) }
      for id in unions.keys {
        unions[id]?.settle()
        let isDeleted = unions[id]?.isDeleted ?? false
        for folder in folders {
          trash[folder]?[id] = isDeleted && homes[id]?.contains(folder) ?? false ? unions[id] : nil
        }
      }
      for folder in folders {
        for path in tree(folder).keys where !path.contains(".peernote") {
          let name = "\(folder)/\(path)"
          // A conflict copy of a file that is not there waits for it.
          if path.contains("sync-conflict") {
            files[name] = ours[name]
            continue
          }
          let id = try id(name)
          files[name] = (id, try #require(unions[id], "\(name)"))
        }
      }
      return run
    }
  }

  /// `PEERNOTE_ROUNDS` sets how many, `PEERNOTE_SEED` the first one.
  private static var seeds: Range<UInt64> {
    func number(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
    let first = number("PEERNOTE_SEED") ?? 1
    return first..<first + (number("PEERNOTE_ROUNDS") ?? 12)
  }

  @Test(
    "after random rounds all folders are the same, nothing is lost, and the next run is idle",
    arguments: Self.seeds)
  func rounds(seed: UInt64) throws {
    var world = try World(seed: seed)
    for _ in 1...8 {
      for folder in ["a", "b", "stick"] {
        for _ in 0..<world.generator.below(4) { try world.step(in: folder) }
      }
      let pair = world.generator.pick([("a", "stick"), ("stick", "b"), ("b", "a")])
      let run = try world.sync(pair.0, pair.1)
      #expect(run.status == .done && run.errors == "", "\(run.errors)")
    }
    for _ in 1...3 {
      _ = try world.sync("a", "stick")
      _ = try world.sync("stick", "b")
      _ = try world.sync("b", "a")
    }
    let trees = ["a", "b", "stick"].map(world.tree)
    #expect(trees[0] == trees[1] && trees[1] == trees[2], "\(trees.map { $0.keys.sorted() })")
    for (first, second) in [("a", "stick"), ("stick", "b"), ("b", "a")] {
      let before = world.host.calls.count
      let run = try world.sync(first, second)
      // Two reads: what is known of each folder.
      #expect(world.host.calls[before...].allSatisfy { $0 == .read }, "\(run.output)")
    }
    var notes: [UniqueID: (name: String, model: NoteModel)] = [:]
    for (name, file) in world.files where name.hasPrefix("a/") {
      #expect(notes[file.id] == nil, "\(name)")
      notes[file.id] = (name, file.model)
    }
    for (name, model) in notes.values {
      let lines = (world.host.text(name) ?? "").split(separator: "\n").map(String.init)
      #expect(!model.isDeleted)
      #expect(lines.sorted() == model.words.sorted(), "\(name)")
    }
    for (id, model) in world.trash.values.joined() {
      #expect(model.isDeleted && notes[id] == nil)
    }
  }
}
