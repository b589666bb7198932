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
      var left = try samples.measure("read ours") { try Document(bytes: ours) }
      let right = try samples.measure("read theirs") { try Document(bytes: theirs, beside: left) }
      let report = try samples.measure("merge") { try left.merge(right) }
      size = withExtendedLifetime(report) { samples.measure("encode") { left.bytes().count } }
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
