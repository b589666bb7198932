import Foundation
import Peernote
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Holds the library against a reader in Python that was written from the manual page alone.
@Suite("Independent reader") struct IndependentReaderTests {
  @Test("A reader made from the manual page finds in golden files what the library finds")
  func goldenFiles() throws {
    try expectAgreement(
      GoldenDocument.all.map { (name: $0.name, bytes: try $0.make().bytes()) })
  }

  @Test(
    "A reader made from the manual page finds in random documents what the library finds",
    arguments: HistoryProfile.all)
  func randomDocuments(_ profile: HistoryProfile) throws {
    let seeds = LawBudget(histories: 8).seeds
    print("independent reader: profile \(profile), seeds \(seeds); replay with PEERNOTE_SEED")
    try expectAgreement(
      seeds.map { seed in
        let bytes = try History(seed: seed, profile: profile).document.bytes()
        return (name: "\(profile)-\(seed)", bytes: bytes)
      })
  }

  @Test("A reader made from the manual page refuses a file with any bit flipped")
  func damage() throws {
    guard let reader = try Reader() else { return }
    let bytes = try GoldenDocument("empty") { _ in }.make().bytes()
    let damaged = (0..<8 * bytes.count).map { bit in
      var bytes = bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      return bytes
    }
    try withTemporaryFiles(damaged) { paths in
      let outcome = try reader.run(paths)
      #expect(outcome.status == 1)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.split(separator: "\n").count == damaged.count)
    }
  }

  @Test("A reader made from the manual page refuses what the library refuses, and nothing else")
  func rules() throws {
    guard let reader = try Reader() else { return }
    let rules = Rule.all.map { (name: $0.name, bytes: $0.broken.bytes) }
    let deep = try ValidationDepthTests.cases.map { (name: $0.description, bytes: try $0.make()) }
    let corners = Corner.all.filter { !$0.isSound }.map { (name: $0.description, bytes: $0.make()) }
    let broken = rules + deep + corners
    try withTemporaryFiles(broken.map(\.bytes)) { paths in
      let outcome = try reader.run(paths)
      #expect(outcome.output.isEmpty)
      let refused = outcome.errors.split(separator: "\n").map(String.init)
      #expect(refused.count == broken.count, "\(refused.last ?? "")")
      for (file, path) in zip(broken, paths) where !refused.contains(where: { $0.contains(path) }) {
        Issue.record("read though broken: \(file.name)")
      }
    }
    // It takes quadratic time, which would be long for the largest.
    let sound = Corner.all.filter(\.isSound).map { (name: $0.description, bytes: $0.make()) }
    try expectAgreement(sound.filter { $0.bytes.count < 100_000 })
  }

  @Test("The Python code in the manual page finds what the independent reader finds")
  func manualCode() throws {
    guard let reader = try Reader() else { return }
    let seeds = LawBudget(histories: 12).seeds
    print("manual code: profile everything, seeds \(seeds); replay with PEERNOTE_SEED")
    let random = try seeds.map { try History(seed: $0, profile: .everything).document.bytes() }
    let golden = try GoldenDocument.all.map { try $0.make().bytes() }
    let page = try String(contentsOf: Repository.path("man/peernote.5"), encoding: .utf8)
    try withTemporaryFiles(golden + random) { paths in
      let outcome = try reader.checkCode(on: page, paths)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let compared = outcome.output.split { $0.isWhitespace }.compactMap { Int($0) }
      #expect(compared.count == 2 && compared.allSatisfy { $0 > 500 }, "\(outcome.output)")
      // Each of these is wrong, and the files tell.
      for (right, wrong) in [
        ("right.left.sort(key=name)", "pass"), ("[1, 0, \\-1][kind]", "[1, 1, \\-1][kind]"),
        ("cursors[chain.agent] = cursor", "pass"),
      ] {
        let broken = page.replacing(right, with: wrong)
        #expect(broken != page)
        let refusal = try reader.checkCode(on: broken, paths)
        #expect(refusal.status == 1, "\(right)")
      }
    }
    // Two who insert at one place, where one of them had seen more to the right of it.
    let places = try Self.differentRightOrigins()
    try withTemporaryFiles([places.bytes()]) { paths in
      let (right, wrong) = (
        try reader.checkCode(on: page, paths),
        try reader.checkCode(
          on: page.replacing("reverse=True", with: "reverse=False"), paths)
      )
      #expect(right.status == 0, "\(right.errors)")
      #expect(wrong.status == 1)
    }
  }

  /// A text whose first letter has right children with different right origins.
  private static func differentRightOrigins() throws -> DocumentFile {
    var story = Story()
    let made = story.change(1, [.put("body", new: .text)])
    let body = made.container(0)
    let base = story.change(1, [.insertText(into: body, at: 0, text: "b")])
    let left = story.change(2, after: [base], [.insertText(into: body, at: 0, text: "a")])
    let other = story.change(3, after: [base], [.insertText(into: body, at: 0, text: "c")])
    story.change(4, after: [left, other], [.insertText(into: body, at: 1, text: "d")])
    story.change(5, after: [left], [.insertText(into: body, at: 1, text: "e")])
    story.change(6, after: [other], [.insertText(into: body, at: 1, text: "f")])
    return try GoldenDocument.file(of: "places", story.changes)
  }

  private func expectAgreement(_ documents: [(name: String, bytes: [UInt8])]) throws {
    guard let reader = try Reader() else { return }
    let expected = try documents.map { try DocumentJSON.describe($0.bytes).text + "\n" }
    try withTemporaryFiles(documents.map(\.bytes)) { paths in
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
    guard let python = try ExternalTool.ifPresent("python3") else { return nil }
    self.python = python
  }

  func run(_ paths: [String]) throws -> ExternalTool.Outcome {
    try python.run(["-B", script.path(percentEncoded: false)] + paths)
  }

  /// Runs the Python code on a manual page for some files.
  func checkCode(on page: String, _ paths: [String]) throws -> ExternalTool.Outcome {
    let script = Repository.path("Tests/Tools/check_manual_code.py").path(percentEncoded: false)
    return try withTemporaryDirectory { directory in
      let file = directory.appending(path: "page.5")
      try Data(page.utf8).write(to: file)
      return try python.run(["-B", script, file.path(percentEncoded: false)] + paths)
    }
  }
}
