import AutomergeFormat
import Peernote

extension DocumentNode {
  /// What stands for a value of Automerge in a document here: for integers beyond 64 bits with sign their
  /// digits, and for values of unknown types their bytes.
  init(_ value: AutomergeValue) {
    switch value {
    case .object(.map): self = .map([])
    case .object(.list): self = .list([])
    case .object(.text): self = .text("")
    case .null: self = .value(.null)
    case .bool(let value): self = .value(.bool(value))
    case .unsigned(let value):
      self = .value(Int64(exactly: value).map(Value.integer) ?? .string(String(value)))
    case .integer(let value): self = .value(.integer(value))
    case .double(let bits): self = .value(.double(Double(bitPattern: bits)))
    case .string(let value): self = .value(.string(value))
    case .bytes(let value): self = .value(.bytes(value))
    case .counter(let value): self = .counter(value)
    case .timestamp(let value): self = .value(.timestamp(Timestamp(milliseconds: value)))
    case .unknown(_, let value): self = .value(.bytes(value))
    }
  }
}

extension AutomergeValue {
  /// What stands for a node in Automerge, without what is inside of it; UUIDs are written as the app
  /// writes them.
  init(_ node: DocumentNode) {
    switch node {
    case .value(.null): self = .null
    case .value(.bool(let value)): self = .bool(value)
    case .value(.integer(let value)): self = .integer(value)
    case .value(.double(let value)): self = .double(value.bitPattern)
    case .value(.string(let value)): self = .string(value)
    case .value(.bytes(let value)): self = .bytes(value)
    case .value(.timestamp(let value)): self = .timestamp(value.milliseconds)
    case .value(.uuid(let value)): self = .string(value.description.uppercased())
    case .counter(let count): self = .counter(count)
    case .map: self = .object(.map)
    case .list, .set: self = .object(.list)
    case .text: self = .object(.text)
    }
  }
}

extension AutomergeState {
  /// The whole content, of which the depth has been checked: O(n).
  var root: DocumentNode { node(ofObject: 0) }

  /// What an operation wrote.
  func node(_ place: Int32) -> DocumentNode {
    if let object = object(madeBy: place) { return node(ofObject: object) }
    return DocumentNode(value(place))
  }

  private func node(ofObject object: Int) -> DocumentNode {
    switch kind(ofObject: object) {
    case .text: return .text(text(ofObject: object))
    case .list: return .list(cells(ofObject: object).map { node(shown($0)) })
    case .map:
      var entries = cells(ofObject: object).map { cell in
        DocumentNode.MapEntry(key: key(cell) ?? "", node: node(shown(cell)))
      }
      // Automerge orders keys by their bytes; here the shorter ones come first.
      entries.sort(by: DocumentNode.MapEntry.precedes)
      return .map(entries)
    }
  }
}
