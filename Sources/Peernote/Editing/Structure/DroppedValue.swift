/// A value that was not taken over, since another one stands in its place.
public struct DroppedValue: Hashable, Sendable {
  /// Where both stand.
  public var path: JSONPointer
  /// What is kept.
  public var kept: DocumentNode
  /// What is not.
  public var dropped: DocumentNode
}
