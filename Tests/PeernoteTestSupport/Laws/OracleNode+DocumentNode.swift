package import Peernote

extension OracleNode {
  /// The library's content in the oracle's terms.
  ///
  /// Throws if a map's keys are not sorted (by length, then by bytes) or a set's values are not
  /// distinct.
  package init(_ node: DocumentNode) throws(Fault) {
    switch node {
    case .value(let value):
      self = .value(value)
    case .map(let entries):
      let keys = entries.map { ExactString($0.key) }
      let areSorted = zip(keys, keys.dropFirst()).allSatisfy { left, right in
        (left.string.utf8.count, left) < (right.string.utf8.count, right)
      }
      try expect(areSorted, "keys of a map are sorted: \(keys)")
      var nodes: [ExactString: OracleNode] = [:]
      for (key, entry) in zip(keys, entries) { nodes[key] = try OracleNode(entry.node) }
      self = .map(nodes)
    case .list(let elements):
      var nodes: [OracleNode] = []
      for element in elements { nodes.append(try OracleNode(element)) }
      self = .list(nodes)
    case .text(let text):
      self = .text(Array(text.unicodeScalars))
    case .set(let values):
      let distinct = Set(values)
      try expect(distinct.count == values.count, "values of a set are distinct: \(values)")
      self = .set(distinct)
    case .counter(let count):
      self = .counter(count)
    }
  }
}

extension OracleNode {
  /// The content in the library's terms.
  package var node: DocumentNode {
    switch self {
    case .value(let value): .value(value)
    case .map(let entries):
      .map(
        entries.sorted { ($0.key.string.utf8.count, $0.key) < ($1.key.string.utf8.count, $1.key) }
          .map { .init(key: $0.key.string, node: $0.value.node) })
    case .list(let elements): .list(elements.map(\.node))
    case .text(let scalars): .text(String(String.UnicodeScalarView(scalars)))
    case .set(let members): .set(members: members)
    case .counter(let count): .counter(count)
    }
  }
}
