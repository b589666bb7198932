import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// Folders that meet in any order, and a model that knows every edit.
@Suite("Two trees and a stick")
struct SyncRoundsTests {
  private struct World {
    let host = MemoryHost()
    var generator: SplitMix64
    /// What each file has seen, by its name with the folder.
    var files: [String: (id: UniqueID, model: NoteModel)] = [:]
    /// What the deleted notes in each folder's trash have seen.
    var trash: [String: [UniqueID: NoteModel]] = ["a": [:], "b": [:], "stick": [:]]
    var count = 0

    init(seed: UInt64) throws {
      generator = SplitMix64(seed: seed)
      for folder in trash.keys.sorted() { try host.makeDirectory(FileName(folder)) }
    }

    /// The visible files of a folder, with their bytes.
    func tree(_ folder: String) -> [String: [UInt8]] {
      host.tree(of: folder).filter { !"/\($0.key)".contains("/.") }
    }

    mutating func next(_ what: String) -> String {
      count += 1
      return "\(what)\(count)"
    }

    /// A file of a folder that is not marked as deleted.
    mutating func anyFile(of folder: String) -> String? {
      let names = files.filter { $0.key.hasPrefix(folder + "/") && !$0.value.model.isDeleted }
        .keys.sorted()
      return names.isEmpty ? nil : generator.pick(names)
    }

    mutating func edit(_ name: String) {
      let word = next("word")
      let body = host.pnmerge("cat", "--body", name).output
      host.setText("body", body + "\n\(word)\n")
      host.pnmerge("edit", name, "--body-file", "body")
      files[name]?.model.add(word)
    }

    mutating func step(in folder: String) throws {
      switch generator.below(10) {
      case 0, 1:
        let name = "\(folder)/\(generator.pick(["todo", next("note")])).peernote"
        guard host.pnmerge("new", name).status == .done else { return }
        files[name] = (try Document(bytes: host[name] ?? []).id, NoteModel())
        edit(name)
      case 2:
        guard let name = anyFile(of: folder) else { return }
        host.pnmerge("delete", name)
        let mark = next("deleted")
        files[name]?.model.add(mark)
      case 3:
        // A conflict copy with another name would be a second note.
        guard let name = anyFile(of: folder), !name.contains("sync-conflict") else { return }
        for part in ["sub", "sub/deep"] { try? host.makeDirectory(FileName("\(folder)/\(part)")) }
        let new = "\(folder)/\(generator.pick(["", "sub/", "sub/deep/"]))\(next("name")).peernote"
        try host.rename(FileName(name), to: FileName(new), replacing: false)
        let moved = files.removeValue(forKey: name)
        files[new] = moved
      case 4:
        // A conflict copy, edited apart.
        guard let name = anyFile(of: folder), !name.contains("sync-conflict") else { return }
        let copy = name.dropLast(9) + ".sync-conflict-20261101-101010-ABCDEFG.peernote"
        guard host[String(copy)] == nil else { return }
        host.copy(name, String(copy))
        files[String(copy)] = files[name]
        edit(String(copy))
      case 5:
        // Lost without a mark, while another folder has it.
        guard let name = anyFile(of: folder), let (id, model) = files[name],
          files.contains(where: { other, file in
            !other.hasPrefix(folder + "/") && file.id == id
              && Set(file.model.seen.keys).isSuperset(of: model.seen.keys)
          })
        else { return }
        try host.remove(FileName(name))
        files[name] = nil
      default:
        guard let name = anyFile(of: folder) else { return }
        edit(name)
      }
    }

    mutating func sync(_ first: String, _ second: String) throws -> MemoryHost.Run {
      let folders = [first, second]
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
      let run = host.pnmerge("sync", "--fill", first, second)
      for id in unions.keys {
        unions[id]?.settle()
        let isDeleted = unions[id]?.isDeleted ?? false
        for folder in folders {
          trash[folder]?[id] = isDeleted && homes[id]?.contains(folder) ?? false ? unions[id] : nil
        }
      }
      for folder in folders {
        for (path, bytes) in tree(folder) {
          let id = try Document(bytes: bytes).id
          files["\(folder)/\(path)"] = (id, try #require(unions[id]))
        }
      }
      return run
    }
  }

  @Test(
    "after random rounds all folders are the same, nothing is lost, and the next run is idle",
    arguments: 1...12)
  func rounds(seed: UInt64) throws {
    var world = try World(seed: seed)
    for _ in 1...10 {
      for folder in ["a", "b", "stick"] {
        for _ in 0..<world.generator.below(4) { try world.step(in: folder) }
      }
      let pair = world.generator.pick([("a", "stick"), ("stick", "b"), ("b", "a")])
      let run = try world.sync(pair.0, pair.1)
      #expect(run.status == .done && run.errors == "", "\(run.errors)")
    }
    for _ in 1...2 {
      _ = try world.sync("a", "stick")
      _ = try world.sync("stick", "b")
      _ = try world.sync("b", "a")
    }
    let trees = ["a", "b", "stick"].map(world.tree)
    #expect(trees[0] == trees[1] && trees[1] == trees[2], "\(trees.map(\.keys))")
    for (first, second) in [("a", "stick"), ("stick", "b"), ("b", "a")] {
      let before = world.host.calls.count
      let run = try world.sync(first, second)
      // Two reads: what is known of each folder.
      #expect(Array(world.host.calls[before...]) == [.read, .read], "\(run.output)")
    }
    var bodies: [UniqueID: String] = [:]
    for bytes in trees[0].values {
      let document = try Document(bytes: bytes)
      #expect(bodies[document.id] == nil)
      guard case .text(let body) = document.root["body"] else { continue }
      bodies[document.id] = body
    }
    var notes: [UniqueID: NoteModel] = [:]
    for (name, file) in world.files {
      #expect(notes[file.id] == nil || notes[file.id]?.words == file.model.words, "\(name)")
      notes[file.id] = file.model
    }
    for (id, model) in notes {
      let words = bodies[id].map { $0.split(separator: "\n").map(String.init) } ?? []
      #expect(!model.isDeleted && Set(words) == model.words && words.count == model.words.count)
    }
    for (id, model) in world.trash.values.joined() {
      #expect(model.isDeleted && bodies[id] == nil)
    }
    #expect(Set(bodies.keys) == Set(notes.keys))
  }
}
