import ArgumentParser
import Peernote
import PeernoteTestSupport

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
