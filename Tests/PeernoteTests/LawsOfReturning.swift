import Peernote
import PeernoteTestSupport
import Testing

/// Content that leaves a document and comes back late, edited.
///
/// Copies are edited, exported, merged and edited again at random, and what was exported comes back
/// to any copy that has the version, as an edit of that version. In the end every line and element
/// that anybody wrote is there once, unless somebody who saw it deleted it; and what was deleted is
/// gone.
@Suite struct LawsOfReturning {
  /// A list of lines that was exported, and is edited outside.
  private struct Outside {
    var base: [ChangeID]
    var lines: [String]
    /// Whether lines go or come until it comes back: where one goes and another comes, a text
    /// changes the one into the other, which is not to be tried here.
    var loses: Bool
  }

  /// The course of one trial.
  private struct Trial {
    var random: SplitMix64
    var copies: [Document]
    var outside: [Outside] = []
    /// The lines that somebody wrote, and those that somebody deleted.
    var written: Set<String> = []
    var deleted: Set<String> = []
    var sessions: UInt64 = 10

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      var document = Document(id: UniqueID(high: 9, low: seed))
      try document.change(
        by: Session(agent: AgentID(rawValue: 1), author: "", time: .init(milliseconds: 1))
      ) { (editor) throws(EditError) in
        try editor.put(node: .text("first\n"), at: JSONPointer(["body"]))
        try editor.put(node: .list([Trial.element("first")]), at: JSONPointer(["list"]))
      }
      copies = [document, document, document]
      written = ["first"]
    }

    static func element(_ name: String) -> Node {
      .map([
        .init(key: "t", node: .value(.string(name))),
        .init(key: "done", node: .value(.bool(false))),
      ])
    }

    mutating func session() -> Session {
      sessions += 1
      return Session(
        agent: AgentID(rawValue: sessions), author: "",
        time: Timestamp(milliseconds: Int64(sessions)))
    }

    func lines(_ document: Document) -> [String] {
      guard case .text(let text)? = document.node(at: JSONPointer(["body"])) else { return [] }
      return text.split(separator: "\n").map(String.init)
    }

    /// Deletes a line, or inserts one that nobody else wrote.
    mutating func edit(_ lines: inout [String], losing: Bool) {
      if losing {
        if lines.count < 4 { return }
        let index = random.below(lines.count)
        deleted.insert(lines.remove(at: index))
      } else {
        // Unlike every other one, so that none is taken for another one edited.
        let name = String(random.next(), radix: 36)
        written.insert(name)
        lines.insert(name, at: random.below(lines.count + 1))
      }
    }

    /// Makes a version of a document read as lines, in the text and in the list.
    mutating func write(_ lines: [String], at base: [ChangeID], to copy: Int) throws -> [ChangeID] {
      let session = session()
      let report = try copies[copy].change(at: base, by: session) { editor in
        try editor.replaceContent(
          at: JSONPointer(["body"]), with: .text(lines.map { $0 + "\n" }.joined()))
        try editor.replaceContent(at: JSONPointer(["list"]), with: .list(lines.map(Self.element)))
      }
      return report == nil ? base : [ChangeID(agent: session.agent, sequence: 1)]
    }

    mutating func step() throws {
      let copy = random.below(copies.count)
      switch random.below(8) {
      case 0, 1:
        var lines = lines(copies[copy])
        edit(&lines, losing: random.below(3) == 0)
        _ = try write(lines, at: copies[copy].heads, to: copy)
      case 2:
        outside.append(
          Outside(
            base: copies[copy].heads, lines: lines(copies[copy]), loses: random.below(3) == 0))
      case 3, 4:
        guard !outside.isEmpty else { return }
        let index = random.below(outside.count)
        var lines = outside[index].lines
        edit(&lines, losing: outside[index].loses)
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
      outside[index].loses = random.below(3) == 0
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
  }

  @Test("what anybody wrote is there once, or was deleted by somebody who saw it")
  func everyEdit() throws {
    for seed in LawBudget(histories: 150).seeds {
      var trial = try Trial(seed: seed)
      for _ in 0..<30 { try trial.step() }
      let document = try trial.finish()
      #expect(
        trial.copies.allSatisfy { $0.encoded() == document.encoded() }, "seed \(seed)")
      let wanted = trial.written.subtracting(trial.deleted).sorted()
      let contested = document.conflicts.filter { $0.kind == .passage }
      if contested.isEmpty {
        #expect(trial.lines(document).sorted() == wanted, "seed \(seed)")
      } else {
        // What stands in no line is kept in a reading.
        var kept: Set<String> = []
        for case .text(let text)? in contested.flatMap(\.others).map(\.node) {
          kept.formUnion(text.split(separator: "\n").map(String.init))
        }
        let shown = trial.lines(document)
        #expect(Set(shown).count == shown.count, "seed \(seed)")
        #expect(kept.union(shown).isSuperset(of: wanted), "seed \(seed)")
      }
      guard case .list(let elements)? = document.node(at: JSONPointer(["list"])) else {
        Issue.record("a list, seed \(seed)")
        return
      }
      let names = elements.compactMap { element -> String? in
        guard case .value(.string(let name))? = element["t"] else { return nil }
        return name
      }
      #expect(names.sorted() == wanted, "seed \(seed)")
      #expect(Document.validate(bytes: document.encoded()).isEmpty, "seed \(seed)")
    }
  }
}
