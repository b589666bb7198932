import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// How much memory the built program takes for documents that are made to be dear.
///
/// A file of n bytes may take 16 n bytes and 32 MiB, the program included, and twice that many bytes
/// where a history is made of it. Where each byte takes the same, small files tell whether large ones
/// fit. `PEERNOTE_MEMORY` says how large the files are,
/// instead of 120 kB, and has all kinds of them tried, not only those that take the most; what is
/// beyond the limits then may be refused.
@Suite(
  "Memory", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
  .enabled(if: Sanitizer.current == nil, "a sanitizer takes memory of its own"))
struct MemoryTests {
  private static let wantedSize = TestSetting.count("MEMORY")
  private static let size = wantedSize ?? 120_000
  private static let dearest: Set<String> = [
    "elements", "members", "empty maps", "insertions all over a text", "texts of one character",
    "a character typed and deleted again and again", "two agents that always cross",
    "one member added again and again", "backward typing on two sides",
    "writes of one key in turn on two sides", "redacted characters, a change each",
    "a redacted text", "characters of one moment, a change each",
  ]
  /// What counts for nothing where small files tell of large ones: what the program takes whatever
  /// it does; memory comes in pages, and is kept for reuse.
  ///
  /// The largest part of a text in which contested passages are looked for takes 600,000 of it,
  /// however large the file is.
  static let slack = wantedSize == nil ? 3_100_000 : 0
  /// What the places take that are told of where much differs, of which no more than so many are
  /// kept, and what it takes to say them.
  private static let places = 13_000_000
  /// What the program alone takes if it is linked as in README, whatever it does.
  static let program = 15_000_000
  /// What memory reading a file may take for each of its bytes.
  private static let reading = 16
  /// What merging it may take, or making another history of it: two documents and their union, and
  /// the result read again.
  static let making = 32
  /// What repairing a damaged one may take: what can be read of it, the result, and what it is
  /// compared with.
  private static let repairing = 40
  /// How large files are of which there are none of a megabyte (``Limits/containers(weighing:)``), or
  /// that are refused if they are larger.
  private static let largest = ["empty maps": 500_000, "backward typing on two sides": 400_000]

  struct Command {
    var name: String
    /// The size of the file, or of all files.
    var size: Int
    /// What it takes whatever the size, beside ``slack``.
    var slack = 0
    /// The size of the largest such files.
    var largest: Int
    /// How many bytes each of its bytes may take, beside 32 MiB.
    var factor: Int
    var words: [String]

    /// The most memory that each byte may take, beyond what the program alone takes.
    var limit: Double {
      Double(factor * largest + 32 << 20 - MemoryTests.program - slack) / Double(largest)
    }
  }

