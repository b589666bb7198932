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
      be refused at that size are made smaller, unless they are wanted with --refused, to see what \
      refusing them takes.

      Example: peernote-bench hostile -o hostile --size 1000000
      """)

  @Option(name: .shortAndLong, help: "The folder.")
  var output: String

  @Option(help: "About how many bytes each file has.")
  var size = 1_000_000

  @Option(help: "Only the kinds whose name holds this.")
  var only = ""

  @Flag(help: "Make all files as large as that, be they beyond the limits.")
  var refused = false

  func run() throws {
    let folder = URL(filePath: output, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in HostileFile.all where only.isEmpty || file.name.contains(only) {
      let name = file.name.replacingOccurrences(of: " ", with: "-")
      let bytes = try refused ? Self.forged(file, size: size) : Self.bytes(of: file, size: size)
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

  /// The document in a file of about this size, without regard to limits.
  ///
  /// Its texts are not what the history comes to; whoever replays that finds the limit first.
  private static func forged(_ file: HostileFile, size: Int) throws -> [UInt8] {
    var limits = Limits()
    limits.freeContents = limits.events
    limits.freeContainers = limits.containers
    let log = try Log.make(from: file.changes(size: size), limits: limits).log
    var lengths = [Int](repeating: 0, count: log.containers.count)
    for operation in log.operations where operation.kind.editsText {
      let length = Int(operation.length)
      lengths[operation.container] += operation.kind == .insertText ? length : -length
    }
    let texts = lengths.map { TextBuffer(String(repeating: "x", count: max(0, $0))) }
    let objects = try Objects(of: log, workLimit: .max)
    return DocumentFile(id: HostileFile.id, objects: objects, texts: texts).bytes()
  }
}
