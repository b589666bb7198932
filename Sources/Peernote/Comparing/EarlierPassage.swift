/// What stood in an earlier state of a text where a passage stands now.
package struct EarlierPassage {
  /// The splices that lead from the later text back to the earlier one.
  private let splices: [TextSplice]
  /// How many scalars each splice inserts.
  private let insertedCounts: [Int]
  /// How much longer the earlier text is before each splice than the later one.
  private let shifts: [Int]
  private let earlier: [Unicode.Scalar]

  /// Compares two states of a text.
  ///
  /// Near-linear.
  package init(of later: String, in earlier: String) {
    splices = TextDifference(from: Array(later.utf8), to: Array(earlier.utf8)).splices
    insertedCounts = splices.map(\.inserted.unicodeScalars.count)
    var shift = 0
    shifts = zip(splices, insertedCounts).map { splice, count in
      defer { shift += count - splice.deleted }
      return shift
    }
    self.earlier = Array(earlier.unicodeScalars)
  }

  /// The earlier reading of a passage, in Unicode scalars of the later text; what was replaced
  /// counts as a whole.
  ///
  /// O(passage + log splices). `nil` if what stood there cannot be told from what was replaced
  /// around it, as where somebody moved it.
  package func text(of passage: Range<Int>) -> String? {
    let first = splices.partitionPoint { $0.position + $0.deleted > passage.lowerBound }
    let reachesOut = splices[first...].prefix { $0.position < passage.upperBound }.contains {
      $0.position < passage.lowerBound || $0.position + $0.deleted > passage.upperBound
    }
    if reachesOut { return nil }
    let start = place(of: passage.lowerBound, isEnd: false)
    let end = max(start, place(of: passage.upperBound, isEnd: true))
    var text = String.UnicodeScalarView()
    text.append(contentsOf: earlier[min(start, earlier.count)..<min(end, earlier.count)])
    return String(text)
  }

  /// Where a place of the later text was in the earlier one; beside what was replaced there.
  private func place(of offset: Int, isEnd: Bool) -> Int {
    // The first splice that does not end before the place.
    var low = splices.partitionPoint { $0.position + $0.deleted >= offset }
    while low < splices.count, splices[low].position <= offset {
      let (start, end) = (splices[low].position, splices[low].position + splices[low].deleted)
      let touches =
        start == end ? offset == start : isEnd ? start < offset && offset <= end : offset < end
      if touches { return start + shifts[low] + (isEnd ? insertedCounts[low] : 0) }
      low += 1
    }
    guard low > 0 else { return offset }
    return offset + shifts[low - 1] + insertedCounts[low - 1] - splices[low - 1].deleted
  }
}
