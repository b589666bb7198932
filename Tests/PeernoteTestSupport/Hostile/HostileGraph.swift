package import Peernote

/// A history of one text as a short pattern that is repeated.
///
/// Each stroke of the pattern is one change on one of a few branches. What a stroke cannot do where
/// it stands (delete from an empty text, merge what is merged) it leaves out.
package struct HostileGraph: Hashable, Sendable {
  /// One change.
  package struct Stroke: Hashable, Sendable {
    /// The branch that goes on, or begins.
    package var branch: Int
    /// What the change follows.
    package var origin: Origin
    /// Another branch that is merged, and how many of its last changes are left out.
    package var merged: Merged?
    /// Whether the change is by an agent of its own.
    package var isByNewAgent: Bool
    package var work: Work
    package var place: Place
    /// How often the work is done.
    package var count: Int
  }

  package enum Origin: CaseIterable, Sendable {
    /// The branch's last change.
    case branch
    /// The first change of all.
    case start
    /// The change that the branch began with.
    case root
  }

  package struct Merged: Hashable, Sendable {
    package var branch: Int
    package var lag: Int
  }

  package enum Work: CaseIterable, Sendable {
    /// One scalar after the other, each before the last one.
    case insertBackward
    /// One scalar after the other at the same distance from the place.
    case insertApart
    /// A run of scalars.
    case insertRun
    /// One scalar after the other.
    case deleteSingly
    /// A run of scalars.
    case deleteRun
    /// All there is.
    case deleteAll
    /// Something else than text.
    case increment
  }

  /// Where the text is edited: in so many eighths of its length.
  package typealias Place = Int

  package static let branchCount = 4
  package static let longestPattern = 12
  package static let greatestCount = 8
  package static let greatestLag = 24

  package var pattern: [Stroke]

  package init(pattern: [Stroke]) {
    self.pattern = pattern
  }

  /// The history, with about so many changes.
  ///
  /// O(n^2) for n changes.
  package func changes(_ count: Int) -> [Change] {
    var growing = GrowingGraph()
    for number in 0..<max(1, count - 1) { growing.add(pattern[number % pattern.count]) }
    return growing.changes
  }
}

/// The changes of a ``HostileGraph`` so far, and what each has seen.
private struct GrowingGraph {
  private(set) var changes: [Change] = [HostileChanges.first]
  /// For each change those that it has seen, itself included, as bits.
  private var seen: [[UInt64]] = [[1]]
  /// By how much each change makes the text longer, or less shorter, than its author saw it.
  private var growth: [Int] = [9]
  /// The changes of each branch, by number.
  private var branches = [[Int]](repeating: [0], count: HostileGraph.branchCount)
  private var agents = [UInt64](repeating: 0, count: HostileGraph.branchCount)
  private var lastAgent: UInt64 = 1
  private var sequences: [UInt64: Int] = [:]
  private var lastChanges: [UInt64: Int] = [:]

  mutating func add(_ stroke: HostileGraph.Stroke) {
    var parents: [Int] = []
    switch stroke.origin {
    case .branch: parents = [branches[stroke.branch].last ?? 0]
    case .start: parents = [0]
    case .root: parents = [branches[stroke.branch].first ?? 0]
    }
    if let merged = stroke.merged {
      let other = branches[merged.branch]
      parents.append(other[max(0, other.count - 1 - merged.lag)])
    }
    parents = heads(among: parents)
    let past = parents.reduce(into: [UInt64]()) { $0.formUnion(seen[$1]) }
    // An agent's change has to follow its last one.
    let own = agents[stroke.branch]
    let mayGoOn = own > 0 && lastChanges[own].map { past.holds($0) } ?? false
    if stroke.isByNewAgent || !mayGoOn {
      lastAgent += 1
      agents[stroke.branch] = lastAgent
    }
    let length = growth.indices.reduce(0) { past.holds($1) ? $0 + growth[$1] : $0 }
    let (edits, change) = stroke.edits(length: max(0, length))
    guard !edits.isEmpty else { return }
    let agent = agents[stroke.branch]
    sequences[agent, default: 0] += 1
    let number = changes.count
    changes.append(
      Change(
        agent, sequences[agent] ?? 1, after: parents.map { changes[$0].id }, edits))
    growth.append(change)
    var now = past
    now.insert(number)
    seen.append(now)
    lastChanges[agent] = number
    if stroke.origin != .branch { branches[stroke.branch] = [] }
    branches[stroke.branch].append(number)
  }

  /// Those that no other one has seen.
  private func heads(among numbers: [Int]) -> [Int] {
    var heads: [Int] = []
    for number in numbers where !heads.contains(number) {
      if !numbers.contains(where: { $0 != number && seen[$0].holds(number) }) {
        heads.append(number)
      }
    }
    return heads
  }
}

extension HostileGraph.Stroke {
  /// The edits to a text of at least some length, and by how much they make it longer.
  fileprivate func edits(length: Int) -> (edits: [Edit], growth: Int) {
    let body = HostileChanges.body
    let at = length * place / 8
    switch work {
    case .insertBackward:
      let edits = (0..<count).map { _ in Edit.insertText(into: body, at: at, text: "x") }
      return (edits, count)
    case .insertApart:
      let edits = (0..<count).map { number in
        Edit.insertText(into: body, at: number % 2 == 0 ? at : min(at + 2, length), text: "x")
      }
      return (edits, count)
    case .insertRun:
      return (
        [.insertText(into: body, at: at, text: String(repeating: "x", count: count))], count
      )
    case .deleteSingly:
      let taken = min(count, length - at)
      let edits = (0..<taken).map { _ in
        Edit.deleteText(from: body, at: at, count: 1, backward: false, text: nil)
      }
      return (edits, -taken)
    case .deleteRun:
      let taken = min(count, length - at)
      if taken == 0 { return ([], 0) }
      return (
        [.deleteText(from: body, at: at, count: taken, backward: false, text: nil)], -taken
      )
    case .deleteAll:
      if length == 0 { return ([], 0) }
      return (
        [.deleteText(from: body, at: 0, count: length, backward: false, text: nil)], -length
      )
    case .increment:
      return ([.increment(counter: HostileChanges.counter, by: 1)], 0)
    }
  }
}

/// A set of small numbers.
extension [UInt64] {
  fileprivate func holds(_ number: Int) -> Bool {
    number / 64 < count && self[number / 64] >> UInt64(number % 64) & 1 == 1
  }

  fileprivate mutating func insert(_ number: Int) {
    while count <= number / 64 { append(0) }
    self[number / 64] |= 1 << UInt64(number % 64)
  }

  fileprivate mutating func formUnion(_ other: [UInt64]) {
    while count < other.count { append(0) }
    for (index, bits) in other.enumerated() { self[index] |= bits }
  }
}
