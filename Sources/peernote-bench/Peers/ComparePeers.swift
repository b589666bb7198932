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
      var (ownRound, theirRound) = (Samples(), others.map { _ in Samples() })
      try copies.work(&ownRound)
      for (index, peer) in others.enumerated() {
        for (work, times) in try peer.work() {
          for milliseconds in times {
            theirRound[index].add(work, .nanoseconds(Int(milliseconds * 1e6)))
          }
        }
      }
      // The first round warms up.
      if round == 0 { continue }
      own.add(ownRound)
      for index in others.indices { theirs[index].add(theirRound[index]) }
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
