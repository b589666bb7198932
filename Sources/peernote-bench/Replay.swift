import ArgumentParser
import Foundation
import Peernote
import PeernoteDigest

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Builds the document of a trace and checks its text.",
    discussion: """
      A trace is JSON, gzipped or not: {"endContent": text, "txns": [{"parents": [indices], \
      "agent": number, "patches": [[position, deleted, inserted], ...]}, ...]}, positions in \
      Unicode scalars.

      Example: peernote-bench replay C1 -o friends.peernote
      """)

  @Argument(help: "\(TraceFolder.help)", completion: .file())
  var trace: String

  @Option(name: .shortAndLong, help: "Writes the document to this file.")
  var output: String?

  @Option(
    help: "How many transactions a change holds; 0 for all (sequential traces only).",
    transform: number(from: 0))
  var editsPerChange = 1

  func run() throws {
    let trace = try Trace(path: trace)
    guard editsPerChange == 1 || trace.isSequential else {
      throw ValidationError("--edits-per-change: this trace is not sequential")
    }
    let changes = trace.changes(perChange: editsPerChange)
    var samples = Samples()
    let document = try samples.measure("build") { try Trace.document(changes) }
    guard case .text(let text) = document.root["body"],
      text.utf8.elementsEqual(trace.endContent.utf8)
    else {
      FileHandle.standardError.write(Data("\(self.trace): the text differs\n".utf8))
      throw ExitCode.failure
    }
    let bytes = samples.measure("encode") { document.bytes() }
    try samples.measure("open") { _ = try DocumentReader(bytes: bytes) }
    let findings = samples.measure("validate") { Document.validate(bytes: bytes) }
    guard findings.isEmpty else {
      FileHandle.standardError.write(Data("\(self.trace): \(findings[0])\n".utf8))
      throw ExitCode.failure
    }
    if let output { try Data(bytes).write(to: URL(filePath: output)) }
    print(
      "\(document.changeCount) changes, \(document.eventCount) events, "
        + "\(text.unicodeScalars.count) scalars, \(bytes.count) bytes; \(samples.description)")
  }
}

struct Offline: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes two copies of a trace's document that went on apart.",
    discussion: """
      The case is JSON, gzipped or not: {"a": {"runs": [[patch, ...], ...], "sha256": of the text}, \
      "b": likewise}. Each side makes one change of its runs, or with --change-per-run a change of \
      each.

      Example: peernote-bench offline C1 C1-1000 -o C1-1000
      """)

  @Argument(help: "\(TraceFolder.help)", completion: .file())
  var trace: String

  @Argument(
    help: "What the two sides do after it: a file, or a case of the folder, such as C1-1000.",
    completion: .file())
  var sides: String

  @Option(name: .shortAndLong, help: "The folder for base.peernote, a.peernote and b.peernote.")
  var output: String

  @Flag(help: "Makes a change of each run of edits, instead of one of all.")
  var changePerRun = false

  func run() throws {
    let copies = try OfflineCopies(trace: trace, sides: sides, changePerRun: changePerRun)
    let folder = URL(filePath: output, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, document) in [("base", copies.base), ("a", copies.ours), ("b", copies.theirs)] {
      try Data(document.bytes()).write(to: folder.appending(path: "\(name).peernote"))
    }
  }
}

/// A trace's document, and two copies of it that went on apart.
struct OfflineCopies {
  let base: Document
  let ours: Document
  let theirs: Document

  /// What one side does.
  private struct Side: Decodable {
    var runs: [[Trace.Patch]]
    var sha256: String
  }

  private struct Case: Decodable {
    var a: Side
    var b: Side
  }

  /// Builds the three from a trace and a file that says what the sides do.
  init(trace path: String, sides: String, changePerRun: Bool) throws {
    let trace = try Trace(path: path)
    let edits = try JSONDecoder().decode(Case.self, from: Trace.read(TraceFolder.sides(sides)))
    let changes = trace.changes(perChange: trace.isSequential ? 0 : 1)
    base = try Trace.document(changes)
    let heads = base.heads
    ours = try Trace.document(
      changes + Self.changes(edits.a, agent: 0xA, changePerRun, after: heads, trace.endContent))
    theirs = try Trace.document(
      changes + Self.changes(edits.b, agent: 0xB, changePerRun, after: heads, trace.endContent))
  }

  /// What one side does, as its changes: the positions are those of the union of all edits, also
  /// where the text of the trace is contested and shows less.
  private static func changes(
    _ side: Side, agent: UInt64, _ changePerRun: Bool, after heads: [ChangeID], _ text: String
  ) throws -> [Change] {
    var scalars = Array(text.unicodeScalars)
    var parents = heads
    var changes: [Change] = []
    for runs in changePerRun ? side.runs.map({ [$0] }) : [side.runs] {
      let id = ChangeID(agent: AgentID(rawValue: agent << 32), sequence: changes.count + 1)
      changes.append(
        Change(
          id: id, parents: parents, time: Timestamp(milliseconds: 1_700_000_000_000),
          edits: runs.joined().flatMap { $0.edits(of: Trace.body) }))
      parents = [id]
      for patch in runs.joined() {
        scalars.replaceSubrange(
          patch.position..<patch.position + patch.deleted, with: patch.inserted.unicodeScalars)
      }
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    let digest = SHA256.hash(Data(String(result).utf8))
      .map { String(format: "%02x", $0) }.joined()
    guard digest == side.sha256 else { throw ValidationError("the text of an edited copy differs") }
    return changes
  }
}
