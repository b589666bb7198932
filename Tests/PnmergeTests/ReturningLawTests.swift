import Foundation
import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

@Suite("Laws of content that comes back, through the commands")
struct ReturningLawTests {
  /// How an export says which version it is.
  enum Kind: CaseIterable {
    case marked
    case remembered
  }

  private static let suffixes = ["md", "json", "txt"]

  @Test(
    "what anybody wrote, here or in an export, is there once", arguments: Kind.allCases,
    1...6 as ClosedRange<UInt64>)
  func everyEdit(kind: Kind, seed: UInt64) {
    let end = play(kind, seed)
    #expect(end.lines.sorted() == end.wanted.sorted())
  }

  /// Who deletes lines beside ones that came in, or edits beside what is contested, has to choose.
  @Test(
    "what anybody wrote, here or in an export, is there once, or was listed as contested",
    arguments: Kind.allCases, 7...20 as ClosedRange<UInt64>)
  func everyEditOrListed(kind: Kind, seed: UInt64) {
    let end = play(kind, seed)
    #expect(Set(end.lines).count == end.lines.count, "\(end.lines)")
    for line in end.wanted.symmetricDifference(end.lines) {
      #expect(end.listed.contains(line), "\(line): \(end.wanted.contains(line) ? "lost" : "back")")
    }
  }

  /// Edits two copies and exports of them at random, and takes the exports in again.
  ///
  /// - Returns: the lines in the end, those that should be there, and what was listed on the way.
  private func play(
    _ kind: Kind, _ seed: UInt64
  ) -> (lines: [String], wanted: Set<String>, listed: String) {
    let host = MemoryHost()
    var random = SplitMix64(seed: seed)
    var (written, deleted): (Set<String>, Set<String>) = (["first"], [])
    var exports: [String] = []
    var listed = ""
    let copies = ["a", "b"]
    host.setText("body", "first\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "body")
    host.copy("a", "b")

    func edited(_ text: String, _ separator: String) -> String {
      var lines = text.components(separatedBy: separator)
      let own = lines.indices.filter { written.contains(lines[$0]) }
      if own.count > 2, Int.random(in: 0..<3, using: &random) == 0,
        let index = own.randomElement(using: &random)
      {
        deleted.insert(lines.remove(at: index))
        // Without a mark and a word of its own it could be an older version.
        if kind == .marked, Bool.random(using: &random) {
          return lines.joined(separator: separator)
        }
      }
      // Unlike every other one, so that no word of it is taken for one of another.
      let name = String(random.next(), radix: 36)
      // In JSON the first line follows a quotation mark.
      func start(_ line: String) -> String.Index {
        line.lastIndex(of: "\"").map { line.index(after: $0) } ?? line.startIndex
      }
      let places = lines.indices.filter { written.contains(String(lines[$0][start(lines[$0])...])) }
      written.insert(name)
      guard let place = places.randomElement(using: &random) else { return text + name + "\n" }
      lines[place].insert(contentsOf: name + separator, at: start(lines[place]))
      return lines.joined(separator: separator)
    }

    func comeBack(_ file: String, to copy: String) {
      for copy in copies { host.pnmerge("merge", copy, copy == "a" ? "b" : "a") }
      let run = host.pnmerge("import", file, "-o", copy)
      #expect(run.status == .done, "\(run.errors)")
      listed += host.pnmerge("conflicts", "--json", copy).output
    }

    func separator(_ file: String) -> String { file.hasSuffix("json") ? "\\n" : "\n" }

    for round in 0..<24 {
      let copy = copies.randomElement(using: &random) ?? "a"
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1:
        host.setText("body", edited(host.pnmerge("cat", "--body", copy).output, "\n"))
        host.pnmerge("edit", copy, "--body-file", "body", "--author", copy)
      case 2:
        let suffixes = kind == .marked ? ["md", "json"] : Self.suffixes
        let file = "x\(round).\(suffixes.randomElement(using: &random) ?? "md")"
        let mark = kind == .marked ? ["--with-version"] : []
        let run = host.pnmerge(["export", copy, "-o", file] + mark)
        #expect(run.status == .done)
        exports.append(file)
      case 3:
        if let file = exports.randomElement(using: &random) { comeBack(file, to: copy) }
      case 4, 5:
        guard let file = exports.randomElement(using: &random) else { continue }
        let text = String(decoding: host[file] ?? [], as: UTF8.self)
        host.setText(file, edited(text, separator(file)))
      default:
        host.pnmerge("merge", copy, copy == "a" ? "b" : "a")
        listed += host.pnmerge("conflicts", "--json", copy).output
      }
    }
    for file in exports { comeBack(file, to: copies.randomElement(using: &random) ?? "a") }
    host.pnmerge("merge", "a", "b")
    let lines = host.pnmerge("cat", "--body", "a").output.split(separator: "\n").map(String.init)
    listed += host.pnmerge("conflicts", "--json", "a").output
    #expect(host.pnmerge("validate", "a").status == .done)
    return (lines, written.subtracting(deleted), listed)
  }
}
