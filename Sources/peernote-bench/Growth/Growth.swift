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

      The copies hold the first half and all, of: sequential, changes of 500 events by one author; \
      ping-pong, two authors by turns of 200; criss-cross, two who save every 100 and always see the \
      other's last save but one, so that no version is ever critical. Or each holds half of the \
      branches: two-branches, after a tenth of all; thousand-branches, after half of it.

      Example: peernote-bench growth --shape sequential
      """)

  @Option(name: .customLong("shape"), help: "A shape; all by default.")
  var shapes: [GrowthShape] = GrowthShape.allCases

  @Option(help: "About how many events the histories have, separated by commas.")
  var events = "10000,100000,1000000,10000000"

  func run() throws {
    let sizes = try events.split(separator: ",").map { try number(from: 1)(String($0)) }.sorted()
    for shape in shapes {
      say(shape.rawValue)
      say(markdownTable(table(try sizes.map { try measure(shape, $0) })))
    }
  }

  /// Makes glibc's malloc keep what is freed (mallopt(3)).
  ///
  /// Else it gives large blocks back to the system at once, and small ones not, so that repeated
  /// work on histories of a megabyte or more, and on them alone, waits for fresh pages each time:
  /// as long as reading takes.
  private static let memory = [
    "MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=1000000000000",
  ]

  /// How many events a history has, and what each kind of work on it takes.
  private typealias Figures = (events: Int, work: [[Double]])

  /// Does all work on a history.
  private func measure(_ shape: GrowthShape, _ events: Int) throws -> Figures {
    try withTemporaryDirectory { folder in
      let history = GrowthHistory(shape, events: events)
      let all = try Trace.document(history.changes)
      let ours = try Trace.document(history.ourChanges)
      let theirs = try Trace.document(history.theirChanges)
      for (name, document) in [("all", all), ("ours", ours), ("theirs", theirs)] {
        try Data(document.bytes()).write(to: folder.appending(path: name))
      }
      var merged = ours
      _ = try merged.merge(theirs)
      guard merged.bytes() == all.bytes(), Document.validate(bytes: all.bytes()).isEmpty else {
        throw ValidationError("\(shape.rawValue): the merge differs")
      }
      let program = Bundle.main.executableURL?.path ?? "peernote-bench"
      let work = try GrowthWork.allCases.map { work in
        let step = ["growth-step", work.rawValue, shape.rawValue, "\(events)", folder.path]
        let answer = String(decoding: try output(of: Self.memory + [program] + step), as: UTF8.self)
        return answer.split(separator: " ").compactMap { Double($0) }
      }
      return (all.eventCount, work)
    }
  }

  /// A row for each measure, with a column for each history.
  private func table(_ histories: [Figures]) -> [[String]] {
    var rows = [["each event's"] + histories.map { "\($0.events)" } + ["growth"]]
    func add(_ title: String, _ figure: ([[Double]]) -> Double) {
      let values = histories.map { figure($0.work) / Double($0.events) }
      let later = values.dropFirst()
      let growth = (later.max() ?? 0) / (later.first ?? 0)
      rows.append(
        [title] + values.map { String(format: "%.1f", $0) }
          + [growth.isFinite ? String(format: "%.2f%@", growth, growth > 2 ? " *" : "") : ""])
    }
    let works = Array(GrowthWork.allCases.enumerated())
    for (index, work) in works {
      add("time to \(work.rawValue), ns") { $0[index][0] * 1e9 }
    }
    for (index, work) in works where [.read, .merge, .validate].contains(work) {
      add("memory to \(work.rawValue), bytes") { $0[index][1] }
    }
    return rows
  }
}

/// What is done with a history.
enum GrowthWork: String, CaseIterable, ExpressibleByArgument {
  case build, read, open, merge, write, validate
}

/// Does one kind of work on one history, in a process of its own, so that nothing that was done
/// before shows in its memory.
///
/// Prints the seconds that it takes, and how many bytes of memory the process took beyond what it
/// had before, at the most.
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
    try warmUp()
    let work = try prepared()
    // Forgets the most memory that this process has taken (proc(5)).
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    let before = memory("VmRSS")
    var samples = Samples()
    let start = ContinuousClock.now
    var last = try samples.measure("", work)
    let peak = max(0, memory("VmHWM") - before)
    var count = 1
    while count < Self.repetitions, ContinuousClock.now - start < Self.patience {
      last = try samples.measure("", work)
      count += 1
    }
    withExtendedLifetime(last) {}
    print(samples[""].seconds, peak, terminator: "")
  }

  /// Does everything once on a short history, so that no code is loaded while memory is measured.
  private func warmUp() throws {
    let history = GrowthHistory(shape, events: 2000)
    var document = try Trace.document(history.ourChanges)
    _ = try document.merge(Trace.document(history.theirChanges))
    let bytes = document.bytes()
    _ = try (Document(bytes: bytes), DocumentReader(bytes: bytes).root)
    _ = Document.validate(bytes: bytes)
  }

  /// The work, which returns what is not freed while it is timed.
  private func prepared() throws -> () throws -> Any {
    let all = try file("all")
    switch work {
    case .build:
      let history = GrowthHistory(shape, events: events)
      return { try Trace.document(history.changes) }
    case .read: return { try Document(bytes: all).eventCount }
    case .open: return { try DocumentReader(bytes: all).root }
    case .merge:
      let ours = try Document(bytes: file("ours"))
      let theirs = try Document(bytes: file("theirs"), beside: ours)
      return {
        var document = ours
        let report = try document.merge(theirs)
        return (document, report)
      }
    case .write:
      let document = try Document(bytes: all)
      return { document.bytes() }
    case .validate:
      return { Document.validate(bytes: all) }
    }
  }

  private func file(_ name: String) throws -> [UInt8] {
    try bytes(of: URL(filePath: folder).appending(path: name).path)
  }
}
