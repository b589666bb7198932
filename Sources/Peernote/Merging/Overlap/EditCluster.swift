/// Edits of a merge that belong together: no end of a sentence or of a line lies between them.
struct EditCluster {
  /// The parts from the first edit to the last.
  var range: Range<Int>

  /// The most bytes that may lie between two edits of one cluster.
  ///
  /// Longer sentences exist, but text without any full stop does too.
  private static let reach = 240

  /// All clusters of a merge, in order.
  ///
  /// O(parts + reach · edits).
  static func all(in merge: MergedText) -> [EditCluster] {
    var result: [EditCluster] = []
    var range = 0..<0
    for index in merge.indices where merge.role(index) != .kept {
      if !range.isEmpty, isLinked(merge, range.upperBound - 1, index) {
        range = range.lowerBound..<index + 1
      } else {
        if !range.isEmpty { result.append(EditCluster(range: range)) }
        range = index..<index + 1
      }
    }
    if !range.isEmpty { result.append(EditCluster(range: range)) }
    return result
  }

  /// Why a person should look at this cluster, if at all.
  func reason(in merge: MergedText) -> Conflict.Reason? {
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
        let count = merge.bytes(index).count
        if ours { inserted.ours += count } else { inserted.theirs += count }
        if previous == .commonDeletion { replacesCommonDeletion = true }
      case .deletion(let ours):
        if ours { deletes.ours = true } else { deletes.theirs = true }
      case .commonDeletion:
        hasCommonDeletion = true
        if case .insertion = previous { replacesCommonDeletion = true }
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
      result += merge.text[merge.bytes(index)]
    }
    return result
  }

  /// Whether the edits at two parts belong together; between them lies kept text only.
  private static func isLinked(_ merge: MergedText, _ first: Int, _ second: Int) -> Bool {
    let gap = merge.bytes(first).upperBound..<merge.bytes(second).lowerBound
    let (before, after) = (merge.edges(first), merge.edges(second))
    guard gap.isEmpty else {
      return gap.count <= reach
        && !SentenceEnd.lies(in: gap, of: merge.text, after: before, before: after)
    }
    switch (merge.role(first), merge.role(second)) {
    case (.commonDeletion, _), (_, .commonDeletion), (.insertion, .insertion):
      return true
    case (.insertion(let ours), .deletion(let other)):
      return ours == other || merge.isEnclosed(first) || !SentenceEnd.parts(before, after)
    case (.deletion(let other), .insertion(let ours)):
      return ours == other || merge.isEnclosed(second) || !SentenceEnd.parts(before, after)
    case (.deletion(let ours), .deletion(let other)):
      return ours == other || !SentenceEnd.parts(before, after)
    case (.kept, _), (_, .kept):
      return false
    }
  }
}
