extension Operation {
  /// What the operation names beside its container, for developers.
  var operandNames: String {
    var names: [String] = []
    if kind.operands.contains(.scalars) {
      names.append("at \(position), scalars from \(firstScalar)")
    }
    if kind.operands.contains(.key) { names.append("key \(key.rawValue)") }
    if kind.operands.contains(.element) { names.append("element \(element)") }
    if kind.operands.contains(.slots) { names.append("between \(left) and \(right)") }
    if kind.operands.contains(.contents) { names.append("contents from \(content.rawValue)") }
    return names.joined(separator: ", ")
  }
}
