/// One of several edits of a text, in places of the text before all of them: scalars that are deleted,
/// and text that is inserted in their stead.
package struct TextEdit: Hashable, Sendable {
  /// The scalars that go.
  package var deleted: Range<Int>
  /// What comes in their stead.
  package var inserted = TextBuffer()
  /// Whether that stands before the scalars that go, rather than after them.
  ///
  /// Both give the same new text. They differ in a merge, when another copy inserts at one of the two
  /// ends of the deleted passage: see ``TextDifference``.
  package var insertsBefore = false

  package init(
    deleted: Range<Int>, inserted: TextBuffer = TextBuffer(), insertsBefore: Bool = false
  ) {
    self.deleted = deleted
    self.inserted = inserted
    self.insertsBefore = insertsBefore
  }

  /// Where what comes is inserted.
  var position: Int { insertsBefore ? deleted.lowerBound : deleted.upperBound }
}

extension TextBuffer {
  /// The text, or a part of it, after edits in it that ascend and do not overlap, in
  /// O(bytes of both texts).
  package func applying(_ edits: [TextEdit], in part: Range<Int>? = nil) -> TextBuffer {
    let start = part.map { self.place(ofScalar: $0.lowerBound) } ?? TextPlace()
    let end = part.map { self.place(ofScalar: $0.upperBound, from: start) } ?? self.end
    var result = TextBuffer()
    result.reserve(bytes: edits.reduce(end.byte - start.byte) { $0 + $1.inserted.utf8.count })
    var place = start
    for edit in edits {
      let next = self.place(ofScalar: edit.deleted.lowerBound, from: place)
      result.append(self, from: place, to: next)
      result.append(edit.inserted)
      place = self.place(ofScalar: edit.deleted.upperBound, from: next)
    }
    result.append(self, from: place, to: end)
    return result
  }

  /// Some scalars, in O(bytes up to there); O(count) in ASCII text.
  package func string(ofScalars range: Range<Int>) -> String {
    let start = place(ofScalar: range.lowerBound)
    return string(from: start, to: place(ofScalar: range.upperBound, from: start))
  }
}
