import Peernote
import PeernoteTestSupport
import Testing

/// Random moves, renames, removals and edits on two to four copies of a tree, merged in any order.
///
/// All copies become the same to the byte. Whatever anybody placed is there once, or removed by somebody
/// and placed anew by nobody, or listed as a conflict. Settling conflicts ends.
///
/// `PEERNOTE_ROUNDS` sets how many trees of each kind are tried, `PEERNOTE_SEED` the first one's seed.
@Suite struct LawsOfMoves {
  /// What tells the things in a tree apart for the library.
  enum Kind: CaseIterable { case identified, unique, values, mixed }

  private static let seeds = TestSetting.seeds(60)

  /// A named thing in a tree: a value, or a map that holds a list and a map of further ones.
  private struct Thing {
    var name: String
    var path: JSONPointer
    var node: DocumentNode

    /// The things in some content, each before those in it.
    static func all(in node: DocumentNode, at path: JSONPointer = JSONPointer()) -> [Thing] {
      var found: [Thing] = []
      if case .value(.string(let name)) = node {
        found.append(Thing(name: name, path: path, node: node))
      } else if case .map(let entries) = node,
        let entry = entries.first(where: { ["id", "n"].contains($0.key) }),
        case .value(.string(let name)) = entry.node
      {
        found.append(Thing(name: name, path: path, node: node))
      }
      for (token, child) in children(of: node) where token != "id" && token != "n" {
        found += all(in: child, at: path.appending(token))
      }
      return found
    }

    private static func children(of node: DocumentNode) -> [(token: String, node: DocumentNode)] {
      switch node {
      case .map(let entries): entries.map { ($0.key, $0.node) }
      case .list(let nodes): nodes.enumerated().map { (String($0.offset), $0.element) }
      case .value, .set, .text, .counter: []
      }
    }

    /// Where things can be put: lists, and maps that are no things.
    static func holders(in node: DocumentNode, at path: JSONPointer = JSONPointer())
      -> [JSONPointer]
    {
      var found: [JSONPointer] = []
      if case .list = node { found.append(path) }
      if path.tokens.last == "m" { found.append(path) }
      for (token, child) in children(of: node) {
        found += holders(in: child, at: path.appending(token))
      }
      return found
    }
  }

  /// What a copy did to one thing.
  private struct Deeds {
    var isRemoved = false
    /// Where it was moved to; `nil` if it was not.
    var place: JSONPointer?
    var isEdited = false
  }

  private struct Trial {
    let kind: Kind
    var random: SplitMix64
    var copies: [Document] = []
    var deeds: [[String: Deeds]] = []
    private(set) var names: [String] = []
    private var agent: UInt64 = 1

    init(_ kind: Kind, seed: UInt64) throws {
      self.kind = kind
      random = SplitMix64(seed: seed)
      var document = Document(id: UniqueID(high: 1, low: seed))
      var holders = [["a"], ["b"], ["c", "d"], ["m"]].map { JSONPointer($0) }
      try document.change(by: session()) { editor in
        try editor.putContainer(.map, at: ["c"])
        for holder in holders {
          try editor.putContainer(holder.tokens == ["m"] ? .map : .list, at: holder)
        }
        for number in 0..<9 {
          let holder = random.pick(holders)
          let node = thing("thing\(number)")
          names.append("thing\(number)")
          var place = holder.appending("k\(number)")
          if holder.tokens.last != "m" {
            var count = 0
            if case .list(let nodes)? = editor.node(at: holder) { count = nodes.count }
            place = holder.appending(String(count))
            try editor.insert(node: node, at: place)
          } else {
            try editor.put(node: node, at: place)
          }
          if case .map = node { holders += [place.appending("l"), place.appending("m")] }
        }
      }
      for _ in 0..<2 + random.below(3) {
        copies.append(document)
        deeds.append([:])
      }
    }

    private mutating func thing(_ name: String) -> DocumentNode {
      let value = DocumentNode.value(.string(name))
      let holders = [
        DocumentNode.MapEntry(key: "l", node: .list([])),
        DocumentNode.MapEntry(key: "m", node: .map([])),
      ]
      switch (kind, random.below(3)) {
      case (.values, 1...), (.mixed, 0): return value
      case (.identified, _), (.mixed, 1): return .map([.init(key: "id", node: value)] + holders)
      case (.unique, _), (.values, _), (.mixed, _):
        return .map(holders + [.init(key: "n", node: value), .init(key: "t", node: .text("text"))])
      }
    }

