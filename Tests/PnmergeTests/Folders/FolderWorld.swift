import Peernote
import PeernoteTestSupport

/// Three folders with documents and tracked files, on one or two machines and a stick, people who edit
/// them, and a model that knows every edit.
struct FolderWorld {
  static let folders = ["desk", "laptop", "stick"]

  private let disk: any WorldDisk
  private let machines: [String]
  var generator: SplitMix64
  /// What each file has seen, by its name with the folder; conflict copies among them.
  private var files: [String: (id: UniqueID, model: NoteModel)] = [:]
  /// What the deleted files in each folder's trash have seen, and the histories that lost files left.
  private var trash: [String: [UniqueID: NoteModel]] = [:]
  private var count = 0
  /// The files that each machine saw when it last looked, by their names and identities.
  private var seen: [String: Set<String>] = [:]
  /// What was done, for messages.
  private(set) var story: [String] = []
  /// What is wrong.
  private(set) var faults: [String] = []

  init(seed: UInt64, _ machines: [String], _ disk: any WorldDisk) throws {
    (self.machines, self.disk) = (machines, disk)
    generator = SplitMix64(seed: seed)
    for folder in Self.folders {
      trash[folder] = [:]
      try disk.makeFolder(folder)
    }
  }

  // MARK: Files

  private static func history(_ file: String) -> String {
    let slash = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
    return file[..<slash] + ".peernote/" + file[slash...] + ".peernote"
  }

  private static func conflictCopy(_ file: String) -> String {
    let end = file.lastIndex(of: ".") ?? file.endIndex
    return file[..<end] + ".sync-conflict-20261101-101010-ABCDEFG" + file[end...]
  }

  private static func isTracked(_ file: String) -> Bool { file.hasSuffix(".md") }

  private func exists(_ file: String) -> Bool { disk.read(file) != nil }

  /// The document in a file, or the history of a tracked one.
  private func document(_ file: String) throws -> Document {
    try Document(bytes: disk.read(Self.isTracked(file) ? Self.history(file) : file) ?? [])
  }

