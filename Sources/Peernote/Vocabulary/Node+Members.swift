extension Node {
  /// A set with these members, in the order of the file.
  ///
  /// O(n log n).
  public static func set(members: Set<Value>) -> Node {
    .set(Array(members).sortedByEncoding())
  }
}
