public import PeernoteEngine

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
  /// Equal counts are one if both were made of one content. Near-linear in the size of both.
  package func united(
    with other: DocumentNode, identityKeys keys: [String] = ["id"], areCopies: Bool = false
  ) -> DocumentNode {
    switch (self, other) {
    case (.map(let ours), .map(let theirs)):
      .map(
        ours.joined(with: theirs) { _, node, other in
          node.united(with: other, identityKeys: keys, areCopies: areCopies)
        })
    case (.set(let ours), .set(let theirs)): .set(members: Set(ours).union(theirs))
    case (.counter(let ours), .counter(let theirs)):
      .counter(areCopies && ours == theirs ? ours : ours &+ theirs)
    case (.text(let ours), .text(let theirs)): .text(ours.unitedByLines(with: theirs))
    case (.list(let ours), .list(let theirs)): .list(Self.united(ours, theirs, keys, areCopies))
    case (_, _): self
    }
  }

  /// What ``united(with:identityKeys:areCopies:)`` drops of the other one: values beside which
  /// others stand here, in the order of the other one; both stand at a path.
  func dropped(
    of other: DocumentNode, identityKeys keys: [String] = ["id"], at path: JSONPointer = []
  ) -> [DroppedValue] {
    switch (self, other) {
    case (.map(let ours), .map(let theirs)):
      let known = ours.nodesByKey
      return theirs.flatMap { entry in
        known[.string(entry.key)]?
          .dropped(of: entry.node, identityKeys: keys, at: path.appending(entry.key)) ?? []
      }
    case (.list(let ours), .list(let theirs)):
      let named = ours.indices.compactMap { index in
        ours[index].identity(keys).map { ($0, index) }
      }
      let known = Dictionary(named) { first, _ in first }
      return theirs.flatMap { node -> [DroppedValue] in
        guard let index = node.identity(keys).flatMap({ known[$0] }) else { return [] }
        let place = path.appending(String(index))
        return ours[index].dropped(of: node, identityKeys: keys, at: place)
      }
    case (_, _):
      if self == other || isContainer(like: other) { return [] }
      return [DroppedValue(path: path, kept: self, dropped: other)]
    }
  }

  /// Several contents of one place united in turn, and each value that is dropped of them once;
  /// `nil` for no contents; near-linear in the size of all.
  package static func united(
    _ nodes: [DocumentNode], at path: JSONPointer, identityKeys keys: [String]
  ) -> (content: DocumentNode, dropped: [DroppedValue])? {
    guard let first = nodes.first else { return nil }
    let content = nodes.dropFirst().reduce(first) { $0.united(with: $1, identityKeys: keys) }
    let dropped = nodes.flatMap { content.dropped(of: $0, identityKeys: keys, at: path) }
    return (content, dropped.distinct)
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
      result[partner] = ours[partner].united(
        with: node, identityKeys: keys, areCopies: areCopies)
      place = partner + 1
    }
    return additions[0] + zip(result, additions.dropFirst()).flatMap { [$0] + $1 }
  }

  /// Whether two elements are one: by their identity if they have one, else as they are.
  private func isSameElement(_ other: DocumentNode, _ keys: [String]) -> Bool {
    if let identity = identity(keys) { return identity == other.identity(keys) }
    return comparable == other.comparable
  }

  /// One element that stands in several places, with what was changed of it in each, and what of
  /// the others is left out; O(n) for the size of the contents, times their depth.
  ///
  /// What only some changed is as they have it, and what some removed and others edited stays.
  /// Where two changed one value, text or list, that of the place that stays does. Sets and
  /// counters take the changes of all.
  ///
  /// The path leads to the place that is kept. If nobody knows what the element was before, all
  /// that one of the contents lacks was added to the others.
  package static func combined(
    _ contents: [DocumentNode], keeping kept: Int, since earlier: DocumentNode?,
    at path: JSONPointer
  ) -> (content: DocumentNode, dropped: [DroppedValue]) {
    var content = contents[kept]
    var dropped: [DroppedValue] = []
    for (number, other) in contents.enumerated() where number != kept {
      content = content.combined(with: other, since: earlier, at: path, &dropped)
    }
    return (content, dropped.distinct)
  }

  private func combined(
    with other: DocumentNode, since earlier: DocumentNode?, at path: JSONPointer,
    _ dropped: inout [DroppedValue]
  ) -> DocumentNode {
    if self == other { return self }
    if let earlier {
      if earlier == other { return self }
      if earlier == self { return other }
    }
    switch (self, other) {
    case (.map(let ours), .map(let theirs)):
      var past: [Value: DocumentNode] = [:]
      if case .map(let entries)? = earlier { past = entries.nodesByKey }
      // What only one has stays, unless the other one removed it as it was.
      func left(_ entries: [MapEntry], _ others: [Value: DocumentNode]) -> [MapEntry] {
        entries.filter { entry in
          let key = Value.string(entry.key)
          return others[key] != nil || past[key].map { $0 != entry.node } ?? true
        }
      }
      let known = (ours.nodesByKey, theirs.nodesByKey)
      return .map(
        left(ours, known.1).joined(with: left(theirs, known.0)) { key, node, other in
          node.combined(
            with: other, since: past[.string(key)], at: path.appending(key), &dropped)
        })
    case (.set(let ours), .set(let theirs)):
      var past: [Value] = []
      if case .set(let members)? = earlier { past = members }
      let removed = Set(past).subtracting(Set(ours).intersection(theirs))
      return .set(members: Set(ours).union(theirs).subtracting(removed))
    case (.counter(let ours), .counter(let theirs)):
      guard case .counter(let past)? = earlier else { break }
      return .counter(ours &+ theirs &- past)
    case (_, _): break
    }
    dropped.append(DroppedValue(path: path, kept: self, dropped: other))
    return self
  }

  /// The first element of a list in this content that has the identity of another one; `nil` if
  /// none has, or the other one has no identity; O(n).
  package func element(identifiedAs other: DocumentNode, identityKeys keys: [String])
    -> DocumentNode?
  {
    guard let identity = other.identity(keys) else { return nil }
    func search(_ node: DocumentNode) -> DocumentNode? {
      if case .list(let elements) = node,
        let element = elements.first(where: { $0.identity(keys) == identity })
      {
        return element
      }
      return node.children.lazy.compactMap { search($0.node) }.first
    }
    return search(self)
  }
}

