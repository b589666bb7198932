import PeernoteCBOR
public import PeernoteEngine

/// One step of the way from one content of a document to another.
///
/// Patches come in an order; each applies to the content that those before it lead to, and its path
/// leads there. `DocumentNode.apply(_:)` does what it says.
public struct Patch: Hashable, Sendable {
  /// The key, element or container that changes; see ``Action-swift.enum``.
  public var path: JSONPointer
  /// What happens there.
  public var action: Action

  package init(path: JSONPointer, action: Action) {
    self.path = path
    self.action = action
  }

  /// What happens at the path of a patch.
  public enum Action: Hashable, Sendable {
    /// This is there now: under a key that may be new, or in an element that was there.
    case put(DocumentNode)
    /// The key, or the element, is there no more.
    case remove
    /// These elements come in before the one at the path, or at the end of the list.
    case insert([DocumentNode])
    /// The element goes to this index of the list without it.
    case move(to: Int)
    /// A part of the text at the path is replaced.
    case splice(TextReplacement)
    /// The value is in the set at the path now.
    case add(Value)
    /// The value is in the set at the path no more.
    case discard(Value)
    /// The counter at the path grew by this much, wrapping around.
    case increment(by: Int64)
  }
}

/// A part of a text that is replaced.
public struct TextReplacement: Hashable, Sendable {
  /// The part that goes, in Unicode scalars from the start of the text.
  public var scalars: Range<Int>
  /// What comes in its stead.
  public var text: String

  package init(scalars: Range<Int>, text: String) {
    self.scalars = scalars
    self.text = text
  }

  /// The part that goes, in characters (extended grapheme clusters, as `String` counts them).
  ///
  /// O(bytes up to its end).
  ///
  /// - Parameter text: the text before the replacement.
  /// - Returns: how many whole characters stand before its start, and before its end.
  public func characters(in text: String) -> Range<Int> {
    var counter = CharacterCounter(text)
    let start = counter.characters(upToScalar: scalars.lowerBound)
    return start..<counter.characters(upToScalar: scalars.upperBound)
  }

  /// Where a place in the text is after the replacement, in scalars.
  ///
  /// A place inside what goes ends up after what comes. One at the start of it stays before, and
  /// one at both its ends too unless `followsInsertions`.
  public func scalarOffset(
    _ offset: Int, followsInsertions: Bool = false
  ) -> Int {
    let inserted = text.unicodeScalars.count
    if offset < scalars.lowerBound { return offset }
    if offset == scalars.lowerBound, !(followsInsertions && scalars.isEmpty) { return offset }
    if offset >= scalars.upperBound { return offset + inserted - scalars.count }
    return scalars.lowerBound + inserted
  }
}

extension DocumentNode {
  /// Does to content what a patch says.
  ///
  /// O(size of the containers on the path).
  ///
  /// - Returns: `false`, with the content as it was, if the patch does not fit it.
  @discardableResult
  public mutating func apply(_ patch: Patch) -> Bool {
    edit(at: patch.path.tokens[...], patch.action)
  }

  private mutating func edit(at path: ArraySlice<String>, _ action: Patch.Action) -> Bool {
    guard let token = path.first else { return edit(action) }
    let isParent = path.count == 1 && action.concernsParent
    switch self {
    case .map(var entries):
      let place = entries.firstIndex { $0.key.utf8.elementsEqual(token.utf8) }
      switch (place, action) {
      case (let place?, _) where !isParent:
        guard entries[place].node.edit(at: path.dropFirst(), action) else { return false }
      case (let place?, .put(let node)): entries[place].node = node
      case (nil, .put(let node)) where isParent:
        let next = entries.firstIndex { MapKeyOrder.precedes(token, $0.key) }
        entries.insert(.init(key: token, node: node), at: next ?? entries.count)
      case (let place?, .remove): entries.remove(at: place)
      case (_, _): return false
      }
      self = .map(entries)
    case .list(var nodes):
      guard let index = JSONPointer.index(token),
        isParent || nodes.indices.contains(index),
        isParent ? nodes.edit(at: index, action) : nodes[index].edit(at: path.dropFirst(), action)
      else { return false }
      self = .list(nodes)
    case _: return false
    }
    return true
  }

  private mutating func edit(_ action: Patch.Action) -> Bool {
    switch (self, action) {
    case (.text(let text), .splice(let replacement)):
      let (old, scalars) = (TextBuffer(text), replacement.scalars)
      guard scalars.lowerBound >= 0, scalars.upperBound <= old.scalarCount else { return false }
      let edit = TextEdit(deleted: scalars, inserted: TextBuffer(replacement.text))
      self = .text(old.applying([edit]).string)
    case (.set(let members), .add(let value)): self = .set(members: Set(members).union([value]))
    case (.set(let members), .discard(let value)):
      self = .set(members: Set(members).subtracting([value]))
    case (.counter(let count), .increment(let amount)): self = .counter(count &+ amount)
    case (_, .put(let node)): self = node
    case (_, _): return false
    }
    return true
  }
}

extension Patch.Action {
  /// Whether it changes the container around the place, not what stands there.
  fileprivate var concernsParent: Bool {
    switch self {
    case .put, .remove, .insert, .move: true
    case .splice, .add, .discard, .increment: false
    }
  }
}

extension [DocumentNode] {
  fileprivate mutating func edit(at index: Int, _ action: Patch.Action) -> Bool {
    let isThere = indices.contains(index)
    switch action {
    case .insert(let nodes) where index <= count: insert(contentsOf: nodes, at: index)
    case .put(let node) where isThere: self[index] = node
    case .remove where isThere: remove(at: index)
    case .move(let target) where isThere && indices.contains(target):
      insert(remove(at: index), at: target)
    case .insert, .put, .remove, .move, .splice, .add, .discard, .increment: return false
    }
    return true
  }
}
