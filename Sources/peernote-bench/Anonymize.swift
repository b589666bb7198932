import ArgumentParser
import Foundation
import Peernote

struct Anonymize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes copies of documents without any of the content, for reports of faults.",
    discussion: """
      Changes, times, operations and positions stay. Letters of texts become x and digits 0; \
      strings, authors and bytes become random, equal ones equal. Numbers, times and the names in \
      maps stay: check that these may be shown. Copies that are given together remain copies of one \
      document.

      Example: peernote-bench anonymize report desk.peernote phone.peernote
      """)

  @Argument(help: "A folder for the copies, which must not exist.")
  var folder: String

  @Argument(help: "The documents.", completion: .file())
  var files: [String]

  @Flag(help: "Replace the names in maps, too, but those that notes have.")
  var keys = false

  func run() throws {
    let key = AnonymizationKey()
    // All can be made before one is written.
    let copies = try files.map {
      try Document(bytes: bytes(of: $0)).anonymized(with: key, scrubsKeys: keys).bytes()
    }
    let folder = URL(filePath: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for (number, copy) in copies.enumerated() {
      try Data(copy).write(to: folder.appending(path: "\(number + 1).peernote"))
    }
  }
}
