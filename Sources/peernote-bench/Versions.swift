import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

struct Versions: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells what git and rsync make of successive versions of a document.",
    discussion: """
      The versions are the last ones of a sequential trace's document, as if saved on the way: the \
      first holds all edits but the last ones in one change; each further one has one more change. \
      It is said how large a pack of all versions is, and how many bytes rsync sends from one to \
      the next: the least, the median and the most.

      Example: peernote-bench versions X2
      """)

  @Argument(help: "\(Trace.help)", completion: .file())
  var trace: String

  @Option(help: "How many versions.", transform: number(from: 2))
  var count = 21

  @Option(help: "How many edits are between two versions.", transform: number(from: 1))
  var edits = 50

  func run() throws {
    let trace = try Trace.read(trace)
    let first = trace.txns.count - (count - 1) * edits
    guard trace.isSequential, first > 0 else {
      throw ValidationError("the trace is not sequential, or has too few edits")
    }
    let changes = trace.changes([(first, first), (trace.txns.count - first, edits)])
    try withTemporaryDirectory { room in
      let file = room.appending(path: "note.peernote")
      let copy = room.appending(path: "copy.peernote").path
      func git(_ arguments: String...) throws {
        let identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
        _ = try output(of: ["git", "-C", room.path] + identity + arguments)
      }
      try git("init", "-q")
      var sent: [Int] = []
      for version in 1...count {
        try Data(Trace.document(Array(changes[...version])).bytes()).write(to: file)
        try git("add", "note.peernote")
        try git("commit", "-q", "-m", "version")
        let words = ["rsync", "--no-whole-file", "--ignore-times", "--stats", file.path, copy]
        let lines = String(decoding: try output(of: words), as: UTF8.self).split(separator: "\n")
        let digits = lines.first { $0.hasPrefix("Total bytes sent:") }?.filter(\.isWholeNumber)
        guard let digits, let bytes = Int(digits) else {
          throw ValidationError("rsync --stats does not say how many bytes it sent")
        }
        sent.append(bytes)
      }
      try git("gc", "-q", "--aggressive")
      let pack = try FileManager.default.contentsOfDirectory(
        at: room.appending(path: ".git/objects/pack"), includingPropertiesForKeys: [.fileSizeKey]
      ).filter { $0.pathExtension == "pack" }.reduce(0) {
        $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
      }
      // The first version is sent whole.
      let steps = sent.dropFirst().sorted()
      print(
        "git pack \(pack) bytes; rsync sends \(steps[0]) / \(steps[steps.count / 2]) / "
          + "\(steps[steps.count - 1]) bytes (least / median / most)")
    }
  }
}
