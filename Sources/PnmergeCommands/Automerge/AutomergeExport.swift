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
    switch node {
    case .value, .counter: break
    case .map(let entries):
      for entry in entries { put(entry.node, at: .key(entry.key), of: object) }
    case .list(let elements): fill(object, with: elements)
    case .set(let members): fill(object, with: members.map { .value($0) })
    case .text(let text): insert(text, into: object)
    }
  }

  private mutating func fill(_ list: OperationID, with elements: [DocumentNode]) {
    var last = OperationID.none
    for element in elements { last = insert(element, into: list, after: last) }
  }
}

extension AutomergeState.Content {
  /// What stands for a node in Automerge, without what is inside of it.
  fileprivate init(_ node: DocumentNode) {
    switch node {
    case .value(let value): self = .scalar(ScalarValue(value))
    case .counter(let count): self = .scalar(.counter(count))
    case .map: self = .object(.map)
    case .list, .set: self = .object(.list)
    case .text: self = .object(.text)
    }
  }
}

extension ScalarValue {
  /// The value of Automerge that stands for a value of a document here.
  fileprivate init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value.bitPattern)
    case .string(let value): self = .string(value)
    case .bytes(let value): self = .bytes(value)
    case .timestamp(let value): self = .timestamp(value.milliseconds)
    // As the app writes them.
    case .uuid(let value): self = .string(value.description.uppercased())
    }
  }
}
