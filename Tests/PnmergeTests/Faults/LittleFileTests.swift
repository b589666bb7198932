import Foundation
import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Files of some 200 bytes that speak of as many changes or events as a file may have at all, or as
/// one of that length may: typed, deleted and redacted, so that nothing is left but their number.
@Suite(
  "Little files that speak of much",
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
  .enabled(if: Sanitizer.current == nil, "a sanitizer takes memory of its own"))
struct LittleFileTests {
  struct Kind: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// How many scalars were typed and deleted.
    var scalars: UInt64
    /// Whether each event is a change of its own.
    var isChangeEach = false
    var isSound: Bool

    static let all = [
      Kind(testDescription: "2^30 events in one change", scalars: 1 << 29 - 1, isSound: false),
      Kind(testDescription: "2^27 events in one change", scalars: 1 << 26, isSound: true),
      Kind(
        testDescription: "2^24 changes", scalars: 1 << 23 - 2, isChangeEach: true, isSound: false),
      Kind(
        testDescription: "2^16 changes", scalars: 1 << 15 - 1, isChangeEach: true, isSound: true),
    ]

    /// The file; its last change is the last one of agent 1.
    var file: (bytes: [UInt8], last: ChangeID) {
      let events = 2 * scalars + 1
      let changes = isChangeEach ? events : 1
      var file = ForgedFile(id: bigEndian(1) + bigEndian(2))
      file.setHeads([(1, changes)])
      file.view = .array([.map([.string("body"), .tag(61556, .string(""))]), .array([])])
      file.log.agents = bigEndian(1)
      file.log.authors = ["ann"]
      file.log.keys = ["body"]
      file.log.values = [0xD9, 0xF0, 0x74, 0x60]
      file.log.chains = column(0, changes - 1, 0)
      file.log.counts = column(changes, events / changes)
      file.log.metadata = column(changes, zigzag(1000), 0, 0)
      file.log.operations = column(
        Row.put, 0, Row.target, 1, Row.insert(scalars), Row.backward(scalars))
      file.log.redactions = column(0, scalars)
      return (file.bytes, ChangeID(agent: AgentID(rawValue: 1), sequence: Int(changes)))
    }
  }

  @Test(
    "every command takes little memory and time, and says what is wrong", arguments: Kind.all)
  func bounds(_ kind: Kind) throws {
    let program = try Program()
    let (bytes, last) = kind.file
    #expect(bytes.count < 400)
    #expect(((try? Document(bytes: bytes)) != nil) == kind.isSound)
    func path(_ name: String, _ bytes: [UInt8]) throws -> String {
      let path = program.directory.appendingPathComponent(name)
      try Data(bytes).write(to: path)
      return path.path
    }
    let whole = try path("whole", bytes)
    var other = Document(id: UniqueID(high: 1, low: 2))
    if kind.isSound { other = try MemoryTests.goingOn(Document(bytes: bytes), by: 61) }
    func copy(_ name: String) throws -> String { try path(name, other.bytes()) }
    var damaged = bytes
    damaged[bytes.count - 50] ^= 0x55
    let calls: [[String]] = [
      ["validate", "-q", whole], ["cat", whole], ["inspect", whole],
      ["inspect", "--changes", "--json", whole], ["log", whole], ["log", "--json", whole],
      ["blame", whole, "/body"], ["conflicts", "--json", whole], ["cat", "--at", "\(last)", whole],
      ["cat", "--at", "\(last)", whole, "/body"],
      ["restore", "-n", "-q", "--at", "\(last)", whole],
      ["diff", "--json", try copy("diffed"), whole], ["status", "-v", try copy("asked"), whole],
      ["merge", "-n", "-v", try copy("tried"), whole],
      ["merge", "--no-backup", "-q", try copy("merged"), whole],
      ["merge", "--no-backup", "-q", try path("into", bytes), try copy("from")],
      ["git", "driver", "--", whole, try path("driven", bytes), try copy("incoming"), "7", "note"],
      ["redact", "-n", "-q", "--matching", "pass", whole],
      ["repair", "-n", "-q", "-o", "new", whole],
      ["repair", "-n", "--json", "-o", "new", try path("damaged", damaged)],
    ]
    let commands = calls.map { words in
      MemoryTests.Command(
        name: words[0], size: bytes.count, largest: bytes.count, factor: MemoryTests.making,
        words: [Program.path] + words)
    }
    for (words, run) in zip(calls, try MemoryTests.run(commands, program, seconds: 60)) {
      #expect(statuses(of: words, kind).contains(run.status), "\(words): \(run.status)")
      #expect(
        run.peak <= MemoryTests.slack + 32 << 20 - MemoryTests.program,
        "\(words): \(run.peak) bytes")
    }
  }

  /// How a command may end: what is beyond the limits is refused, and so is a past in which too much
  /// is redacted.
  private func statuses(of words: [String], _ kind: Kind) -> Set<Int> {
    switch words[0] {
    case _ where kind.isSound: [0, 1, 4]
    case "repair", "git", "inspect": [0, 1, 4]
    case "validate": [1]
    // The content alone is read without the log.
    case "cat" where words.count == 2: [0]
    default: [4]
    }
  }
}
