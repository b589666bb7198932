/// Matches two sequences of numbered tokens in order, in near-linear time.
///
/// Equal ends are matched first, and tokens that only one side has are left out. What remains, if it
/// is short, is matched so that what is edited weighs as little as possible
/// (`SequenceMatcher+FewestEvents.swift`). If it is long, it is first cut at anchors: tokens that
/// stand exactly once on either side, the longest ascending series of them (Bram Cohen's patience
/// difference), again inside each gap, because what is repeated in the whole is often unique in a
/// part. A long gap without anchors is matched by a shortest edit script
/// (`SequenceMatcher+ShortestEdit.swift`), whose effort is limited.
///
/// Work is at most proportional to (old.count + new.count) · (``depthLimit`` + cost limit), and
/// usually to the length; ``steps`` counts it.
struct SequenceMatcher {
  /// How often gaps are searched for anchors of their own.
  static let depthLimit: Int32 = 24

  let old: [Int32]
  let new: [Int32]
  /// The number of edits after which a search settles for the best it has seen.
  let costLimit: Int
  /// For every old index the matched new index, or -1.
  private(set) var partners: [Int32]
  /// Elementary steps taken.
  var steps = 0

  /// Whether short sequences are cut at anchors, too.
  private let prefersAnchors: Bool
  /// Whether a token (by number) may serve as an anchor.
  private let mayAnchor: [Bool]
  /// What editing a token (by number) costs; `nil` if each costs the same.
  private let weights: [Int32]?
  private var oldCounts: [Int32]
  private var newCounts: [Int32]
  private var oldPlaces: [Int32]
  /// The parts that are still to be matched, and in how many others each one lies.
  private var gaps: [(gap: Hunk, depth: Int32)] = []

  /// Indices of two equal tokens.
  struct Match {
    var old: Int32
    var new: Int32
  }

  /// Matches two sequences of tokens, given by their numbers.
  ///
  /// By number `mayAnchor` says whether a token may serve as an anchor, and `weights` what editing
  /// it costs, less than 2³¹ for either sequence; the same for each if `nil`. `prefersAnchors` cuts
  /// short sequences at anchors, too, although a matching without them may edit less. After
  /// `costLimit` edits a search settles for the best it has seen.
  init(
    old: [Int32], new: [Int32], mayAnchor: [Bool], prefersAnchors: Bool = false,
    weights: [Int32]? = nil, costLimit: Int
  ) {
    self.old = old
    self.new = new
    self.mayAnchor = mayAnchor
    self.prefersAnchors = prefersAnchors
    self.weights = weights
    self.costLimit = costLimit
    partners = [Int32](repeating: -1, count: old.count)
    oldCounts = [Int32](repeating: 0, count: mayAnchor.count)
    newCounts = oldCounts
    oldPlaces = oldCounts
    gaps.append((Hunk(old: 0..<old.count, new: 0..<new.count), 0))
    while let next = gaps.popLast() { match(next.gap, depth: next.depth) }
  }

  /// What stays unmatched.
  var hunks: [Hunk] { Hunk.unmatched(partners, newCount: new.count) }

  /// What editing a token costs.
  func weight(_ token: Int32) -> Int32 { weights?[Int(token)] ?? 1 }

  private mutating func match(_ whole: Hunk, depth: Int32) {
    let gap = trimmed(whole)
    guard !gap.isOneSided else { return }
    count(gap)
    let shared = sharedTokens(of: gap)
    let isShort = Self.mayCompareAll(shared.old, shared.new)
    let isCut = (prefersAnchors || !isShort) && depth < Self.depthLimit
    let anchors = isCut ? anchors(in: gap) : []
    forget(gap)
    if anchors.isEmpty {
      match(shared, isShort: isShort)
      return
    }
    for anchor in anchors { partners[Int(anchor.old)] = anchor.new }
    var (oldStart, newStart) = (gap.old.lowerBound, gap.new.lowerBound)
    let end = Match(old: Int32(gap.old.upperBound), new: Int32(gap.new.upperBound))
    for anchor in anchors + [end] {
      let part = Hunk(old: oldStart..<Int(anchor.old), new: newStart..<Int(anchor.new))
      if !part.isOneSided { gaps.append((part, depth + 1)) }
      (oldStart, newStart) = (part.old.upperBound + 1, part.new.upperBound + 1)
    }
  }

  /// Matches what is equal at both ends, and returns the rest.
  private mutating func trimmed(_ gap: Hunk) -> Hunk {
    var (oldStart, oldEnd) = (gap.old.lowerBound, gap.old.upperBound)
    var (newStart, newEnd) = (gap.new.lowerBound, gap.new.upperBound)
    while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
      partners[oldStart] = Int32(newStart)
      oldStart += 1
      newStart += 1
    }
    while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
      partners[oldEnd] = Int32(newEnd)
    }
    steps += gap.old.count - (oldEnd - oldStart) + 1
    return Hunk(old: oldStart..<oldEnd, new: newStart..<newEnd)
  }

  private mutating func count(_ gap: Hunk) {
    for index in gap.old {
      oldCounts[Int(old[index])] += 1
      oldPlaces[Int(old[index])] = Int32(index)
    }
    for index in gap.new { newCounts[Int(new[index])] += 1 }
    steps += gap.old.count + gap.new.count
  }

  private mutating func forget(_ gap: Hunk) {
    for index in gap.old { oldCounts[Int(old[index])] = 0 }
    for index in gap.new { newCounts[Int(new[index])] = 0 }
  }

  /// The longest ascending series of tokens that are unique on both sides of the counted gap.
  private mutating func anchors(in gap: Hunk) -> [Match] {
    var candidates: [Match] = []
    for index in gap.new {
      let token = Int(new[index])
      if mayAnchor[token], oldCounts[token] == 1, newCounts[token] == 1 {
        candidates.append(Match(old: oldPlaces[token], new: Int32(index)))
      }
    }
    steps += gap.new.count + candidates.count
    let isInSeries = ListMoves.longestSeries(in: candidates.map(\.old))
    return zip(candidates, isInSeries).filter(\.1).map(\.0)
  }

  /// The indices of a counted gap's tokens that both sides have.
  private func sharedTokens(of gap: Hunk) -> (old: [Int32], new: [Int32]) {
    (
      gap.old.lazy.filter { newCounts[Int(old[$0])] > 0 }.map(Int32.init),
      gap.new.lazy.filter { oldCounts[Int(new[$0])] > 0 }.map(Int32.init)
    )
  }

  /// Matches the tokens at some indices, where no anchor cuts them.
  private mutating func match(_ indices: (old: [Int32], new: [Int32]), isShort: Bool) {
    guard !indices.old.isEmpty, !indices.new.isEmpty else { return }
    let left = indices.old.map { old[Int($0)] }
    let right = indices.new.map { new[Int($0)] }
    let pairs = isShort ? fewestEventsMatches(left, right) : shortestEditMatches(left, right)
    for pair in pairs { partners[Int(indices.old[Int(pair.old)])] = indices.new[Int(pair.new)] }
  }
}
