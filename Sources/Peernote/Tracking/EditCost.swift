/// How much an edit takes away, by lines; content was most likely made from the version from which it
/// takes the least.
package struct EditCost: Comparable {
  /// The lines that are taken away, and those that come in though they are known.
  package private(set) var lost = 0
  /// The lines that are added.
  private var added = 0

  /// What the edit from one content to another takes, of which it is given how often each line
  /// stands there.
  ///
  /// O(lines). `known` is the same for other content, such as what the edit is merged with, where a
  /// line would then stand twice.
  package init(
    from old: [Substring: Int], to new: [Substring: Int], known: [Substring: Int]...
  ) {
    for (line, count) in old { lost += max(0, count - new[line, default: 0]) }
    for (line, count) in new {
      let before = old[line, default: 0]
      added += max(0, count - before)
      lost += max(0, min(count, known.map { $0[line, default: 0] }.max() ?? 0) - before)
    }
  }

  package static func < (left: EditCost, right: EditCost) -> Bool {
    (left.lost, left.added) < (right.lost, right.added)
  }
}
