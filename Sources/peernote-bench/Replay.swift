import ArgumentParser
import Foundation
import Peernote

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
