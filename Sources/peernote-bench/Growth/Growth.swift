import ArgumentParser
import Foundation
import Peernote
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
    var point = GrowthReport.Point()
    for work in GrowthWork.allCases {
      FileHandle.standardError.write(Data("\(shape.rawValue) \(events) \(work.rawValue)\n".utf8))
      let done = try perform(work, shape, events, folder)
      if work == .build, done.events == nil {
        print("\(shape.rawValue), \(events) events: \(done.refusal ?? "not built")")
        return nil
      }
      point.work[work] = done
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
  ) throws -> GrowthReport.Work {
    let program = Bundle.main.executableURL?.path ?? "peernote-bench"
    let step = ["growth-step", work.rawValue, shape.rawValue, String(events), folder.path]
    let answer = try output(of: Self.memory + [program] + step)
    return try JSONDecoder().decode(GrowthReport.Work.self, from: answer)
  }
}

/// Does one kind of work on one history, in a process of its own, so that nothing that was done
/// before shows in its memory.
struct GrowthStep: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth-step", abstract: "One measurement of 'growth'.", shouldDisplay: false)

  @Argument var work: GrowthWork
  @Argument var shape: GrowthShape
  @Argument var events: Int
  @Argument var folder: String

  /// Short work is repeated for so long, and so often at most.
  private static let patience = Duration.milliseconds(400)
  private static let repetitions = 31

  func run() throws {
    var done = GrowthReport.Work()
    try warmUp()
    do {
      try perform(&done)
    } catch let error as DocumentError where error.kind == .limit {
      done.refusal = "\(error)"
    } catch let error as MergeError {
      guard case .damaged(let fault) = error, fault.kind == .limit else { throw error }
      done.refusal = "\(fault)"
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(done))
  }

  /// Does everything once on a short history, so that no code is loaded while memory is measured.
  private func warmUp() throws {
    let history = GrowthHistory(shape, events: 2000)
    let bytes = try Self.document(history.changes).bytes()
    var document = try Self.document(history.ourChanges)
    let report = try document.merge(Self.document(history.theirChanges))
    let root = try DocumentReader(bytes: bytes).root
    guard document.bytes() == bytes, document.root == root, Document.validate(bytes: bytes) == []
    else { throw ValidationError("\(shape.rawValue): the merge differs") }
    withExtendedLifetime(report) {}
  }

  private func perform(_ result: inout GrowthReport.Work) throws {
    switch work {
    case .build: try build(&result)
    case .read:
      let bytes = try file("all")
      try measure(&result) { try Document(bytes: bytes).eventCount }
    case .open:
      let bytes = try file("all")
      try measure(&result) { try DocumentReader(bytes: bytes).root }
    case .merge:
      let ours = try Document(bytes: file("ours"))
      let theirs = try Document(bytes: file("theirs"), beside: ours)
      let merged = try measure(&result) {
        var document = ours
        let report = try document.merge(theirs)
        return (document, report)
      }
      guard try merged.0.bytes() == file("all") else {
        throw ValidationError("\(shape.rawValue): the merge differs")
      }
    case .write:
      let document = try Document(bytes: file("all"))
      try measure(&result) { document.bytes() }
    case .validate:
      let bytes = try file("all")
      let findings = try measure(&result) { Document.validate(bytes: bytes) }
      if let finding = findings.first {
        result = GrowthReport.Work(refusal: "\(finding)")
      }
    }
  }

  /// Builds the documents of the whole history and of its two copies, and writes them.
  private func build(_ result: inout GrowthReport.Work) throws {
    let history = GrowthHistory(shape, events: events)
    let document = try measure(&result) { try Self.document(history.changes) }
    try write(document.bytes(), "all")
    try write(try Self.document(history.ourChanges).bytes(), "ours")
    try write(try Self.document(history.theirChanges).bytes(), "theirs")
    result.events = document.eventCount
  }

  private static func document(_ changes: [Change]) throws -> Document {
    try Document(id: GrowthHistory.id, changes: changes, recoveringDeletedText: true)
  }

  /// Times some work, and notes the memory that it takes the first time.
  @discardableResult
  private func measure<Result>(
    _ result: inout GrowthReport.Work, _ body: () throws -> Result
  ) throws -> Result {
    ProcessMemory.resetPeak()
    let before = ProcessMemory.resident()
    var samples = Samples()
    let start = ContinuousClock.now
    var last = try samples.measure("") { try body() }
    if let before, let peak = ProcessMemory.peak() { result.peakBytes = max(0, peak - before) }
    var count = 1
    while count < Self.repetitions, ContinuousClock.now - start < Self.patience {
      last = try samples.measure("") { try body() }
      count += 1
    }
    result.seconds = samples.medians[0].milliseconds / 1e3
    return last
  }

  private func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: folder).appending(path: "\(name).peernote")))
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(filePath: folder).appending(path: "\(name).peernote"))
  }
}

