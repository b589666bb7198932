import ArgumentParser
import Foundation
import PeernoteTestSupport

struct Large: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Has pnmerge import, edit and merge a large JSON file, side by side with jq.",
    discussion: """
      The file holds a list of records with a number, a name, tags, an address inside, more numbers \
      and a short text: 202,000 of them make 47 MB. Each round runs "jq ." on it, imports it, sets \
      one value in each of two copies of the document, and merges the two. Told are medians of the \
      processor time (user and system together) and of the most memory, and how many times those \
      of jq they are. Linux only; needs jq.

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
      var samples = ProcessSamples(room: room)
      for _ in 0..<rounds { try run(&samples) }
      guard let jq = samples.medians.first?.median else { return }
      for (name, median) in samples.medians { print("\(name): \(median.description(beside: jq))") }
    }
  }

  /// Runs all programs once.
  private func run(_ samples: inout ProcessSamples) throws {
    let (program, room) = (program.path, samples.room)
    let (one, other) = ("one.peernote", "other.peernote")
    try samples.measure("jq", "jq", ".", "large.json")
    try samples.measure("import", program, "import", "-q", "large.json", "-o", one)
    try FileManager.default.copyItem(
      at: room.appending(path: one), to: room.appending(path: other))
    try samples.measure(
      "set", program, "set", "-q", one, "/records/\(records / 2)/name", "\"Nobody\"")
    try samples.measure("set", program, "set", "-q", other, "/records/1/visits", "17")
    try samples.measure("merge", program, "merge", "-q", one, other)
    for name in [one, other] { try FileManager.default.removeItem(at: room.appending(path: name)) }
  }

  /// The same JSON text for the same number of records.
  private static func text(records: Int) -> String {
    let words = [
      "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
      "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi",
      "psi", "omega",
    ]
    var random = SplitMix64(seed: 7)
    func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
    func some(_ count: Int, _ separator: String) -> String {
      (0..<count).map { _ in words[number(words.count)] }.joined(separator: separator)
    }
    var text = #"{"records": ["#
    for id in 0..<records {
      text += id == 0 ? "\n" : ",\n"
      text += #"{"id": \#(id), "name": "\#(some(2, " "))", "tags": ["\#(some(3, #"", ""#))"], "#
      text += #""address": {"street": "\#(number(999)) \#(some(1, "")) street", "#
      text += #""city": "\#(some(1, ""))", "zip": "\#(10_000 + number(90_000))"}, "#
      text += #""score": \#(number(100)).\#(10 + number(90)), "visits": \#(number(10_000)), "#
      text += #""text": "\#(some(9, " "))"}"#
    }
    return text + "\n]}\n"
  }
}
