import ArgumentParser
import Foundation
import Peernote

struct ComparePeers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-peers",
    abstract: "Does the same work with this library and with others, by turns.",
    discussion: """
      The work: merge two copies from memory to memory, once after other work has been done and \
      again, five times one right after another; open one for its text; and replay a whole history \
      (for this library: everything that validate checks). Each round does all of it with each \
      library; reported are medians and their ratios. The folder of traces holds in \
      offline/CASE.json.gz what two sides did after them; FILES holds CASE/PEER/{a,b,remote}.bin, \
      the same as the peers wrote it. With --json the figures are kept, and the command tables makes \
      the tables of measurements.

      The peers are Python packages: loro==1.17.1 and pycrdt==0.14.13, for the program that --python \
      names.

      Example: peernote-bench compare-peers files --python .peers/bin/python --json run.json
      """)

  @Argument(help: "The folder of the peers' files.", completion: .directory)
  var files: String

  @Option(help: "The folder of traces.", completion: .directory)
  var traces = TraceFolder.standard

  @Option(name: .customLong("case"), help: "A case, such as S1-1000; all by default.")
  var cases: [String] = []

  @Option(help: "The peers.")
  var peers = "loro,yrs,yrs-nogc"

  @Option(help: "The Python that has them.")
  var python = "python3"

  @Option(help: "How often.", transform: number(from: 1))
  var rounds = 11

  @Option(help: "A file for the figures in JSON.", completion: .file())
  var json: String?

  @Option(name: .customLong("name"), help: "What to call the run: when, and on which machine.")
  var runName = ""

  func run() throws {
    let folder = URL(filePath: files, directoryHint: .isDirectory)
    let names =
      cases.isEmpty
      ? try FileManager.default.contentsOfDirectory(atPath: files).sorted() : cases
    var comparisons: [PeerComparison] = []
    for name in names {
      let comparison = try compare(name, in: folder.appending(path: name))
      comparisons.append(comparison)
      print(comparison.rows.joined(separator: "\n"))
    }
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(PeerComparison.Report(run: runName, rounds: rounds, cases: comparisons))
        .write(to: URL(filePath: json))
    }
  }

  private func compare(_ name: String, in folder: URL) throws -> PeerComparison {
    let copies = try OwnCopies(case: name, traces: traces)
    let others = try peers.split(separator: ",").map(String.init).filter {
      FileManager.default.fileExists(atPath: folder.appending(path: "\($0)/a.bin").path)
    }.map { try Peer($0, python: python, folder: folder.appending(path: $0)) }
    var own = Samples()
    var theirs = others.map { _ in Samples() }
    for round in 0...rounds {
      // The one before the first warms up.
      if round == 1 { (own, theirs) = (Samples(), others.map { _ in Samples() }) }
      try copies.work(&own)
      for (index, peer) in others.enumerated() {
        for (work, times) in try peer.work() {
          for milliseconds in times {
            theirs[index].add(work, .nanoseconds(Int(milliseconds * 1e6)))
          }
        }
      }
    }
    for peer in others { try peer.finish() }
    return PeerComparison(
      name: name, bytes: copies.size, own: own.byName,
      peers: Dictionary(
        uniqueKeysWithValues: zip(others.map(\.name), theirs.map(\.byName))))
  }
}

/// Two copies of a trace's document that went on apart, as this library writes them.
struct OwnCopies {
  private let base: [UInt8]
  private let ours: [UInt8]
  private let theirs: [UInt8]

  init(case name: String, traces folder: String) throws {
    let trace = name.split(separator: "-").first.map(String.init) ?? name
    let copies = try OfflineCopies(
      trace: TraceFolder.file(trace, in: folder), sides: TraceFolder.sides(name, in: folder),
      changePerRun: false)
    base = copies.base.bytes()
    ours = copies.ours.bytes()
    theirs = copies.theirs.bytes()
  }

  /// How many bytes the document of the trace takes, with its whole history.
  var size: Int { base.count }

  /// Does the work of a round.
  func work(_ samples: inout Samples) throws {
    let size = try samples.measure("merge", merge)
    for _ in 0..<5 {
      guard try samples.measure("again", merge) == size else { throw isNotAsWritten }
    }
    let root = try samples.measure("open") { try DocumentReader(bytes: ours).root }
    let findings = samples.measure("replay") { Document.validate(bytes: base) }
    guard case .map = root, findings.isEmpty else { throw isNotAsWritten }
  }

  /// Merges the copies; returns how many bytes the result takes.
  private func merge() throws -> Int {
    var document = try Document(bytes: ours)
    let report = try document.merge(Document(bytes: theirs, beside: document))
    return withExtendedLifetime(report) { document.bytes().count }
  }

  private var isNotAsWritten: ValidationError {
    ValidationError("the copies are not as they were written")
  }
}

/// The medians of one case in milliseconds.
struct PeerComparison: Codable {
  var name: String
  /// The length of our file of the trace.
  var bytes: Int
  var own: [String: Double]
  var peers: [String: [String: Double]]