/// What is done with a history.
enum GrowthWork: String, CaseIterable, ExpressibleByArgument {
  case build, read, open, merge, write, validate

  var title: String {
    switch self {
    case .build: "build from changes"
    case .read: "read with history"
    case .open: "open for the text"
    case .merge: "merge two copies"
    case .write: "write"
    case .validate: "validate"
    }
  }
}

/// What a run of ``Growth`` measured of histories of a shape.
struct GrowthReport {
  var shape: GrowthShape
  /// Ascending by events.
  var points: [Point]

  /// One history.
  struct Point {
    var work: [GrowthWork: Work] = [:]
    /// How many it has, which building it tells.
    var events: Int { work[.build]?.events ?? 1 }
  }

  /// What some work on a history took; it is also what the process that does it says.
  struct Work: Codable {
    /// How many events the whole history has; after building only.
    var events: Int?
    /// The median; `nil` if it was refused.
    var seconds: Double?
    /// How much memory the process took beyond what it had before, at the most.
    var peakBytes: Int?
    /// Why it was refused.
    var refusal: String?
  }

  /// What is measured, with a value for each point; `nil` where there is nothing.
  private var measures: [(title: String, values: [Double?])] {
    func values(_ work: GrowthWork, _ value: (Work) -> Double?) -> [Double?] {
      points.map { point in
        point.work[work].flatMap(value).map { $0 / Double(point.events) }
      }
    }
    return GrowthWork.allCases.map { work in
      ("\(work.title), ns an event", values(work) { $0.seconds.map { $0 * 1e9 } })
    }
      + [GrowthWork.read, .merge, .validate].map { work in
        (
          "memory to \(work.rawValue), bytes an event",
          values(work) { $0.peakBytes.map { Double($0) } }
        )
      }
  }

  /// How many times as much a measure takes at most, from the second size on, as at that size.
  private func growth(of values: [Double?]) -> Double? {
    let values = values.dropFirst().compactMap(\.self)
    guard let first = values.first, let most = values.max(), first > 0 else { return nil }
    return most / first
  }

  /// The figures as a table, a line for each measure.
  var table: String {
    let sizes = points.map { Self.column(String($0.events)) }.joined()
    var lines = ["\(shape.title): \(shape.explanation)", "  \(Self.padded(""))\(sizes)  growth"]
    for (title, values) in measures {
      let columns = values.map { Self.column($0.map { String(format: "%.1f", $0) } ?? "-") }
      let growth = growth(of: values).map { String(format: "%8.2f%@", $0, $0 > 2 ? " *" : "") }
      lines.append("  \(Self.padded(title))\(columns.joined())\(growth ?? "")")
    }
    for point in points {
      for (work, done) in point.work.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        guard let refusal = done.refusal else { continue }
        lines.append("  \(point.events) events: \(work.rawValue) refused: \(refusal)")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 34 - text.count))
  }

  private static func column(_ text: String) -> String {
    String(repeating: " ", count: max(1, 11 - text.count)) + text
  }
}