extension [DocumentNode.MapEntry] {
  /// What stands under each key, which are told apart by their bytes.
  package var nodesByKey: [Value: DocumentNode] {
    Dictionary(map { (.string($0.key), $0.node) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entries of two maps in their order; where both have a key, what the two become together.
  func joined(
    with others: Self,
    _ join: (_ key: String, _ node: DocumentNode, _ other: DocumentNode) -> DocumentNode
  ) -> Self {
    var result = self
    var places: [Value: Int] = [:]
    for (index, entry) in enumerated() { places[.string(entry.key)] = index }
    for entry in others {
      if let place = places[.string(entry.key)] {
        result[place].node = join(entry.key, result[place].node, entry.node)
      } else {
        result.append(entry)
      }
    }
    return result.sorted(by: DocumentNode.MapEntry.precedes)
  }
}

extension String {
  /// Lines that both have once, and between them what either has, this one's first.
  ///
  /// The last line is the same with and without a line feed, and so are lines of which `form` makes the
  /// same. What stands between is also given to `meet`.
  package func unitedByLines(
    with other: String, comparing form: (Substring) -> Substring = { $0 },
    meet: (_ lines: ArraySlice<Substring>, _ others: ArraySlice<Substring>) -> Void = { _, _ in }
  ) -> String {
    func lines(_ text: String) -> [Substring] {
      let lines = text.splitAtLineFeeds(omittingEmptySubsequences: false)
      return lines.last?.isEmpty ?? false ? lines.dropLast() : lines
    }
    func bytes(_ lines: [Substring]) -> [UInt8] { lines.flatMap { Array(form($0).utf8) + [0x0A] } }
    let (old, new) = (lines(self), lines(other))
    let (before, after) = (bytes(old), bytes(new))
    var result: [Substring] = []
    var place = 0
    for hunk in LineDifference(from: before, to: after).hunks.inLines(of: before, after) {
      result += old[place..<hunk.old.upperBound] + new[hunk.new]
      meet(old[hunk.old], new[hunk.new])
      place = hunk.old.upperBound
    }
    let end = [utf8.last, other.utf8.last].contains(0x0A) ? "\n" : ""
    return (result + old[place...]).joined(separator: "\n") + end
  }
}

/// A value that was not taken over, since another one stands in its place.
public struct DroppedValue: Hashable, Sendable {
  /// Where both stand.
  public var path: JSONPointer
  /// What is kept.
  public var kept: DocumentNode
  /// What is not.
  public var dropped: DocumentNode
}
