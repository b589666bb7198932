import Peernote
import PeernoteTestSupport
import PnmergeCommands
import Testing

/// What reviews of random merges write.
///
/// `PEERNOTE_DECISIONS` is how many rounds of decisions are tried, `PEERNOTE_SEED` the first seed.
@Suite("Laws of reviews") struct ReviewLawTests {
  @Test("every character outside of what was decided is as in the merge, what was chosen as shown")
  func outside() throws {
    let count = TestSetting.count("DECISIONS") ?? 400
    let first = TestSetting.number("SEED") ?? 1
    var (decided, contested, leftOut, shifted) = (0, 0, 0, 0)
    for seed in first..<first + UInt64(count / 4) {
      var random = SplitMix64(seed: seed)
      let merge = try RandomMerge(using: &random)
      let reviews = [try merge.review(), try merge.review(isRead: true)]
      for round in 0..<6 {
        let tried = try decide(reviews[round / 4], seed, &random)
        decided += 1
        contested += tried.contested
        leftOut += tried.leftOut
        shifted += tried.shifted
      }
    }
    #expect(decided >= count - 3 && contested > count, "\(contested)")
    #expect(leftOut > count / 4 && shifted > count / 8, "\(leftOut), \(shifted)")
  }

  /// Decides at random, and compares what comes of it with what it should be.
  private func decide(
    _ asked: Review, _ seed: UInt64, _ random: inout SplitMix64
  ) throws -> (contested: Int, leftOut: Int, shifted: Int) {
    var review = asked
    for index in review.places.indices
    where random.chance(review.places[index].isContested ? 95 : 30) {
      let place = review.places[index]
      // People write keys in any order.
      let map = DocumentNode.map([
        .init(key: "z", node: .value(.null)), .init(key: "a", node: .value(.null)),
      ])
      let written = random.chance(70) ? DocumentNode.text("edited \(random.below(9))") : map
      if place.isContested, random.chance(15), let edited = review.edited(written, at: index) {
        review.choose(edited, at: index)
      } else if !place.choices.isEmpty {
        review.choose(random.pick(place.choices), at: index)
      }
    }
    let merged = review.documents[0].merged
    let session = DocumentSession.person(99, "eve", at: 1)
    let result: DocumentNode
    do {
      result = (try review.settled(0, by: session).document ?? merged).root
    } catch {
      // A note keeps a title: what would leave it without one is refused.
      let isWithout = review.places.indices.contains { index in
        guard review.places[index].path == JSONPointer(["title"]) else { return false }
        guard case .value(.string)? = review.chosen[index]?.content else { return true }
        return false
      }
      #expect(
        isWithout && error.message.hasPrefix("decided so, /title would be nothing"),
        "seed \(seed): \(error.message)")
      return (0, 0, 0)
    }
    let chosen = review.places.indices.filter { review.chosen[$0] != nil && !review.isGone($0) }
    // What containers are decided as a whole, with all that is inside.
    let whole = chosen.filter { review.places[$0].scalars == nil }.map { review.places[$0].path }
    for (path, text) in merged.root.texts where !whole.contains(where: { path.touches($0) }) {
      let own = chosen.filter { review.places[$0].path == path }
      let expected = text.replacing(
        own.compactMap { index in
          review.places[index].scalars.map { ($0, review.chosen[index]?.content?.string ?? "") }
        })
      #expect(result[path] == .text(expected), "seed \(seed), \(path)")
    }
    for (path, value) in merged.root.leaves where !whole.contains(where: { path.touches($0) }) {
      #expect(result[path] == value, "seed \(seed), \(path)")
    }
    for index in chosen
    where review.places[index].isContested && review.places[index].scalars == nil {
      let (place, choice) = (review.places[index], review.chosen[index])
      let isAlone = !chosen.contains {
        $0 != index && review.places[$0].scalars == nil
          && review.places[$0].path.touches(place.path)
      }
      guard isAlone, place.conflict?.kind == .register, place.path.tokens.count == 1 else {
        continue
      }
      #expect(
        result[place.path]?.sorted == choice?.content?.sorted, "seed \(seed), \(place.path)")
    }
    return (
      chosen.count { review.places[$0].isContested },
      chosen.count { !review.places[$0].isContested },
      checkRows(review, chosen, result, seed)
    )
  }

  /// Compares which rows stand there, and in which order, with what should, where nothing else is decided
  /// of them.
  ///
  /// - Returns: how many rows were left where they had been before a move or a removal.
  private func checkRows(
    _ review: Review, _ chosen: [Int], _ result: DocumentNode, _ seed: UInt64
  ) -> Int {
    let rows = JSONPointer(["rows"])
    let document = review.documents[0]
    let merged = document.merged.root
    let (now, before) = (merged.rowNames, (document.mine ?? document.parting)?.root.rowNames ?? [])
    if Set(now).count < now.count { return 0 }
    var (added, removed, moved) = (Set<Int64>(), Set<Int64>(), Set<Int64>())
    for index in chosen {
      let place = review.places[index]
      if place.isContested, place.path.tokens.first == "rows", place.scalars == nil { return 0 }
      guard place.path.parent == rows, let change = place.change else { continue }
      switch change.kind {
      case .added: added.formUnion((change.new?.rowName).map { [$0] } ?? [])
      case .removed: removed.formUnion((change.old?.rowName).map { [$0] } ?? [])
      case .moved: moved.formUnion(merged[place.path]?.rowName.map { [$0] } ?? [])
      case .replaced, .text, .memberAdded, .memberRemoved, .counted: break
      }
    }
    // Two of one name were two rows.
    if !removed.isDisjoint(with: now) { return 0 }
    let found = result.rowNames
    #expect(Set(found) == Set(now).subtracting(added).union(removed), "seed \(seed)")
    let kept = now.filter { !added.contains($0) && !moved.contains($0) }
    #expect(found.filter(kept.contains) == kept, "seed \(seed)")
    let others = Set(
      review.places.compactMap { place -> Int64? in
        guard place.change?.kind == .moved, let name = merged[place.path]?.rowName
        else { return nil }
        return moved.contains(name) ? nil : name
      })
    let open = Set(
      review.places.flatMap { $0.conflict?.elements ?? [] }.compactMap { merged[$0]?.rowName })
    let old = before.filter { found.contains($0) && !others.contains($0) && !open.contains($0) }
    #expect(found.filter(old.contains) == old, "seed \(seed)")
    return removed.count + moved.count
  }

  @Test(
    "leaving out all that nobody contests gives back what was there, where nothing is contested",
    arguments: [false, true])
  func leavingOut(isRead: Bool) throws {
    var tried = 0
    for seed in 1..<120 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let merge = try RandomMerge(using: &random)
      var review = try merge.review(isRead: isRead)
      if !review.contested.isEmpty { continue }
      let back = review.places.indices
      if back.isEmpty { continue }
      try #require(back.allSatisfy { !review.places[$0].choices.isEmpty }, "seed \(seed)")
      review.choose(back.map { ($0, review.places[$0].choices[0]) })
      let result = try review.settled(0, by: .person(99, "eve", at: 1)).document
      let before = isRead ? merge.copies[0] : merge.parting
      #expect(result?.root == before.root, "seed \(seed)")
      tried += 1
    }
    #expect(tried > 5)
  }

  @Test("leaving out all of a text, and taking what stood before, gives back what it was")
  func textBefore() throws {
    var tried = 0
    for seed in 1..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let merge = try RandomMerge(using: &random)
      var review = try merge.review()
      let body = review.places.indices.filter { review.places[$0].path == JSONPointer(["body"]) }
      let choices = body.compactMap { index -> (index: Int, choice: Review.Choice)? in
        let place = review.places[index]
        return place.choices.first { !place.isContested || .known($0.content) == place.before }
          .map { (index, $0) }
      }
      if choices.count < body.count || !body.contains(where: { review.places[$0].isContested }) {
        continue
      }
      review.choose(choices)
      let result = try review.settled(0, by: .person(99, "eve", at: 1)).document ?? merge.merged
      #expect(
        result.root[JSONPointer(["body"])] == merge.parting.root[JSONPointer(["body"])],
        "seed \(seed)")
      tried += 1
    }
    #expect(tried > 30, "\(tried)")
  }

  @Test("each change that nobody contests says who made it, and when", arguments: [false, true])
  func authors(isRead: Bool) throws {
    for seed in 1..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let review = try RandomMerge(using: &random).review(isRead: isRead)
      for place in review.places {
        guard let change = place.change else { continue }
        #expect(
          !change.authors.isEmpty && change.time != nil,
          "seed \(seed), \(change.path) \(change.kind)")
      }
    }
  }

  @Test(
    "leaving out what nobody contests leaves what is contested open, and contests only moves around it",
    arguments: [false, true])
  func stillOpen(isRead: Bool) throws {
    var tried = 0
    for seed in 1..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var review = try RandomMerge(using: &random).review(isRead: isRead)
      for index in review.places.indices
      where !review.places[index].isContested && random.chance(50) {
        if let choice = review.places[index].choices.first { review.choose(choice, at: index) }
      }
      let session = DocumentSession.person(99, "eve", at: 1)
      guard let result = try review.settled(0, by: session).document else { continue }
      let merged = review.documents[0].merged
      func words(_ conflict: Conflict) -> String {
        "\(conflict.kind) \(conflict.sides.map(\.change).sorted())"
      }
      let open = Set(merged.conflicts.map(words))
      #expect(open.isSubset(of: result.conflicts.map(words)), "seed \(seed)")
      for conflict in result.conflicts where !open.contains(words(conflict)) {
        // Two moved a row to one place, around one that was removed, and is back.
        let places = conflict.sides.compactMap { $0.path?.tokens.last.flatMap { Int($0) } }.sorted()
        let rows = result.root.rowNames[(places.first ?? 0)...].prefix(
          (places.last ?? 0) - (places.first ?? 0) + 1)
        #expect(
          conflict.kind == .moved && !rows.allSatisfy(merged.root.rowNames.contains),
          "seed \(seed): \(conflict)")
      }
      tried += open.isEmpty ? 0 : 1
    }
    #expect(tried > 100, "\(tried)")
  }
}

