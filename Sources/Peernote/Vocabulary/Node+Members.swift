extension Node {
  /// A set with these members, in the order of the file.
  ///
  /// O(n log n).
  public static func set(members: Set<Value>) -> Node {
    .set(Array(members).sortedByEncoding())
  }

  /// The title of a note, or of anything that has one at its top.
  ///
  /// O(entries).
  package var title: String? {
    if case .value(.string(let title)) = self["title"] { return title }
    if case .text(let title) = self["title"] { return title }
    return nil
  }
}
