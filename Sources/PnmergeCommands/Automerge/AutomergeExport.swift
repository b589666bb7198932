import AutomergeFormat
import Peernote

/// Makes a new Automerge document that shows what a document shows.
struct AutomergeExport {
  private var builder: AutomergeBuilder

  /// The chunks of a document of one change.
  ///
  /// Sets become lists, and UUIDs become strings, for Automerge has neither. O(n).
  ///
  /// - Parameters:
  ///   - root: the content.
  ///   - actor: who makes it: 16 random bytes.
  ///   - time: when.
  /// - Returns: the bytes of the file.
  /// - Throws: ``AutomergeError`` if that is more than such a document may hold.
  static func chunks(
    _ root: Node, by actor: [UInt8], at time: Timestamp
  ) throws(AutomergeError) -> [UInt8] {
    var export = AutomergeExport(builder: AutomergeBuilder(by: actor))
    if case .map(let entries) = root { export.add(entries, to: AutomergeBuilder.root) }
    let seconds = time.milliseconds / 1000
    return AutomergeState.encoded(try export.builder.finish(time: seconds))
  }

  private mutating func add(_ entries: [Node.MapEntry], to map: OperationID) {
    for entry in entries {
      switch entry.node {
      case .value(let value): builder.set(entry.key, of: map, to: ScalarValue(value))
      case .counter(let count): builder.set(entry.key, of: map, to: .counter(count))
      case .map(let inner): add(inner, to: builder.make(.map, at: entry.key, of: map))
      case .list(let elements): add(elements, to: builder.make(.list, at: entry.key, of: map))
      case .set(let members):
        add(members.map { .value($0) }, to: builder.make(.list, at: entry.key, of: map))
      case .text(let text): builder.insert(text, into: builder.make(.text, at: entry.key, of: map))
      }
    }
  }

  private mutating func add(_ elements: [Node], to list: OperationID) {
    var last = OperationID.none
    for element in elements {
      switch element {
      case .value(let value): last = builder.insert(ScalarValue(value), into: list, after: last)
      case .counter(let count): last = builder.insert(.counter(count), into: list, after: last)
      case .map(let inner):
        last = builder.insert(.map, into: list, after: last)
        add(inner, to: last)
      case .list(let inner):
        last = builder.insert(.list, into: list, after: last)
        add(inner, to: last)
      case .set(let members):
        last = builder.insert(.list, into: list, after: last)
        add(members.map { .value($0) }, to: last)
      case .text(let text):
        last = builder.insert(.text, into: list, after: last)
        builder.insert(text, into: last)
      }
    }
  }
}

extension ScalarValue {
  /// The value of Automerge that stands for a value of a document here.
  init(_ value: Value) {
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
