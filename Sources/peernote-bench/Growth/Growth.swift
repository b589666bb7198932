import ArgumentParser
import Foundation
import PeernoteTestSupport

struct Growth: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures how time and memory grow with the length of synthetic histories.",
    discussion: """
      For each shape and size: builds the history from its changes, reads the file with its history, \
      opens it for the text, merges two copies, writes and validates it, each in a process of its \
      own. A growth is what an event takes at most, from the second size on, divided by what it \
      takes at that size; more than 2 is marked. The histories are the same in every run: people \
      who type runs of words, take a quarter of their edits back and jump now and then. Memory that \
      is freed is kept (by glibc), or only large histories would be charged for fresh pages.

      Example: peernote-bench growth --shape sequential
      """)

  @Option(name: .customLong("shape"), help: "A shape; all by default.")
  var shapes: [GrowthShape] = GrowthShape.allCases

  @Option(help: "About how many events the histories have, separated by commas.")
  var events = "10000,100000,1000000,10000000"

  func validate() throws {
    guard events.split(separator: ",").allSatisfy({ Int($0).map { $0 > 0 } ?? false }) else {
      throw ValidationError("--events takes numbers from 1 up, separated by commas")
    }
  }

  func run() throws {
    let sizes = events.split(separator: ",").compactMap { Int($0) }.sorted()
    let reports = try withTemporaryDirectory { folder in
      try shapes.map { shape in
        GrowthReport(shape: shape, points: try sizes.compactMap { try measure(shape, $0, folder) })
      }
    }
    for report in reports { print(report.table) }
  }

  /// Does all work on one history; `nil` if it cannot even be built.
  private func measure(
    _ shape: GrowthShape, _ events: Int, _ folder: URL
  ) throws -> GrowthReport.Point? {
    var point: GrowthReport.Point?
    for work in GrowthWork.allCases {
      FileHandle.standardError.write(Data("\(shape.rawValue) \(events) \(work.rawValue)\n".utf8))
      let answer = try perform(work, shape, events, folder)
      if let events = answer.events { point = GrowthReport.Point(events: events, work: [:]) }
      guard point != nil else {
        print("\(shape.rawValue), \(events) events: \(answer.work.refusal ?? "not built")")
        return nil
      }
      point?.work[work.rawValue] = answer.work
    }
    return point
  }

  /// Makes glibc's malloc keep what is freed (mallopt(3)).
  ///
  /// Else it gives large blocks back to the system at once, and small ones not, so that repeated
  /// work on histories of a megabyte or more, and on them alone, waits for fresh pages each time:
  /// as long as reading takes.
  private static let memory = [
    "MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=1000000000000",
  ]

  /// Runs one ``GrowthStep``.
  private func perform(
    _ work: GrowthWork, _ shape: GrowthShape, _ events: Int, _ folder: URL
  ) throws -> GrowthStep.Answer {
    let program = Bundle.main.executableURL?.path ?? "peernote-bench"
    let step = ["growth-step", work.rawValue, shape.rawValue, String(events), folder.path]
    let answer = try output(of: Self.memory + [program] + step)
    return try JSONDecoder().decode(GrowthStep.Answer.self, from: answer)
  }
}
