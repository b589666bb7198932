import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// The files in `Fixtures/documents/v1`, each with what it holds as JSON beside it.
///
/// A file `NAME.peernote` is the document that ``GoldenDocument`` makes under this name;
/// `NAME.json` is what `Tests/Tools/read_peernote.py` prints for it, whose first lines explain the
/// form: the identifier, the heads, the content with the type of every value, what is undecided in
/// it, the texts that were removed, every change with its edits, and the optional sections. Numbers
/// of 64 bits are strings of decimal digits, doubles the hexadecimal digits of their bits.
///
/// With `PEERNOTE_REGENERATE=1` the tests write the files instead of comparing them. Files of a
/// version of the format that was released are never written again.
@Suite("Golden files") struct GoldenFileTests {
  private static let directory = Repository.path("Fixtures/documents/v1")
  private static let regenerates =
    ProcessInfo.processInfo.environment["PEERNOTE_REGENERATE"] == "1"

  @Test("A golden document is written as the bytes in its file", arguments: GoldenDocument.all)
  func bytes(_ document: GoldenDocument) throws {
    var file = try document.make()
    let contested = ["passages", "interleaving", "unicode", "graph"]
    #expect(file.passages.isEmpty == !contested.contains(document.name))
    if document.isOlderThanPassages { file.passages = [:] }
    try Self.compare(file.bytes(), with: "\(document).peernote")
  }

  @Test("A golden file holds what is written beside it", arguments: GoldenDocument.all)
  func content(_ document: GoldenDocument) throws {
    var file = try document.make()
    if document.isOlderThanPassages { file.passages = [:] }
    let bytes = try Self.regenerates ? file.bytes() : Self.read(document)
    let description = try DocumentJSON.describe(bytes).text + "\n"
    try Self.compare(Array(description.utf8), with: "\(document).json")
  }

  @Test("A golden file is written again as the same bytes", arguments: GoldenDocument.all)
  func again(_ document: GoldenDocument) throws {
    if Self.regenerates { return }
    let bytes = try Self.read(document)
    #expect(try DocumentFile(bytes).bytes() == bytes)
    #expect(try Document(bytes: bytes).bytes() == bytes)
  }

  @Test("Nothing is found wrong with a golden file", arguments: GoldenDocument.all)
  func validation(_ document: GoldenDocument) throws {
    #expect(Document.validate(bytes: try document.make().bytes()).isEmpty)
  }

  @Test("The oracle makes of its changes what a document shows", arguments: GoldenDocument.all)
  func oracle(_ document: GoldenDocument) throws {
    let document = try Document(bytes: document.make().bytes())
    let view = try Oracle(changes: document.exportedChanges).view
    #expect(try OracleNode(document.rawRoot) == view.root)
  }

  @Test("Every golden file belongs to a golden document")
  func names() throws {
    if Self.regenerates { return }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.directory.path(percentEncoded: false))
    let expected = GoldenDocument.all.flatMap { ["\($0).peernote", "\($0).json"] }
    #expect(files.sorted() == expected.sorted())
  }

  private static func read(_ document: GoldenDocument) throws -> [UInt8] {
    Array(try Data(contentsOf: directory.appending(path: "\(document).peernote")))
  }

  private static func compare(_ bytes: [UInt8], with name: String) throws {
    let file = directory.appending(path: name)
    if regenerates {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
      return
    }
    let stored = Array(try Data(contentsOf: file))
    let fault = zip(stored, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(
      stored == bytes,
      "\(name): \(stored.count) bytes stored, \(bytes.count) made; first difference at \(fault ?? -1)"
    )
  }
}
