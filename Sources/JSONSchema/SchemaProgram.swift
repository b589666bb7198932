import PeernoteJSON

/// All values in some JSON documents, with what those of them demand that are schemas, by number: first
/// the documents, then what these hold, the parts of one value in a row.
struct SchemaProgram: Sendable {
  struct Value: Sendable {
    let json: JSON
    /// What holds the value; itself for a document.
    let parent: Int
    /// The elements, or the values of the members.
    var parts = 0..<0
    /// The resource that it belongs to if it is known to be a schema.
    var resource: Int?
    /// What it demands; `nil` unless it was read as a schema.
    var rules: [Rule]?
  }

  /// A schema with a URI of its own, up to the next such schemas inside it.
  struct Resource: Sendable {
    var base: URIReference
    var draft: Draft
    /// Its outermost value.
    var root: Int
    /// Values by the names that `$dynamicAnchor` gives them, in UTF-8; by an empty one what
    /// `$recursiveRef` leads to.
    var dynamicAnchors: [[UInt8]: Int] = [:]
  }

  var values: [Value]
  var resources: [Resource] = []

  /// Numbers the values: O(n).
  init(_ documents: [JSON]) {
    values = documents.enumerated().map { Value(json: $1, parent: $0) }
    var next = 0
    while next < values.count {
      let start = values.count
      switch values[next].json {
      case .array(let elements): values += elements.map { Value(json: $0, parent: next) }
      case .object(let members): values += members.map { Value(json: $0.value, parent: next) }
      case .null, .bool, .integer, .double, .string: break
      }
      values[next].parts = start..<values.count
      next += 1
    }
  }

  /// The names and numbers of the members of an object; none of any other value.
  func members(of value: Int?) -> Zip2Sequence<[JSON.Member], Range<Int>> {
    guard let value, let members = values[value].json.members else { return zip([], 0..<0) }
    return zip(members, values[value].parts)
  }

  /// The part that a token of a JSON Pointer names, `nil` if there is none: O(members of the object).
  func part(of value: Int, _ token: String) -> Int? {
    let parts = values[value].parts
    guard case .array = values[value].json else {
      return members(of: value).first { $0.0.name.utf8.elementsEqual(token.utf8) }?.1
    }
    guard let index = JSONPlace.index(token), index < parts.count else { return nil }
    return parts.lowerBound + index
  }

  /// What is wrong with a value, or with its member of a name.
  func fault(_ value: Int, member name: String? = nil, _ reason: String) -> Schema.Fault {
    var value = name.flatMap { part(of: value, $0) } ?? value
    var tokens: [String] = []
    while values[value].parent != value {
      let parent = values[values[value].parent]
      let index = value - parent.parts.lowerBound
      tokens.append(parent.json.members?[index].name ?? String(index))
      value = values[value].parent
    }
    return Schema.Fault(document: value, place: JSONPlace(tokens.reversed()), reason: reason)
  }

  /// The resource of a schema.
  func resource(of value: Int) -> Resource? { values[value].resource.map { resources[$0] } }
}
