/// What stood in an earlier state of a text where a passage stands now.
package struct EarlierPassage {
  /// The splices that lead from the later text back to the earlier one.
  private let splices: [TextSplice]
  private let later: [Unicode.Scalar]

  /// Compares two states of a text.
  ///
  /// Near-linear.
  package init(of later: String, in earlier: String) {
    splices = TextDifference(from: later, to: earlier).splices
    self.later = Array(later.unicodeScalars)
  }

  /// The earlier reading of a passage, in Unicode scalars of the later text; what was replaced
  /// counts as a whole.
  ///
  /// O(passage + log splices). `nil` if what stood there cannot be told from what was replaced
  /// around it, as where somebody moved it.
  package func text(of passage: Range<Int>) -> String? {
    let passage = passage.clamped(to: later.indices)
    var text = String.UnicodeScalarView()
    var place = passage.lowerBound
    let first = splices.partitionPoint { $0.position + $0.deleted >= passage.lowerBound }
    for splice in splices[first...].prefix(while: { $0.position <= passage.upperBound }) {
      let end = splice.position + splice.deleted
      // What was replaced right before the passage, or right after it, is no part of it.
      let isBeside = end == passage.lowerBound || splice.position == passage.upperBound
      if isBeside, splice.deleted > 0 { continue }
      guard passage.lowerBound <= splice.position, end <= passage.upperBound else { return nil }
      text.append(contentsOf: later[place..<splice.position])
      text.append(contentsOf: splice.inserted.unicodeScalars)
      place = end
    }
    text.append(contentsOf: later[place..<passage.upperBound])
    return String(text)
  }
}
