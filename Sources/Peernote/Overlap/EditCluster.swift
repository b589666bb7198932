/// Edits of a merge that belong together: no end of a sentence or of a line lies between them.
struct EditCluster {
  /// The segments from the first edit to the last.
  var range: Range<Int>

  /// The most bytes that may lie between two edits of one cluster.
  ///
  /// Longer sentences exist, but text without any full stop does too.
  private static let reach = 240

  /// All clusters of a merge, in order.
  ///
  /// O(segments + reach · edits).
  static func all(in merge: MergedText) -> [EditCluster] {
    let surroundings = Surroundings(merge)
    var result: [EditCluster] = []
    for index in merge.segments.indices {
      let role = merge.role(index)
      guard role != .kept, role != .gone else { continue }
      if let last = result.last,
        isLinked(merge, surroundings, last.range.upperBound - 1, index)
      {
        result[result.count - 1].range = last.range.lowerBound..<(index + 1)
      } else {
        result.append(EditCluster(range: index..<(index + 1)))
      }
    }
    return result
  }

  /// Why a person should look at this cluster, if at all.
  func kind(in merge: MergedText) -> Overlap.Kind? {
    /// How many bytes either side inserted.
    var inserted = (ours: 0, theirs: 0)
    var deletes = (ours: false, theirs: false)
    var hasCommonDeletion = false
    var replacesCommonDeletion = false
    var hasKept = false
    var previous = MergedText.Role.kept
    for index in range {
      let role = merge.role(index)
      switch role {
      case .kept: hasKept = true
      case .insertion(let ours):
        let count = merge.bytes[index + 1] - merge.bytes[index]
        if ours { inserted.ours += count } else { inserted.theirs += count }
        if previous == .commonDeletion { replacesCommonDeletion = true }
      case .deletion(let ours):
        if ours { deletes.ours = true } else { deletes.theirs = true }
      case .commonDeletion:
        hasCommonDeletion = true
        if case .insertion = previous { replacesCommonDeletion = true }
      case .gone: continue
      }
      previous = role
    }
    let ours = inserted.ours > 0 || deletes.ours
    let theirs = inserted.theirs > 0 || deletes.theirs
    guard ours && theirs || replacesCommonDeletion && (ours || theirs) else { return nil }
    guard inserted.ours > 0 && inserted.theirs > 0 else {
      return inserted.ours + inserted.theirs > 0 ? .deletion : .changes
    }
    if inserted.ours == inserted.theirs,
      insertion(byOurs: true, in: merge) == insertion(byOurs: false, in: merge)
    {
      return .duplicate
    }
    let isOnePlace = !hasKept && !deletes.ours && !deletes.theirs && !hasCommonDeletion
    return isOnePlace ? .insertions : .changes
  }

  /// What one side inserted.
  private func insertion(byOurs ours: Bool, in merge: MergedText) -> [UInt8] {
    var result: [UInt8] = []
    for index in range where merge.role(index) == .insertion(ours: ours) {
      result += merge.content(index)
    }
    return result
  }

  /// Whether the edits at two segments belong together; between them lies kept text only.
  private static func isLinked(
    _ merge: MergedText, _ surroundings: Surroundings, _ first: Int, _ second: Int
  ) -> Bool {
    let gap = merge.bytes[first + 1]..<merge.bytes[second]
    guard gap.isEmpty else {
      return gap.count <= reach
        && !SentenceEnd.lies(
          in: gap, of: merge.text, after: merge.content(first), before: merge.content(second))
    }
    switch (merge.role(first), merge.role(second)) {
    case (.commonDeletion, _), (_, .commonDeletion), (.insertion, .insertion):
      return true
    case (.insertion(let ours), .deletion(let other)):
      return ours == other || surroundings.encloses(first)
        || !SentenceEnd.parts(merge.content(first), merge.content(second))
    case (.deletion(let other), .insertion(let ours)):
      return ours == other || surroundings.encloses(second)
        || !SentenceEnd.parts(merge.content(first), merge.content(second))
    case (.deletion(let ours), .deletion(let other)):
      return ours == other || !SentenceEnd.parts(merge.content(first), merge.content(second))
    case (.kept, _), (_, .kept), (.gone, _), (_, .gone):
      return false
    }
  }
}

/// Which insertions stand inside a passage that the other side deleted.
private struct Surroundings {
  private var enclosed: [Bool]

  /// Looks at the base text on both sides of every insertion.
  ///
  /// O(segments).
  init(_ merge: MergedText) {
    let segments = merge.segments
    enclosed = [Bool](repeating: false, count: segments.count)
    var before: MergedSegment?
    var waiting: [Int] = []
    for (index, segment) in segments.enumerated() {
      guard segment.origin == .base else {
        waiting.append(index)
        continue
      }
      for insertion in waiting {
        let isOurs = segments[insertion].origin == .ours
        enclosed[insertion] =
          isOurs
          ? before?.deletedByTheirs ?? false && segment.deletedByTheirs
          : before?.deletedByOurs ?? false && segment.deletedByOurs
      }
      waiting.removeAll(keepingCapacity: true)
      before = segment
    }
  }

  func encloses(_ insertion: Int) -> Bool { enclosed[insertion] }
}
