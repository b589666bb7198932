package import Peernote

/// Content of a document, comparable exactly: texts by their scalars, sets without an order.
package indirect enum OracleNode: Hashable {
  case value(Value)
  case map([ExactString: OracleNode])
  case list([OracleNode])
  case text([Unicode.Scalar])
  case set(Set<Value>)
  case counter(Int64)
}

extension OracleNode: CustomStringConvertible {
  /// The content on one line, alike for alike content.
  package var description: String {
    switch self {
    case .value(let value):
      return describe(value)
    case .map(let entries):
      let parts = entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "{" + parts.joined(separator: ", ") + "}"
    case .list(let elements):
      return "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .text(let scalars):
      return "text " + quoted(String(String.UnicodeScalarView(scalars)))
    case .set(let values):
      return "set(" + values.map(describe).sorted().joined(separator: ", ") + ")"
    case .counter(let count):
      return "counter(\(count))"
    }
  }
}

/// A value as a Swift expression in ASCII.
package func describe(_ value: Value) -> String {
  switch value {
  case .null: ".null"
  case .bool(let truth): ".bool(\(truth))"
  case .integer(let number): ".integer(\(number))"
  case .double(let number): ".double(\(number))"
  case .string(let string): ".string(\(quoted(string)))"
  case .bytes(let bytes): ".bytes(\(bytes))"
  case .timestamp(let time): ".timestamp(Timestamp(milliseconds: \(time.milliseconds)))"
  case .uuid(let id): ".uuid(\(id))"
  }
}

/// A conflict that stands open in the shown content.
package struct OracleConflict: Hashable, CustomStringConvertible {
  /// What is undecided.
  package enum Kind: String, Hashable {
    /// Several values were written.
    case register
    /// Something was deleted that someone else went on editing.
    case deleteEdit = "delete-edit"
    /// Equal elements of a list were inserted on several sides.
    case sameContent = "same-content"
  }

  /// What a conflict is about, whatever its path at a version.
  package enum Place: Hashable {
    /// A key of a map.
    case key(ContainerID, ExactString)
    /// An element of a list.
    case element(ContainerID, Int)
  }

  /// Keys and positions from the root.
  package var path: [ExactString]
  /// What is undecided there.
  package var kind: Kind

  package init(path: [ExactString], kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// The path and the kind.
  package var description: String { "\(kind.rawValue) at \(path)" }
}
