import ArgumentParser
import Foundation

struct Plot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draws what 'growth' measured.",
    discussion: "Example: peernote-bench plot growth.json -o growth.svg")

  @Argument(help: "The figures, as 'growth --json' wrote them.", completion: .file())
  var figures: String

  @Option(name: .shortAndLong, help: "The SVG file.", completion: .file())
  var output: String

  func run() throws {
    let report = try JSONDecoder().decode(
      GrowthReport.self, from: Data(contentsOf: URL(filePath: figures)))
    try Data(GrowthPlot(report).svg.utf8).write(to: URL(filePath: output))
  }
}
