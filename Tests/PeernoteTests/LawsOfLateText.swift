import Peernote
import PeernoteTestSupport
import Testing

/// Texts that leave a document, are edited outside, and come back after some of what they hold was
/// deleted and redacted.
///
/// Every line is one word that nobody else wrote. What was redacted never stands in a file again,
/// and a line that was added outside is there unless the whole text was refused.
@Suite struct LawsOfLateText {
  private struct Trial {
    var random: SplitMix64
    var document: Document
    /// Texts outside, with the version that they are of.
    var outside: [(base: [ChangeID], lines: [String], added: Set<String>)] = []
    var redacted: Set<String> = []
    var refused = 0
    var taken = 0
    private var sessions: UInt64 = 10
    private var words = 0

    static let body = JSONPointer(["body"])

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      document = Document(id: UniqueID(high: 13, low: seed))
      try document.change(by: session()) { try $0.put(node: .text("start\n"), at: Self.body) }
    }

    mutating func session() -> DocumentSession {
      sessions += 1
      return DocumentSession.person(sessions, "", at: Int64(sessions))
    }

    var lines: [String] {
      guard case .text(let text)? = document.node(at: Self.body) else { return [] }
      return text.split(separator: "\n").map(String.init)
    }

    /// A line of one word, or of a label and a word.
    ///
    /// No two are of one length: one that stands where another was redacted would be taken for it.
    mutating func word() -> String {
      words += 1
      var name = ""
      while name.utf8.count < 7 * (words + 1) { name += String(random.next(), radix: 36) }
      name = String(name.prefix(7 * (words + 1)))
      return random.chance(30) ? "label \(name)" : name
    }

    mutating func step() throws {
      switch random.below(7) {
      case 0, 1:
        var lines = lines
        if lines.count > 3, random.chance(50) {
          lines.remove(at: random.below(lines.count))
        } else {
          lines.insert(word(), at: random.below(lines.count + 1))
        }
        let text = lines.map { $0 + "\n" }.joined()
        try document.change(by: session()) { try $0.replaceText(at: Self.body, with: text) }
      case 2:
        outside.append((document.heads, lines, []))
      case 3, 4:
        guard !outside.isEmpty else { return }
        edit(random.below(outside.count))
      case 5:
        try redact()
      default:
        guard !outside.isEmpty else { return }
        try comeBack(outside.remove(at: random.below(outside.count)))
      }
    }

    private mutating func edit(_ index: Int) {
      let count = outside[index].lines.count
      switch random.below(4) {
      case 0 where count > 2:
        let line = outside[index].lines.remove(at: random.below(count))
        outside[index].added.remove(line)
      case 1 where count > 2:
        let line = outside[index].lines.remove(at: random.below(count))
        outside[index].lines.insert(line, at: random.below(count))
      default:
        let line = word()
        outside[index].added.insert(line)
        outside[index].lines.insert(line, at: random.below(count + 1))
      }
    }

    /// Redacts a line that some text outside has and the document has no more.
    private mutating func redact() throws {
      let shown = Set(lines)
      let gone = outside.flatMap { $0.lines.filter { !shown.contains($0) } }
      guard !gone.isEmpty else { return }
      let line = random.pick(gone)
      guard let passage = TextPattern(line) else { return }
      let isFound = try document.redactDeletedText(matching: passage).removedScalars > 0
      // What a kept reading holds is not deleted, and stays.
      if isFound, !document.bytes().contains(Array(line.utf8)) { redacted.insert(line) }
    }

    private mutating func comeBack(
      _ item: (base: [ChangeID], lines: [String], added: Set<String>)
    ) throws {
      let text = item.lines.map { $0 + "\n" }.joined()
      do {
        try document.change(at: item.base, by: session()) { editor in
          try editor.replaceText(at: Self.body, with: text)
        }
      } catch EditError.redacted {
        refused += 1
        return
      }
      taken += 1
      let bytes = document.bytes()
      for line in item.added {
        // The label may be that of another line, which was changed into this one and deleted here.
        let word = line.split(separator: " ").last.map { Array($0.utf8) } ?? []
        guard bytes.contains(word) else { throw Fault("\(line) was added and is gone") }
      }
    }
  }

  @Test("no redacted text ever stands in a file again, and nothing else that comes back is lost")
  func late() throws {
    var (refused, taken) = (0, 0)
    for seed in LawBudget(histories: 60).seeds {
      var trial = try Trial(seed: seed)
      for _ in 0..<60 {
        let before = trial.document.heads
        try trial.step()
        if trial.document.heads == before { continue }
        let bytes = trial.document.bytes()
        for line in trial.redacted {
          let isBack = bytes.contains(Array(line.utf8))
          #expect(!isBack, "seed \(seed): \(line) is back")
        }
        #expect(!bytes.contains(Array("\u{FFFD}".utf8)), "seed \(seed)")
      }
      #expect(Document.validate(bytes: trial.document.bytes()).isEmpty, "seed \(seed)")
      refused += trial.refused
      taken += trial.taken
    }
    // A law that refuses everything would say nothing.
    #expect(taken > 2 * refused, "\(taken) taken in, \(refused) refused")
  }
}
