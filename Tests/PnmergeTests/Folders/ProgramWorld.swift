import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Three real directories with documents and tracked files, on two machines and a stick, and a model
/// that knows every edit.
struct ProgramWorld {
  static let folders = ["desk", "laptop", "stick"]

  /// Where the folders are, in the program's directory.
  let name: String
  let program: Program
  /// Where the program runs: each machine knows only what it saw itself.
  private let machines: [String]
  var generator: SplitMix64
  /// What each file has seen, by its name with the folder; conflict copies among them.
  private(set) var files: [String: (id: UniqueID, model: NoteModel)] = [:]
  /// What the deleted files in each folder's trash have seen.
  private(set) var trash: [String: [UniqueID: NoteModel]] = [:]
  private var count = 0
  /// The files that each machine has seen under their names.
  private var seen: [String: Set<String>] = [:]
  /// What was done, for messages.
  private(set) var story: [String] = []
  /// What is wrong.
  var faults: [String] = []

  /// Every other world has a single machine.
  init(seed: UInt64, _ program: Program) throws {
    machines = seed.isMultiple(of: 2) ? ["desk", "laptop"] : ["desk"]
    (name, self.program) = ("seed\(seed)", program)
    generator = SplitMix64(seed: seed)
    for folder in Self.folders {
      trash[folder] = [:]
      try FileManager.default.createDirectory(at: url(folder), withIntermediateDirectories: true)
    }
  }

  // MARK: The directories

  func url(_ file: String) -> URL {
    program.directory.appendingPathComponent("\(name)/\(file)")
  }

  private func exists(_ file: String) -> Bool {
    FileManager.default.fileExists(atPath: url(file).path)
  }

