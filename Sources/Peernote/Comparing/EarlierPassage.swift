/// What stood in an earlier state of a text where a passage stands now.
package struct EarlierPassage {
  /// The splices that lead from the later text back to the earlier one.
  private let splices: [TextSplice]
  private let earlier: String.UnicodeScalarView

  /// Compares two states of a text.
  ///
  /// Near-linear.
  package init(of later: String, in earlier: String) {
    splices = TextDifference(from: Array(later.utf8), to: Array(earlier.utf8)).splices
    self.earlier = earlier.unicodeScalars
  }

  /// The earlier reading of a passage; what was replaced counts as a whole.
  ///
  /// O(earlier text + splices).
  ///
  /// - Parameter passage: where it stands in the later text, in Unicode scalars.
  /// - Returns: what stood there.
  package func text(of passage: Range<Int>) -> String {
    let start = place(of: passage.lowerBound, isEnd: false)
    let end = max(start, place(of: passage.upperBound, isEnd: true))
    var text = String.UnicodeScalarView()
    text.append(contentsOf: earlier.dropFirst(start).prefix(end - start))
    return String(text)
  }

  /// Where a place of the later text was in the earlier one; beside what was replaced there.
  private func place(of offset: Int, isEnd: Bool) -> Int {
    var shift = 0
    for splice in splices {
      let (start, end) = (splice.position, splice.position + splice.deleted)
      if offset < start { break }
      let inserted = splice.inserted.unicodeScalars.count
      let touches =
        start == end ? offset == start : isEnd ? start < offset && offset <= end : offset < end
      if touches { return start + shift + (isEnd ? inserted : 0) }
      shift += inserted - splice.deleted
    }
    return offset + shift
  }
}
