package import Peernote
import PeernoteEngine

extension OracleNode {
  /// The library's content in the oracle's terms.
  ///
  /// Throws if a map's keys are not sorted (by length, then by bytes) or a set's values are not
  /// distinct.
  package init(_ node: Node) throws(Fault) {
    switch node {
    case .value(let value):
      self = .value(value)
    case .map(let entries):
      let keys = entries.map { ExactString($0.key) }
      let areSorted = zip(keys, keys.dropFirst()).allSatisfy { left, right in
        (left.utf8.count, left) < (right.utf8.count, right)
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
