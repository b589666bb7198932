import ArgumentParser
import Foundation
import Peernote

struct Versions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the last versions of a sequential trace's document, as if saved on the way.",
    discussion: """
      The first version holds all edits but the last ones in one change; each further one has one \
      more change. They show what transports make of the format.

      Example: peernote-bench versions S1.json.gz -o versions
      """)

  @Argument(help: "The trace.", completion: .file())
  var trace: String

  @Option(name: .shortAndLong, help: "The folder for 00.peernote, 01.peernote, ...")
  var output: String

  @Option(help: "How many versions.")
  var count = 21

  @Option(help: "How many edits are between two versions.")
  var edits = 50

  func validate() throws {
    guard count > 0, edits > 0 else {
      throw ValidationError("--count and --edits take numbers from 1 up")
    }
  }

  func run() throws {
    let trace = try Trace(path: trace)
    let first = trace.txns.count - (count - 1) * edits
    guard trace.isSequential, first > 0 else {
      throw ValidationError("the trace is not sequential, or has too few edits")
    }
    let changes = trace.changes([(first, first), (trace.txns.count - first, edits)])
    let folder = URL(filePath: output, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for version in 0..<count {
      let document = try Document(
        id: UniqueID(high: 0x7065_6572_6E6F_4E74, low: 0xA000_0000_0000_0001),
        changes: Array(changes[...(version + 1)]), recoveringDeletedText: true)
      let name = String(format: "%02d.peernote", version)
      try Data(document.encoded()).write(to: folder.appending(path: name))
    }
  }
}