/// Copies of a document that were edited at random, and what they merge to.
private struct RandomMerge {
  var parting: Document
  var copies: [Document] = []
  var merged: Document

  private static let words = [
    "hall", "noon", "EUR 45,000", "debated.", "We", "meet", "whole!", "é", "x",
  ]

  init(using random: inout SplitMix64) throws {
    var start = Document(id: UniqueID(high: 7, low: 9))
    try start.change(by: Self.session(1, "ada", 0)) { editor in
      try editor.put(.string("T"), at: JSONPointer(["title"]))
      try editor.put(node: .text(Self.text(&random)), at: JSONPointer(["body"]))
      try editor.put(node: .set([.string("a"), .string("b")]), at: JSONPointer(["set"]))
      try editor.put(node: .counter(3), at: JSONPointer(["count"]))
      let rows = (0..<5).map { number -> DocumentNode in
        .map([
          .init(key: "id", node: .value(.integer(Int64(number)))),
          .init(key: "text", node: .text("row \(number)\n")),
        ])
      }
      try editor.put(node: .list(rows), at: JSONPointer(["rows"]))
      try editor.put(
        node: .map([.init(key: "max", node: .value(.integer(1)))]), at: JSONPointer(["more"]))
    }
    parting = start
    merged = start
    for number in 0..<random.within(2...3) {
      var copy = start
      for _ in 0..<random.within(2...4) {
        let session = Self.session(UInt64(10 + number), "p\(number)", random.below(50))
        _ = try? copy.change(by: session) { editor in
          for _ in 0..<random.within(1...3) { try Self.edit(&editor, &random) }
        }
      }
      copies.append(copy)
    }
    for copy in copies { _ = try merged.merge(copy) }
  }