  @Test("a file takes no more memory than the manual page says, whatever it holds")
  func bound() throws {
    let program = try Program()
    let files = HostileFile.all.filter {
      Self.wantedSize != nil || Self.dearest.contains($0.name)
    }
    var commands: [Command] = []
    for file in files {
      commands += try Self.commands(file, size: Self.size, program)
    }
    for (command, run) in zip(commands, try Self.run(commands, program)) {
      #expect(statuses(of: command).contains(run.status), "\(command.name): \(run.status)")
      let each = Double(run.peak - Self.slack - command.slack) / Double(command.size)
      #expect(
        each <= command.limit,
        "\(command.name): \(Int(each)) bytes for each of \(command.size)")
    }
  }

  @Test("an Automerge document takes no more memory for each operation than the manual page says")
  func automerge() throws {
    let program = try Program()
    let count = 200_000
    let nulls = Array(repeating: "null", count: count).joined(separator: ",")
    try "{\"list\":[\(nulls)]}".write(
      to: program.directory.appendingPathComponent("list.json"), atomically: true, encoding: .utf8)
    let made = try program.sh(
      """
      pnmerge import -q -o list.peernote list.json && wc -c < list.peernote
      pnmerge export -q --format automerge -o list.automerge list.peernote && wc -c < list.automerge
      """)
    let size = made.output.split(separator: "\n").last.flatMap { Int($0) }
    // The columns are runs, so that a few bytes hold all of it.
    #expect(try #require(size, "\(made)") < 1000)
    let file = program.directory.appendingPathComponent("list.automerge").path
    for (words, each) in [
      (["validate", "-q"], 160), (["cat"], 160), (["log"], 400), (["inspect"], 160),
      (["conflicts"], 160), (["repair", "-n", "-q", "-o", "new.automerge"], 400),
      (["import", "-n", "-q", "-o", "new.peernote"], 400),
    ] {
      let command = Command(
        name: words[0], size: count, largest: count, factor: each,
        words: [Program.path] + words + [file])
      let run = try #require(try Self.run([command], program).first)
      #expect(run.status == 0, "\(words)")
      let taken = (run.peak - Self.slack) / count
      #expect(taken <= each, "\(words[0]): \(taken) bytes for each operation")
    }
  }

  /// The commands that are tried on files of one kind and about that size.
  private static func commands(
    _ file: HostileFile, size: Int, _ program: Program
  ) throws -> [Command] {
    let document = try document(file, size: size)
    let bytes = document.bytes()
    var commands: [Command] = []
    func add(_ factor: Int, besides more: Int = 0, slack: Int = 0, _ words: [String]) {
      // What is not as long as asked for is as dear as can be already.
      let largest =
        wantedSize == nil && bytes.count > size / 10
        ? Self.largest[file.name] ?? 1_000_000 : bytes.count
      commands.append(
        Command(
          name: "\(file): \(words[0])", size: bytes.count + more, slack: slack,
          largest: largest + more * largest / bytes.count,
          factor: factor, words: [Program.path] + words))
    }
    func path(_ ending: String, _ bytes: [UInt8]) throws -> String {
      let name = "\(UUID().uuidString).\(ending)"
      let path = program.directory.appendingPathComponent(name)
      try Data(bytes).write(to: path)
      return path.path
    }
    let whole = try path("peernote", bytes)
    let damaged = try path("damaged", damaged(bytes))
    let copied = try file.sibling().bytes()
    let copy = try path("copy", copied)
    for words in readers { add(reading, words + [whole]) }
    // Both that parted long ago, and that have almost all in common, which is a history, too.
    let apart = try [61, 62].map { try path("apart", Self.goingOn(document, by: $0).bytes()) }
    for files in [[copy, whole], apart] {
      let more = files == apart ? bytes.count : copied.count
      let slack = files == apart || wantedSize != nil ? 0 : Self.places
      for words in comparisons { add(making, besides: more, slack: slack, words + files) }
    }
    // Others read the copy at the same time.
    add(making, ["merge", "--no-backup", "-q", "--json", try path("merged", copied), whole])
    add(making, ["redact", "--dry-run", "-q", "--matching", "pass", whole])
    if let last = document.changes.last?.id.description {
      add(making, ["cat", "--at", last, whole])
      add(making, ["cat", "--at", last, whole, "/body"])
    }
    let driven = try path("driven", copied)
    add(
      making, besides: copied.count + bytes.count,
      ["git", "driver", "--", whole, driven, whole, "7", "note"])
    add(making, ["repair", "--dry-run", "-q", "-o", "new", whole])
    for change in [document.changes.first, document.changes.last].compactMap(\.?.id) {
      // What it leads to is at least as long.
      add(
        making, besides: bytes.count,
        ["restore", "-n", "-q", "--at", change.description, whole])
    }
    let json = "\(whole).json"
    let content = try program.sh("pnmerge cat --format json '\(whole)' | tee '\(json)'").output
    add(making, besides: content.utf8.count, ["import", "-n", "-q", "-o", whole, json])
    add(repairing, ["repair", "--dry-run", "--json", "-o", "new", damaged])
    return commands
  }

  struct Run {
    var status: Int
    /// The most memory that was taken, in bytes, but for the program's code.
    var peak: Int
  }

  /// Runs commands, each for at most so many seconds of processor time.
  static func run(
    _ commands: [Command], _ program: Program, seconds: Int? = nil
  ) throws -> [Run] {
    try commands.map { $0.words.joined(separator: "\t") + "\n" }.joined().write(
      to: program.directory.appendingPathComponent("commands"), atomically: true, encoding: .utf8)
    let tool = Repository.path("Tests/Tools/peak_memory.py").path
    let limit = seconds.map { "ulimit -t \($0); " } ?? ""
    let run = try program.sh("\(limit)python3 -S '\(tool)' < commands")
    let runs = try run.output.split(separator: "\n").map { line in
      let words = line.split(separator: " ").compactMap { Int($0) }
      try #require(words.count == 2)
      return Run(status: words[0], peak: words[1] * 1024)
    }
    try #require(runs.count == commands.count, "\(run.errors)")
    return runs
  }

  /// How a command may end: what is different, undecided or not proven is no fault, and a document may
  /// have no text to blame for.
  private func statuses(of command: Command) -> Set<Int> {
    let refusals: Set<Int> = Self.wantedSize == nil ? [] : [4, 1]
    return switch command.words[1] {
    case "repair": [0, 1, 4]
    case "diff", "conflicts", "status": refusals.union([0, 1])
    case "blame": refusals.union([0, 64])
    // Without a repository it is not known what to take back.
    case "git": [0, 1]
    default: refusals.union([0])
    }
  }

  /// A file with wrong bits in the middle and near the end.
  private static func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var damaged = bytes
    damaged[bytes.count / 2] ^= 0x55
    damaged[bytes.count / 10 * 9] ^= 3
    return damaged
  }

  /// The document after one more change.
  static func goingOn(_ document: Document, by agent: UInt64) throws -> Document {
    var copy = document
    try copy.change(by: .person(agent, "good", at: 5)) { editor in
      try editor.put(.integer(Int64(agent)), at: JSONPointer(["own"]))
    }
    return copy
  }

  /// What says what two copies did since they parted.
  private static let comparisons = [["diff", "--json"], ["status", "-v"], ["merge", "-n", "-v"]]

  private static let readers = [
    ["validate", "-q"], ["cat"], ["cat", "--format", "json"], ["inspect"],
    ["inspect", "--changes", "--json"], ["log"], ["log", "--json"], ["blame"], ["blame", "--json"],
    ["conflicts", "--json"],
  ]

  /// A document of about that size, or smaller if that is beyond the limits.
  private static func document(_ file: HostileFile, size: Int) throws -> Document {
    var size = size
    while true {
      do {
        return try file.document(size: size)
      } catch let error as DocumentError where error.kind == .limit && size > 1000 {
        size /= 2
      }
    }
  }
}
