import Peernote

/// Content as lines of YAML, in blocks.
enum YAMLWriter {
  /// The lines of a key and what stands under it.
  static func lines(_ key: String, _ node: DocumentNode) -> [String] {
    lines(after: YAMLScalar.plainOrQuoted(key) + ":", node, "")
  }

  /// The lines of content that goes on behind a key or a hyphen, which is indented already.
  private static func lines(after start: String, _ node: DocumentNode, _ indentation: String)
    -> [String]
  {
    let inner = indentation + "  "
    switch node.form {
    case .value(let value): return [start + " " + YAMLScalar.text(of: value)]
    case .list(let nodes):
      if nodes.isEmpty { return [start + " []"] }
      return nodes.reduce(into: [start]) { $0 += element($1, inner) }
    case .map(let entries):
      if entries.isEmpty { return [start + " {}"] }
      return entries.reduce(into: [start]) { $0 += entry($1, inner) }
    }
  }

  private static func entry(_ entry: DocumentNode.MapEntry, _ indentation: String) -> [String] {
    lines(
      after: indentation + YAMLScalar.plainOrQuoted(entry.key) + ":", entry.node, indentation)
  }

  /// The lines of an element of a list; what is in a map or list begins behind the hyphen.
  private static func element(_ node: DocumentNode, _ indentation: String) -> [String] {
    let inner = indentation + "  "
    var nested: [String]
    switch node {
    case .list(let nodes): nested = nodes.flatMap { element($0, inner) }
    case .map(let entries): nested = entries.flatMap { entry($0, inner) }
    case _: nested = []
    }
    guard let first = nested.first else {
      return lines(after: indentation + "-", node, indentation)
    }
    nested[0] = indentation + "- " + first.dropFirst(inner.count)
    return nested
  }
}
