package import Peernote

extension OracleNode {
  /// An empty container.
  package static func empty(_ kind: ContainerKind) -> OracleNode {
    switch kind {
    case .map: .map([:])
    case .list: .list([])
    case .text: .text([])
    case .set: .set([])
    case .counter: .counter(0)
    }
  }

  /// What content shows when it is new.
  package init(_ content: Content) {
    switch content {
    case .value(let value): self = .value(value)
    case .container(let kind): self = .empty(kind)
    }
  }

  /// What stands at a path.
  package func node(at path: ArraySlice<String>) -> OracleNode? {
    guard let token = path.first else { return self }
    return child(token)?.node(at: path.dropFirst())
  }

  private func child(_ token: String) -> OracleNode? {
    switch self {
    case .map(let entries):
      return entries[ExactString(token)]
    case .list(let elements):
      return Int(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    case .value, .text, .set, .counter:
      return nil
    }
  }

  /// The content with what stands at a path changed; `nil` if nothing stands there or `change`
  /// refuses it.
  package func changing(
    at path: ArraySlice<String>, _ change: (OracleNode) -> OracleNode?
  ) -> OracleNode? {
    guard let token = path.first else { return change(self) }
    guard let child = child(token)?.changing(at: path.dropFirst(), change) else { return nil }
    return replacing(token, with: child)
  }

  /// The content with a node under a key or in the place of an element, or without what stands there.
  private func replacing(_ token: String, with node: OracleNode?) -> OracleNode? {
    switch self {
    case .map(var entries):
      if node == nil, entries[ExactString(token)] == nil { return nil }
      entries[ExactString(token)] = node
      return .map(entries)
    case .list(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return nil }
      elements.replaceSubrange(index...index, with: node.map { [$0] } ?? [])
      return .list(elements)
    case .value, .text, .set, .counter:
      return nil
    }
  }

  /// The content with a node under a key, or in the place of an element.
  package func placing(_ node: OracleNode, at path: ArraySlice<String>) -> OracleNode? {
    guard let last = path.last else { return nil }
    return changing(at: path.dropLast()) { $0.replacing(last, with: node) }
  }

  /// The content without what stands at a path.
  package func removing(at path: ArraySlice<String>) -> OracleNode? {
    guard let last = path.last else { return nil }
    return changing(at: path.dropLast()) { $0.replacing(last, with: nil) }
  }

  /// The content with a node as a further element of a list, `-` being the place at its end.
  package func inserting(_ node: OracleNode, at path: [String]) -> OracleNode? {
    guard let last = path.last else { return nil }
    return changing(at: path[...].dropLast()) { parent in
      guard case .list(var elements) = parent,
        let index = last == "-" ? elements.count : Int(last), index <= elements.count
      else { return nil }
      elements.insert(node, at: index)
      return .list(elements)
    }
  }
}
