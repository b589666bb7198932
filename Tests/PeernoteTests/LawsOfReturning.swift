import Peernote
import PeernoteTestSupport
import Testing

/// Content that leaves a document and comes back late, edited.
///
/// Copies are edited, exported, merged and edited again at random, and what was exported comes back
/// to any copy that has the version, as an edit of that version. Every edit may take lines away and
/// add some. In the end every line or element that anybody wrote is there once, unless somebody who
/// saw it deleted it; and what was deleted is gone. Where people wrote against each other, that
/// holds for what is shown and the readings that are kept, together.
@Suite struct LawsOfReturning {
  /// What leaves and comes back.
  enum Content: CaseIterable {
    /// A text of lines.
    case text
    /// A list of maps, each with the line as a string.
    case list

    fileprivate static let path = JSONPointer(["content"])

    fileprivate func node(_ lines: [String]) -> DocumentNode {
      switch self {
      case .text: .text(lines.map { $0 + "\n" }.joined())
      case .list:
        .list(
          lines.map { line in
            .map([
              .init(key: "t", node: .value(.string(line))),
              .init(key: "done", node: .value(.bool(false))),
            ])
          })
      }
    }

    /// The readings of each contested passage as lines, what is shown first.
    fileprivate func readings(_ document: Document) -> [[Set<String>]] {
      document.conflicts.filter { $0.kind == .passage }.map { passage in
        ([passage.kept] + passage.others).map { side in
          guard case .text(let text)? = side.node else { return [] }
          return Set(text.split(separator: "\n").map(String.init))
        }
      }
    }

    /// The lines that stand in some reading of a contested passage, but not in all of them.
    fileprivate func contested(_ document: Document) -> Set<String> {
      var result: Set<String> = []
      for readings in readings(document) {
        for line in readings.joined() where !readings.allSatisfy({ $0.contains(line) }) {
          result.insert(line)
        }
      }
      return result
    }

    fileprivate func lines(_ document: Document) -> [String] {
      switch document.node(at: Self.path) {
      case .text(let text): text.split(separator: "\n").map(String.init)
      case .list(let elements):
        elements.compactMap { element in
          guard case .value(.string(let line))? = element["t"] else { return nil }
          return line
        }
      default: []
      }
    }
  }

  /// Lines that were exported, and are edited outside.
  private struct Outside {
    var base: [ChangeID]
    var lines: [String]
  }

  /// The course of one trial.
  private struct Trial {
    let content: Content
    var random: SplitMix64
    var copies: [Document]
    var outside: [Outside] = []
    /// The lines that somebody wrote, and those that somebody deleted.
    var written: Set<String> = ["first"]
    var deleted: Set<String> = []
    /// The lines that were contested in a passage which somebody settled, having all its readings.
    var settled: Set<String> = []
    var sessions: UInt64 = 10

    init(_ content: Content, seed: UInt64) throws {
      self.content = content
      random = SplitMix64(seed: seed)
      var document = Document(id: UniqueID(high: 9, low: seed))
      try document.change(
        by: DocumentSession(agent: AgentID(rawValue: 1), author: "", time: .init(milliseconds: 1))
      ) { editor in
        try editor.put(node: content.node(["first"]), at: Content.path)
      }
      copies = [document, document, document]
    }

    mutating func session() -> DocumentSession {
      sessions += 1
      return DocumentSession.person(sessions, "", at: Int64(sessions))
    }

    /// Deletes a line, inserts one that nobody else wrote, or both, in one place or in two.
    mutating func edit(_ lines: inout [String]) {
      let kind = lines.count < 4 ? 0 : random.below(4)
      if kind != 0 {
        let index = random.below(lines.count)
        deleted.insert(lines.remove(at: index))
        if kind == 2 { return insert(at: index, of: &lines) }
      }
      if kind != 1 { insert(at: random.below(lines.count + 1), of: &lines) }
    }

    /// Inserts a line unlike every other one, so that none is taken for another one edited.
    private mutating func insert(at index: Int, of lines: inout [String]) {
      let name = String(random.next(), radix: 36)
      written.insert(name)
      lines.insert(name, at: index)
    }