  /// The review of all copies, or of what comes into the first one, which is the reader's own.
  func review(isRead: Bool = false) throws -> Review {
    var reviewed = ReviewedDocument("a", ours: copies[0], merged: merged)
    (reviewed.parting, reviewed.copies) = (parting, copies)
    if isRead { reviewed.mine = copies[0] }
    return try Review(of: [reviewed])
  }

  private static func session(_ agent: UInt64, _ author: String, _ time: Int) -> DocumentSession {
    DocumentSession.person(agent, author, at: 1_795_000_000_000 + Int64(time))
  }

  private static func text(_ random: inout SplitMix64) -> String {
    (0..<random.within(2...6)).map { _ in
      (0..<random.within(1...6)).map { _ in random.pick(words) }.joined(separator: " ")
    }.joined(separator: "\n") + (random.chance(70) ? "\n" : "")
  }

  private static func edit(_ editor: inout Editor, _ random: inout SplitMix64) throws {
    let count = editor.node(at: JSONPointer(["rows"]))?.children.count ?? 0
    let row = JSONPointer(["rows", "\(random.below(max(count, 1)))"])
    switch random.below(14) {
    case 0: try editor.put(.string(random.pick(words)), at: JSONPointer(["title"]))
    case 1:
      try editor.put(
        node: random.chance(50) ? .value(.null) : .text(text(&random)), at: JSONPointer(["new"]))
    case 2: try editor.add(.string(random.pick(words)), toSetAt: JSONPointer(["set"]))
    case 3: try editor.increment(by: Int64(random.below(5)), at: JSONPointer(["count"]))
    case 4: try editor.remove(at: random.chance(50) ? row : JSONPointer(["more"]))
    case 5: try editor.put(.integer(Int64(random.below(9))), at: row.appending("n"))
    case 6:
      let node = DocumentNode.map([
        .init(key: "id", node: .value(.integer(Int64(random.within(5...6)))))
      ])
      try editor.insert(node: node, at: JSONPointer(["rows", "0"]))
    case 7:
      try editor.put(
        node: .map([.init(key: "max", node: .value(.integer(Int64(random.below(9)))))]),
        at: JSONPointer(["more"]))
    case 8:
      try editor.move(from: row, to: JSONPointer(["rows", "\(random.below(max(count, 1)))"]))
    case 9: try editor.remove(at: row)
    default:
      let path = random.chance(80) ? JSONPointer(["body"]) : row.appending("text")
      guard case .text(let text)? = editor.node(at: path) else { return }
      let count = text.unicodeScalars.count
      let start = random.below(count + 1)
      let end = min(count, start + random.below(12))
      let inserted = random.chance(80) ? random.pick(words) + (random.chance(30) ? "\n" : "") : ""
      try editor.spliceText(at: path, scalars: start..<end, with: inserted)
    }
  }
}

