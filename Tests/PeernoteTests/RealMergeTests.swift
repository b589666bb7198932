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

/// How automatic merges compare with what people committed.
private struct MergeFigures: CustomStringConvertible {
  var clean = (all: 0, equal: 0)
  var conflicts = (all: 0, equal: 0)
  var right = (all: 0, flagged: 0)
  var wrong = (all: 0, flagged: 0)
  var equalCommits: Set<String> = []

  init(_ merges: [RealMerge], oursFirst: Bool) {
    for merge in merges {
      let result = MergeSimulation(
        base: merge.base, ours: merge.ours, theirs: merge.theirs, oursFirst: oursFirst)
      let isEqual = result.merged.utf8.elementsEqual(merge.human.utf8)
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
    }
  }

  var description: String {
    "equal \(clean.equal) of \(clean.all) clean and \(conflicts.equal) of \(conflicts.all) "
      + "conflicting; flagged \(wrong.flagged) of \(wrong.all) wrong and \(right.flagged) of "
      + "\(right.all) right"
  }
}

private let root = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
private let corpus = root.appendingPathComponent("../shared/merges/bat.jsonl.xz")
  .standardizedFileURL

@Suite("Merges that people settled")
struct RealMergeTests {
  @Test("Excerpts of real merges come out as people made them, or are flagged")
  func excerpts() throws {
    let file = root.appendingPathComponent("Fixtures/merges/bat-excerpts.jsonl")
    let merges = try RealMerge.all(Data(contentsOf: file))
    let figures = MergeFigures(merges, oursFirst: true)
    #expect(figures.clean == (1, 1))
    #expect(figures.conflicts == (5, 2))
    #expect(figures.wrong == (3, 3))
    #expect(figures.right == (3, 1))
  }

  @Test(
    "Real merges come out as people made them more often than by comparing characters alone",
    .enabled(
      if: FileManager.default.fileExists(atPath: corpus.path),
      "needs ../shared/merges/bat.jsonl.xz"))
  func corpusFigures() throws {
    let merges = try RealMerge.all(try decompressed(corpus))
    let oursFirst = MergeFigures(merges, oursFirst: true)
    let theirsFirst = MergeFigures(merges, oursFirst: false)
    let either = oursFirst.equalCommits.union(theirsFirst.equalCommits)
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
