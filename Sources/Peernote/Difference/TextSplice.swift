/// One contiguous edit of a text: scalars deleted, and text inserted in their stead.
package struct TextSplice: Hashable, Sendable {
  /// Where the edit starts, in Unicode scalars of the old text.
  package var position: Int
  /// How many scalars of the old text go away, from `position` on.
  package var deleted: Int
  /// What stands there instead.
  package var inserted: String
  /// Whether the insertion belongs before the deleted scalars rather than after them.
  ///
  /// Both give the same new text. They differ in a merge, when another copy inserts at one of the
  /// two ends of the deleted passage: see ``TextDifference``.
  package var insertsBeforeDeleted: Bool

  /// The position, in scalars of the old text, at which to insert before deleting anything.
  package var insertionPosition: Int { insertsBeforeDeleted ? position : position + deleted }
}
