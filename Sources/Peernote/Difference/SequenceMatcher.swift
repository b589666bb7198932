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
  private var regions: [Region] = []
  /// Furthest points of the shortest-edit search, kept to save allocations.
  var forward: [Int] = []
  var backward: [Int] = []

  /// Indices of two equal tokens.
  struct Match {
    var old: Int32
    var new: Int32
  }

  private struct Region {
    var gap: Hunk
    var depth: Int32

    var old: Range<Int> { gap.old }
    var new: Range<Int> { gap.new }

    init(old: Range<Int>, new: Range<Int>, depth: Int32) {
      gap = Hunk(old: old, new: new)
      self.depth = depth
    }
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
    regions.append(Region(old: 0..<old.count, new: 0..<new.count, depth: 0))
    while let region = regions.popLast() { match(region) }
  }

  /// What stays unmatched.
  var hunks: [Hunk] { Hunk.unmatched(partners, newCount: new.count) }

  /// What editing a token costs.
  func weight(_ token: Int32) -> Int32 { weights?[Int(token)] ?? 1 }

  private mutating func match(_ whole: Region) {
    let region = trimmed(whole)
    guard !region.old.isEmpty, !region.new.isEmpty else { return }
    count(region)
    let shared = sharedTokens(of: region)
    let isShort = Self.mayCompareAll(shared.old, shared.new)
    let isCut = (prefersAnchors || !isShort) && region.depth < Self.depthLimit
    let anchors = isCut ? anchors(in: region) : []
    forget(region)
    if anchors.isEmpty {
      match(shared, isShort: isShort)
      return
    }
    var oldStart = region.old.lowerBound
    var newStart = region.new.lowerBound
    for anchor in anchors {
      let (old, new) = (Int(anchor.old), Int(anchor.new))
      partners[old] = anchor.new
      push(oldStart..<old, newStart..<new, depth: region.depth + 1)
      oldStart = old + 1
      newStart = new + 1
    }
    push(
      oldStart..<region.old.upperBound, newStart..<region.new.upperBound, depth: region.depth + 1)
  }

  private mutating func push(_ old: Range<Int>, _ new: Range<Int>, depth: Int32) {
    guard !old.isEmpty, !new.isEmpty else { return }
    regions.append(Region(old: old, new: new, depth: depth))
  }

  /// Matches what is equal at both ends, and returns the rest.
  private mutating func trimmed(_ region: Region) -> Region {
    var (oldStart, oldEnd) = (region.old.lowerBound, region.old.upperBound)
    var (newStart, newEnd) = (region.new.lowerBound, region.new.upperBound)
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
    steps += region.old.count - (oldEnd - oldStart) + 1
    return Region(old: oldStart..<oldEnd, new: newStart..<newEnd, depth: region.depth)
  }

  private mutating func count(_ region: Region) {
    for index in region.old {
      oldCounts[Int(old[index])] += 1
      oldPlaces[Int(old[index])] = Int32(index)
    }
    for index in region.new { newCounts[Int(new[index])] += 1 }
    steps += region.old.count + region.new.count
  }

  private mutating func forget(_ region: Region) {
    for index in region.old { oldCounts[Int(old[index])] = 0 }
    for index in region.new { newCounts[Int(new[index])] = 0 }
  }

  /// The longest ascending series of tokens that are unique on both sides of the counted region.
  private mutating func anchors(in region: Region) -> [Match] {
    var candidates: [Match] = []
    for index in region.new {
      let token = Int(new[index])
      if mayAnchor[token], oldCounts[token] == 1, newCounts[token] == 1 {
        candidates.append(Match(old: oldPlaces[token], new: Int32(index)))
      }
    }
    steps += region.new.count + candidates.count
    let isInSeries = ListMoves.longestSeries(in: candidates.map(\.old))
    return zip(candidates, isInSeries).filter(\.1).map(\.0)
  }

  /// The indices of a counted region's tokens that both sides have.
  private func sharedTokens(of region: Region) -> (old: [Int32], new: [Int32]) {
    (
      region.old.lazy.filter { newCounts[Int(old[$0])] > 0 }.map(Int32.init),
      region.new.lazy.filter { oldCounts[Int(new[$0])] > 0 }.map(Int32.init)
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