extension DocumentNode {
  /// What tells a row apart.
  fileprivate var rowName: Int64? {
    if case .value(.integer(let number))? = self["id"] { number } else { nil }
  }

  /// The rows of a random document, in order.
  fileprivate var rowNames: [Int64] {
    self[JSONPointer(["rows"])]?.children.compactMap(\.node.rowName) ?? []
  }

  /// The texts with their paths.
  fileprivate var texts: [(path: JSONPointer, text: String)] {
    all.compactMap { path, node in if case .text(let text) = node { (path, text) } else { nil } }
  }

  /// The values, sets and counters with their paths.
  fileprivate var leaves: [(path: JSONPointer, node: DocumentNode)] {
    all.filter { _, node in
      switch node {
      case .value, .set, .counter: true
      case .map, .list, .text: false
      }
    }
  }

  private var all: [(JSONPointer, DocumentNode)] {
    var result: [(JSONPointer, DocumentNode)] = []
    func walk(_ node: DocumentNode, _ path: JSONPointer) {
      result.append((path, node))
      for child in node.children { walk(child.node, path.appending(child.token)) }
    }
    walk(self, JSONPointer())
    return result
  }
}

extension JSONPointer {
  /// Whether something at the other path may change what stands here, or where.
  fileprivate func touches(_ other: JSONPointer) -> Bool {
    // What is removed from a list moves its neighbours.
    let outer = other.tokens.first == "rows" ? ["rows"] : Array(other.tokens.prefix(1))
    return tokens.starts(with: outer)
  }
}

extension String {
  /// The text with some parts, given by their scalars and ascending, replaced.
  fileprivate func replacing(_ parts: [(Range<Int>, String)]) -> String {
    var scalars = Array(unicodeScalars)
    for (range, text) in parts.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      scalars.replaceSubrange(range, with: Array(text.unicodeScalars))
    }
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
