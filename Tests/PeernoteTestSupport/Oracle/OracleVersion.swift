/// A causally closed set of an oracle's changes, by their numbers.
package struct OracleVersion: Hashable, Sendable {
  private var holds: [Bool]

  /// The version before any change.
  package init() {
    holds = []
  }

  /// Whether the version holds the change with this number.
  package func contains(_ change: Int) -> Bool {
    change < holds.count && holds[change]
  }

  /// The numbers of the changes held, ascending.
  package var changes: [Int] {
    holds.indices.filter { holds[$0] }
  }

  /// Adds one change, whose parents must be held already.
  package mutating func insert(_ change: Int) {
    while holds.count <= change { holds.append(false) }
    holds[change] = true
  }

  /// Adds all changes of another version.
  package mutating func formUnion(_ other: OracleVersion) {
    for change in other.changes { insert(change) }
  }

  /// All changes of both versions.
  package func union(_ other: OracleVersion) -> OracleVersion {
    var both = self
    both.formUnion(other)
    return both
  }

  /// The changes that both versions hold.
  package func intersection(_ other: OracleVersion) -> OracleVersion {
    var both = OracleVersion()
    for change in changes where other.contains(change) { both.insert(change) }
    return both
  }
}

extension OracleVersion {
  /// Whether both hold the same changes.
  package static func == (left: OracleVersion, right: OracleVersion) -> Bool {
    left.changes == right.changes
  }

  /// Feeds the changes held to the hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(changes)
  }
}
