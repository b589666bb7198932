import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

struct Folders: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has pnmerge list, search, bring together and watch folders of many notes.",
    discussion: """
      The notes, the same in every run, stand in directories of a hundred, as documents and once \
      more as Markdown. Told are medians of what each program takes, and how many times as much \
      that is as ls -lR, grep -ri and rsync -a take on the same trees. Then two processes watch \
      three folders of the first notes: told is the time from writing a document in the first \
      folder until the third has it, and the memory of both before and after many files were \
      written. Linux only; needs rsync and time.

      Example: peernote-bench folders --pnmerge .build/release/pnmerge
      """)

  @Option(help: "How many notes.", transform: number(from: 100))
  var notes = 10_000

  @Option(
    help: "How many notes are changed before folders are brought together.",
    transform: number(from: 1))
  var changes = 100

  @Option(help: "How many of the notes are watched, in hundreds.", transform: number(from: 100))
  var watched = 1000

  @Option(help: "How many files are written while folders are watched.", transform: number(from: 0))
  var events = 100_000

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var rounds = 5

  @OptionGroup var program: ProgramOption

  func run() throws {
    try withTemporaryDirectory { room in
      var notes = BenchNotes(room: room)
      try notes.write(self.notes)
      try measureRuns(in: room, &notes)
      try measureWatching(in: room, &notes)
    }
  }

  /// Measures runs that end.
  private func measureRuns(in room: URL, _ notes: inout BenchNotes) throws {
    let program = program.path
    var samples = Samples()
    func list(_ round: String = "") throws {
      try samples.run("ls\(round)", [program, "ls", "desk"], in: room)
      try samples.run("ls -lR\(round)", ["ls", "-lR", "plain"], in: room)
    }
    func sync(_ round: String = "") throws {
      try samples.run("sync\(round)", [program, "sync", "-q", "desk", "laptop"], in: room)
      try samples.run("rsync -a\(round)", ["rsync", "-a", "desk/", "copy/"], in: room)
    }
    try list(", first time")
    try sync(", first time")
    for _ in 0..<rounds {
      try list()
      try samples.run("find", [program, "find", BenchNotes.word, "desk"], in: room)
      try samples.run("grep -ri", ["grep", "-ri", BenchNotes.word, "plain"], in: room)
      try sync()
      for number in 0..<changes {
        try notes.change(number * self.notes / changes % self.notes, in: "desk")
      }
      try sync(", changed")
    }
    print(
      samples.table([
        "ls, first time": "ls -lR, first time", "ls": "ls -lR", "find": "grep -ri",
        "sync, first time": "rsync -a, first time", "sync": "rsync -a",
        "sync, changed": "rsync -a, changed",
      ]))
  }

  /// Measures two processes that watch three folders: `first` and `second`, `second` and `third`.
  private func measureWatching(in room: URL, _ notes: inout BenchNotes) throws {
    for folder in ["first", "second", "third"] {
      try FileManager.default.createDirectory(
        at: room.appending(path: folder), withIntermediateDirectories: true)
      for directory in 0..<min(watched, self.notes) / 100 {
        try FileManager.default.copyItem(
          at: room.appending(path: "desk/\(directory)"),
          to: room.appending(path: "\(folder)/\(directory)"))
      }
    }
    let processes = [["first", "second"], ["second", "third"]].map {
      newProcess([program.path, "watch", "-q"] + $0, in: room)
    }
    for process in processes { try process.run() }
    defer {
      for process in processes {
        process.terminate()
        process.waitUntilExit()
      }
    }
    func resident() -> String {
      processes.map {
        String(format: "%.1f", Double(memory("VmRSS", of: $0.processIdentifier)) / 1e6)
      }.joined(separator: " and ")
    }
    // The first change also waits until both have looked at everything.
    var latencies: [Double] = []
    for _ in 0...max(rounds, 20) {
      latencies.append(try latency(&notes))
      Thread.sleep(forTimeInterval: 1)
    }
    latencies = latencies.dropFirst().sorted()
    let before = resident()
    for event in 0..<events {
      let file = room.appending(path: "first/0/\(event % 100).tmp")
      try Data([UInt8(ascii: "x")]).write(to: file)
    }
    // Until the last of them was looked at.
    _ = try latency(&notes)
    print(
      String(
        format: "watch, over two: %.2f s (%.2f to %.2f)", latencies[latencies.count / 2],
        latencies[0], latencies[latencies.count - 1]))
    print("watch, \(events) files written: from \(before) MB to \(resident()) MB")
  }

  /// The seconds from a change in the first folder until the third has it.
  private func latency(_ notes: inout BenchNotes) throws -> Double {
    let start = ContinuousClock.now
    try notes.change(0, in: "first")
    let changed = try Data(contentsOf: notes.file(0, in: "first"))
    while try Data(contentsOf: notes.file(0, in: "third")) != changed {
      guard ContinuousClock.now - start < .seconds(300) else {
        throw ValidationError("a change was not carried over within five minutes")
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return (ContinuousClock.now - start) / .seconds(1)
  }
}

/// Notes that are the same in every run.
private struct BenchNotes {
  /// The folder of their folders.
  let room: URL
  /// A word that one note of a thousand has.
  static let word = "needle"
  /// When all of them are written.
  private static let time: Int64 = 1_795_000_000_000
  private var changeCount: UInt64 = 0

  init(room: URL) {
    self.room = room
  }

  /// The file of a note.
  func file(_ number: Int, in folder: String, type: String = "peernote") -> URL {
    room.appending(path: "\(folder)/\(number / 100)/note\(number).\(type)")
  }

  /// Writes them as documents into `desk` and as Markdown into `plain`, and makes `laptop`.
  func write(_ count: Int) throws {
    let directories = (0...(count - 1) / 100).flatMap { ["desk/\($0)", "plain/\($0)"] }
    for directory in ["laptop"] + directories {
      try FileManager.default.createDirectory(
        at: room.appending(path: directory), withIntermediateDirectories: true)
    }
    var numbers = SplitMix64(seed: 7)
    for number in 0..<count {
      var body = (0..<10).map { _ in
        (0..<10).map { _ in "word\(numbers.below(3000))" }.joined(separator: " ") + "\n"
      }.joined()
      if number % 1000 == 3 { body += "\(Self.word)\n" }
      var document = Document(id: UniqueID(randomBits: numbers.next(), numbers.next()))
      try document.change(by: .person(1, at: Self.time)) {
        try $0.create(Note(title: "Note \(number)", body: body, tags: ["bench"]))
      }
      try Data(document.bytes()).write(to: file(number, in: "desk"))
      try Data("---\ntitle: Note \(number)\ntags: [bench]\n---\n\(body)".utf8).write(
        to: file(number, in: "plain", type: "md"))
    }
  }

  /// Adds a line to a note.
  mutating func change(_ number: Int, in folder: String) throws {
    changeCount += 1
    let file = file(number, in: folder)
    var document = try Document(bytes: bytes(of: file.path))
    try document.change(by: .person(1 + changeCount, at: Self.time)) {
      try $0.spliceText(at: JSONPointer(["body"]), scalars: 0..<0, with: "change \(changeCount)\n")
    }
    try Data(document.bytes()).write(to: file)
  }
}
