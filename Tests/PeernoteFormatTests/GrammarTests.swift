import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Checks documents against the grammar in the manual page, with a validator made by others.
///
/// One after the other, since the first one makes the validator's environment.
@Suite("Grammar", .serialized) struct GrammarTests {
  @Test("Every document among the fixtures fits the grammar in the manual page")
  func fixtures() throws {
    guard let grammar = try Grammar() else { return }
    let fixtures = Repository.path("Fixtures")
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: fixtures.path(percentEncoded: false)
    ).filter { $0.hasSuffix(".peernote") }.sorted()
    #expect(paths.count >= GoldenDocument.all.count)
    let outcome = try grammar.check(
      paths.map { fixtures.appending(path: $0).path(percentEncoded: false) })
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test("Random documents fit the grammar in the manual page")
  func randomDocuments() throws {
    guard let grammar = try Grammar() else { return }
    let seeds = LawBudget(histories: 20).seeds
    print("grammar: profile everything, seeds \(seeds); replay with PEERNOTE_SEED")
    let outcome = try grammar.check(
      seeds.map { try History(seed: $0, profile: .everything).document.bytes() })
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }

  @Test("Deltas of random documents fit the grammar in the manual page, and are no documents")
  func deltas() throws {
    guard let grammar = try Grammar(startingWith: "delta") else { return }
    let seeds = LawBudget(histories: 20).seeds
    print("grammar: profile everything, seeds \(seeds); replay with PEERNOTE_SEED")
    let deltas = try seeds.flatMap { seed in
      let document = try History(seed: seed, profile: .everything).document
      var random = SplitMix64(seed: seed)
      return [
        try document.delta(since: []),
        try document.delta(since: [random.pick(document.changes).id]),
        try document.delta(since: document.heads),
      ]
    }
    let outcome = try grammar.check(deltas)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let documents = try #require(try Grammar())
    #expect(try documents.check([deltas[0]]).status == 1)
  }

  @Test("What is not a document does not fit the grammar")
  func refusals() throws {
    guard let grammar = try Grammar() else { return }
    let bytes = try GoldenDocument.sections.make().bytes()
    let damaged = Self.damages.compactMap { $0.made(of: bytes) }
    try #require(damaged.count == Self.damages.count, "every damage applies")
    let outcome = try grammar.check(damaged)
    #expect(outcome.status == 1)
    let verdicts = outcome.output.split(separator: "\n")
    #expect(verdicts.count == damaged.count)
    for (damage, verdict) in zip(Self.damages, verdicts) {
      #expect(!verdict.hasSuffix(": ok"), "\(damage.name)")
    }
  }

  private static let damages: [Damage] = [
    Damage("another protocol tag", [0x70, 0x6E, 0x6F, 0x74], [0x70, 0x6E, 0x6F, 0x75]),
    Damage("another version", [0x85, 0x00, 0x01], [0x85, 0x00, 0x02]),
    Damage("no zero", [0x85, 0x00, 0x01], [0x85, 0x20, 0x01]),
    Damage("another tag around the identifier", [0xD8, 0x25, 0x50], [0xD8, 0x26, 0x50]),
    Damage("an unknown required section", [0x18, 0x80, 0xF6], [0x18, 0x7F, 0xF6]),
    Damage("no view", [0x02, 0x82, 0xA1], [0x04, 0x82, 0xA1]),
    Damage("an agent that is no byte string", [0x81, 0x82, 0x48], [0x81, 0x82, 0x68]),
    Damage(
      "a key that is no text", [0xA1, 0x65] + Array("title".utf8),
      [0xA1, 0x45] + Array("title".utf8)),
    Damage(
      "a new container that is not empty", [0x4C, 0x6B] + Array("With extras".utf8),
      [0x4C, 0x81, 0x6A] + Array("With extra".utf8)),
    Damage("a checksum of another length", [0x58, 0x20], [0x58, 0x1F], dropsLast: true),
  ]
}

/// A change to the bytes of a file.
private struct Damage {
  let name: String
  let old: [UInt8]
  let new: [UInt8]
  let dropsLast: Bool

  init(_ name: String, _ old: [UInt8], _ new: [UInt8], dropsLast: Bool = false) {
    self.name = name
    self.old = old
    self.new = new
    self.dropsLast = dropsLast
  }

  /// The bytes with the last occurrence of the old bytes replaced; `nil` where there is none.
  func made(of bytes: [UInt8]) -> [UInt8]? {
    guard
      let start = bytes.indices.last(where: { bytes[$0...].starts(with: old) })
    else { return nil }
    var result = bytes
    result.replaceSubrange(start..<start + old.count, with: new)
    if dropsLast { result.removeLast() }
    return result
  }
}

/// The grammar and the program that checks files against it.
private struct Grammar {
  private let python: ExternalTool
  /// The rule that files are checked against; `nil` for the first.
  private let start: String?

  /// The validator's environment; `nil` where it cannot be made and may be missing.
  ///
  /// It is that in `PEERNOTE_VENV`, or else `.venv`, which `setup-venv` makes where needed.
  init?(startingWith start: String? = nil) throws {
    self.start = start
    guard let python = try ExternalTool.python(with: "the CDDL validator") else { return nil }
    self.python = python
  }

  func check(_ files: [[UInt8]]) throws -> ExternalTool.Outcome {
    try withTemporaryFiles(files) { try check($0) }
  }

  func check(_ paths: [String]) throws -> ExternalTool.Outcome {
    try withTemporaryDirectory { directory in
      let grammar = directory.appending(path: "peernote.cddl")
      let rules = try ManualPage.lines("CDDL").joined(separator: "\n") + "\n"
      let text = (start.map { "start = \($0)\n" } ?? "") + rules
      try Data(text.utf8).write(to: grammar)
      let script = Repository.path("Tests/Tools/check_grammar.py")
      return try python.run(
        ["-B", script.path(percentEncoded: false), grammar.path(percentEncoded: false)] + paths)
    }
  }
}
