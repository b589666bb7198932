import ArgumentParser
import Foundation

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
      ["file with full history, bytes"] + traces.map { Self.grouped($0.bytes) },
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

  /// A number with commas between groups of three digits.
  private static func grouped(_ number: Int) -> String {
    var digits = String(number)
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return digits
  }
}
