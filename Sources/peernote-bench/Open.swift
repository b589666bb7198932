import ArgumentParser
import Foundation
import Peernote

struct Open: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times opening a file: its text alone, with its history, and a full check.",
    discussion: "Example: peernote-bench open a.peernote --runs 50")

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(help: "How often; medians are reported.", transform: number(from: 1))
  var runs = 21

  func run() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
    var samples = Samples()
    for _ in 0..<runs {
      let root = try samples.measure("text") { try DocumentReader(bytes: bytes).root }
      let document = try samples.measure("history") { try Document(bytes: bytes) }
      let findings = samples.measure("validate") { Document.validate(bytes: bytes) }
      guard findings.isEmpty, document.root == root else {
        throw ValidationError("\(file): \(findings.first?.description ?? "the view differs")")
      }
    }
    print("\(samples.description); \(bytes.count) bytes")
  }
}
