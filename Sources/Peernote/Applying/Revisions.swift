/// What leads from one state of a document to another, by identity.
struct Revisions {
  var steps: [Patch]
  /// The elements that a step inserts, by the place of the step.
  var elements: [Int: [EventID]]
}

extension Editor {
  /// Makes a step of what leads from one content to another, or throws if nothing is at its path,
  /// or something of another kind; see ``Patch``.
  package mutating func apply(_ patch: Patch) throws(EditError) {
    let path = patch.path
    switch patch.action {
    case .put(let node): try put(node: node, at: path)
    case .remove: try remove(at: path)
    case .insert(let nodes):
      for node in nodes.reversed() { try insert(node: node, at: path) }
    case .move(let index): try move(from: path, to: path.parent.appending(String(index)))
    case .splice(let text): try spliceText(at: path, scalars: text.scalars, with: text.text)
    case .add(let value): try add(value, toSetAt: path)
    case .discard(let value): try discard(value, fromSetAt: path)
    case .increment(let amount): try increment(by: amount, at: path)
    }
  }

  mutating func apply(_ revisions: Revisions) throws(EditError) {
    for (number, step) in revisions.steps.enumerated() {
      guard case .insert(let nodes) = step.action, let elements = revisions.elements[number] else {
        try apply(step)
        continue
      }
      for (element, node) in zip(elements, nodes).reversed() {
        if try !bringBack(element, as: node, at: step.path) {
          try insert(node: node, at: step.path)
        }
      }
    }
  }

  /// Shows an element again that was removed, before the one at a path; false if it never was in
  /// that list, or is not gone.
  private mutating func bringBack(
    _ name: EventID, as node: DocumentNode, at path: JSONPointer
  ) throws(EditError) -> Bool {
    let (list, token) = try parent(of: path)
    let objects = editor.objects
    guard let index = JSONPointer.index(token), let element = objects.log.event(name),
      objects.slotIndex(madeBy: element) != nil,
      objects.log.operations[objects.log.operationIndex(endingAfter: element)].container == list,
      objects.path(toElement: element, of: list) == nil
    else { return false }
    try write(node, in: Spot(container: list, element: element), at: path)
    let place = editor.elements(ofList: list).firstIndex(of: element)
    if place != index {
      try Self.performing(
        path, editor.moveElement(list: list, element: element, to: index, from: place))
    }
    return true
  }
}
