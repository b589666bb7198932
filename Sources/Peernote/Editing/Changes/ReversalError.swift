/// Why some events cannot be reverted.
package enum ReversalError: Error, Hashable, Sendable {
  /// The text that some of them deleted from this container is not known any more.
  case redacted(container: ContainerIndex)
  /// The history contradicts itself, or the document would break a limit.
  case history(HistoryError)
}
