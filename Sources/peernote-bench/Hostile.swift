import ArgumentParser
import Foundation
import Peernote
import PeernoteTestSupport

struct Hostile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes well-formed documents that are as dear to read as their bytes allow.",
    discussion: """
      For each kind NAME.peernote, and NAME.sibling.peernote, a small copy to merge it with. \
      What programs need for them shows whether the limits of peernote(5) hold.

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
      try Data(file.sibling().encoded()).write(
        to: folder.appending(path: "\(name).sibling.peernote"))
      print("\(name): \(bytes.count) bytes")
    }
  }

  /// The document in a file of about this size, or halved as often as the limits ask for.
  private static func bytes(of file: HostileFile, size: Int) throws -> [UInt8] {
    do {
      return try file.document(size: size).encoded()
    } catch let error as DocumentError where error.kind == .limit && size > 2 {
      return try bytes(of: file, size: size / 2)
    }
  }
}