  /// The files of a folder by their names in it, with their bytes, but for its trash.
  func tree(_ folder: String) throws -> [String: Data] {
    var result: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: url(folder).path) {
      var isDirectory: ObjCBool = false
      let file = url("\(folder)/\(path)")
      guard !"/\(path)".contains("/trash/"),
        unsafe FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else { continue }
      result[path] = try Data(contentsOf: file)
    }
    return result
  }

  private static func history(_ file: String) -> String {
    let slash = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
    return file[..<slash] + ".peernote/" + file[slash...] + ".peernote"
  }

  private static func isTracked(_ file: String) -> Bool { file.hasSuffix(".md") }

  /// The document in a file, or the history of a tracked one.
  private func document(_ file: String) throws -> Document {
    let place = Self.isTracked(file) ? Self.history(file) : file
    return try Document(bytes: Array(Data(contentsOf: url(place))))
  }

  private func lines(_ file: String) throws -> [String] {
    let text: String
    if Self.isTracked(file) {
      text = String(decoding: try Data(contentsOf: url(file)), as: UTF8.self)
    } else if case .text(let body) = try document(file).root["body"] {
      text = body
    } else {
      text = ""
    }
    return text.split(separator: "\n").map(String.init)
  }

  /// All words that a file has, in its text or as names beside it.
  func words(_ file: String) throws -> [String] {
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

  /// Runs a script on the machine that has a folder, or on any if none has.
  @discardableResult
  private mutating func sh(_ script: String, in folder: String) throws -> Bool {
    let machine = machines.contains(folder) ? folder : generator.pick(machines)
    let run = try program.sh(Self.start(name, machine) + script)
    story.append("\(machine): \(script): \(run.status) \(run.errors)")
    return run.status == 0
  }

  private static func start(_ name: String, _ machine: String) -> String {
    "cd \(name); export XDG_STATE_HOME=$PWD/.\(machine) PNMERGE_AUTHOR=\(machine)\n"
  }

  /// Saves a tracked file as an editor does, in its place or by replacing it.
  private mutating func save(_ file: String, _ lines: [String]) throws {
    let text = Data(lines.map { $0 + "\n" }.joined().utf8)
    let isReplaced = generator.chance(50)
    try text.write(to: url(file), options: isReplaced ? .atomic : [])
    story.append("\(file): saved\(isReplaced ? " anew" : ""): \(lines.joined(separator: " "))")
  }

  /// Writes a word into a file.
  private mutating func edit(_ file: String, in folder: String) throws {
    let word = next("word")
    var lines = try lines(file)
    lines.insert(word, at: generator.below(lines.count + 1))
    if Self.isTracked(file) {
      try save(file, lines)
    } else if generator.chance(30) {
      guard try sh("pnmerge set -q '\(file)' /\(word) true", in: folder) else { return }
    } else {
      guard try setBody(of: file, lines, in: folder) else { return }
    }
    files[file]?.model.add(word)
  }

  private mutating func setBody(
    of file: String, _ lines: [String], in folder: String
  ) throws -> Bool {
    try sh(
      "printf '\(lines.joined(separator: "\\n"))\\n' | pnmerge edit -q '\(file)' --body-file -",
      in: folder)
  }

  /// Takes a word out of a note's text, which a tracked file need not believe.
  private mutating func removeWord(_ file: String, in folder: String) throws {
    var lines = try lines(file)
    guard lines.count > 1 else { return }
    let word = lines.remove(at: generator.below(lines.count))
    guard try setBody(of: file, lines, in: folder) else { return }
    files[file]?.model.add("removed \(word)")
  }

  /// One thing that somebody does in a folder.
  mutating func step(in folder: String, tracked: Bool) throws {
    let suffix = tracked ? ".md" : ".peernote"
    let manager = FileManager.default
    switch generator.below(12) {
    case 0, 1:
      let file = "\(folder)/\(generator.pick(["todo", next("note")]))\(suffix)"
      guard !exists(file), !exists(Self.history(file)) else { return }
      let words = (1...6).map { _ in next("word") }
      if tracked { try save(file, words) }
      guard try sh("pnmerge \(tracked ? "track" : "new") -q '\(file)'", in: folder) else { return }
      if !tracked { guard try setBody(of: file, words, in: folder) else { return } }
      files[file] = (try document(file).id, NoteModel())
      for word in words { files[file]?.model.add(word) }
    case 2:
      guard let file = anyFile(of: folder, tracked: tracked),
        try sh("pnmerge delete -q '\(file)'", in: folder)
      else { return }
      let mark = next("deleted")
      files[file]?.model.add(mark)
    case 3, 4:
      guard let file = anyFile(of: folder, tracked: tracked) else { return }
      let new = "\(folder)/\(generator.pick(["", "sub/", "sub/deep/"]))\(next("name"))\(suffix)"
      // Who moves a whole directory moves the history, too.
      let isWhole = tracked && (!isKnown(file) || generator.chance(33))
      for (from, to) in [(file, new)] + (isWhole ? [(file, new)].map(Self.histories) : []) {
        guard exists(from) else { continue }
        try manager.createDirectory(
          at: url(to).deletingLastPathComponent(), withIntermediateDirectories: true)
        try manager.moveItem(at: url(from), to: url(to))
      }
      story.append("\(file): moved to \(new)\(isWhole ? " with its history" : "")")
      let moved = files.removeValue(forKey: file)
      files[new] = moved
      // A file without its history is known by what it says.
      if isWhole || !tracked || generator.chance(50) { try edit(new, in: folder) }
    case 5:
      guard let file = anyFile(of: folder, tracked: tracked), !tracked || isKnown(file) else {
        return
      }
      let copy = file.dropLast(suffix.count) + ".sync-conflict-20261101-101010-ABCDEFG" + suffix
      guard !exists(String(copy)) else { return }
      try manager.copyItem(at: url(file), to: url(String(copy)))
      story.append("\(copy): copied")
      files[String(copy)] = files[file]
      try edit(String(copy), in: folder)
    case 6:
      // Lost without a mark, while another folder has it.
      guard let file = anyFile(of: folder, tracked: tracked), let (id, model) = files[file],
        files.count(where: { $0.value.id == id && $0.key.hasPrefix(folder + "/") }) == 1,
        files.contains(where: { other, copy in
          !other.hasPrefix(folder + "/") && copy.id == id
            && Set(copy.model.seen.keys).isSuperset(of: model.seen.keys)
        })
      else { return }
      try manager.removeItem(at: url(file))
      story.append("\(file): lost")
      if tracked, generator.chance(50) { try manager.removeItem(at: url(Self.history(file))) }
      files[file] = nil
    case 7 where !tracked:
      guard let file = anyFile(of: folder, tracked: tracked) else { return }
      try removeWord(file, in: folder)
    default:
      guard let file = anyFile(of: folder, tracked: tracked) else { return }
      try edit(file, in: folder)
    }
  }

  /// Whether each machine has seen a file under its name.
  ///
  /// By that a tracked file is known that was moved without its history, and its conflict copies.
  private func isKnown(_ file: String) -> Bool {
    machines.allSatisfy { seen[$0]?.contains(file) ?? false }
  }

  private static func histories(_ file: String, _ new: String) -> (String, String) {
    (history(file), history(new))
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

  /// The command that brings two folders together.
  func command(_ meeting: Meeting) -> String {
    Self.start(name, machine(of: meeting))
      + "pnmerge sync -v --fill \(meeting.first) \(meeting.second) >.said 2>.errors"
      + "; echo $? >.status"
  }

  private func machine(of meeting: Meeting) -> String {
    machines.contains(meeting.machine) ? meeting.machine : machines[0]
  }

  /// Takes down what a run of that command did.
  mutating func follow(_ meeting: Meeting) throws {
    let said = try ["said", "errors", "status"].map {
      String(decoding: try Data(contentsOf: url(".\($0)")), as: UTF8.self)
    }
    story.append("\(meeting): \(said.joined())")
    if said[1...] != ["", "0\n"] { faults.append("\(meeting): \(said)") }
    let pair = [meeting.first, meeting.second]
    let ours = files.filter { file in pair.contains { file.key.hasPrefix($0 + "/") } }
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
    for folder in pair {
      for (id, model) in trash[folder] ?? [:] { add(id, model, folder) }
    }
    for id in unions.keys {
      unions[id]?.settle()
      let isDeleted = unions[id]?.isDeleted ?? false
      for folder in pair {
        trash[folder]?[id] = isDeleted && homes[id]?.contains(folder) ?? false ? unions[id] : nil
      }
    }
    for folder in pair {
      for path in try tree(folder).keys where !"/\(path)".contains("/.") {
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
        seen[machine(of: meeting), default: []].insert(file)
      }
    }
  }
}

// MARK: What has to hold in the end

extension ProgramWorld {
  /// Looks for differences between the folders, and for words that are missing or there twice.
  mutating func checkFolders() throws {
    let trees = try Self.folders.map(tree)
    for path in Set(trees.flatMap(\.keys)).sorted() where Set(trees.map { $0[path] }).count > 1 {
      faults.append("\(path) differs")
    }
    var found: [UniqueID: String] = [:]
    for (file, copy) in files where file.hasPrefix("desk/") {
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
}

extension ProgramWorld {
  /// Brings two folders together once more, which has to leave all files unopened and unchanged but
  /// for opening what is known of each folder.
  mutating func checkIdleness(_ meeting: Meeting) throws {
    let state = ".\(machine(of: meeting))"
    let watch = try FileWatch((Self.folders + [state]).map(url))
    let run = try program.sh(
      Self.start(name, machine(of: meeting))
        + "pnmerge sync \(meeting.first) \(meeting.second)")
    let events = watch.events()
    let known = url(state).appendingPathComponent("peernote/folders").path + "/"
    if !run.output.hasSuffix(", nothing to do\n") || run.errors != ""
      || events.opened.count != (FileWatch.isSupported ? 2 : 0)
      || !events.opened.allSatisfy({ $0.hasPrefix(known) }) || !events.changed.isEmpty
    {
      faults.append("\(meeting) again: \(run) \(events)")
    }
  }

  /// The words of passages that are contested: what was written beside a deletion may wait there.
  private func contestedWords(_ file: String) throws -> Set<String> {
    let run = try program.sh(Self.start(name, "desk") + "pnmerge conflicts --json '\(file)'")
    return Set(run.output.matches(of: /word[0-9]+/).map { String($0.output) })
  }
}

extension ProgramWorld: CustomStringConvertible {
  var description: String { (faults + [name] + story).joined(separator: "\n") }
}