    mutating func session() -> DocumentSession {
      agent += 1
      return DocumentSession.person(agent, "a\(agent)", at: 1000 * Int64(agent))
    }

    /// Does something to some thing in a copy.
    mutating func step(_ number: Int) throws {
      let root = copies[number].root
      let things = Thing.all(in: root)
      if things.isEmpty { return }
      let thing = random.pick(things)
      let (session, path) = (session(), thing.path)
      let holders = Thing.holders(in: root).filter { !$0.tokens.starts(with: path.tokens) }
      let isNear = random.below(4) == 0 || holders.isEmpty
      let holder = isNear ? path.parent : random.pick(holders)
      switch random.below(6) {
      case 0:
        try copies[number].change(by: session) { try $0.remove(at: path) }
        note(thing, of: number) { deeds, _ in deeds.isRemoved = true }
      case 1:
        guard case .map = thing.node else { return }
        try copies[number].change(by: session) { editor in
          try editor.put(.integer(Int64(number)), at: path.appending("e\(number)"))
        }
        deeds[number][thing.name, default: Deeds()].isEdited = true
      default:
        var target = holder.appending("n\(random.below(1000))")
        if case .list(let nodes)? = copies[number].node(at: holder) {
          let count = nodes.count + (holder == path.parent ? 0 : 1)
          target = holder.appending(String(random.below(count)))
        }
        if target == path { return }
        try copies[number].change(by: session) { editor in
          if target.parent == path.parent, target.parent.tokens.last != "m" {
            try editor.move(from: path, to: target)
          } else if target.parent.tokens.last == "m" {
            try editor.put(node: thing.node, at: target)
            try editor.remove(at: path)
          } else {
            try editor.insert(node: thing.node, at: target)
            let old = path.after(target)
            try editor.remove(at: old)
          }
        }
        let isKey = target.parent.tokens.last == "m"
        if target.parent == path.parent, !isKey {
          // What is in it stays where it is in it.
          deeds[number][thing.name, default: Deeds()].place = holder
          return
        }
        note(thing, of: number) { deeds, inside in
          deeds.place = JSONPointer((isKey ? target : holder).tokens + inside)
        }
      }
    }

    /// Notes what was done with a thing, and with all that are in it.
    private mutating func note(
      _ thing: Thing, of number: Int, _ body: (inout Deeds, [String]) -> Void
    ) {
      for part in Thing.all(in: thing.node) {
        body(&deeds[number][part.name, default: Deeds()], part.path.tokens)
      }
    }

    /// Merges all copies in some order.
    mutating func merged() throws -> Document {
      var order = Array(copies.indices)
      for index in order.indices.dropFirst().reversed() {
        order.swapAt(index, random.below(index + 1))
      }
      var result = copies[order[0]]
      var rest = order.dropFirst()
      // Two of them may have met before.
      if rest.count > 1, random.below(2) == 0 {
        let other = try PeernoteTestSupport.merged(
          copies[rest.removeLast()], copies[rest.removeLast()])
        _ = try result.merge(other)
      }
      for number in rest { _ = try result.merge(copies[number]) }
      return result
    }
  }

  private static func check(_ merged: Document, _ trial: Trial) throws {
    let counts = Dictionary(
      Thing.all(in: merged.root).map { ($0.name, 1) }, uniquingKeysWith: +)
    let conflicts = merged.conflicts
    let listed = Set(
      conflicts.flatMap(\.sides).compactMap(\.node)
        .flatMap { Thing.all(in: $0).map(\.name) })
    for name in trial.names where !listed.contains(name) {
      let deeds = trial.deeds.compactMap { $0[name] }
      let removers = deeds.count(where: \.isRemoved)
      let others = deeds.filter { !$0.isRemoved }
      let places = Set(others.compactMap(\.place))
      let count = counts[name] ?? 0
      if count > 1 { throw Fault("\(name) stands \(count) times, unsaid: \(deeds)") }
      if count == 0, removers == 0 { throw Fault("\(name) is lost: \(deeds)") }
      if removers > 0, others.contains(where: { $0.place != nil || $0.isEdited }) {
        throw Fault("\(name) was removed, and moved or edited, unsaid: \(deeds)")
      }
      if places.count > 1 {
        throw Fault("\(name) was moved apart, unsaid: \(deeds)")
      }
    }
  }

  /// All that can be said to a conflict.
  private static func choices(_ conflict: Conflict) -> [Conflict.Choice] {
    conflict.sides.map { .side($0) } + [.kept, .all]
  }

