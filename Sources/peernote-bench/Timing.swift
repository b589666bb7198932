import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

struct Open: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times opening a file: its text alone, with its history, and a full check.",
    discussion: "Example: peernote-bench open a.peernote --runs 50")

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var runs = 21

  func run() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    var samples = Samples()
    for _ in 0..<runs {
      let root = try samples.measure("text") { try DocumentReader(bytes: bytes).root }
      let document = try samples.measure("history") { try Document(bytes: bytes) }
      let findings = samples.measure("validate") { Document.validate(bytes: bytes) }
      guard findings.isEmpty, document.root == root else {
        throw ValidationError("\(file): \(findings.first?.description ?? "the view differs")")
      }
    }
    print("\(samples.description); \(bytes.count) bytes")
  }
}

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times the parts of a merge of two files, in memory.",
    discussion: "Example: peernote-bench merge a.peernote b.peernote --runs 50")

  @Argument(help: "The file merged into.", completion: .file())
  var ours: String

  @Argument(help: "The file merged from.", completion: .file())
  var theirs: String

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var runs = 21

  @Flag(help: "Empties the processor's caches between runs, as other work would.")
  var cold = false

  func run() throws {
    let ours = [UInt8](try Data(contentsOf: URL(filePath: ours)))
    let theirs = [UInt8](try Data(contentsOf: URL(filePath: theirs)))
    var samples = Samples()
    var size = 0
    var other = [UInt64](repeating: 1, count: cold ? 1 << 23 : 0)
    for _ in 0..<runs {
      for index in other.indices { other[index] &+= UInt64(index) }
      let start = ContinuousClock.now
      size = try samples.measureMerge(ours, theirs)
      samples.add("total", ContinuousClock.now - start)
    }
    withExtendedLifetime(other) {}
    print("\(samples.description); \(ours.count) + \(theirs.count) -> \(size) bytes")
  }
}

struct Observe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times keystrokes in a long text, alone and told as patches, by turns.",
    discussion: """
      Each keystroke is a change of one letter, typed one after the other, with a jump after every 50. \
      Once in words, once in a run of one letter.

      Example: peernote-bench observe
      """)

  @Option(help: "How many keystrokes.")
  var count = 10_000

  @Option(help: "How many bytes the text has at first.")
  var size = 100_000

  func run() throws {
    for (name, letters) in [("words", "the quick brown fox jumps "), ("one letter", "a")] {
      var samples = Samples()
      for _ in 0..<3 {
        try samples.measure("edits alone") { _ = try type(letters) { _, _ in } }
        var told = 0
        try samples.measure("told") {
          _ = try type(letters) { old, new in told += new.patches(from: old).count }
        }
        precondition(told == count, "each keystroke is one patch")
      }
      print("\(name): \(samples.description)")
    }
  }

  private func type(
    _ letters: String, _ tell: (borrowing Document, borrowing Document) -> Void
  ) throws -> Document {
    var numbers = SplitMix64(seed: 1)
    let body = JSONPointer(["body"])
    var document = Document(id: UniqueID(high: 1, low: 2))
    let text = String(repeating: letters, count: size / letters.utf8.count)
    let session = DocumentSession(agent: 1)
    try document.change(by: session) { editor in
      try editor.put(node: .text(text), at: body)
    }
    var length = text.unicodeScalars.count
    var caret = 0
    for number in 0..<count {
      if number % 50 == 0 { caret = Int.random(in: 0...length, using: &numbers) }
      let old = document
      try document.change(by: session) { editor in
        try editor.spliceText(at: body, scalars: caret..<caret, with: letters.prefix(1) + "")
      }
      tell(old, document)
      caret += 1
      length += 1
    }
    return document
  }
}

struct Lists: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times edits of a long list on two sides, and their merge.",
    discussion: """
      Half of the edits insert an element, a quarter moves one and a quarter removes one, each at a \
      random place, or with --front all of them insert at the start. Each side makes one change of \
      its edits, or with --edits-per-change several. What one more change of a single edit costs is \
      timed on the list as it is at first.

      Example: peernote-bench lists --elements 100000 --edits 10000
      """)

  @Option(help: "How long the list is.", transform: number(from: 1))
  var elements = 100_000

  @Option(help: "How many edits each side makes.", transform: number(from: 1))
  var edits = 10_000

  @Option(help: "How many edits make a change; 0: all.", transform: number(from: 0))
  var editsPerChange = 0

  @Flag(help: "Insert at the start only.")
  var front = false

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var runs = 5

  func run() throws {
    var base = Document(id: UniqueID(high: 1, low: 2))
    try base.change(by: DocumentSession(agent: 1)) { editor in
      try editor.putContainer(.list, at: JSONPointer(["list"]))
      try editor.insert(
        nodes: (0..<elements).map { .value(.integer(Int64($0))) }, at: JSONPointer(["list", "-"]))
    }
    var samples = Samples()
    try timeSmallChanges(base, &samples)
    var size = 0
    for run in 0..<runs {
      var (ours, theirs) = (base, base)
      try samples.measure("edit") { try edit(&ours, agent: 2, seed: UInt64(2 * run + 1)) }
      try edit(&theirs, agent: 3, seed: UInt64(2 * run + 2))
      size = try samples.measureMerge(ours.bytes(), theirs.bytes())
    }
    print("\(samples.description); \(size) bytes")
  }

  private func timeSmallChanges(_ base: Document, _ samples: inout Samples) throws {
    var document = try Document(bytes: base.bytes())
    var random = SplitMix64(seed: 7)
    var count = elements
    for number in 0..<200 {
      try samples.measure(number == 0 ? "first change" : "one change") {
        _ = try document.change(by: DocumentSession(agent: 4)) { editor in
          try edit(&editor, count: &count, &random)
        }
      }
    }
  }

  private func edit(_ document: inout Document, agent: UInt64, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var count = elements
    var left = edits
    while left > 0 {
      let now = editsPerChange == 0 ? left : min(left, editsPerChange)
      left -= now
      try document.change(by: DocumentSession(agent: agent)) { editor in
        for _ in 0..<now { try edit(&editor, count: &count, &random) }
      }
    }
  }

  private func edit(_ editor: inout Editor, count: inout Int, _ random: inout SplitMix64) throws {
    func place(_ limit: Int) -> JSONPointer {
      JSONPointer(["list", String(Int.random(in: 0..<limit, using: &random))])
    }
    let choice = front || count == 0 ? 0 : Int.random(in: 0..<4, using: &random)
    switch choice {
    case 2:
      try editor.move(from: place(count), to: place(count))
    case 3:
      try editor.remove(at: place(count))
      count -= 1
    default:
      let node = DocumentNode.value(.integer(Int64.random(in: 0..<1_000_000, using: &random)))
      try editor.insert(node: node, at: front ? JSONPointer(["list", "0"]) : place(count + 1))
      count += 1
    }
  }
}
