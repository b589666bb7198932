package import Peernote
import PeernoteEngine

extension OracleNode {
  /// The library's content in the oracle's terms.
  ///
  /// Throws if a map's keys or a set's values are not sorted or not distinct.
  package init(_ node: Node) throws(Fault) {
    switch node {
    case .value(let value):
      self = .value(value)
    case .map(let entries):
      let keys = entries.map { ExactString($0.key) }
      try expect(zip(keys, keys.dropFirst()).allSatisfy(<), "keys of a map are sorted: \(keys)")
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
