import Foundation
import Peernote
import Testing

/// A text merge from a real history, with what a person made of it.
private struct RealMerge: Decodable {
  var base: String
  var ours: String
  var theirs: String
  var human: String
  var gitClean: Bool
  var commit: String

  private enum CodingKeys: String, CodingKey {
    case base, ours, theirs, human, commit
    case gitClean = "git_clean"
  }

  static func all(_ lines: Data) throws -> [RealMerge] {
    let decoder = JSONDecoder()
    return try lines.split(separator: 0x0A).map { try decoder.decode(RealMerge.self, from: $0) }
  }
}

/// A merge by the library: a note and two edited copies of it.
private struct LibraryMerge {
  var text: String
  var overlaps: [Conflict]

  init(_ merge: RealMerge, oursFirst: Bool) throws {
    let agents: [UInt64] = oursFirst ? [2, 3] : [3, 2]
    var base = Document(id: UniqueID(high: 1, low: 2))
    try base.change(by: Self.session(1)) { try $0.create(Note(body: merge.base)) }
    var ours = base
    try ours.change(by: Self.session(agents[0])) { try $0.apply(Note(body: merge.ours)) }
    var theirs = base
    try theirs.change(by: Self.session(agents[1])) { try $0.apply(Note(body: merge.theirs)) }
    let report = try ours.merge(theirs)
    text = Note(root: ours.root)?.body ?? ""
    overlaps = report.conflicts
  }

  private static func session(_ agent: UInt64) -> Session {
    Session(
      agent: AgentID(rawValue: agent), author: "author \(agent)",
      time: Timestamp(milliseconds: 1000 * Int64(agent)))
  }
}

/// How automatic merges compare with what people committed.
private struct MergeFigures: CustomStringConvertible {
  var clean = (all: 0, equal: 0)
  var conflicts = (all: 0, equal: 0)
  var right = (all: 0, flagged: 0)
  var wrong = (all: 0, flagged: 0)
  var equalCommits: Set<String> = []
  /// One line a merge.
  var table: [String] = []

  init(_ merges: [RealMerge], oursFirst: Bool) throws {
    for merge in merges {
      let result = try LibraryMerge(merge, oursFirst: oursFirst)
      let isEqual = result.text.utf8.elementsEqual(merge.human.utf8)
      let isFlagged = !result.overlaps.isEmpty
      if isEqual { equalCommits.insert(merge.commit + (merge.gitClean ? "" : "!")) }
      if merge.gitClean {
        clean.all += 1
        clean.equal += isEqual ? 1 : 0
      } else {
        conflicts.all += 1
        conflicts.equal += isEqual ? 1 : 0
      }
      if isEqual {
        right.all += 1
        right.flagged += isFlagged ? 1 : 0
      } else {
        wrong.all += 1
        wrong.flagged += isFlagged ? 1 : 0
      }
      table.append(
        [
          String(merge.commit.prefix(10)), merge.gitClean ? "clean   " : "conflict",
          isEqual ? "equal" : "other", "\(result.overlaps.count) overlapping",
        ].joined(separator: "  "))
      try Self.compare(result, with: merge, oursFirst: oursFirst)
    }
  }

  /// The simulation that unit tests of overlaps use has to find what the library finds.
  private static func compare(_ result: LibraryMerge, with merge: RealMerge, oursFirst: Bool) throws
  {
    let simulation = try MergeSimulation(
      base: merge.base, ours: merge.ours, theirs: merge.theirs, oursFirst: oursFirst)
    #expect(simulation.merged.utf8.elementsEqual(result.text.utf8), "\(merge.commit)")
    #expect(result.overlaps.allSatisfy { $0.kind == .overlap }, "\(merge.commit)")
    #expect(
      simulation.overlaps.map(\.line) == result.overlaps.map(\.line), "\(merge.commit)")
    #expect(
      simulation.overlaps.map { Node.text($0.mergedPassage) }
        == result.overlaps.map(\.kept.node), "\(merge.commit)")
  }

  var description: String {
    "equal \(clean.equal) of \(clean.all) clean and \(conflicts.equal) of \(conflicts.all) "
      + "conflicting; flagged \(wrong.flagged) of \(wrong.all) wrong and \(right.flagged) of "
      + "\(right.all) right"
  }
}

private let root = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
/// All merges of the repository that the excerpts are from, in the same form and packed with xz;
/// where `PEERNOTE_MERGES` says.
private let corpus = ProcessInfo.processInfo.environment["PEERNOTE_MERGES"].map {
  URL(fileURLWithPath: $0)
}

@Suite("Merges that people settled")
struct RealMergeTests {
  @Test("Excerpts of real merges come out as people made them, or are flagged")
  func excerpts() throws {
    let file = root.appendingPathComponent("Fixtures/merges/bat-excerpts.jsonl")
    let merges = try RealMerge.all(Data(contentsOf: file))
    let figures = try MergeFigures(merges, oursFirst: true)
    #expect(figures.clean == (1, 1))
    #expect(figures.conflicts == (5, 2))
    #expect(figures.wrong == (3, 3))
    #expect(figures.right == (3, 1))
  }

  @Test(
    "Real merges come out as people made them more often than by comparing characters alone",
    .enabled(if: corpus != nil, "needs the merges of a whole repository (PEERNOTE_MERGES)"))
  func corpusFigures() throws {
    let merges = try RealMerge.all(try decompressed(#require(corpus)))
    let oursFirst = try MergeFigures(merges, oursFirst: true)
    let theirsFirst = try MergeFigures(merges, oursFirst: false)
    let either = oursFirst.equalCommits.union(theirsFirst.equalCommits)
    print(oursFirst.table.joined(separator: "\n"))
    print("ours first: \(oursFirst)")
    print("theirs first: \(theirsFirst)")
    print("equal in either order: \(either.count { $0.hasSuffix("!") }) conflicting")
    for figures in [oursFirst, theirsFirst] {
      #expect(figures.clean.equal == figures.clean.all)
      #expect(figures.wrong.flagged == figures.wrong.all, "every wrong merge is flagged")
    }
    #expect(oursFirst.conflicts.equal * 2 > oursFirst.conflicts.all)
    #expect(oursFirst.right.flagged <= 15)
    #expect(either.count { $0.hasSuffix("!") } >= 24)
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
