package import Peernote

/// A history and the library's documents for it, to try laws on.
package struct LawCase {
  /// What happened, and what it means.
  package let history: History
  /// The document of all changes.
  package let whole: Document
  /// What a replica holds, and the document of that.
  package typealias Replica = (version: OracleVersion, document: Document)

  /// The replicas at the end.
  package let replicas: [Replica]

  /// Makes the documents of a history.
  package init(_ history: History) throws {
    self.history = history
    whole = try history.document
    replicas = try history.replicas.map { version in
      (version, try Document(id: history.id, changes: history.changes(of: version)))
    }
  }

  /// Pairs of replicas to be merged.
  package var pairs: [(Replica, Replica)] {
    replicas.indices.dropFirst().flatMap { index in
      [(replicas[index - 1], replicas[index]), (replicas[index], replicas[0])]
    }
  }

  /// The oracle that knows all changes.
  package var oracle: Oracle { history.oracle }

  /// The document of a version, made from its changes at one go.
  package func document(of version: OracleVersion) throws -> Document {
    try Document(id: history.id, changes: history.changes(of: version))
  }

  /// Numbers for a law that are the same each time it is tried on this history.
  package func random(_ law: UInt64) -> SplitMix64 {
    SplitMix64(seed: history.id.low ^ law)
  }

  /// Some versions of the history: what replicas hold, what was saved, pasts of changes, unions.
  package func versions(_ count: Int, _ random: inout SplitMix64) -> [OracleVersion] {
    (0..<count).map { _ in
      switch random.below(4) {
      case 0: random.pick(history.replicas)
      case 1: random.pick(history.saves)
      case 2: random.pick(oracle.pasts)
      default: random.pick(oracle.pasts).union(random.pick(oracle.pasts))
      }
    }
  }
}

/// The first document with the other merged into it.
package func merged(_ one: Document, _ other: Document) throws -> Document {
  var both = one
  _ = try both.merge(other)
  return both
}
