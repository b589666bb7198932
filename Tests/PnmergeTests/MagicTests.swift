import Foundation
import PeernoteTestSupport
import Testing

@Suite("The line by which file(1) knows documents")
struct MagicTests {
  private static let magic = Repository.path(".ci/packaging/magic")

  /// What file(1) says of a file; `nil` where it is missing and may be.
  private func file(_ options: [String], _ name: URL) throws -> String? {
    guard let file = try ExternalTool.ifPresent("file") else { return nil }
    let outcome = try file.run(
      ["--brief", "--magic-file", Self.magic.path(percentEncoded: false)] + options
        + [name.path(percentEncoded: false)])
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output
  }

  @Test("a document is known with its version, type and ending, and text is not taken for one")
  func documents() throws {
    let note = Repository.path("Fixtures/notes/desk.peernote")
    guard let said = try file([], note) else { return }
    #expect(said == "Peernote document, format 1\n")
    #expect(try file(["--mime-type"], note) == "application/vnd.peernote+cbor\n")
    #expect(try file(["--extension"], note) == "peernote\n")
    #expect(try file([], Repository.path("README.md"))?.contains("Peernote") == false)
  }

  @Test("the manual page has the same lines")
  func manual() throws {
    let lines = try String(contentsOf: Self.magic, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
    #expect(lines.count > 2)
    let page = try String(contentsOf: Repository.path("man/peernote.5"), encoding: .utf8)
      .replacing(#"\e"#, with: #"\"#)
    for line in lines { #expect(page.contains("\n\(line)\n"), "\(line)") }
  }
}
