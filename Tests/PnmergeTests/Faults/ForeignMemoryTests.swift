import Foundation
import PeernoteTestSupport
import Testing

/// How much memory and time other programs' files take that are made to be dear.
@Suite(
  "Memory for other programs' files", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
  .enabled(if: Sanitizer.current == nil, "a sanitizer takes memory of its own"))
struct ForeignMemoryTests {
  /// What the program takes whatever it does, and what is not counted.
  private static let free = 32 << 20
  /// What importing may take for each operation, change and name of an actor.
  private static let importing = 400
  /// What reading may take likewise.
  private static let reading = 160
  /// The most seconds of processor time for one of them; what takes longer is refused before.
  private static let seconds = 60

  /// How many operations the files have if something else is asked for.
  private static let wantedSize = TestSetting.count("HOSTILE")
  private static let size = wantedSize ?? 100_000
  /// How many those have whose import takes its square in time.
  private static let slowSize = wantedSize ?? 33_000

  /// A file that a tool writes.
  private struct Hostile {
    var name: String
    var path: String
    /// How many operations, changes and names of actors are in it.
    var count: Int
  }

  private static func hostileFiles(_ program: Program) throws -> [Hostile] {
    let tool = Repository.path("Tests/Tools/hostile_automerge.py").path
    let run = try program.sh("python3 -S '\(tool)' . \(size) \(slowSize)")
    return try run.output.split(separator: "\n").map { line in
      let words = line.split(separator: "\t").map(String.init)
      try #require(words.count == 2, "\(run)")
      let name = words[0].filter { $0 != "," }.replacing(" ", with: "-")
      return Hostile(
        name: words[0],
        path: program.directory.appendingPathComponent("\(name).automerge").path,
        count: try #require(Int(words[1])))
    }
  }

  @Test(
    "an Automerge file made to take much is imported within what the manual promises, or refused")
  func automerge() throws {
    let program = try Program()
    let files = try Self.hostileFiles(program)
    try #require(files.count > 15)
    let works: [(words: [String], each: Int)] = [
      (["import", "-n", "-q", "-o", "new.peernote"], Self.importing),
      (["validate", "-q"], Self.reading),
    ]
    for file in files {
      let commands = works.map { work in
        MemoryTests.Command(
          name: work.words[0], size: file.count, largest: file.count, factor: work.each,
          words: [Program.path] + work.words + [file.path])
      }
      let runs = try MemoryTests.run(commands, program, seconds: Self.seconds)
      for (command, run) in zip(commands, runs) {
        let what: Comment = "\(command.name) of \(file.name): \(run)"
        #expect([0, 1, 4].contains(run.status), what)
        #expect(run.peak <= Self.free + command.factor * file.count, what)
      }
    }
  }

  @Test("JSON with more values than a document can hold is refused before they are kept")
  func json() throws {
    let program = try Program()
    let size = 6_000_000
    var commands: [MemoryTests.Command] = []
    for (name, value) in [("zeros", "0"), ("lists", "[]"), ("nulls", "null"), ("maps", "{}")] {
      let values = Array(repeating: value, count: size / (value.utf8.count + 1))
      let file = program.directory.appendingPathComponent("\(name).json")
      try "{\"all\":[\(values.joined(separator: ","))]}".write(
        to: file, atomically: true, encoding: .utf8)
      commands.append(
        MemoryTests.Command(
          name: name, size: size, largest: size, factor: 6,
          words: [Program.path, "import", "-n", "-q", "-o", "new.peernote", file.path]))
    }
    for (command, run) in zip(
      commands, try MemoryTests.run(commands, program, seconds: Self.seconds))
    {
      #expect(run.status == 66, "\(command.name): \(run)")
      #expect(run.peak <= Self.free + command.factor * size, "\(command.name): \(run)")
    }
    let refused = try program.sh("pnmerge import -n -o new.peernote zeros.json")
    #expect(refused.errors.contains("zeros.json: line 1, column 1: more than"), "\(refused)")
  }
}
