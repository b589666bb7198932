import Foundation
import PnmergeCommands

/// Where the folders of a ``FolderWorld`` are, and how the program runs there.
///
/// Names have their folder in front.
protocol WorldDisk {
  /// Whether the program need not wait for what was saved a moment ago.
  var isQuick: Bool { get }
  func makeFolder(_ folder: String) throws
  /// `nil` if there is no such file.
  func read(_ file: String) -> [UInt8]?
  /// Saves a file as an editor does, in its place or by replacing it.
  func save(_ file: String, _ text: String, anew: Bool) throws
  func copy(_ file: String, to copy: String) throws
  /// Makes the directories that are missing.
  func move(_ file: String, to new: String) throws
  func remove(_ file: String) throws
  /// The files of a folder by their names in it, with their bytes, but for its trash.
  func tree(_ folder: String) throws -> [String: [UInt8]]
  /// Runs the program on a machine, each of which knows only what it saw itself.
  func run(_ words: [String], input: String, on machine: String) throws -> WorldRun
  /// Runs it where there is nothing to do, which has to leave all files unopened and unchanged but for
  /// what is known of each of two folders.
  ///
  /// - Returns: what it did besides; `nil` if nothing.
  func idleRun(_ words: [String], on machine: String) throws -> String?
}

/// What a run of the program said and returned.
struct WorldRun {
  var status: Int32
  var output: String
  var errors: String
}

/// Folders in memory.
struct MemoryDisk: WorldDisk {
  private let host = MemoryHost()
  private let hasTracked: Bool
  let isQuick = true

  init(hasTracked: Bool) {
    self.hasTracked = hasTracked
    host.keepsTime = true
  }

  func makeFolder(_ folder: String) throws { try host.makeDirectory(FileName(folder)) }

  func read(_ file: String) -> [UInt8]? { host[file] }

  func save(_ file: String, _ text: String, anew: Bool) { host.save(file, text) }

  func copy(_ file: String, to copy: String) { host.copy(file, copy) }

  func move(_ file: String, to new: String) throws {
    let parts = new.split(separator: "/").dropLast()
    for count in parts.indices {
      let directory = FileName(parts[...count].joined(separator: "/"))
      if host.entries[FileName("/work").appending(directory)] == nil {
        try host.makeDirectory(directory)
      }
    }
    try host.rename(FileName(file), to: FileName(new), replacing: false)
  }

  func remove(_ file: String) throws { try host.remove(FileName(file)) }

  func tree(_ folder: String) -> [String: [UInt8]] {
    host.tree(of: folder).filter { !"/\($0.key)".contains("/trash/") }
  }

  func run(_ words: [String], input: String, on machine: String) -> WorldRun {
    host.pass(seconds: 200)
    host.variables["XDG_STATE_HOME"] = "/home/me/\(machine)"
    host.variables["PNMERGE_AUTHOR"] = machine
    host.input = Array(input.utf8)
    let run = host.pnmerge(words)
    return WorldRun(status: run.status.rawValue, output: run.output, errors: run.errors)
  }

  func idleRun(_ words: [String], on machine: String) -> String? {
    let before = host.calls.count
    let run = run(words, input: "", on: machine)
    let calls = Array(host.calls[before...])
    let isIdle = calls.allSatisfy { $0 == .read } && (hasTracked || calls.count == 2)
    return isIdle ? nil : "\(run) \(calls)"
  }
}

/// Real directories, where the built program runs.
struct ProgramDisk: WorldDisk {
  private let program: Program
  /// Where the folders are, in the program's directory.
  let name: String
  let isQuick = false

  init(_ name: String, _ program: Program) { (self.name, self.program) = (name, program) }

  private func url(_ file: String) -> URL {
    program.directory.appendingPathComponent("\(name)/\(file)")
  }

  func makeFolder(_ folder: String) throws {
    try FileManager.default.createDirectory(at: url(folder), withIntermediateDirectories: true)
    try save(".input", "", anew: false)
  }

  func read(_ file: String) -> [UInt8]? { (try? Data(contentsOf: url(file))).map { Array($0) } }

  func save(_ file: String, _ text: String, anew: Bool) throws {
    try Data(text.utf8).write(to: url(file), options: anew ? .atomic : [])
  }

  func copy(_ file: String, to copy: String) throws {
    try FileManager.default.copyItem(at: url(file), to: url(copy))
  }

  func move(_ file: String, to new: String) throws {
    try FileManager.default.createDirectory(
      at: url(new).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: url(file), to: url(new))
  }

  func remove(_ file: String) throws { try FileManager.default.removeItem(at: url(file)) }

  func tree(_ folder: String) throws -> [String: [UInt8]] {
    try FileTree(below: url(folder)).files.filter { !"/\($0.key)".contains("/trash/") }
      .mapValues { Array($0) }
  }

  /// The command of sh(1) that runs the program, of which ``said()`` tells afterwards.
  func command(_ words: [String], on machine: String) -> String {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    return """
      cd \(name); export XDG_STATE_HOME=$PWD/.\(machine) PNMERGE_AUTHOR=\(machine)
      pnmerge \(quoted) <.input >.said 2>.errors; echo $? >.status
      """
  }

  /// What the last run said and returned.
  func said() -> WorldRun {
    func text(_ name: String) -> String {
      String(decoding: read(".\(name)") ?? [], as: UTF8.self)
    }
    let status = Int32(text("status").dropLast()) ?? -1
    return WorldRun(status: status, output: text("said"), errors: text("errors"))
  }

  func run(_ words: [String], input: String, on machine: String) throws -> WorldRun {
    try save(".input", input, anew: false)
    try program.sh(command(words, on: machine))
    return said()
  }

  func idleRun(_ words: [String], on machine: String) throws -> String? {
    let watch = try FileWatch((FolderWorld.folders + [".\(machine)"]).map(url))
    let run = try run(words, input: "", on: machine)
    let events = watch.events()
    let known = url(".\(machine)").appendingPathComponent("peernote/folders").path + "/"
    let isIdle =
      events.opened.count == (FileWatch.isSupported ? 2 : 0)
      && events.opened.allSatisfy { $0.hasPrefix(known) } && events.changed.isEmpty
    return isIdle ? nil : "\(run) \(events)"
  }
}
