package import PeernoteJSON

extension DocumentNode {
  /// The content that JSON stands for, with tags: objects become maps, their members in the order
  /// of the text, arrays lists, all else registers.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(exactJSON json: JSON) throws(ExactJSON.Fault) {
    var path = JSONPointer()
    self = try ExactJSON.node(json, at: &path, readsTags: true)
  }

  /// The content that JSON stands for, whose objects are all maps.
  ///
  /// - Complexity: O(*n* log *n*).
  package init(plainJSON json: JSON) throws(ExactJSON.Fault) {
    var path = JSONPointer()
    self = try ExactJSON.node(json, at: &path, readsTags: false)
  }
}

extension DocumentNode {
  /// The content, which has to be a map to be that of a whole document; else this throws.
  package func checkedAsRoot() throws(ExactJSON.Fault) -> DocumentNode {
    guard case .map = self else {
      throw ExactJSON.Fault(JSONPointer(), "a document is an object, as in {\"title\": …}")
    }
    return self
  }
}

extension ExactJSON {
  /// What JSON stands for; the path is again what it was afterwards.
  fileprivate static func node(
    _ json: JSON, at path: inout JSONPointer, readsTags: Bool
  ) throws(Fault) -> DocumentNode {
    switch json {
    case .null: return .value(.null)
    case .bool(let value): return .value(.bool(value))
    case .integer(let value): return .value(.integer(value))
    case .double(let value): return .value(.double(value))
    case .string(let value): return .value(.string(value))
    case .array(let elements):
      var nodes: [DocumentNode] = []
      nodes.reserveCapacity(elements.count)
      for (index, element) in elements.enumerated() {
        path.tokens.append(String(index))
        nodes.append(try node(element, at: &path, readsTags: readsTags))
        path.tokens.removeLast()
      }
      return .list(nodes)
    case .object(let members):
      if readsTags, members.count == 1, let member = members.first, isTagLike(member.name) {
        if let tag = Tag(rawValue: member.name) { return try node(tag, member.value, at: &path) }
        let name = String(member.name.unicodeScalars.dropFirst())
        return .map([.init(key: name, node: try node(member.value, at: &path, readsTags: true))])
      }
      var entries: [DocumentNode.MapEntry] = []
      entries.reserveCapacity(members.count)
      for member in members {
        path.tokens.append(member.name)
        let value = try node(member.value, at: &path, readsTags: readsTags)
        path.tokens.removeLast()
        entries.append(.init(key: member.name, node: value))
      }
      return .map(entries)
    }
  }

  /// The content that an object with one tag stands for.
  private static func node(
    _ tag: Tag, _ json: JSON, at path: inout JSONPointer
  ) throws(Fault) -> DocumentNode {
    if tag == .set, case .array(let elements) = json {
      return .set(members: try members(elements, at: &path))
    }
    if let node = tag.node(for: json) { return node }
    throw Fault(path, "\"\(tag.rawValue)\" must be followed by \(tag.expectation)")
  }

  private static func members(
    _ elements: [JSON], at path: inout JSONPointer
  ) throws(Fault) -> Set<Value> {
    var values: Set<Value> = []
    for element in elements {
      guard case .value(let value) = try node(element, at: &path, readsTags: true) else {
        throw Fault(path, "a set holds values only, no arrays or objects")
      }
      values.insert(value)
    }
    return values
  }
}
