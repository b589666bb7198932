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

  @Option(help: "How many transactions a change holds; 0 for all (sequential traces only).")
  var editsPerChange = 1

  func validate() throws {
    guard editsPerChange >= 0 else {
      throw ValidationError("--edits-per-change takes a number from 0 up")
    }
  }

  func run() throws {
    let trace = try Trace(path: trace)
    guard editsPerChange == 1 || trace.isSequential else {
      throw ValidationError("--edits-per-change: this trace is not sequential")
    }
    let changes = trace.changes(
      transactionsPerChange: editsPerChange == 0 ? max(trace.txns.count, 1) : editsPerChange)
    let clock = ContinuousClock()
    var document = Document(id: UniqueID(high: 0, low: 0))
    let building = try clock.measure {
      document = try Document(
        id: UniqueID(high: 0x7065_6572_6E6F_4E74, low: 0xA000_0000_0000_0001), changes: changes,
        recoveringDeletedText: true)
    }
    guard case .text(let text) = document.root["body"],
      text.utf8.elementsEqual(trace.endContent.utf8)
    else {
      FileHandle.standardError.write(Data("\(self.trace): the text differs\n".utf8))
      throw ExitCode.failure
    }
    var bytes: [UInt8] = []
    let encoding = clock.measure { bytes = document.bytes() }
    let opening = try clock.measure { _ = try DocumentReader(bytes: bytes) }
    var findings: [DocumentError] = []
    let replaying = clock.measure { findings = Document.validate(bytes: bytes) }
    guard findings.isEmpty else {
      FileHandle.standardError.write(Data("\(self.trace): \(findings[0])\n".utf8))
      throw ExitCode.failure
    }
    if let output { try Data(bytes).write(to: URL(filePath: output)) }
    print(
      "\(document.changeCount) changes, \(document.eventCount) events, "
        + "\(text.unicodeScalars.count) scalars, \(bytes.count) bytes; "
        + "build \(building.milliseconds), encode \(encoding.milliseconds), "
        + "open \(opening.milliseconds), validate \(replaying.milliseconds) ms")
  }
}

extension Duration {
  /// Milliseconds with three decimals.
  var milliseconds: String {
    let (seconds, attoseconds) = components
    let value = Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    return String(format: "%.3f", value)
  }
}
