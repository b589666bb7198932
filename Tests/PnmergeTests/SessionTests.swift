import Foundation
import Peernote
import PeernoteTestSupport
import Synchronization
import Testing

/// What scripts print that run git and the built program, in the files of `Fixtures/sessions`.
///
/// The README there says what stands in them. `PEERNOTE_OUTPUTS=write` writes them anew.
@Suite struct SessionTests {
  @Test("a script prints what is on file", arguments: Session.all)
  func session(_ session: Session) async throws {
    let printed = try await session.printed()
    if ProcessInfo.processInfo.environment["PEERNOTE_OUTPUTS"] == "write" {
      try session.replace(by: printed)
    }
    let difference = unifiedDifference(
      from: session.text, to: printed, oldName: session.file.lastPathComponent, newName: "now")
    #expect(difference.isEmpty, "\(difference)")
  }

  @Test("there are files of sessions")
  func files() { #expect(Session.all.count > 150) }
}

/// A title, a script and what it prints.
struct Session: Sendable, CustomTestStringConvertible {
  let file: URL
  /// The script that comes before all scripts of the file.
  let start: String
  let text: String

  static let all = ((try? Repository.files(in: "Fixtures/sessions", type: "txt")) ?? []).flatMap {
    file in
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let parts = "\n\(text)".components(separatedBy: "\n## ")
    let start = script(parts[0].split(separator: "\n"), "$")
    return parts.dropFirst().map {
      Session(file: file, start: start, text: $0.trimmingCharacters(in: .newlines))
    }
  }

  var testDescription: String {
    "\(file.lastPathComponent): \(text.prefix { $0 != "\n" })"
  }

  /// The title, the script and what it prints now.
  func printed() async throws -> String {
    let git = try GitSandbox()
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let head = lines.prefix(1) + lines.dropFirst().prefix { Self.isScript($0, "$", "%") }
    let needs = Self.script(head, "%")
    if !needs.isEmpty, try git.sh(needs).status != 0 { return text }
    let script = start + Self.script(head, "$")
    let run =
      script.contains("sleep") ? try await git.sh(sleeping: script) : try git.sh(script)

    // Names of commits, documents and changes, and beginnings of such names.
    let names = /\b(?:[0-9a-f]{7,}(?:-[0-9a-f-]{27})?\b|[0-9a-f]{4}…)/.wordBoundaryKind(.simple)
    let times = /20\d\d-\d\d-\d\dT[0-9:.]+Z|\d\d? [A-Z][a-z]{2} \d\d:\d\d/
    func visible(_ text: String) -> String {
      text.replacing(git.program.directory.path, with: "$T").replacing(names, with: "…")
        .replacing(times, with: "…")
    }
    var result = head.joined(separator: "\n") + "\n" + visible(run.output)
    if !result.hasSuffix("\n") { result += "\n" }
    for line in visible(run.errors).split(separator: "\n")
    // What git advises differs from version to version.
    where !line.hasPrefix("hint: ") && !line.hasPrefix("error: ") {
      result += "! \(line)\n"
    }
    if run.status != 0 { result += "? \(run.status)\n" }
    return result.trimmingCharacters(in: .newlines)
  }

  /// Whether a line begins with one of some signs, which stand alone before an empty line.
  private static func isScript(_ line: Substring, _ signs: String...) -> Bool {
    signs.contains { line.hasPrefix("\($0) ") || line == $0 }
  }

  private static func script(_ lines: some Sequence<Substring>, _ sign: String) -> String {
    lines.filter { isScript($0, sign) }.map { $0.dropFirst(2) + "\n" }.joined()
  }

  private static let writing = Mutex(())

  /// Puts what is printed now in the place of what was.
  func replace(by printed: String) throws {
    try Self.writing.withLock { _ in
      let old = try String(contentsOf: file, encoding: .utf8)
      try old.replacing("## \(text)\n", with: "## \(printed)\n")
        .write(to: file, atomically: true, encoding: .utf8)
    }
  }
}
