import AutomergeFormat
import Peernote

/// Content as Automerge has it: sets become lists, and UUIDs become strings, for it has neither.
extension AutomergeBuilder {
  /// Writes content at a key or an element, in the place of the operations that are shown there.
  mutating func put(
    _ node: DocumentNode, at slot: Slot, of object: OperationID,
    replacing replaced: [OperationID] = []
  ) {
    let name = put(AutomergeState.Content(node), at: slot, of: object, replacing: replaced)
    fill(name, with: node)
  }

  /// Inserts content into a list behind an element, and returns the new element's name.
  mutating func insert(
    _ node: DocumentNode, into list: OperationID, after element: OperationID
  ) -> OperationID {
    let name = insert(AutomergeState.Content(node), into: list, after: element)
    fill(name, with: node)
    return name
  }

  /// Writes what is inside of content into its object, which is empty; scalars have nothing inside.
  mutating func fill(_ object: OperationID, with node: DocumentNode) {
    if case .text(let text) = node { return insert(text, into: object) }
    switch node.form {
    case .value: break
    case .map(let entries):
      for entry in entries { put(entry.node, at: .key(entry.key), of: object) }
    case .list(let elements):
      var last = OperationID.none
      for element in elements { last = insert(element, into: object, after: last) }
    }
  }
}
