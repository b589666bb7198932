import Peernote
import PeernoteTestSupport
import Testing

/// Models that are read, edited and saved late, on several copies that are merged now and then.
///
/// Copies also send each other deltas, which may be applied twice, or wait for others. In the end
/// all copies are the same, and every row, tag and line that anybody wrote is there once, unless
/// somebody who saw it deleted it.
@Suite struct LawsOfDrafts {
  private struct Row: Codable, Equatable {
    var id: UInt64
    var title: String
    var note: String?
  }

  private struct Model: Codable, Equatable {
    var rows: [Row] = []
    var tags: Set<UInt64> = []
    @MergeableCounter var count = 0
    @MergeableText var text = ""

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      rows = try container.decodeIfPresent([Row].self, forKey: .rows) ?? []
      tags = try container.decodeIfPresent(Set<UInt64>.self, forKey: .tags) ?? []
      _count = try container.decode(MergeableCounter.self, forKey: .count)
      _text = try container.decode(MergeableText.self, forKey: .text)
    }
  }

  private struct Trial {
    var random: SplitMix64
    var copies: [Document]
    /// Drafts with the copy that they are of.
    var drafts: [(copy: Int, draft: Draft<Model>)] = []
    var deltas: [[UInt8]] = []
    var rows: Set<UInt64> = []
    var tags: Set<UInt64> = []
    var lines: Set<String> = []
    var count = 0
    /// What somebody deleted in a draft, and saved.
    var deletedRows: Set<UInt64> = []
    var deletedTags: Set<UInt64> = []
    /// What each draft adds and deletes, until it is saved.
    var pending: [Pending] = []

    struct Pending {
      var rows: Set<UInt64> = []
      var tags: Set<UInt64> = []
      var lines: Set<String> = []
      var deletedRows: Set<UInt64> = []
      var deletedTags: Set<UInt64> = []
      var count = 0
    }

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      var document = Document(id: UniqueID(high: 11, low: seed))
      try document.change(by: Self.session(99, 0)) { editor in
        try editor.put(.string("some content"), at: ["other"])
      }
      copies = [document, document, document]
    }

    /// One agent a copy, as in an app; late drafts have to draw others.
    static func session(_ copy: Int, _ time: Int64) -> DocumentSession {
      DocumentSession.person(UInt64(copy) + 1, "", at: time)
    }

    mutating func step(_ time: Int64) throws {
      let copy = random.below(copies.count)
      switch random.below(10) {
      case 0, 1:
        guard drafts.count < 6 else { return }
        drafts.append((copy, try copies[copy].draft(Model.self)))
        pending.append(Pending())
      case 2, 3, 4:
        guard !drafts.isEmpty else { return }
        edit(random.below(drafts.count))
      case 5, 6:
        guard !drafts.isEmpty else { return }
        try save(random.below(drafts.count), time)
      case 7:
        _ = try copies[copy].merge(copies[(copy + 1) % copies.count])
      case 8:
        deltas.append(try copies[copy].delta(since: copies[(copy + 1) % copies.count].heads))
      default:
        guard !deltas.isEmpty else { return }
        try apply(deltas[random.below(deltas.count)], to: copy)
      }
    }

    mutating func apply(_ delta: [UInt8], to copy: Int) throws {
      do throws(DeltaError) {
        try copies[copy].apply(delta)
      } catch {
        guard case .missingChanges(let missing) = error,
          !missing.contains(where: copies[copy].contains)
        else { throw error }
      }
    }

    mutating func edit(_ index: Int) {
      let name = random.next() >> 1
      switch random.below(7) {
      case 0, 1:
        let place = random.below(drafts[index].draft.rows.count + 1)
        drafts[index].draft.rows.insert(Row(id: name, title: "row \(name)"), at: place)
        pending[index].rows.insert(name)
      case 2:
        guard !drafts[index].draft.rows.isEmpty else { return }
        let place = random.below(drafts[index].draft.rows.count)
        let row = drafts[index].draft.rows.remove(at: place)
        pending[index].deletedRows.insert(row.id)
      case 3:
        drafts[index].draft.tags.insert(name)
        pending[index].tags.insert(name)
      case 4:
        guard let tag = drafts[index].draft.tags.min() else { return }
        drafts[index].draft.tags.remove(tag)
        pending[index].deletedTags.insert(tag)
      case 5:
        drafts[index].draft.count += 1
        pending[index].count += 1
      default:
        // Whole lines, unlike each other, so that none is taken for another one edited.
        let line = String(name, radix: 36) + "\n"
        drafts[index].draft.text = line + drafts[index].draft.text
        pending[index].lines.insert(line)
      }
    }

    mutating func save(_ index: Int, _ time: Int64) throws {
      let copy = drafts[index].copy
      let session = Self.session(copy, time)
      var shown: Model?
      if random.below(3) == 0 {
        try copies[copy].refresh(&drafts[index].draft, by: session)
        shown = drafts[index].draft.model
      }
      try copies[copy].commit(&drafts[index].draft, by: session)
      if let shown, shown != drafts[index].draft.model {
        throw Fault("a draft that is committed says what it said when it was refreshed")
      }
      let saved = pending[index]
      rows.formUnion(saved.rows)
      tags.formUnion(saved.tags)
      lines.formUnion(saved.lines)
      count += saved.count
      deletedRows.formUnion(saved.deletedRows)
      deletedTags.formUnion(saved.deletedTags)
      pending[index] = Pending()
      let model = drafts[index].draft.model
      guard try copies[copy].decode(Model.self) == model else {
        throw Fault("a saved draft says what the document says")
      }
    }

    mutating func finish() throws {
      for index in drafts.indices { try save(index, 1_000_000 + Int64(index)) }
      for copy in copies.indices { for other in copies { _ = try copies[copy].merge(other) } }
      for copy in copies.indices { for delta in deltas { try apply(delta, to: copy) } }
    }
  }

  @Test("models that are saved late lose nothing that nobody deleted who had seen it")
  func everyEdit() throws {
    for seed in LawBudget(histories: 120).seeds {
      var trial = try Trial(seed: seed)
      for step in 0..<60 {
        try trial.step(Int64(step))
        for draft in trial.drafts { draft.draft.checkInvariants() }
      }
      try trial.finish()
      let document = trial.copies[0]
      let bytes = document.bytes()
      #expect(trial.copies.allSatisfy { $0.bytes() == bytes }, "seed \(seed)")
      #expect(Document.validate(bytes: bytes).isEmpty, "seed \(seed)")
      let model = try document.decode(Model.self)
      let ids = model.rows.map(\.id)
      #expect(Set(ids).count == ids.count, "seed \(seed): a row is there once")
      #expect(Set(ids) == trial.rows.subtracting(trial.deletedRows), "seed \(seed)")
      #expect(model.tags == trial.tags.subtracting(trial.deletedTags), "seed \(seed)")
      #expect(model.count == trial.count, "seed \(seed)")
      let lines = model.text.split(separator: "\n").map { "\($0)\n" }
      #expect(lines.sorted() == trial.lines.sorted(), "seed \(seed)")
      #expect(document.root["other"] == .value(.string("some content")), "seed \(seed)")
    }
  }
}
