import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

struct Lists: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times edits of a long list on two sides, and their merge.",
    discussion: """
      Half of the edits insert an element, a quarter moves one and a quarter removes one, each at a \
      random place, or with --front all of them insert at the start. Each side makes one change of \
      its edits, or with --edits-per-change several. What one more change of a single edit costs is \
      timed on the list as it is at first.

      Example: peernote-bench lists --elements 100000 --edits 10000
      """)

  @Option(help: "How long the list is.", transform: number(from: 1))
  var elements = 100_000

  @Option(help: "How many edits each side makes.", transform: number(from: 1))
  var edits = 10_000

  @Option(help: "How many edits make a change; 0: all.", transform: number(from: 0))
  var editsPerChange = 0

  @Flag(help: "Insert at the start only.")
  var front = false

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var runs = 5

  func run() throws {
    var base = Document(id: UniqueID(high: 1, low: 2))
    try base.change(by: DocumentSession(agent: 1)) { editor in
      try editor.putContainer(.list, at: JSONPointer(["list"]))
      try editor.insert(
        (0..<elements).map { Content.value(.integer(Int64($0))) }, at: JSONPointer(["list", "-"]))
    }
    var samples = Samples()
    try timeSmallChanges(base, &samples)
    var size = 0
    for run in 0..<runs {
      var (ours, theirs) = (base, base)
      try samples.measure("edit") { try edit(&ours, agent: 2, seed: UInt64(2 * run + 1)) }
      try edit(&theirs, agent: 3, seed: UInt64(2 * run + 2))
      size = try samples.measureMerge(ours.bytes(), theirs.bytes())
    }
    print("\(samples.description); \(size) bytes")
  }

  private func timeSmallChanges(_ base: Document, _ samples: inout Samples) throws {
    var document = try Document(bytes: base.bytes())
    var random = SplitMix64(seed: 7)
    var count = elements
    for number in 0..<200 {
      try samples.measure(number == 0 ? "first change" : "one change") {
        _ = try document.change(by: DocumentSession(agent: 4)) { editor in
          try edit(&editor, count: &count, &random)
        }
      }
    }
  }

  private func edit(_ document: inout Document, agent: UInt64, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var count = elements
    var left = edits
    while left > 0 {
      let now = editsPerChange == 0 ? left : min(left, editsPerChange)
      left -= now
      try document.change(by: DocumentSession(agent: agent)) { editor in
        for _ in 0..<now { try edit(&editor, count: &count, &random) }
      }
    }
  }

  private func edit(_ editor: inout Editor, count: inout Int, _ random: inout SplitMix64) throws {
    func place(_ limit: Int) -> JSONPointer {
      JSONPointer(["list", String(Int.random(in: 0..<limit, using: &random))])
    }
    let choice = front || count == 0 ? 0 : Int.random(in: 0..<4, using: &random)
    switch choice {
    case 2:
      try editor.move(from: place(count), to: place(count))
    case 3:
      try editor.remove(at: place(count))
      count -= 1
    default:
      let value = Content.value(.integer(Int64.random(in: 0..<1_000_000, using: &random)))
      try editor.insert(value, at: front ? JSONPointer(["list", "0"]) : place(count + 1))
      count += 1
    }
  }
}