    /// Makes a version of a document read as lines.
    ///
    /// Whose edit meets a contested passage settles it, with all of its readings at hand: what is
    /// shown of it stays, be it deleted in another one, and what only others have goes, unless
    /// somebody else settles it otherwise.
    mutating func write(_ lines: [String], at base: [ChangeID], to copy: Int) throws -> [ChangeID] {
      let session = session()
      let made = try copies[copy].changing(at: base) { [content] document in
        let contested = content.contested(document)
        let change = try document.change(by: session) { editor in
          try editor.replaceContent(at: Content.path, with: content.node(lines))
        }
        return (change: change, settled: contested.subtracting(content.contested(document)))
      }
      settled.formUnion(made.result.settled)
      return made.result.change.map { [$0] } ?? base
    }

    mutating func step() throws {
      let copy = random.below(copies.count)
      switch random.below(8) {
      case 0, 1:
        var lines = content.lines(copies[copy])
        edit(&lines)
        _ = try write(lines, at: copies[copy].heads, to: copy)
      case 2:
        outside.append(Outside(base: copies[copy].heads, lines: content.lines(copies[copy])))
      case 3, 4:
        guard !outside.isEmpty else { return }
        let index = random.below(outside.count)
        var lines = outside[index].lines
        edit(&lines)
        outside[index].lines = lines
      case 5:
        guard !outside.isEmpty else { return }
        try comeBack(random.below(outside.count), to: copy)
      default:
        let other = copies[(copy + 1) % copies.count]
        _ = try copies[copy].merge(other)
      }
    }

    mutating func comeBack(_ index: Int, to copy: Int) throws {
      let item = outside[index]
      guard item.base.allSatisfy(copies[copy].contains) else { return }
      outside[index].base = try write(item.lines, at: item.base, to: copy)
    }

    /// Brings everything together.
    mutating func finish() throws -> Document {
      for _ in 0..<2 {
        for copy in copies.indices { for other in copies { _ = try copies[copy].merge(other) } }
        for index in outside.indices { try comeBack(index, to: index % copies.count) }
      }
      for copy in copies.indices { for other in copies { _ = try copies[copy].merge(other) } }
      return copies[0]
    }

    /// What is wrong with the lines in the end; `nil` if nothing is.
    func fault(of document: Document) -> String? {
      let shown = content.lines(document)
      if Set(shown).count < shown.count { return "twice: \(shown)" }
      let wanted = written.subtracting(deleted)
      let readings = content.readings(document)
      let lost = wanted.subtracting(settled).subtracting(shown).filter { line in
        !readings.contains { $0.dropFirst().contains { $0.contains(line) } }
      }
      if !lost.isEmpty { return "lost: \(lost)" }
      // A reading is shown whole: what only one side deleted stands in the reading of the other.
      let back = Set(shown).subtracting(wanted).subtracting(settled).filter { line in
        !readings.contains { $0[0].contains(line) && !$0.allSatisfy { $0.contains(line) } }
      }
      return back.isEmpty ? nil : "back: \(back)"
    }
  }

  @Test(
    "what anybody wrote is there once, or was deleted by somebody who saw it",
    arguments: Content.allCases)
  func everyEdit(content: Content) throws {
    var contested = 0
    for seed in LawBudget(histories: 150).seeds {
      var trial = try Trial(content, seed: seed)
      for _ in 0..<30 { try trial.step() }
      let document = try trial.finish()
      let bytes = document.bytes()
      #expect(trial.copies.allSatisfy { $0.bytes() == bytes }, "seed \(seed)")
      #expect(Document.validate(bytes: bytes).isEmpty, "seed \(seed)")
      if let fault = trial.fault(of: document) { Issue.record("seed \(seed): \(fault)") }
      if !document.conflicts.isEmpty { contested += 1 }
    }
    // Where nothing ever meets, the law would say less.
    #expect(content == .list || contested > 0)
  }
}
