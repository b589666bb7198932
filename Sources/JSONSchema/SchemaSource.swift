import PeernoteJSON

/// All values in some JSON documents, numbered: first the documents, then what they hold, the parts
/// of one value in a row.
struct SchemaSource {
  private(set) var values: [JSON]
  /// What holds the value; itself for a document.
  private var parents: [Int]
  /// The number of the first part of a value.
  private var firstParts: [Int] = []

  /// Numbers the values.
  ///
  /// - Complexity: O(*n*) for *n* values.
  init(_ documents: [JSON]) {
    values = documents
    parents = Array(documents.indices)
    var next = 0
    while next < values.count {
      firstParts.append(values.count)
      switch values[next] {
      case .array(let elements): values += elements
      case .object(let members): values += members.map(\.value)
      case .null, .bool, .integer, .double, .string: break
      }
      parents += repeatElement(next, count: values.count - parents.count)
      next += 1
    }
  }

  /// The numbers of the parts of a value.
  func parts(of value: Int) -> Range<Int> {
    let first = firstParts[value]
    switch values[value] {
    case .array(let elements): return first..<first + elements.count
    case .object(let members): return first..<first + members.count
    case .null, .bool, .integer, .double, .string: return first..<first
    }
  }

  /// The names and numbers of the members of an object; none of any other value.
  func members(of value: Int) -> Zip2Sequence<[JSON.Member], Range<Int>> {
    guard case .object(let members) = values[value] else { return zip([], 0..<0) }
    return zip(members, parts(of: value))
  }

  /// The part that a token of a JSON Pointer names; `nil` if there is none.
  ///
  /// - Complexity: O(members of the object).
  func part(of value: Int, _ token: String) -> Int? {
    switch values[value] {
    case .object:
      return members(of: value).first { $0.0.name.utf8.elementsEqual(token.utf8) }?.1
    case .array(let elements):
      guard let index = JSONPlace.index(token), elements.indices.contains(index) else { return nil }
      return firstParts[value] + index
    case .null, .bool, .integer, .double, .string: return nil
    }
  }

  /// In which document a value is, and where there.
  func place(of value: Int) -> (document: Int, place: JSONPlace) {
    var tokens: [String] = []
    var value = value
    while parents[value] != value {
      let parent = parents[value]
      let index = value - firstParts[parent]
      if case .object(let members) = values[parent] {
        tokens.append(members[index].name)
      } else {
        tokens.append(String(index))
      }
      value = parent
    }
    return (value, JSONPlace(tokens.reversed()))
  }
}
