import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

struct Hostile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes well-formed documents that are as dear to read as their bytes allow.",
    discussion: """
      For each kind NAME.peernote, and NAME.sibling.peernote, a small copy to merge it with. \
      What programs need for them shows whether the limits of peernote(5) hold. Kinds that would \
      be refused at that size are made smaller.

      Example: peernote-bench hostile -o hostile --size 1000000
      """)

  @Option(name: .shortAndLong, help: "The folder.")
  var output: String

  @Option(help: "About how many bytes each file has.")
  var size = 1_000_000

  @Option(help: "Only the kinds whose name holds this.")
  var only = ""

  func run() throws {
    let folder = URL(filePath: output, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in HostileFile.all where only.isEmpty || file.name.contains(only) {
      let name = file.name.replacingOccurrences(of: " ", with: "-")
      let bytes = try Self.bytes(of: file, size: size)
      try Data(bytes).write(to: folder.appending(path: "\(name).peernote"))
      try Data(file.sibling().bytes()).write(
        to: folder.appending(path: "\(name).sibling.peernote"))
      print("\(name): \(bytes.count) bytes")
    }
  }

  /// The document in a file of about this size, or halved as often as the limits ask for.
  private static func bytes(of file: HostileFile, size: Int) throws -> [UInt8] {
    do {
      return try file.document(size: size).bytes()
    } catch let error as DocumentError where error.kind == .limit && size > 2 {
      return try bytes(of: file, size: size / 2)
    }
  }
}

struct Worst: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the dearest histories that are known.",
    discussion: """
      For each kind of 'hostile': how long the file is, how many steps an event takes to bring \
      concurrent edits of texts in order, and how long a megabyte of it takes to read, to validate \
      and to merge into a small copy. A history that takes more steps than the limit is refused.

      Example: peernote-bench worst --size 100000
      """)

  @Option(help: "About how many bytes each file has.", transform: number(from: 1))
  var size = 1_000_000

  @Option(help: "Only the kinds whose name holds this.")
  var only = ""

  func run() throws {
    say("bytes, events, steps an event; seconds a megabyte: read, validate, merge")
    for file in HostileFile.all where only.isEmpty || file.name.contains(only) {
      say("\(file.name): \(try cost(of: file))")
    }
  }

  private func cost(of file: HostileFile) throws -> String {
    let bytes: [UInt8]
    do {
      bytes = try file.document(size: size).bytes()
    } catch let error as DocumentError where error.kind == .limit {
      return "refused: \(error.reason)"
    }
    let log = try Log.make(from: file.changes(size: size)).log
    let steps = try? WalkCost.steps(of: log, limit: log.workLimit)
    let text = steps.map { String(format: "%.1f", Double($0) / Double(log.eventCount)) }
    var samples = Samples()
    for _ in 0..<3 {
      try samples.measure("read") { _ = try Document(bytes: bytes) }
      samples.measure("validate") { _ = Document.validate(bytes: bytes) }
      try samples.measure("merge") {
        var sibling = try file.sibling()
        do {
          _ = try sibling.merge(Document(bytes: bytes))
        } catch MergeError.damaged(let error) where error.kind == .limit {
          // Refusing takes its time, too.
        }
      }
    }
    let times = samples.milliseconds.map {
      String(format: "%.3f", $0.time * 1e3 / Double(bytes.count))
    }
    return "\(bytes.count), \(log.eventCount), \(text ?? "more than the limit"); "
      + times.joined(separator: ", ")
  }
}
