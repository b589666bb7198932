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
      the same as the peers wrote it, for the peers that can do the case. With --json the figures \
      are kept, for the command tables.

      The peers are Python packages: loro==1.17.1 and pycrdt==0.14.13, for the program that --python \
      names.

      Example: peernote-bench compare-peers files --python .peers/bin/python --json run.json
      """)

  @Argument(help: "The folder of the peers' files.", completion: .directory)
  var files: String

  @Option(help: "The folder of traces.", completion: .directory)
  var traces = Trace.folder

  @Option(name: .customLong("case"), help: "A case, such as S1-1000; all by default.")
  var cases: [String] = []

  @Option(help: "The Python that has them.")
  var python = "python3"

  @Option(help: "How often.", transform: number(from: 1))
  var rounds = 11

  @Option(help: "A file for the figures in JSON.", completion: .file())
  var json: String?

  @Option(name: .customLong("name"), help: "What to call the run: when, and on which machine.")
  var runName = ""

  func run() throws {
    // A peer that is gone shows when it does not answer.
    signal(SIGPIPE, SIG_IGN)
    let names =
      cases.isEmpty
      ? try FileManager.default.contentsOfDirectory(atPath: files).sorted() : cases
    let report = PeerReport(run: runName, rounds: rounds, cases: try names.map(compare))
    print(report.markdown, terminator: "")
    guard let json else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(report).write(to: URL(filePath: json))
  }

  private func compare(_ name: String) throws -> PeerReport.Case {
    let copies = try OfflineCopies(
      trace: name.prefix { $0 != "-" } + "", sides: name, in: traces)
    let folder = URL(filePath: files).appending(path: name)
    let peers = try PeerReport.peers.map(\.key).map { folder.appending(path: $0) }.filter {
      FileManager.default.fileExists(atPath: $0.appending(path: "a.bin").path)
    }.map { try Peer(folder: $0, python: python) }
    var own = Samples()
    var others = peers.map { _ in Samples() }
    for round in 0...rounds {
      // The one before the first warms up.
      if round == 1 { (own, others) = (Samples(), peers.map { _ in Samples() }) }
      try copies.work(&own)
      for (index, peer) in peers.enumerated() { try peer.work(&others[index]) }
    }
    for peer in peers { try peer.finish() }
    return PeerReport.Case(
      name: name, bytes: copies.base.count, own: own.byName,
      peers: Dictionary(uniqueKeysWithValues: zip(peers.map(\.name), others.map(\.byName))))
  }
}

extension OfflineCopies {
  /// Does the work of a round.
  fileprivate func work(_ samples: inout Samples) throws {
    func merge() throws -> Int {
      var document = try Document(bytes: ours)
      let report = try document.merge(Document(bytes: theirs, beside: document))
      return withExtendedLifetime(report) { document.bytes().count }
    }
    let size = try samples.measure("merge", merge)
    let again = try (0..<5).map { _ in try samples.measure("again", merge) }
    let root = try samples.measure("open") { try DocumentReader(bytes: ours).root }
    let findings = samples.measure("replay") { Document.validate(bytes: base) }
    guard case .map = root, findings.isEmpty, again.allSatisfy({ $0 == size }) else {
      throw ValidationError("the copies are not as they were written")
    }
  }
}

/// Another library at work, in a Python process of its own.
private struct Peer {
  let name: String
  private let process: Process
  private let requests = Pipe()
  private let answers = Pipe()

  /// Starts the peer that a folder is named by on the two copies in it.
  init(folder: URL, python: String) throws {
    name = folder.lastPathComponent
    process = newProcess([
      python, "-c", String(decoding: PackageResources.peers_py, as: UTF8.self), name, folder.path,
    ])
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
  }

  /// Does all work of a round.
  func work(_ samples: inout Samples) throws {
    try? requests.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    var answer = Data()
    while answer.last != UInt8(ascii: "\n") {
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { throw ValidationError("\(name) did not answer; is it installed?") }
      answer += more
    }
    for (work, times) in try JSONDecoder().decode([String: [Double]].self, from: answer) {
      for time in times { samples.add(work, Samples.Sample(seconds: time / 1e3)) }
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
    let report = try JSONDecoder().decode(PeerReport.self, from: data)
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

/// What a run of ``ComparePeers`` measured.
struct PeerReport: Codable {
  var schema = 2
  /// What the run is called; empty if it was not named.
  var run: String
  var rounds: Int
  var cases: [Case]

  /// The medians of one case in milliseconds.
  struct Case: Codable {
    var name: String
    /// The length of our file of the trace.
    var bytes: Int
    var own: [String: Double]
    var peers: [String: [String: Double]]
  }

  /// The peers in the order of their columns, with what stands above them.
  static let peers: KeyValuePairs = ["loro": "Loro", "yrs": "Yrs", "yrs-nogc": "Yrs, kept"]

  /// All tables.
  var markdown: String {
    let name = run.isEmpty ? "a run without a name" : run
    return "Run: \(name); medians of \(rounds) rounds.\n\n\(sizes)\n"
      + table(["merge", "again"]) + "\n" + table(["open", "replay"])
  }

  /// How long the file of each trace is.
  private var sizes: String {
    var head = [""]
    var sizes = ["file with full history, bytes"]
    for each in cases {
      let trace = String(each.name.prefix { $0 != "-" })
      if head.contains(trace) { continue }
      head.append(trace)
      sizes.append(each.bytes.formatted(.number.locale(Locale(identifier: "en_US"))))
    }
    return markdownTable([head, sizes])
  }

  /// Our milliseconds for kinds of work, and how many times as long each peer takes.
  private func table(_ works: [String]) -> String {
    let head = works.flatMap { [$0] + Self.peers.map(\.value) }
    let rows = cases.map { each in
      [each.name]
        + works.flatMap { work in
          let own = each.own[work]
          return [own.map { String(format: "%.2f ms", $0) } ?? "–"]
            + Self.peers.map { peer, _ in
              guard let own, let time = each.peers[peer]?[work] else { return "–" }
              return String(format: "%.1f", time / own)
            }
        }
    }
    return markdownTable([[""] + head] + rows)
  }
}
