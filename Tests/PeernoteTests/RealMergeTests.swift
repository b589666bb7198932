import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// A text merge from a real history, with what a person made of it.
private struct RealMerge: Decodable {
  var base: String
  var ours: String
  var theirs: String
  var human: String
  var gitClean: Bool
  var gitEqualsHuman: Bool?
  var commit: String

  private enum CodingKeys: String, CodingKey {
    case base, ours, theirs, human, commit
    case gitClean = "git_clean"
    case gitEqualsHuman = "git_equals_human"
  }

  static func all(_ lines: Data) throws -> [RealMerge] {
    let decoder = JSONDecoder()
    return try lines.split(separator: 0x0A).map { try decoder.decode(RealMerge.self, from: $0) }
  }
}

/// A merge by the library: a note and two edited copies of it.
private struct LibraryMerge {
  var text: String
  /// What all insertions and deletions add up to.
  var rawText: String
  var conflicts: [Conflict]
  var adjoining: [Conflict]

  init(_ merge: RealMerge, oursFirst: Bool) throws {
    let agents: [UInt64] = oursFirst ? [2, 3] : [3, 2]
    let base = try Document(ofText: merge.base)
    var (ours, theirs) = (base, base)
    try ours.write(merge.ours, by: agents[0])
    try theirs.write(merge.theirs, by: agents[1])
    let report = try ours.merge(theirs)
    text = ours.body
    rawText = ours.rawRoot["body"]?.string ?? ""
    conflicts = report.conflicts
    adjoining = report.adjoining
  }
}

/// How automatic merges compare with what people committed.
private struct MergeFigures: CustomStringConvertible {
  /// Those that git merges as people did.
  var clean = (all: 0, equal: 0)
  /// Those that git cannot merge.
  var conflicts = (all: 0, equal: 0)
  /// Merges whose text holds a word that stands in none of the versions.
  var inventions = 0
  var raw = (clean: 0, conflicts: 0, inventions: 0)
  var right = (all: 0, flagged: 0, contested: 0)
  var wrong = (all: 0, flagged: 0)

  init(_ merges: [RealMerge], oursFirst: Bool) throws {
    for merge in merges {
      let result = try LibraryMerge(merge, oursFirst: oursFirst)
      let isEqual = result.text.utf8.elementsEqual(merge.human.utf8)
      let isRawEqual = result.rawText.utf8.elementsEqual(merge.human.utf8)
      if isRawEqual, merge.gitEqualsHuman ?? merge.gitClean { raw.clean += 1 }
      if isRawEqual, !merge.gitClean { raw.conflicts += 1 }
      let isFlagged = !result.conflicts.isEmpty || !result.adjoining.isEmpty
      let isContested = result.conflicts.contains { $0.kind == .passage }
      if merge.gitEqualsHuman ?? merge.gitClean {
        clean.all += 1
        clean.equal += isEqual ? 1 : 0
      } else if !merge.gitClean {
        conflicts.all += 1
        conflicts.equal += isEqual ? 1 : 0
      }
      if isEqual {
        right.all += 1
        right.flagged += isFlagged ? 1 : 0
        right.contested += isContested ? 1 : 0
      } else {
        wrong.all += 1
        wrong.flagged += isFlagged ? 1 : 0
      }
      let written = Set([merge.base, merge.ours, merge.theirs].flatMap(ProseMaker.words))
      if !ProseMaker.words(result.text).isSubset(of: written) { inventions += 1 }
      if !ProseMaker.words(result.rawText).isSubset(of: written) { raw.inventions += 1 }
    }
  }

  var description: String {
    "equal \(clean.equal) of \(clean.all) clean and \(conflicts.equal) of \(conflicts.all) "
      + "conflicting; flagged \(wrong.flagged) of \(wrong.all) wrong and \(right.flagged) of "
      + "\(right.all) right (\(right.contested) contested); invented words in \(inventions); raw \(raw)"
  }
}

/// A folder with all merges of several repositories, the one of the excerpts among them, in the same
/// form and packed with xz; where `PEERNOTE_MERGES` says.
private let corpora = ProcessInfo.processInfo.environment["PEERNOTE_MERGES"].map {
  URL(fileURLWithPath: $0)
}

@Suite("Merges that people settled")
struct RealMergeTests {
  @Test("Excerpts of real merges come out as people made them, or are flagged")
  func excerpts() throws {
    let file = Repository.path("Fixtures/merges/bat-excerpts.jsonl")
    let merges = try RealMerge.all(Data(contentsOf: file))
    let figures = try MergeFigures(merges, oursFirst: true)
    #expect(figures.clean == (1, 1))
    #expect(figures.conflicts == (5, 2))
    #expect(figures.wrong == (3, 3))
    #expect((figures.right.all, figures.right.flagged) == (3, 2))
  }

  /// What merges of one kind have to come to, in the mean of both orders.
  struct Goal: Sendable, CustomTestStringConvertible {
    /// The file in the folder, without its ending.
    var file: String
    /// How many that git merges as people did may come out otherwise.
    var broken: Double
    /// How many that git cannot merge come out as people made them.
    var settled: Double
    /// How many wrong results may go unreported, and right ones be reported.
    var missed: Double
    var flagged: Double
    /// In how many a word may stand that nobody wrote.
    var inventions: Double

    var testDescription: String { file }
  }

  static let goals = [
    Goal(file: "bat", broken: 0, settled: 13, missed: 0, flagged: 13, inventions: 0),
    Goal(file: "prose", broken: 0, settled: 3, missed: 1, flagged: 3, inventions: 0),
    Goal(file: "changelog", broken: 0, settled: 14.5, missed: 2, flagged: 16.5, inventions: 0),
  ]

  @Test(
    "Real merges come out as people made them as often as they did, and are reported",
    .enabled(if: corpora != nil, "needs the merges of whole repositories (PEERNOTE_MERGES)"),
    arguments: goals)
  func corpusFigures(goal: Goal) throws {
    let file = try #require(corpora).appendingPathComponent("\(goal.file).jsonl.xz")
    let merges = try RealMerge.all(try decompressed(file))
    let figures = [
      try MergeFigures(merges, oursFirst: true), try MergeFigures(merges, oursFirst: false),
    ]
    for figures in figures { print("\(goal.file): \(figures)") }
    func mean(_ count: (MergeFigures) -> Int) -> Double {
      Double(figures.map(count).reduce(0, +)) / 2
    }
    #expect(mean { $0.clean.all - $0.clean.equal } <= goal.broken)
    #expect(mean { $0.conflicts.equal } >= goal.settled)
    #expect(mean { $0.wrong.all - $0.wrong.flagged } <= goal.missed)
    #expect(mean { $0.right.flagged } <= goal.flagged)
    #expect(mean { $0.inventions } <= goal.inventions)
  }

  private func decompressed(_ file: URL) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xz", "-dc", file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return data
  }
}
