package import Foundation

/// The Automerge library in a Python environment of its own, by `automerge_peer.py`.
package struct AutomergeLibrary {
  /// A published version, and the file that pins it.
  package enum Version: String, CaseIterable, Sendable {
    case core05 = "0.2"
    case core07 = "1.0"
  }

  private let python: ExternalTool

  /// The library; `nil` where it cannot be installed and may be missing.
  package init?(_ version: Version) throws {
    let python = try ExternalTool.python(
      with: "the Automerge library \(version.rawValue)",
      requirements: "requirements-automerge-\(version.rawValue).txt",
      suffix: "-automerge-\(version.rawValue)")
    guard let python else { return nil }
    self.python = python
  }

  /// Runs the script and returns what it prints.
  package func run(_ arguments: [String]) throws -> String {
    let script = Repository.path("Tests/Tools/automerge_peer.py").path(percentEncoded: false)
    let outcome = try python.run(["-B", script] + arguments)
    guard outcome.status == 0 else { throw Refusal(description: outcome.errors) }
    return outcome.output
  }

  /// What the library said instead of a result.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
  }

  /// The heads and the content of files, one place a line.
  package func describe(_ files: [URL]) throws -> [[String]] {
    let output = try run(["describe"] + files.map { $0.path(percentEncoded: false) })
    return output.components(separatedBy: "---\n").dropLast()
      .map { $0.split(separator: "\n").map(String.init) }
  }
}

/// Runs with a directory that is gone afterwards.
package func withTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let directory = FileManager.default.temporaryDirectory.appending(
    path: "peernote-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  return try body(directory)
}

/// Runs with the paths of documents' files, in a directory that is gone afterwards.
package func withTemporaryFiles<Result>(
  _ documents: [[UInt8]], _ body: ([String]) throws -> Result
) throws -> Result {
  try withTemporaryDirectory { directory in
    try body(
      documents.enumerated().map { number, bytes in
        let file = directory.appending(path: "\(number).peernote")
        try Data(bytes).write(to: file)
        return file.path(percentEncoded: false)
      })
  }
}
