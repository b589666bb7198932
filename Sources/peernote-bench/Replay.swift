import ArgumentParser
import Foundation
import Peernote
import PeernoteDigest
import PeernoteTestSupport

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Builds the document of a trace and checks its text.",
    discussion: """
      A trace is JSON, gzipped or not: {"endContent": text, "txns": [{"parents": [indices], \
      "agent": number, "patches": [[position, deleted, inserted], ...]}, ...]}, positions in \
      Unicode scalars.

      Example: peernote-bench replay C1 -o friends.peernote
      """)

  @Argument(help: "\(Trace.help)", completion: .file())
  var trace: String

  @Option(name: .shortAndLong, help: "Writes the document to this file.")
  var output: String?

  @Option(
    help: "How many transactions a change holds; 0 for all (sequential traces only).",
    transform: number(from: 0))
  var editsPerChange = 1

  func run() throws {
    let trace = try Trace.read(trace)
    guard editsPerChange == 1 || trace.isSequential else {
      throw ValidationError("--edits-per-change: this trace is not sequential")
    }
    let changes = trace.changes(perChange: editsPerChange)
    var samples = Samples()
    let document = try samples.measure("build") { try Trace.document(changes) }
    guard case .text(let text) = document.root["body"],
      text.utf8.elementsEqual(trace.endContent.utf8)
    else { throw ValidationError("\(self.trace): the text differs") }
    let bytes = samples.measure("encode") { document.bytes() }
    try samples.measure("open") { _ = try DocumentReader(bytes: bytes) }
    let findings = samples.measure("validate") { Document.validate(bytes: bytes) }
    guard findings.isEmpty else { throw ValidationError("\(self.trace): \(findings[0])") }
    if let output { try Data(bytes).write(to: URL(filePath: output)) }
    print(
      "\(document.changeCount) changes, \(document.eventCount) events, "
        + "\(text.unicodeScalars.count) scalars, \(bytes.count) bytes; \(samples)")
  }
}

struct Offline: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes two copies of a trace's document that went on apart.",
    discussion: """
      The case is JSON, gzipped or not: {"a": {"runs": [[patch, ...], ...], "sha256": of the text}, \
      "b": likewise}. Each side makes one change of its runs.

      Example: peernote-bench offline C1 C1-1000 -o C1-1000
      """)

  @Argument(help: "\(Trace.help)", completion: .file())
  var trace: String

  @Argument(
    help: "What the two sides do after it: a file, or a case of the folder, such as C1-1000.",
    completion: .file())
  var sides: String

  @Option(name: .shortAndLong, help: "The folder for base.peernote, a.peernote and b.peernote.")
  var output: String

  func run() throws {
    let copies = try OfflineCopies(trace: trace, sides: sides)
    let folder = URL(filePath: output, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, bytes) in [("base", copies.base), ("a", copies.ours), ("b", copies.theirs)] {
      try Data(bytes).write(to: folder.appending(path: "\(name).peernote"))
    }
  }
}

/// The files of a trace's document, and of two copies of it that went on apart.
struct OfflineCopies {
  let base: [UInt8]
  let ours: [UInt8]
  let theirs: [UInt8]

  /// What one side does.
  private struct Side: Decodable {
    var runs: [[Trace.Patch]]
    var sha256: String
  }

  private struct Case: Decodable {
    var a: Side
    var b: Side
  }

  /// Makes the three from a trace and a case that says what the sides do.
  init(trace: String, sides: String, in folder: String = Trace.folder) throws {
    let trace = try Trace.read(trace, in: folder)
    let sides = try Trace.read(sides, as: Case.self, in: folder)
    let changes = trace.changes(perChange: trace.isSequential ? 0 : 1)
    let document = try Trace.document(changes)
    base = document.bytes()

    /// The positions are those of the union of all edits, also where the text of the trace is
    /// contested and shows less.
    func copy(_ side: Side, agent: UInt64) throws -> [UInt8] {
      var scalars = Array(trace.endContent.unicodeScalars)
      for patch in side.runs.joined() {
        scalars.replaceSubrange(
          patch.position..<patch.position + patch.deleted, with: patch.inserted.unicodeScalars)
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let digest = SHA256.hash(Data(String(text).utf8)).map { String(format: "%02x", $0) }.joined()
      guard digest == side.sha256 else {
        throw ValidationError("the text of an edited copy differs")
      }
      let change = Change(
        agent << 32, after: document.heads, time: Trace.start,
        side.runs.joined().flatMap(\.edits))
      return try Trace.document(changes + [change]).bytes()
    }
    ours = try copy(sides.a, agent: 0xA)
    theirs = try copy(sides.b, agent: 0xB)
  }
}
