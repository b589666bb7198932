/// How much one log may hold; see peernote(5).
///
/// All numbers of a log fit into 32 bits because of them. A log carries its limits along, so that
/// tests can lower them.
package struct Limits: Hashable, Sendable {
  /// The most events.
  package var events = LocalVersion.maximumEventCount
  /// The most changes.
  package var changes = 1 << 24
  /// The most containers, the root included.
  package var containers = 1 << 28
  /// The most parents of all chains of changes together.
  package var parents = 1 << 30

  /// The most contents in a file, besides one for every four bytes.
  package var freeContents = 1 << 18
  /// The most containers in a file, besides one for every eight bytes.
  package var freeContainers = 1 << 17

  /// Those of the format.
  package init() {}

  /// The most contents in a file of so many bytes.
  ///
  /// What is in memory of a list element or a small value is many times as large as the byte or two
  /// that it takes in a file. No document that people make consists of these alone.
  package func contents(inBytes size: Int) -> Int { freeContents + size / 4 }

  /// The most containers in a file of so many bytes.
  package func containers(inBytes size: Int) -> Int {
    min(containers, freeContainers + size / 8)
  }
}

extension Log {
  /// Which limit is broken by so many more events, changes, and parents of chains, if one is.
  func limitBroken(
    byEvents events: Int, changes: Int, parents: Int = 0
  ) -> HistoryError.Reason? {
    if Int(graph.eventCount) + events > limits.events { return .tooManyEvents }
    if Int(graph.changeCount) + changes > limits.changes { return .tooManyChanges }
    if graph.parentPool.count + parents > limits.parents { return .tooManyParents }
    return nil
  }

  /// How many redacted scalars may be spelled out, as U+FFFD, where past versions are asked for.
  ///
  /// Redacted text takes no room in a file, so that a small one could speak of gigabytes.
  package var redactedTextLimit: Int { 1 << 20 + 64 * operations.count }

  /// Which limit is broken by more containers, if one is.
  package func limitBroken(byContents contents: some Sequence<Content>) -> HistoryError.Reason? {
    var left = limits.containers - containers.count
    for case .container in contents { left -= 1 }
    return left < 0 ? .tooManyContainers : nil
  }
}
