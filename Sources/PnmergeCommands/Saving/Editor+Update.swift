import Peernote

extension Editor {
  mutating func update(at path: JSONPointer, to new: Node) throws(EditError) {
    let old = node(at: path)
    if old == new { return }
    switch (old, new) {
    case (.text, .text(let text)): try replaceText(at: path, with: text)
    case (.counter(let old), .counter(let new)): try increment(by: new &- old, at: path)
    case (.set(let old), .set(let new)):
      for member in old where !new.contains(member) { try discard(member, fromSetAt: path) }
      for member in new { try add(member, toSetAt: path) }
    case (.map(let old), .map(let entries)) where path.tokens.isEmpty:
      for entry in old where new[entry.key] == nil { try remove(at: path.appending(entry.key)) }
      for entry in entries { try put(node: entry.node, at: path.appending(entry.key)) }
    default: try put(node: new, at: path)
    }
  }
}
