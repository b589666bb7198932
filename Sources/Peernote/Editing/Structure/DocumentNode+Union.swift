extension DocumentNode {
  /// This content with all that another one holds besides, for contents that two people made in one
  /// place without knowing of each other.
  ///
  /// - Maps get the keys of both, and what both have under one key is united in turn.
  /// - Sets get the members of both, counters the sum.
  /// - Lists get the elements of both: those that are the same, by identity or as they are, once,
  ///   the others where they stand among these.
  /// - Texts get the lines of both, those that both have once.
  /// - A value, and what is of another kind, stays as it is here; so does a nested content whose
  ///   kind differs.
  ///
  /// Near-linear in the size of both.
  package func united(with other: DocumentNode, identityKeys keys: [String] = ["id"])
    -> DocumentNode
  {
    united(with: other, keys, areCopies: false)
  }

  /// This content with all that another one holds besides; equal counts are one if both were made of
  /// one content.
  func united(with other: DocumentNode, _ keys: [String], areCopies: Bool) -> DocumentNode {
    switch (self, other) {
    case (.map(let ours), .map(let theirs)):
      .map(ours.joined(with: theirs) { $1.united(with: $2, keys, areCopies: areCopies) })
    case (.set(let ours), .set(let theirs)): .set(members: Set(ours).union(theirs))
    case (.counter(let ours), .counter(let theirs)):
      .counter(areCopies && ours == theirs ? ours : ours &+ theirs)
    case (.text(let ours), .text(let theirs)): .text(Self.united(ours, theirs))
    case (.list(let ours), .list(let theirs)): .list(Self.united(ours, theirs, keys, areCopies))
    case (_, _): self
    }
  }

  /// What ``united(with:identityKeys:)`` drops of the other one: values beside which others stand
  /// here, in the order of the other one.
  ///
  /// Near-linear in the size of both.
  func dropped(of other: DocumentNode, identityKeys keys: [String] = ["id"]) -> [DroppedValue] {
    var result: [DroppedValue] = []
    noteDropped(of: other, keys, at: JSONPointer(), in: &result)
    return result
  }

  /// Several contents of one place united in turn, and each value that is dropped of them once; `nil`
  /// for no contents.
  ///
  /// Near-linear in the size of all.
  package static func united(
    _ nodes: [DocumentNode], at path: JSONPointer, identityKeys keys: [String]
  ) -> (content: DocumentNode, dropped: [DroppedValue])? {
    guard let first = nodes.first else { return nil }
    let content = nodes.dropFirst().reduce(first) { $0.united(with: $1, identityKeys: keys) }
    var dropped: [DroppedValue] = []
    for value in nodes.flatMap({ content.dropped(of: $0, identityKeys: keys) }) {
      let place = JSONPointer(path.tokens + value.path.tokens)
      let value = DroppedValue(path: place, kept: value.kept, dropped: value.dropped)
      if !dropped.contains(value) { dropped.append(value) }
    }
    return (content, dropped)
  }

  private func noteDropped(
    of other: DocumentNode, _ keys: [String], at path: JSONPointer, in result: inout [DroppedValue]
  ) {
    switch (self, other) {
    case (.map(let ours), .map(let theirs)):
      let known = ours.nodesByKey
      for entry in theirs {
        known[.string(entry.key)]?
          .noteDropped(of: entry.node, keys, at: path.appending(entry.key), in: &result)
      }
    case (.list(let ours), .list(let theirs)):
      var known: [ListIdentity: Int] = [:]
      for (index, node) in ours.enumerated() {
        if let identity = node.identity(keys) { known[identity] = known[identity] ?? index }
      }
      for node in theirs {
        guard let index = node.identity(keys).flatMap({ known[$0] }) else { continue }
        ours[index].noteDropped(of: node, keys, at: path.appending(String(index)), in: &result)
      }
    case (_, _):
      if self != other, !isContainer(like: other) {
        result.append(DroppedValue(path: path, kept: self, dropped: other))
      }
    }
  }

  /// Whether this and another content are containers of one kind.
  package func isContainer(like other: DocumentNode) -> Bool {
    guard case .container(let kind) = shell else { return false }
    return other.shell == .container(kind)
  }

  private static func united(
    _ ours: [DocumentNode], _ theirs: [DocumentNode], _ keys: [String], _ areCopies: Bool
  ) -> [DocumentNode] {
    let partners = ContentMatching(identityKeys: keys).partners(from: ours, to: theirs)
    var result = ours
    // What only the other has, by the element of ours that it comes after.
    var additions: [[DocumentNode]] = Array(repeating: [], count: ours.count + 1)
    var place = 0
    for (index, node) in theirs.enumerated() {
      guard let partner = partners[index], ours[partner].isSameElement(node, keys) else {
        additions[place].append(node)
        continue
      }
      result[partner] = ours[partner].united(with: node, keys, areCopies: areCopies)
      place = partner + 1
    }
    var all = additions[0]
    for (index, node) in result.enumerated() { all += [node] + additions[index + 1] }
    return all
  }

  /// Whether two elements are one: by their identity if they have one, else as they are.
  private func isSameElement(_ other: DocumentNode, _ keys: [String]) -> Bool {
    if let identity = identity(keys) { return identity == other.identity(keys) }
    return comparable == other.comparable
  }

  /// Lines that both have once, and between them what either has, ours first.
  ///
  /// The last line is the same with and without a line feed.
  private static func united(_ ours: String, _ theirs: String) -> String {
    var (old, new) = (Array(ours.utf8), Array(theirs.utf8))
    if old == new { return ours }
    let lineFeed = UInt8(ascii: "\n")
    if let ourEnd = old.last, let theirEnd = new.last, ourEnd != theirEnd {
      if theirEnd == lineFeed { old.append(lineFeed) }
      if ourEnd == lineFeed { new.append(lineFeed) }
    }
    var result: [UInt8] = []
    var position = 0
    func endLine() {
      if let last = result.last, last != UInt8(ascii: "\n") { result.append(UInt8(ascii: "\n")) }
    }
    for hunk in LineDifference(from: old, to: new).hunks {
      result += old[position..<hunk.old.upperBound]
      position = hunk.old.upperBound
      if hunk.new.isEmpty { continue }
      endLine()
      result += new[hunk.new]
      if position < old.count { endLine() }
    }
    return String(decoding: result + old[position...], as: UTF8.self)
  }
}
