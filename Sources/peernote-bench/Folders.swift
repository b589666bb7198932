import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

struct Folders: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has pnmerge list, search, bring together and watch folders of many notes.",
    discussion: """
      The notes, the same in every run, stand in directories of a hundred, as documents and once \
      more as Markdown. Told are medians of the time that passes and of the most memory, side by \
      side with ls -lR, grep -ri and rsync -a on the same trees. Then two processes watch three \
      folders of the first notes: told is the time from writing a document in the first \
      folder until the third has it, and the memory of both before and after many files were \
      written. Linux only; needs rsync.

      Example: peernote-bench folders --pnmerge .build/release/pnmerge
      """)

  @Option(help: "How many notes.")
  var notes = 10_000

  @Option(help: "How many notes are changed before folders are brought together.")
  var changes = 100

  @Option(help: "How many of the notes are watched, in hundreds.")
  var watched = 1000

  @Option(help: "How many files are written while folders are watched.")
  var events = 100_000

  @Option(help: "How often; medians are reported.")
  var rounds = 5

  @OptionGroup var program: ProgramOption

  func validate() throws {
    guard notes >= 100, (1...notes).contains(changes), (100...notes).contains(watched),
      events >= 0, rounds > 0
    else {
      throw ValidationError(
        "--notes takes numbers from 100 up, --watched from 100 to that, --changes from 1 to that, "
          + "--events from 0 and --rounds from 1 up")
    }
  }

  func run() throws {
    let program = program.path
    try withTemporaryDirectory { room in
      var notes = BenchNotes(count: notes, room: room)
      try notes.write()
      try measureRuns(of: program, &notes)
      try measureWatching(by: program, &notes)
    }
  }

  /// Measures runs that end.
  private func measureRuns(of program: String, _ notes: inout BenchNotes) throws {
    var samples = ProcessSamples(room: notes.room)
    try samples.measure("ls, first time", program, "ls", "desk")
    try samples.measure("sync, first time", program, "sync", "-q", "desk", "laptop")
    try samples.measure("rsync -a, first time", "rsync", "-a", "desk/", "copy/")
    for _ in 0..<rounds {
      try samples.measure("ls", program, "ls", "desk")
      try samples.measure("ls -lR", "ls", "-lR", "plain")
      try samples.measure("find", program, "find", BenchNotes.word, "desk")
      try samples.measure("grep -ri", "grep", "-ri", BenchNotes.word, "plain")
      try samples.measure("sync", program, "sync", "-q", "desk", "laptop")
      try samples.measure("rsync -a", "rsync", "-a", "desk/", "copy/")
      for number in 0..<changes {
        try notes.change(number * (notes.count / changes), in: "desk")
      }
      try samples.measure("sync, \(changes) changed", program, "sync", "-q", "desk", "laptop")
      try samples.measure("rsync -a, \(changes) changed", "rsync", "-a", "desk/", "copy/")
    }
    for (name, median) in samples.medians {
      print(
        String(
          format: "%@: %.2f s (processor %.2f), %.0f MB", name, median.elapsed, median.seconds,
          Double(median.peak) / 1e6))
    }
    func elapsed(_ name: String) -> Double? {
      samples.medians.first { $0.name == name }?.median.elapsed
    }
    for (ours, theirs) in [
      ("ls", "ls -lR"), ("find", "grep -ri"), ("sync", "rsync -a"),
      ("sync, \(changes) changed", "rsync -a, \(changes) changed"),
    ] {
      guard let one = elapsed(ours), let other = elapsed(theirs) else { continue }
      print(String(format: "%@ beside %@: %.1f times as long", ours, theirs, one / other))
    }
  }

  /// Measures two processes that watch three folders: `first` and `second`, `second` and `third`.
  private func measureWatching(by program: String, _ notes: inout BenchNotes) throws {
    let room = notes.room
    for folder in ["first", "second", "third"] {
      try FileManager.default.createDirectory(
        at: room.appending(path: folder), withIntermediateDirectories: true)
      for directory in 0..<watched / 100 {
        try FileManager.default.copyItem(
          at: room.appending(path: "desk/\(directory)"),
          to: room.appending(path: "\(folder)/\(directory)"))
      }
    }
    let processes = [["first", "second"], ["second", "third"]].map {
      newProcess([program, "watch", "-q"] + $0, in: room)
    }
    for process in processes { try process.run() }
    defer {
      for process in processes {
        process.terminate()
        process.waitUntilExit()
      }
    }
    func memory() -> [Int] {
      processes.map { ProcessMemory.resident(of: $0.processIdentifier) ?? 0 }
    }
    var latencies: [Double] = []
    // The first change also waits until both have looked at everything.
    for round in -1..<max(rounds, 20) {
      let time = try latency(&notes)
      if round >= 0 { latencies.append(time) }
      Thread.sleep(forTimeInterval: 1)
    }
    let before = memory()
    for event in 0..<events {
      let file = room.appending(path: "first/0/\(event % 100).tmp")
      try Data([UInt8(ascii: "x")]).write(to: file)
    }
    // Until the last of them was looked at.
    _ = try latency(&notes)
    let after = memory()
    latencies.sort()
    print(
      String(
        format: "watch, over two: %.2f s (%.2f to %.2f)", latencies.median, latencies[0],
        latencies[latencies.count - 1]))
    func text(_ bytes: [Int]) -> String {
      bytes.map { String(format: "%.1f", Double($0) / 1e6) }.joined(separator: " and ")
    }
    print(
      "watch, \(events) files written: from \(text(before)) MB to \(text(after)) MB")
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
struct BenchNotes {
  let count: Int
  let room: URL
  /// A word that one note of a thousand has.
  static let word = "needle"
  /// When all of them are written.
  private static let time: Int64 = 1_795_000_000_000
  private var numbers = SplitMix64(seed: 7)
  private var changeCount: UInt64 = 0

  init(count: Int, room: URL) {
    (self.count, self.room) = (count, room)
  }

  /// The name of a note in its folder, without what it ends in.
  private func name(_ number: Int) -> String { "\(number / 100)/note\(number)" }

  /// The file of a note.
  func file(_ number: Int, in folder: String) -> URL {
    room.appending(path: "\(folder)/\(name(number)).peernote")
  }

  /// Writes them as documents into `desk` and as Markdown into `plain`, and makes `laptop`.
  mutating func write() throws {
    let directories = (0...(count - 1) / 100).flatMap { ["desk/\($0)", "plain/\($0)"] }
    for directory in ["laptop"] + directories {
      try FileManager.default.createDirectory(
        at: room.appending(path: directory), withIntermediateDirectories: true)
    }
    for number in 0..<count {
      var body = (0..<10).map { _ in
        (0..<10).map { _ in "word\(Int.random(in: 0..<3000, using: &numbers))" }
          .joined(separator: " ") + "\n"
      }.joined()
      if number % 1000 == 3 { body += "\(Self.word)\n" }
      var document = Document(id: UniqueID(randomBits: numbers.next(), numbers.next()))
      try document.change(by: DocumentSession(agent: 1, milliseconds: Self.time)) {
        try $0.create(Note(title: "Note \(number)", body: body, tags: ["bench"]))
      }
      try Data(document.bytes()).write(to: file(number, in: "desk"))
      try Data("---\ntitle: Note \(number)\ntags: [bench]\n---\n\(body)".utf8).write(
        to: room.appending(path: "plain/\(name(number)).md"))
    }
  }

  /// Adds a line to a note.
  mutating func change(_ number: Int, in folder: String) throws {
    changeCount += 1
    let file = file(number, in: folder)
    var document = try Document(bytes: [UInt8](Data(contentsOf: file)))
    try document.change(by: DocumentSession(agent: 1 + changeCount, milliseconds: Self.time)) {
      try $0.spliceText(at: JSONPointer(["body"]), scalars: 0..<0, with: "change \(changeCount)\n")
    }
    try Data(document.bytes()).write(to: file)
  }
}
