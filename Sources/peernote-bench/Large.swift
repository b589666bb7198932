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

/// What programs took, run after run.
struct ProcessSamples {
  /// The folder that they work in.
  let room: URL
  private var figures = PartSamples<ProcessFigures>()

  init(room: URL) {
    self.room = room
  }

  /// Runs a program to its end.
  mutating func measure(_ name: String, _ words: String...) throws {
    figures.add(name, try ProcessFigures(of: words, in: room))
  }

  /// The median of each, in the order in which they were first run.
  var medians: [(name: String, median: ProcessFigures)] {
    figures.parts.map { ($0.name, ProcessFigures.median(of: $0.samples)) }
  }
}

/// What a process took.
struct ProcessFigures {
  /// Of the processor, in user and system mode together.
  var seconds: Double
  /// From its start to its end.
  var elapsed: Double
  /// The most memory that was seen, in bytes.
  var peak: Int

  /// Runs a program to its end.
  ///
  /// - Throws: if it cannot be run, or fails.
  init(of words: [String], in directory: URL) throws {
    let process = newProcess(words, in: directory)
    process.standardOutput = FileHandle.nullDevice
    let before = try Self.secondsOfChildren()
    let start = ContinuousClock.now
    try process.run()
    peak = 0
    while process.isRunning {
      peak = max(peak, ProcessMemory.peak(of: process.processIdentifier) ?? 0)
      Thread.sleep(forTimeInterval: 0.002)
    }
    process.waitUntilExit()
    elapsed = (ContinuousClock.now - start) / .seconds(1)
    guard process.terminationStatus == 0 else {
      throw ValidationError("\(words.joined(separator: " ")) failed")
    }
    seconds = try Self.secondsOfChildren() - before
  }

  private init(seconds: Double, elapsed: Double, peak: Int) {
    (self.seconds, self.elapsed, self.peak) = (seconds, elapsed, peak)
  }

  /// What all processes that this one waited for took of the processor (proc(5), `cutime` and
  /// `cstime`).
  private static func secondsOfChildren() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
    // The name of the program, in parentheses, may hold spaces.
    let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 14, let user = Double(fields[13]), let system = Double(fields[14]) else {
      throw ValidationError("/proc/self/stat does not say what children took")
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The median of each figure.
  static func median(of samples: [ProcessFigures]) -> ProcessFigures {
    ProcessFigures(
      seconds: samples.map(\.seconds).median, elapsed: samples.map(\.elapsed).median,
      peak: samples.map(\.peak).median)
  }

  /// The figures, and how many times those of another process they are.
  func description(beside other: ProcessFigures) -> String {
    String(
      format: "%.2f s (%.2f of jq), %.0f MB (%.2f)", seconds, seconds / other.seconds,
      Double(peak) / 1e6, Double(peak) / Double(other.peak))
  }
}