  private func lines(_ file: String) throws -> [String] {
    let text =
      Self.isTracked(file)
      ? String(decoding: disk.read(file) ?? [], as: UTF8.self)
      : try document(file).root["body"]?.string ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// All words that a file has, in its text or as names beside it.
  private func words(_ file: String) throws -> [String] {
    var words = try lines(file)
    if !Self.isTracked(file), case .map(let map) = try document(file).root {
      words += map.map(\.key).filter { $0.hasPrefix("word") }
    }
    return words
  }

  // MARK: Steps

  private mutating func next(_ what: String) -> String {
    count += 1
    return "\(what)\(count)"
  }

  /// A file of a folder that is not marked as deleted, and no conflict copy.
  private mutating func anyFile(of folder: String, tracked: Bool) -> String? {
    let names = files.filter {
      $0.key.hasPrefix(folder + "/") && !$0.value.model.isDeleted && exists($0.key)
        && !$0.key.contains("sync-conflict") && Self.isTracked($0.key) == tracked
    }.keys.sorted()
    return names.isEmpty ? nil : generator.pick(names)
  }

  /// The machine that has a folder, or any if none has.
  private mutating func machine(of folder: String) -> String {
    machines.contains(folder) ? folder : generator.pick(machines)
  }

  /// Runs the program.
  ///
  /// - Returns: whether it did what it was to do.
  private mutating func run(
    _ words: [String], input: String = "", on machine: String
  ) throws -> Bool {
    let run = try disk.run(words, input: input, on: machine)
    story.append("\(machine): \(words): \(run.status) \(run.output)\(run.errors)")
    return run.status == 0
  }

  /// Saves a tracked file.
  private mutating func save(_ file: String, _ lines: [String]) throws {
    let isReplaced = generator.chance(50)
    try disk.save(file, lines.map { $0 + "\n" }.joined(), anew: isReplaced)
    story.append("\(file): saved\(isReplaced ? " anew" : ""): \(lines.joined(separator: " "))")
  }

  private mutating func setBody(of file: String, _ lines: [String], in folder: String) throws
    -> Bool
  {
    let isSet = try run(
      ["edit", "-q", file, "--body-file", "-"], input: lines.map { $0 + "\n" }.joined(),
      on: machine(of: folder))
    // Whoever leaves a word that stands there, though somebody had removed it, decides for it.
    let removed = lines.filter { files[file]?.model.has("removed", $0) ?? false }
    for word in isSet ? removed : [] {
      let event = "\(next("kept")) \(word)"
      files[file]?.model.add(event)
    }
    return isSet
  }

  /// Writes a word into a file.
  private mutating func edit(_ file: String, in folder: String) throws {
    let word = next("word")
    var lines = try lines(file)
    lines.insert(word, at: generator.below(lines.count + 1))
    if Self.isTracked(file) {
      try save(file, lines)
    } else if generator.chance(30) {
      guard try run(["set", "-q", file, "/\(word)", "true"], on: machine(of: folder)) else {
        return
      }
    } else {
      guard try setBody(of: file, lines, in: folder) else { return }
    }
    files[file]?.model.add(word)
  }

  /// One thing that somebody does in a folder.
  mutating func step(in folder: String, tracked: Bool) throws {
    let suffix = tracked ? ".md" : ".peernote"
    switch generator.below(12) {
    case 0, 1:
      let file = "\(folder)/\(generator.pick(["todo", next("note")]))\(suffix)"
      guard !exists(file), !exists(Self.history(file)) else { return }
      let words = (1...6).map { _ in next("word") }
      if tracked { try save(file, words) }
      let start = [tracked ? "track" : "new", "-q", file]
      guard try run(start, on: machine(of: folder)) else { return }
      if !tracked { guard try setBody(of: file, words, in: folder) else { return } }
      files[file] = (try document(file).id, NoteModel())
      for word in words { files[file]?.model.add(word) }
    case 2:
      guard let file = anyFile(of: folder, tracked: tracked),
        try run(["delete", "-q", file], on: machine(of: folder))
      else { return }
      let mark = next("deleted")
      files[file]?.model.add(mark)
    case 3, 4:
      // A conflict copy of what goes away is left alone, which is said.
      guard let file = anyFile(of: folder, tracked: tracked),
        !tracked || !exists(Self.conflictCopy(file))
      else { return }
      let new = "\(folder)/\(generator.pick(["", "sub/", "sub/deep/"]))\(next("name"))\(suffix)"
      // Who moves a whole directory moves the history, too.
      let isWhole = tracked && (!isKnown(file) || generator.chance(33))
      try disk.move(file, to: new)
      if isWhole, exists(Self.history(file)) {
        try disk.move(Self.history(file), to: Self.history(new))
      }
      story.append("\(file): moved to \(new)\(isWhole ? " with its history" : "")")
      let moved = files.removeValue(forKey: file)
      files[new] = moved
      // Now and then the folder is looked at before the next edit.
      if tracked, !isWhole, disk.isQuick, generator.chance(50) {
        try run(["tidy", "-v", folder], of: [folder], on: machine(of: folder))
      }
      // A file without its history is known by what it says.
      if isWhole || !tracked || generator.chance(50) { try edit(new, in: folder) }
    case 5:
      guard let file = anyFile(of: folder, tracked: tracked), !tracked || isKnown(file) else {
        return
      }
      let copy = Self.conflictCopy(file)
      guard !exists(copy) else { return }
      try disk.copy(file, to: copy)
      story.append("\(copy): copied")
      files[copy] = files[file]
      try edit(copy, in: folder)
    case 6:
      // Lost without a mark, while another folder has it.
      guard let file = anyFile(of: folder, tracked: tracked), let (id, model) = files[file],
        files.count(where: { $0.value.id == id && $0.key.hasPrefix(folder + "/") }) == 1,
        files.contains(where: { other, copy in
          !other.hasPrefix(folder + "/") && copy.id == id
            && Set(copy.model.seen.keys).isSuperset(of: model.seen.keys)
        })
      else { return }
      try disk.remove(file)
      story.append("\(file): lost")
      if tracked, generator.chance(50) {
        try? disk.remove(Self.history(file))
      } else if tracked {
        trash[folder]?[id] = model
      }
      files[file] = nil
    case 7 where !tracked:
      // A word is taken out, which a tracked file need not believe.
      guard let file = anyFile(of: folder, tracked: tracked) else { return }
      var lines = try lines(file)
      guard lines.count > 1 else { return }
      let word = lines.remove(at: generator.below(lines.count))
      guard try setBody(of: file, lines, in: folder) else { return }
      let event = "\(next("removed")) \(word)"
      files[file]?.model.add(event)
    default:
      guard let file = anyFile(of: folder, tracked: tracked) else { return }
      try edit(file, in: folder)
    }
  }

  /// Whether each machine has seen a file under its name.
  ///
  /// By that a tracked file is known that was moved without its history, and its conflict copies.
  private func isKnown(_ file: String) -> Bool {
    guard let id = files[file]?.id else { return false }
    return machines.allSatisfy { seen[$0]?.contains("\(file) \(id)") ?? false }
  }

  // MARK: Bringing folders together

  /// Two folders that are brought together on a machine, if there is that one.
  struct Meeting {
    var first: String
    var second: String
    var machine: String
  }

  static let meetings = [
    Meeting(first: "desk", second: "stick", machine: "desk"),
    Meeting(first: "stick", second: "laptop", machine: "laptop"),
    Meeting(first: "laptop", second: "desk", machine: "laptop"),
    Meeting(first: "laptop", second: "desk", machine: "desk"),
  ]

  /// The machine on which folders meet, and what is typed there.
  func command(_ meeting: Meeting, _ options: String...) -> (words: [String], machine: String) {
    let machine = machines.contains(meeting.machine) ? meeting.machine : machines[0]
    return (["sync"] + options + [meeting.first, meeting.second], machine)
  }

  /// Brings two folders together.
  mutating func sync(_ meeting: Meeting) throws {
    let (words, machine) = command(meeting, "-v", "--fill")
    try run(words, of: [meeting.first, meeting.second], on: machine)
  }

  private mutating func run(_ words: [String], of folders: [String], on machine: String) throws {
    try follow(disk.run(words, input: "", on: machine), words, of: folders, on: machine)
  }

  /// Takes down what a run did to some folders.
  mutating func follow(
    _ run: WorldRun, _ words: [String], of folders: [String], on machine: String
  ) throws {
    story.append("\(machine): \(words): \(run)")
    if run.status != 0 || run.errors != "" { faults.append("\(words): \(run)") }
    let ours = files.filter { file in folders.contains { file.key.hasPrefix($0 + "/") } }
    var unions: [UniqueID: NoteModel] = [:]
    var homes: [UniqueID: Set<String>] = [:]
    func add(_ id: UniqueID, _ model: NoteModel, _ folder: String) {
      unions[id, default: NoteModel()].seen.merge(model.seen) { ours, _ in ours }
      homes[id, default: []].insert(folder)
    }
    for (file, copy) in ours {
      add(copy.id, copy.model, String(file.prefix { $0 != "/" }))
      files[file] = nil
    }
    for folder in folders {
      for (id, model) in trash[folder] ?? [:] { add(id, model, folder) }
    }
    for id in unions.keys {
      unions[id]?.settle()
      let isDeleted = unions[id]?.isDeleted ?? false
      for folder in folders {
        trash[folder]?[id] = isDeleted && homes[id]?.contains(folder) ?? false ? unions[id] : nil
      }
    }
    for folder in folders {
      seen[machine] = seen[machine]?.filter { !$0.hasPrefix("\(folder)/") }
      for path in try disk.tree(folder).keys where !"/\(path)".contains("/.") {
        let file = "\(folder)/\(path)"
        // A conflict copy of a file that is not there waits for it.
        if path.contains("sync-conflict") {
          files[file] = ours[file]
          continue
        }
        guard let id = try? document(file).id, let model = unions[id] else {
          faults.append("\(file) is not known")
          continue
        }
        files[file] = (id, model)
        seen[machine, default: []].insert("\(file) \(id)")
      }
    }
  }

  // MARK: What has to hold in the end

  /// Looks for differences between the folders, for words that are missing or there twice, and for
  /// what a further meeting does.
  mutating func check() throws {
    let trees = try Self.folders.map(disk.tree)
    for path in Set(trees.flatMap(\.keys)).sorted() where Set(trees.map { $0[path] }).count > 1 {
      faults.append("\(path) differs")
    }
    for folder in Self.folders { try check(folder) }
    for meeting in Self.meetings {
      let (words, machine) = command(meeting)
      if let deed = try disk.idleRun(words, on: machine) { faults.append("again: \(deed)") }
    }
  }

  private mutating func check(_ folder: String) throws {
    var found: [UniqueID: String] = [:]
    for (file, copy) in files where file.hasPrefix("\(folder)/") {
      if let other = found[copy.id] { faults.append("\(file) is \(other)") }
      found[copy.id] = file
      let words = try words(file).sorted()
      let unexpected = copy.model.remainingWords.symmetricDifference(words)
      if copy.model.isDeleted { faults.append("\(file) is deleted") }
      if Set(words).count < words.count { faults.append("\(file) repeats: \(words)") }
      if try !unexpected.isSubset(of: unexpected.isEmpty ? [] : contestedWords(file)) {
        faults.append("\(file) says \(words), unexpectedly \(unexpected.sorted())")
      }
    }
    for (id, model) in trash.values.joined() where !model.isDeleted || found[id] != nil {
      faults.append("in the trash: \(found[id] ?? "\(model.words)")")
    }
  }

  /// The words of passages that are contested: what was written beside a deletion may wait there.
  private func contestedWords(_ file: String) throws -> Set<String> {
    let run = try disk.run(["conflicts", "--json", file], input: "", on: machines[0])
    return Set(run.output.matches(of: /word[0-9]+/).map { String($0.output) })
  }
}

extension FolderWorld: CustomStringConvertible {
  var description: String { (faults + story).joined(separator: "\n") }
}
