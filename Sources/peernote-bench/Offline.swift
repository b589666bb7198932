import ArgumentParser
import Crypto
import Foundation
import Peernote

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
      try Data(document.encoded()).write(to: folder.appending(path: "\(name).peernote"))
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
    let changes = trace.changes(
      transactionsPerChange: trace.isSequential ? max(trace.txns.count, 1) : 1)
    base = try Document(
      id: UniqueID(high: 0x7065_6572_6E6F_4E74, low: 0xA000_0000_0000_0001), changes: changes,
      recoveringDeletedText: true)
    ours = try Self.edited(base, edits.a, agent: 0xA, changePerRun: changePerRun)
    theirs = try Self.edited(base, edits.b, agent: 0xB, changePerRun: changePerRun)
  }

  private static func edited(
    _ base: Document, _ side: Side, agent: UInt64, changePerRun: Bool
  ) throws -> Document {
    var document = base
    let session = Session(
      agent: AgentID(rawValue: agent << 32), author: "",
      time: Timestamp(milliseconds: 1_700_000_000_000))
    let body = JSONPointer(["body"])
    for runs in changePerRun ? side.runs.map({ [$0] }) : [side.runs] {
      try document.change(by: session) { editor in
        for patch in runs.joined() {
          try editor.spliceText(
            at: body, scalars: patch.position..<patch.position + patch.deleted,
            with: patch.inserted)
        }
      }
    }
    guard case .text(let text) = document.node(at: body) else {
      throw ValidationError("the document has no text")
    }
    let digest = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    guard digest == side.sha256 else { throw ValidationError("the text of an edited copy differs") }
    return document
  }
}
