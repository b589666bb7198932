import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Holds the library against a reader in Python that was written from the manual page alone.
@Suite("Independent reader") struct IndependentReaderTests {
  @Test("A reader made from the manual page finds in golden files what the library finds")
  func goldenFiles() throws {
    try expectAgreement(
      GoldenDocument.all.map { (name: $0.name, bytes: try $0.make().encoded()) })
  }

  @Test(
    "A reader made from the manual page finds in random documents what the library finds",
    arguments: HistoryProfile.all)
  func randomDocuments(_ profile: HistoryProfile) throws {
    let seeds = LawBudget(histories: 8).seeds
    print("independent reader: profile \(profile), seeds \(seeds); replay with PEERNOTE_SEED")
    try expectAgreement(
      seeds.map { seed in
        let history = History(seed: seed, profile: profile)
        let document = try Document(id: history.id, changes: history.oracle.changes)
        return (name: "\(profile)-\(seed)", bytes: document.encoded())
      })
  }

  @Test("A reader made from the manual page refuses a file with any bit flipped")
  func damage() throws {
    guard let reader = try Reader() else { return }
    let bytes = try GoldenDocument("empty") { _ in }.make().encoded()
    let damaged = (0..<8 * bytes.count).map { bit in
      var bytes = bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      return bytes
    }
    try reader.withFiles(damaged.map { (name: "damaged", bytes: $0) }) { paths in
      let outcome = try reader.run(paths)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.split(separator: "\n").count == damaged.count)
    }
  }

  private func expectAgreement(_ documents: [(name: String, bytes: [UInt8])]) throws {
    guard let reader = try Reader() else { return }
    let expected = try documents.map { try DocumentJSON.describe($0.bytes).text + "\n" }
    try reader.withFiles(documents) { paths in
      let outcome = try reader.run(paths)
      #expect(outcome.status == 0, "\(outcome.errors)")
      if outcome.output == expected.joined() { return }
      for (document, (path, text)) in zip(documents, zip(paths, expected)) {
        let single = try reader.run([path])
        #expect(single.output == text, "\(document.name): \(single.errors)")
      }
    }
  }
}

/// The reader in Python.
private struct Reader {
  private let python: ExternalTool
  private let script = Repository.path("Tests/Tools/read_peernote.py")

  /// The reader; `nil` where Python is missing and may be.
  init?() throws {
    do {
      python = try ExternalTool(named: "python3", package: "python3")
    } catch {
      if ExternalTool.isRequired { throw error }
      print("not tested: \(error)")
      return nil
    }
  }

  func run(_ paths: [String]) throws -> ExternalTool.Outcome {
    try python.run(["-B", script.path(percentEncoded: false)] + paths)
  }

  /// Calls `body` with the paths of files that hold some documents, and removes them again.
  func withFiles(
    _ documents: [(name: String, bytes: [UInt8])], _ body: ([String]) throws -> Void
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "peernote-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var paths: [String] = []
    for (number, document) in documents.enumerated() {
      let file = directory.appending(path: "\(number)-\(document.name).peernote")
      try Data(document.bytes).write(to: file)
      paths.append(file.path(percentEncoded: false))
    }
    try body(paths)
  }
}
