/// One of several edits of a text, in places of the text before all of them.
struct TextEdit {
  /// The scalars that go.
  var deleted: Range<Int>
  /// What comes in their stead.
  var inserted = TextBuffer()
  /// Whether that stands before the scalars that go, rather than after them.
  var insertsBefore = false
}

extension TextEdit {
  /// What a difference of two texts says.
  init(_ splice: TextSplice) {
    self.init(
      deleted: splice.position..<splice.position + splice.deleted,
      inserted: TextBuffer(splice.inserted), insertsBefore: splice.insertsBeforeDeleted)
  }

  /// Where what comes is inserted.
  var position: Int { insertsBefore ? deleted.lowerBound : deleted.upperBound }
}

extension TextBuffer {
  /// The text after edits that ascend and do not overlap.
  ///
  /// O(bytes of both texts).
  func applying(_ edits: [TextEdit]) -> TextBuffer {
    var result = TextBuffer()
    result.reserve(bytes: edits.reduce(utf8.count) { $0 + $1.inserted.utf8.count })
    var place = TextPlace()
    for edit in edits {
      let start = self.place(ofScalar: edit.deleted.lowerBound, from: place)
      result.append(self, from: place, to: start)
      result.append(edit.inserted)
      place = self.place(ofScalar: edit.deleted.upperBound, from: start)
    }
    result.append(self, from: place, to: end)
    return result
  }

  /// Some scalars.
  ///
  /// O(bytes up to there); O(count) in ASCII text.
  func string(ofScalars range: Range<Int>) -> String {
    let start = place(ofScalar: range.lowerBound)
    return string(from: start, to: place(ofScalar: range.upperBound, from: start))
  }
}
