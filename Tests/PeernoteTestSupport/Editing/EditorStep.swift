package import Peernote

/// One call of an editor, as data.
package enum EditorStep {
  case put(Value, at: [String])
  case putContainer(ContainerKind, at: [String])
  case remove(at: [String])
  case replaceText(at: [String], with: String)
  case spliceText(at: [String], scalars: Range<Int>, with: String)
  case add(Value, toSetAt: [String])
  case discard(Value, fromSetAt: [String])
  case increment(Int64, at: [String])
  case insert(DocumentNode, at: [String])
  case move(from: [String], to: [String])
  case replaceContent(at: [String], with: DocumentNode)

  /// Makes the call.
  package func perform(on editor: inout Editor) throws {
    switch self {
    case .put(let value, let path): try editor.put(value, at: JSONPointer(path))
    case .putContainer(let kind, let path):
      try editor.putContainer(kind, at: JSONPointer(path))
    case .remove(let path): try editor.remove(at: JSONPointer(path))
    case .replaceText(let path, let text):
      try editor.replaceText(at: JSONPointer(path), with: text)
    case .spliceText(let path, let scalars, let text):
      try editor.spliceText(at: JSONPointer(path), scalars: scalars, with: text)
    case .add(let value, let path): try editor.add(value, toSetAt: JSONPointer(path))
    case .discard(let value, let path):
      try editor.discard(value, fromSetAt: JSONPointer(path))
    case .increment(let amount, let path):
      try editor.increment(by: amount, at: JSONPointer(path))
    case .insert(let node, let path):
      try editor.insert(node: node, at: JSONPointer(path))
    case .move(let from, let to):
      try editor.move(from: JSONPointer(from), to: JSONPointer(to))
    case .replaceContent(let path, let node):
      try editor.replaceContent(at: JSONPointer(path), with: node)
    }
  }

  /// What the call makes of some content, worked out on the content alone; `nil` where the call
  /// must be refused.
  package func result(on root: OracleNode) -> OracleNode? {
    switch self {
    case .put(let value, let path):
      return root.placing(.value(value), at: path[...])
    case .putContainer(let kind, let path):
      return root.placing(.empty(kind), at: path[...])
    case .remove(let path):
      return root.removing(at: path[...])
    case .replaceText(let path, let text):
      return root.changing(at: path[...]) { node in
        guard case .text = node else { return nil }
        return .text(Array(text.unicodeScalars))
      }
    case .spliceText(let path, let scalars, let text):
      return root.changing(at: path[...]) { node in
        guard case .text(var all) = node, scalars.upperBound <= all.count else { return nil }
        all.replaceSubrange(scalars, with: text.unicodeScalars)
        return .text(all)
      }
    case .add(let value, let path):
      return root.changing(at: path[...]) { node in
        guard case .set(let values) = node else { return nil }
        return .set(values.union([value]))
      }
    case .discard(let value, let path):
      return root.changing(at: path[...]) { node in
        guard case .set(let values) = node else { return nil }
        return .set(values.subtracting([value]))
      }
    case .increment(let amount, let path):
      return root.changing(at: path[...]) { node in
        guard case .counter(let count) = node else { return nil }
        return .counter(count &+ amount)
      }
    case .insert(let node, let path):
      return root.inserting(wanted(node), at: path)
    case .move(let from, let to):
      guard let moved = root.node(at: from[...]), let rest = root.removing(at: from[...]) else {
        return nil
      }
      return rest.inserting(moved, at: to)
    case .replaceContent(let path, let node):
      let wanted = wanted(node)
      return root.changing(at: path[...]) { _ in wanted }
    }
  }

  private func wanted(_ node: DocumentNode) -> OracleNode {
    do {
      return try OracleNode(node)
    } catch {
      fatalError("wanted content is in the form of the library: \(error)")
    }
  }
}
