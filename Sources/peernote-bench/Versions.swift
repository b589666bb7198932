import ArgumentParser
import Foundation
import Peernote

struct Versions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes the last versions of a sequential trace's document, as if saved on the way.",
    discussion: """
      The first version holds all edits but the last ones in one change; each further one has one \
      more change. They show what transports make of the format: with --transports git and rsync are \
      tried, and it is said how large a pack of all versions is, and how many bytes rsync sends from \
      one to the next: the least, the median and the most.

      Example: peernote-bench versions X2 -o versions --transports
      """)

  @Argument(help: "\(TraceFolder.help)", completion: .file())
  var trace: String

  @Option(name: .shortAndLong, help: "The folder for 00.peernote, 01.peernote, ...")
  var output: String

  @Option(help: "How many versions.", transform: number(from: 1))
  var count = 21

  @Option(help: "How many edits are between two versions.", transform: number(from: 1))
  var edits = 50

  @Flag(help: "Says what git and rsync make of the versions.")
  var transports = false

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
      let document = try Trace.document(Array(changes[...(version + 1)]))
      let name = String(format: "%02d.peernote", version)
      try Data(document.bytes()).write(to: folder.appending(path: name))
    }
    if transports { print(try Transports(versions: count, in: folder).description) }
  }
}