  struct Report: Codable {
    var schema = 2
    /// What the run is called; empty if it was not named.
    var run: String
    var rounds: Int
    var cases: [PeerComparison]
  }

  /// A table row for each kind of work: our milliseconds, and each peer's as a multiple of them.
  var rows: [String] {
    ["merge", "again", "open", "replay"].compactMap { work in
      guard let mine = own[work] else { return nil }
      let others = peers.sorted { $0.key < $1.key }.compactMap { name, times in
        times[work].map { String(format: "%@ %.1f times", name, $0 / mine) }
      }
      return String(format: "| %@ | %@ | %.3f ms | ", name, work, mine)
        + others.joined(separator: " | ") + " |"
    }
  }
}

/// Another library at work, in a Python process of its own.
final class Peer {
  let name: String
  private let process: Process
  private let requests = Pipe()
  private let answers = Pipe()
  private var unread = Data()

  /// Starts a peer on the two copies in a folder.
  init(_ name: String, python: String, folder: URL) throws {
    self.name = name
    process = newProcess([
      python, "-c", String(decoding: PackageResources.peers_py, as: UTF8.self), name, folder.path,
    ])
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
  }

  /// Does all work of a round; returns the milliseconds of each time it was done.
  func work() throws -> [String: [Double]] {
    try requests.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        let line = unread[..<end]
        unread = Data(unread[(end + 1)...])
        return try JSONDecoder().decode([String: [Double]].self, from: line)
      }
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { throw ValidationError("\(name) did not answer; is it installed?") }
      unread += more
    }
  }

  /// Lets the process end.
  func finish() throws {
    try requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}

struct Tables: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes the tables of measurements of one run of compare-peers.",
    discussion: """
      Prints Markdown, or puts it into a file between the lines that begin with <!-- tables and \
      <!-- end of tables, so that all figures there are of one run, which is named above them.

      Example: peernote-bench tables run.json --into Measurements.md
      """)

  @Argument(help: "What compare-peers --json wrote.", completion: .file())
  var figures: String

  @Option(help: "The file whose tables are replaced.", completion: .file())
  var into: String?

  func run() throws {
    let data = try Data(contentsOf: URL(filePath: figures))
    let report = try JSONDecoder().decode(PeerComparison.Report.self, from: data)
    guard let into else {
      print(report.markdown, terminator: "")
      return
    }
    let file = URL(filePath: into)
    let text = try String(contentsOf: file, encoding: .utf8)
    guard let begin = text.range(of: "<!-- tables"), let end = text.range(of: "<!-- end of tables"),
      let start = text.range(of: "\n", range: begin.upperBound..<end.lowerBound)
    else {
      throw ValidationError(
        "\(into): a line that begins with <!-- tables and one with <!-- end of tables are missing")
    }
    let replaced =
      text[..<start.upperBound] + "\n" + report.markdown + "\n" + text[end.lowerBound...]
    try Data(replaced.utf8).write(to: file)
  }
}

extension PeerComparison.Report {
  /// The peers in the order of their columns, with what stands above them.
  private static let peers = [("loro", "Loro"), ("yrs", "Yrs"), ("yrs-nogc", "Yrs, kept")]

  /// All tables.
  var markdown: String {
    let name = run.isEmpty ? "a run without a name" : run
    return "Run: \(name); medians of \(rounds) rounds.\n\n\(sizes)\n"
      + table(["merge", "again"]) + "\n" + table(["open", "replay"])
  }

  /// How long the file of each trace is.
  private var sizes: String {
    var traces: [(name: Substring, bytes: Int)] = []
    for comparison in cases {
      let trace = comparison.name.prefix { $0 != "-" }
      if !traces.contains(where: { $0.name == trace }) { traces.append((trace, comparison.bytes)) }
    }
    return Self.rows([
      [""] + traces.map { String($0.name) },
      ["file with full history, bytes"]
        + traces.map { $0.bytes.formatted(.number.locale(Locale(identifier: "en_US"))) },
    ])
  }

  /// Our milliseconds for kinds of work, and how many times as long each peer takes.
  private func table(_ works: [String]) -> String {
    let header = works.flatMap { work in [work] + Self.peers.map(\.1) }
    return Self.rows(
      [[""] + header]
        + cases.map { comparison in
          [comparison.name]
            + works.flatMap { work -> [String] in
              let own = comparison.own[work]
              return [own.map { String(format: "%.2f ms", $0) } ?? "–"]
                + Self.peers.map { peer, _ in
                  guard let own, let time = comparison.peers[peer]?[work] else { return "–" }
                  return String(format: "%.1f", time / own)
                }
            }
        })
  }

  private static func rows(_ rows: [[String]]) -> String {
    let lines = rows.map { "| \($0.joined(separator: " | ")) |\n" }
    let line = "|" + String(repeating: "---|", count: rows.first?.count ?? 0) + "\n"
    return (lines.prefix(1) + [line] + lines.dropFirst()).joined()
  }
}