  /// Settles all conflicts, each by some choice.
  private static func settle(_ document: inout Document, _ trial: inout Trial) throws {
    for _ in 0..<200 {
      guard let conflict = document.conflicts.last else { return }
      let choice = trial.random.pick(choices(conflict))
      if !conflict.allows(choice) { continue }
      let session = trial.session()
      try document.change(by: session) { try $0.resolve(conflict, taking: choice) }
      // A third equal element may leave another question under the same name.
      func changes(_ conflict: Conflict) -> [ChangeID] {
        conflict.sides.map(\.change).sorted()
      }
      if document.conflicts.contains(where: {
        $0.id == conflict.id && changes($0) == changes(conflict)
      }) {
        throw Fault("settled by \(choice), and still there: \(conflict)")
      }
    }
    throw Fault("settling does not end: \(document.conflicts)")
  }

  @Test(
    "nothing that was moved is lost, doubled or undone without a word", arguments: Kind.allCases)
  func laws(kind: Kind) throws {
    for seed in Self.seeds {
      var trial = try Trial(kind, seed: seed)
      do {
        for number in trial.copies.indices {
          for _ in 0..<1 + trial.random.below(4) { try trial.step(number) }
        }
        var merged = try trial.merged()
        let again = try trial.merged()
        let conflicts = merged.conflicts
        #expect(merged.bytes() == again.bytes(), "\(kind) \(seed)")
        #expect(conflicts == again.conflicts, "\(kind) \(seed)")
        #expect(try Document(bytes: merged.bytes()).conflicts == conflicts, "\(kind) \(seed)")
        try Self.check(merged, trial)
        try Self.settle(&merged, &trial)
        try Self.expectSettled(merged, beside: trial.copies, "\(kind) \(seed)")
      } catch {
        Issue.record("\(kind) \(seed): \(error)")
      }
    }
  }

  /// Expects that nothing is undecided, also after merges with copies that know nothing of what was
  /// settled, and go on with something else.
  private static func expectSettled(
    _ settled: Document, beside copies: [Document], _ place: String
  ) throws {
    #expect(settled.conflicts.isEmpty, "\(place): \(settled.conflicts)")
    for copy in copies {
      var (one, other) = (settled, copy)
      try other.change(by: .person(2_000_000)) { try $0.put(.integer(1), at: ["aside"]) }
      let stale = other
      _ = try other.merge(settled)
      _ = try one.merge(stale)
      #expect(one.conflicts.isEmpty && one.bytes() == other.bytes(), "\(place)")
    }
  }

  // MARK: Texts

  private static let place: JSONPointer = ["body"]

  /// Copies merged, in two orders.
  private static func merged(_ copies: [Document], _ seed: UInt64) throws -> Document {
    var (merged, other) = (copies[0], copies[copies.count - 1])
    for copy in copies.dropFirst() { _ = try merged.merge(copy) }
    for copy in copies.dropLast().reversed() { _ = try other.merge(copy) }
    let conflicts = merged.conflicts
    #expect(merged.bytes() == other.bytes() && conflicts == other.conflicts, "\(seed)")
    #expect(try Document(bytes: merged.bytes()).conflicts == conflicts, "\(seed)")
    return merged
  }

  /// The text that a document shows, and all that its conflicts list.
  private static func texts(of document: Document) -> (shown: String, listed: String) {
    (
      document.node(at: place)?.string ?? "",
      document.conflicts.flatMap(\.sides).compactMap { $0.node?.string }.joined(separator: "\n")
    )
  }

