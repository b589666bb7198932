import ArgumentParser
import Foundation
import PeernoteTestSupport

struct Large: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has pnmerge import, edit and merge a large JSON file, side by side with jq.",
    discussion: """
      The file holds a list of records with a number, a name, tags, an address inside, more numbers \
      and a short text: 202,000 of them make 47 MB. Each round runs "jq ." on it, imports it, sets \
      one value in each of two copies of the document, and merges the two. Told are medians of what \
      each takes, and how many times as much that is as jq takes. Linux only; needs jq and time.

      Example: peernote-bench large --pnmerge .build/release/pnmerge
      """)

  @Option(help: "How many records.", transform: number(from: 2))
  var records = 202_000

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var rounds = 3

  @OptionGroup var program: ProgramOption

  func run() throws {
    try withTemporaryDirectory { room in
      try Data(Self.text(records: records).utf8).write(to: room.appending(path: "large.json"))
      let one = room.appending(path: "one.peernote")
      let other = room.appending(path: "other.peernote")
      var samples = Samples()
      func pnmerge(_ command: String, _ arguments: String...) throws {
        try samples.run(command, [program.path, command, "-q"] + arguments, in: room)
      }
      for _ in 0..<rounds {
        try samples.run("jq", ["jq", ".", "large.json"], in: room)
        try pnmerge("import", "large.json", "-o", one.path)
        try FileManager.default.copyItem(at: one, to: other)
        try pnmerge("set", one.path, "/records/\(records / 2)/name", "\"Nobody\"")
        try pnmerge("set", other.path, "/records/1/visits", "17")
        try pnmerge("merge", one.path, other.path)
        for file in [one, other] { try FileManager.default.removeItem(at: file) }
      }
      print(samples.table(["jq": "jq", "import": "jq", "set": "jq", "merge": "jq"]))
    }
  }

  /// The same JSON text for the same number of records.
  private static func text(records: Int) -> String {
    let words = """
      alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma \
      tau upsilon phi chi psi omega
      """.split(separator: " ")
    var random = SplitMix64(seed: 7)
    func number(_ end: Int) -> Int { random.below(end) }
    func some(_ count: Int, _ separator: String = "") -> String {
      (0..<count).map { _ in random.pick(words) }.joined(separator: separator)
    }
    var text = #"{"records": ["#
    for id in 0..<records {
      text += id == 0 ? "\n" : ",\n"
      text += #"{"id": \#(id), "name": "\#(some(2, " "))", "tags": ["\#(some(3, #"", ""#))"], "#
      text += #""address": {"street": "\#(number(999)) \#(some(1)) street", "#
      text += #""city": "\#(some(1))", "zip": "\#(10_000 + number(90_000))"}, "#
      text += #""score": \#(number(100)).\#(10 + number(90)), "visits": \#(number(10_000)), "#
      text += #""text": "\#(some(9, " "))"}"#
    }
    return text + "\n]}\n"
  }
}
