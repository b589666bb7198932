import Peernote

/// What is to become of each place of a merge that needs a person.
///
/// Places stand in the order of the content, each before what is inside of it. What stands inside of
/// something that is replaced or removed is decided with it, and so is what else is contested of an
/// element with which of several elements stays. What stays, but holds something that is open, stays
/// open as well: to settle it would settle all that is inside.
struct Decisions {
  /// How a place was decided.
  enum Choice: Hashable {
    /// One of the sides, by its number.
    case side(Int)
    /// All sides together.
    case both
    /// What stood there when the copies parted.
    case before
    /// What somebody wrote.
    case edited
  }

  /// What came of it.
  struct Answers {
    var resolutions: [Resolution] = []
    /// How many were settled, also by leaving what stands there.
    var settledCount = 0
    /// What was put off.
    var open: [Conflict] = []
  }

  /// A place that was decided.
  struct Decision {
    var choice: Choice
    /// What is to be done for it; `nil` if that is nothing.
    var resolution: Resolution?
    /// What stands there then; `nil` if nothing does, or it is not known before.
    var result: Node?
  }

  /// The places.
  let conflicts: [Conflict]
  /// What was decided; `nil` for what is open.
  private(set) var decided: [Decision?]
  /// For each place the earlier ones that are about several elements of which it is about one.
  private let groups: [[Int]]
  /// How often each path is replaced or removed by what was decided.
  private var replaced: [JSONPointer: Int] = [:]
  /// What each step decided, as it was before, for those that can be taken back.
  private var steps: [[(index: Int, earlier: Decision?)]] = []

  /// Nothing is decided yet.
  init(_ conflicts: [Conflict]) {
    self.conflicts = conflicts
    groups = Self.groups(of: conflicts)
    decided = Array(repeating: nil, count: conflicts.count)
  }

  private static func groups(of conflicts: [Conflict]) -> [[Int]] {
    var known: [JSONPointer: [Int]] = [:]
    return conflicts.enumerated().map { index, conflict in
      if conflict.scalars != nil { return [] }
      let elements = conflict.elements
      let paths = elements.isEmpty ? [conflict.path] : elements
      let groups = Set(paths.flatMap { known[$0] ?? [] }).sorted()
      for path in elements { known[path, default: []].append(index) }
      return groups
    }
  }

  // MARK: Deciding

  /// Decides a place, again if it was decided.
  mutating func decide(_ decision: Decision, at index: Int) {
    decide([(index, decision)])
  }

  /// Decides some places at one go, which is taken back at one go.
  mutating func decide(_ decisions: [(index: Int, decision: Decision)]) {
    if decisions.isEmpty { return }
    steps.append(decisions.map { ($0.index, decided[$0.index]) })
    for (index, decision) in decisions { set(decision, at: index) }
  }

  private mutating func set(_ decision: Decision?, at index: Int) {
    for (decision, count) in [(decided[index], -1), (decision, 1)] {
      guard let resolution = decision?.resolution, resolution.isReplacement else { continue }
      let sum = (replaced[resolution.path] ?? 0) + count
      replaced[resolution.path] = sum == 0 ? nil : sum
    }
    decided[index] = decision
  }

  /// Takes back what was decided last.
  ///
  /// - Returns: the first place that it was about; `nil` if nothing is decided.
  mutating func undo() -> Int? {
    guard let last = steps.popLast() else { return nil }
    for (index, earlier) in last { set(earlier, at: index) }
    return last.map(\.index).min()
  }

  // MARK: Asking

  /// Whether a place is decided with another one: it stands inside of what is to be replaced or
  /// removed, or it is about one of several elements, of which that tells which stays.
  func isGone(_ index: Int) -> Bool {
    if groups[index].contains(where: { decided[$0]?.resolution != nil }) { return true }
    if replaced.isEmpty { return false }
    let tokens = conflicts[index].path.tokens
    return tokens.indices.contains { replaced[JSONPointer(Array(tokens[..<$0]))] != nil }
  }

  /// Whether a place is about one of the several elements that another one is about.
  func isPart(_ index: Int, of other: Int) -> Bool { groups[index].contains(other) }

  /// Whether a place is still to be decided.
  func isOpen(_ index: Int) -> Bool { decided[index] == nil && !isGone(index) }

  /// The places that are still to be decided.
  var open: [Int] { conflicts.indices.filter(isOpen) }

  /// The next open place after one, or from the start; `nil` if none is open.
  func nextOpen(after index: Int) -> Int? {
    let open = open
    return open.first { $0 > index } ?? open.first
  }

  // MARK: Results

  /// What comes of all decisions.
  ///
  /// - Returns: what to do, and what is left open.
  func answers() -> Answers {
    let open = Set(open)
    let early = conflicts.indices.filter { index in
      guard !isGone(index), let resolution = decided[index]?.resolution else { return false }
      var staying = conflicts[index].elements
      if case .staying = resolution.outcome { staying = [conflicts[index].path] }
      return staying.contains { path in open.contains { conflicts[$0].path.isInside(path) } }
    }
    let left = open.union(early)
    let settled = conflicts.indices.filter { !left.contains($0) }
    return Answers(
      resolutions: settled.compactMap { isGone($0) ? nil : decided[$0]?.resolution },
      settledCount: settled.count, open: left.sorted().map { conflicts[$0] })
  }
}
