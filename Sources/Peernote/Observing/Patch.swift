/// One step of the way from one content of a document to another.
///
/// Patches come in an order; each applies to the content that those before it lead to, and its path
/// leads there. `DocumentNode.apply(_:)` does what it says.
public struct Patch: Hashable, Sendable {
  /// The key, element or container that changes; see ``Action-swift.enum``.
  public var path: JSONPointer
  /// What happens there.
  public var action: Action

  /// A patch.
  package init(path: JSONPointer, action: Action) {
    self.path = path
    self.action = action
  }

  /// What happens at the path of a patch.
  public enum Action: Hashable, Sendable {
    /// This is there now: under a key that may be new, or in an element that was there.
    case put(DocumentNode)
    /// The key, or the element, is there no more.
    case remove
    /// These elements come in before the one at the path, or at the end of the list.
    case insert([DocumentNode])
    /// The element goes to this index of the list without it.
    case move(to: Int)
    /// A part of the text at the path is replaced.
    case splice(TextReplacement)
    /// The value is in the set at the path now.
    case add(Value)
    /// The value is in the set at the path no more.
    case discard(Value)
    /// The counter at the path grew by this much, wrapping around.
    case increment(by: Int64)
  }
}

/// A part of a text that is replaced.
public struct TextReplacement: Hashable, Sendable {
  /// The part that goes, in Unicode scalars from the start of the text.
  public var scalars: Range<Int>
  /// What comes in its stead.
  public var text: String

  /// A replacement.
  package init(scalars: Range<Int>, text: String) {
    self.scalars = scalars
    self.text = text
  }

  /// The part that goes, in characters (extended grapheme clusters, as `String` counts them).
  ///
  /// O(bytes up to its end).
  ///
  /// - Parameter text: the text before the replacement.
  /// - Returns: how many whole characters stand before its start, and before its end.
  public func characters(in text: String) -> Range<Int> {
    var counter = CharacterCounter(text)
    let start = counter.characters(upToScalar: scalars.lowerBound)
    return start..<counter.characters(upToScalar: scalars.upperBound)
  }

  /// Where a place in the text is after the replacement, in scalars.
  ///
  /// A place inside what goes ends up after what comes. One at the start of it stays before, and
  /// one at both its ends too unless `followsInsertions`.
  public func scalarOffset(
    _ offset: Int, followsInsertions: Bool = false
  ) -> Int {
    let inserted = text.unicodeScalars.count
    if offset < scalars.lowerBound { return offset }
    if offset == scalars.lowerBound, !(followsInsertions && scalars.isEmpty) { return offset }
    if offset >= scalars.upperBound { return offset + inserted - scalars.count }
    return scalars.lowerBound + inserted
  }
}