  @Test("no line that was moved is lost, doubled or undone without a word")
  func lines() throws {
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      // Lines without a word in common: of others, a difference takes words for those of another line.
      let start = [
        "Milk", "Ferry at noon?", "Zwölf Äpfel", "https://example.org/q", "(12,000)", "Путь домой",
        "Buy 3 lamps!", "Qed",
      ]
      var document = Document(id: UniqueID(high: 2, low: seed))
      func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
      try document.change(by: .person(1)) { try $0.put(node: .text(text(start)), at: Self.place) }
      var copies: [Document] = []
      var deleted: [Set<String>] = []
      var moved: [Set<String>] = []
      for number in 0..<2 + random.below(2) {
        var lines = start
        var (gone, placed): (Set<String>, Set<String>) = ([], [])
        for _ in 0..<1 + random.below(2) {
          let line = lines.remove(at: random.below(lines.count))
          if random.below(2) == 0 {
            gone.insert(line)
            placed.remove(line)
          } else {
            lines.insert(line, at: random.below(lines.count + 1))
            placed.insert(line)
          }
        }
        var copy = document
        let wanted = text(lines)
        try copy.change(by: .person(UInt64(number) + 2)) {
          try $0.replaceText(at: Self.place, with: wanted)
        }
        copies.append(copy)
        deleted.append(gone)
        moved.append(placed)
      }
      var merged = try Self.merged(copies, seed)
      let (shown, listed) = Self.texts(of: merged)
      for line in start {
        let count = shown.split(separator: "\n").count { $0 == line }
        if listed.contains(line) { continue }
        #expect(count < 2, "\(seed): \(line) stands \(count) times in\n\(shown)")
        if count == 0 { #expect(deleted.contains { $0.contains(line) }, "\(seed): \(line)") }
        // What moved beside it may look as if the line itself was moved, which is no harm.
        if count == 1, deleted.contains(where: { $0.contains(line) }) {
          #expect(
            !moved.contains { $0.contains(line) }, "\(seed): \(line) was kept unsaid\n\(shown)")
        }
      }
      for _ in 0..<100 {
        guard let conflict = merged.conflicts.last else { break }
        let choice = random.pick(Self.choices(conflict))
        if !conflict.allows(choice) { continue }
        try merged.change(by: .person(100 + random.next() % 1_000_000)) {
          try $0.resolve(conflict, taking: choice)
        }
      }
      try Self.expectSettled(merged, beside: copies, "\(seed)")
    }
  }

  @Test("no word that was deleted of a line that was moved comes back without a word")
  func words() throws {
    let start = [
      ["Milk", "bread", "olives"], ["Ferry", "at", "noon?"], ["Zwölf", "Äpfel", "kaufen"],
      ["https://example.org/q", "lesen"], ["(12,000)", "paid", "cash"], ["Путь", "домой"],
    ]
    func text(_ lines: [[String]]) -> String {
      lines.map { $0.joined(separator: " ") + "\n" }.joined()
    }
    for seed in Self.seeds {
      var random = SplitMix64(seed: seed)
      var document = Document(id: UniqueID(high: 4, low: seed))
      try document.change(by: .person(1)) { try $0.put(node: .text(text(start)), at: Self.place) }
      var copies: [Document] = []
      var deleted: Set<String> = []
      for number in 0..<2 + random.below(2) {
        var copy = document
        var lines = start
        func write() throws {
          let wanted = text(lines)
          try copy.change(by: .person(UInt64(number) + 2)) {
            try $0.replaceText(at: Self.place, with: wanted)
          }
        }
        if number == 0 || number == 2 && random.below(2) == 0 {
          let line = lines.remove(at: random.below(lines.count))
          lines.insert(line, at: random.below(lines.count + 1))
          if lines != start { try write() }
        } else {
          for _ in 0..<random.within(1...3) {
            let index = random.below(lines.count)
            let word = random.below(lines[index].count)
            deleted.insert(lines[index][word])
            if random.below(2) == 0 {
              lines[index][word] = "#####"
              try write()
            }
            if random.below(3) == 0 {
              deleted.formUnion(lines.remove(at: index))
            } else {
              lines[index].remove(at: word)
              if lines[index].isEmpty { lines.remove(at: index) }
            }
            try write()
          }
        }
        copies.append(copy)
      }
      var merged = try Self.merged(copies, seed)
      let (shown, listed) = Self.texts(of: merged)
      for word in deleted where word != "#####" && shown.contains(word) {
        #expect(listed.contains(word), "\(seed): \(word) is back unsaid in\n\(shown)")
      }
      for _ in 0..<100 {
        guard let conflict = merged.conflicts.last else { break }
        let side = random.pick(conflict.sides)
        try merged.change(by: .person(100 + random.next() % 1_000_000)) {
          try $0.resolve(conflict, taking: .side(side))
        }
        guard conflict.kind == .moved, let line = side.node?.string else { continue }
        let settled = Self.texts(of: merged).shown
        #expect(
          settled.split(separator: "\n").count { $0 == line } == 1,
          "\(seed): \(line) is taken, and not in\n\(settled)")
      }
      try Self.expectSettled(merged, beside: copies, "\(seed)")
    }
  }
}

extension JSONPointer {
  /// Where what stands at the path stands after an element was inserted.
  fileprivate func after(_ inserted: JSONPointer) -> JSONPointer {
    var moved = self
    let index = inserted.tokens.count - 1
    guard let new = Int(inserted.tokens[index]), tokens.starts(with: inserted.parent.tokens),
      tokens.count > index, let own = Int(tokens[index]), new <= own
    else { return self }
    moved.tokens[index] = String(own + 1)
    return moved
  }
}
