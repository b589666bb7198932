import ArgumentParser
import Peernote
import PeernoteTestSupport

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

  func run() throws {
    let ours = try bytes(of: ours)
    let theirs = try bytes(of: theirs)
    var samples = Samples()
    var size = 0
    for _ in 0..<runs {
      let start = ContinuousClock.now
      var left = try samples.measure("read ours") { try Document(bytes: ours) }
      let right = try samples.measure("read theirs") { try Document(bytes: theirs, beside: left) }
      let report = try samples.measure("merge") { try left.merge(right) }
      size = withExtendedLifetime(report) { samples.measure("encode") { left.bytes().count } }
      samples.add("total", since: start)
    }
    print("\(samples); \(ours.count) + \(theirs.count) -> \(size) bytes")
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
        try samples.measure("edits alone") { try type(letters) { _, _ in } }
        var told = 0
        try samples.measure("told") {
          try type(letters) { old, new in told += new.patches(from: old).count }
        }
        precondition(told == count, "each keystroke is one patch")
      }
      print("\(name): \(samples)")
    }
  }

  private func type(
    _ letters: String, _ tell: (borrowing Document, borrowing Document) -> Void
  ) throws {
    var numbers = SplitMix64(seed: 1)
    let body = JSONPointer(["body"])
    let session = DocumentSession.person(1)
    var document = Document(id: UniqueID(high: 1, low: 2))
    let text = String(repeating: letters, count: size / letters.utf8.count)
    try document.change(by: session) { try $0.put(node: .text(text), at: body) }
    var caret = 0
    for number in 0..<count {
      if number % 50 == 0 {
        caret = Int.random(in: 0...text.unicodeScalars.count + number, using: &numbers)
      }
      let old = document
      try document.change(by: session) {
        try $0.spliceText(at: body, scalars: caret..<caret, with: letters.prefix(1) + "")
      }
      tell(old, document)
      caret += 1
    }
  }
}
