import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

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

/// What git and rsync make of successive versions of a file.
struct Transports: CustomStringConvertible {
  /// The bytes of a pack that holds all versions.
  private let pack: Int
  /// The bytes that rsync sends from one version to the next, ascending.
  private let steps: [Int]

  /// Tries both on the first files of a folder: 00.peernote, 01.peernote, and so on.
  init(versions count: Int, in folder: URL) throws {
    let versions = (0..<count).map {
      folder.appending(path: String(format: "%02d.peernote", $0)).path
    }
    (pack, steps) = try withTemporaryDirectory { room in
      (
        try Self.pack(versions, in: room.appending(path: "git")),
        try Self.steps(versions, in: room)
      )
    }
  }

  var description: String {
    let ends = [steps.first, steps.isEmpty ? nil : steps[steps.count / 2], steps.last]
    let bytes = ends.compactMap { $0.map(String.init) }.joined(separator: " / ")
    return "git pack \(pack) bytes; rsync sends \(bytes) bytes (least / median / most)"
  }

  private static func pack(_ versions: [String], in room: URL) throws -> Int {
    try FileManager.default.createDirectory(at: room, withIntermediateDirectories: true)
    let file = room.appending(path: "note.peernote")
    func git(_ arguments: String...) throws {
      let identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
      _ = try output(of: ["git", "-C", room.path] + identity + arguments)
    }
    try git("init", "-q")
    for version in versions {
      try Data(contentsOf: URL(filePath: version)).write(to: file)
      try git("add", "note.peernote")
      try git("commit", "-q", "-m", "version")
    }
    try git("gc", "-q", "--aggressive")
    let packs = room.appending(path: ".git/objects/pack")
    return try FileManager.default.contentsOfDirectory(
      at: packs, includingPropertiesForKeys: [.fileSizeKey]
    ).filter { $0.pathExtension == "pack" }.reduce(0) {
      $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
    }
  }

  private static func steps(_ versions: [String], in room: URL) throws -> [Int] {
    let target = room.appending(path: "target.peernote").path
    return try zip(versions, versions.dropFirst()).map { older, newer in
      try Data(contentsOf: URL(filePath: older)).write(to: URL(filePath: target))
      let words = ["rsync", "--no-whole-file", "--ignore-times", "--stats", newer, target]
      let lines = String(decoding: try output(of: words), as: UTF8.self).split(separator: "\n")
      let digits = lines.first { $0.hasPrefix("Total bytes sent:") }?.filter(\.isWholeNumber)
      guard let digits, let sent = Int(digits) else {
        throw ValidationError("rsync --stats does not say how many bytes it sent")
      }
      return sent
    }.sorted()
  }
}
