package import PeernoteJSON

/// A JSON object that a command prints; it begins with the number that pnmerge-json(5) tells.
///
/// Long lists are made element by element while it is written: a document can hold a change for every
/// few bytes of its file, and what a report says of one takes a hundred times that.
package struct JSONReport {
  /// Takes the elements of a list, one after the other.
  package typealias Adder = (JSON) throws -> Void

  /// The value of a member.
  package enum Value {
    case json(JSON)
    /// Calls what it is given with each element.
    case list((Adder) throws -> Void)
  }

  package typealias Member = (name: String, value: Value)

  private var members: [Member]

  /// An object with these members, in this order.
  package init(_ members: [Member]) {
    self.members = members
  }

  /// An object with these members, in this order.
  package init(_ members: KeyValuePairs<String, Value>) {
    self.members = members.map { ($0.key, $0.value) }
  }

  /// Adds a member at the end.
  package mutating func append(_ name: String, _ value: Value) { append([(name, value)]) }

  /// Adds members at the end.
  package mutating func append(_ members: [Member]) { self.members += members }

  /// The object, without that number, to stand in another one.
  package func json() throws -> JSON {
    .object(
      try members.map { member in
        switch member.value {
        case .json(let value): return JSON.Member(name: member.name, value: value)
        case .list(let elements):
          var all: [JSON] = []
          try elements { all.append($0) }
          return JSON.Member(name: member.name, value: .array(all))
        }
      })
  }

  /// Calls `body` with pieces of the object's text in UTF-8, without a line end.
  package func write(_ body: @escaping ([UInt8]) throws -> Void) throws {
    try body(Array("{\"schema\":1".utf8))
    for member in members {
      try body(Array(",".utf8) + JSON.string(member.name).bytes() + Array(":".utf8))
      switch member.value {
      case .json(let value): try value.write(to: body)
      case .list(let elements): try Self.write(elements, body)
      }
    }
    try body(Array("}".utf8))
  }

  private static func write(
    _ elements: (Adder) throws -> Void, _ body: @escaping ([UInt8]) throws -> Void
  ) throws {
    try body(Array("[".utf8))
    var isFirst = true
    try elements { element in
      try body((isFirst ? [] : Array(",".utf8)) + element.bytes())
      isFirst = false
    }
    try body(Array("]".utf8))
  }
}

extension JSON {
  /// An object of those members that have a value, in this order.
  package static func object(present members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }
}

extension JSONReport.Value {
  /// A list of what a sequence holds.
  package static func list<Elements: Sequence>(
    _ elements: Elements, _ json: @escaping (Elements.Element) throws -> JSON
  ) -> Self {
    .list { add in
      for element in elements { try add(json(element)) }
    }
  }
}

extension Failure {
  /// What programs are told.
  var json: JSON {
    [
      "file": .optional(file?.visible), "message": .string(message),
      "status": .count(Int(status.rawValue)),
    ]
  }
}
