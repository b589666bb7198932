/// The blocks of lines that differ between two texts, in bytes.
///
/// Lines that stand once in both texts are matched first, although now and then that edits more:
/// people see those lines, not the blank ones between them, which don't count for that.
struct LineDifference {
  /// Blocks of whole lines, ascending.
  ///
  /// A line includes its line feed.
  private(set) var hunks: [Hunk] = []
  /// Elementary steps of the matching.
  private(set) var steps = 0

  /// After this many edits a search for the shortest script settles for the best it has seen.
  private static let costLimit = 256

  /// Compares two texts, which differ.
  ///
  /// O(old.count + new.count) plus the matching's effort.
  init(from old: [UInt8], to new: [UInt8]) {
    let tokens = TokenPair(old, new, in: Self.changedLines(old, new), cut: Tokens.lines)
    let matcher = tokens.matcher(
      anchorsAtWords: true, prefersAnchors: true, costLimit: Self.costLimit)
    steps = matcher.steps
    hunks = matcher.hunks.map { tokens.inBytes($0) }
  }

  /// What is left when equal lines at the start and at the end are taken off.
  private static func changedLines(_ old: [UInt8], _ new: [UInt8]) -> Hunk {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    while prefix > 0, old[prefix - 1] != 0x0A { prefix -= 1 }
    var suffix = 0
    while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    // Back to where a line starts in both texts.
    while suffix > 0 {
      let (oldStart, newStart) = (old.count - suffix, new.count - suffix)
      let startsOld = oldStart == prefix || old[oldStart - 1] == 0x0A
      let startsNew = newStart == prefix || new[newStart - 1] == 0x0A
      if startsOld && startsNew { break }
      suffix -= 1
    }
    return Hunk(old: prefix..<(old.count - suffix), new: prefix..<(new.count - suffix))
  }
}
