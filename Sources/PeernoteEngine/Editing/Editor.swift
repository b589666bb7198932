/// Edits a document inside one change.
///
/// Handed to the closure of ``Document/change(by:message:_:)``. Each edit sees those before it.
/// Paths are RFC 6901 pointers; text positions count Unicode scalars.
public struct Editor {
  package var editor: ChangeEditor
  /// The elements of lists that ``replaceContent(at:with:identityKeys:)`` took for others than it may
  /// have been meant to, in the order of the edits.
  package var doubts: [ElementDoubt] = []
  /// The passages of the texts that have some, by container number.
  package var passages: [ContainerIndex: [TextPassage]] = [:]
  /// The texts whose raw text was edited, so that ``passages`` doesn't tell which are left.
  private(set) var rawEdited: Set<ContainerIndex> = []
  /// Where texts that came back were left without what was redacted since they were read, in the
  /// order of the edits.
  ///
  /// For edits of an earlier version; see ``Document/change(at:by:message:_:)``. Text that stands
  /// where the version had redacted text is known by its length and neighbours alone.
  package var leftRedacted: [RedactedGap] = []
  /// What the texts show for each scalar that was redacted since.
  package let redactionMarker: Unicode.Scalar?

  /// What stands at a path now; `nil` if nothing does.
  public func node(at path: JSONPointer) -> DocumentNode? {
    Target(path, in: editor.objects)?.node(in: editor.objects, texts: shownTexts)
  }

  /// Edits raw texts, without regard to passages.
  package mutating func editRaw<Result, Failure>(
    _ body: (inout ChangeEditor) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let end = editor.objects.log.graph.end
    // Until the change is finished, what was edited shows its raw text.
    defer {
      for edit in editor.textEdits(since: end) {
        passages[edit.container] = nil
        rawEdited.insert(edit.container)
      }
    }
    return try body(&editor)
  }

  // MARK: Maps and list elements

  /// Writes a value under a key, or into a list element that is there.
  ///
  /// - Throws: ``EditError`` if the parent isn't there or holds no such element.
  public mutating func put(_ value: Value, at path: JSONPointer) throws(EditError) {
    try write(shell: .value(value), in: spot(at: path), at: path)
  }

  /// Writes a new, empty container under a key, or into a list element that is there.
  ///
  /// - Throws: ``EditError`` if the parent isn't there or holds no such element.
  public mutating func putContainer(
    _ kind: ContainerKind, at path: JSONPointer
  ) throws(EditError) {
    try write(shell: .container(kind), in: spot(at: path), at: path)
  }

  /// Removes a key or a list element, with all in it.
  ///
  /// - Throws: ``EditError`` if it isn't there.
  public mutating func remove(at path: JSONPointer) throws(EditError) {
    let (container, token) = try parent(of: path)
    guard let child = child(token, of: container) else { throw .noSuchPlace(path) }
    if child.isElement {
      let index = JSONPointer.index(token)
      try Self.performing(
        path, editor.removeElement(list: container, element: child.element, at: index))
    } else {
      try Self.performing(path, editor.remove(map: container, key: token))
    }
  }

  // MARK: Lists

  /// Moves an element inside its list, so that it stands at the index that `target` names in the
  /// list without it; `-` means the end.
  ///
  /// Where it stands already, that is no edit.
  ///
  /// - Throws: ``EditError`` if the element isn't there or the paths have different parents.
  public mutating func move(from source: JSONPointer, to target: JSONPointer) throws(EditError) {
    let (list, own) = try parent(of: source)
    guard let child = child(own, of: list), child.isElement else { throw .noSuchPlace(source) }
    guard source.parent == target.parent, let token = target.tokens.last else {
      throw .otherList(target)
    }
    let count = editor.count(ofList: list)
    guard let index = token == "-" ? count - 1 : JSONPointer.index(token), index < count else {
      throw .noSuchPlace(target)
    }
    if index == JSONPointer.index(own) { return }
    try Self.performing(
      target,
      editor.moveElement(
        list: list, element: child.element, to: index, from: JSONPointer.index(own)))
  }

  // MARK: Sets and counters

  /// Adds a value to a set; adding one that is in it already is no edit.
  ///
  /// - Throws: ``EditError`` if there is no set.
  public mutating func add(_ value: Value, toSetAt path: JSONPointer) throws(EditError) {
    let set = try container(at: path, .set)
    if editor.objects.contains(value, set: set) { return }
    try Self.performing(path, editor.add(value, toSet: set))
  }

  /// Discards a value from a set; discarding one that isn't in it is no edit.
  ///
  /// - Throws: ``EditError`` if there is no set.
  public mutating func discard(_ value: Value, fromSetAt path: JSONPointer) throws(EditError) {
    let set = try container(at: path, .set)
    if !editor.objects.contains(value, set: set) { return }
    try Self.performing(path, editor.discard(value, fromSet: set))
  }

  /// Adds to a counter; adding nothing is no edit.
  ///
  /// - Throws: ``EditError`` if there is no counter.
  public mutating func increment(
    by amount: Int64, at path: JSONPointer
  ) throws(EditError) {
    let counter = try container(at: path, .counter)
    if amount == 0 { return }
    try Self.performing(path, editor.increment(counter, by: amount))
  }

  // MARK: Texts

  /// Replaces a range of a text, in Unicode scalars.
  ///
  /// O(bytes of the text).
  ///
  /// - Throws: ``EditError`` if there is no text or the range lies outside it.
  public mutating func spliceText(
    at path: JSONPointer, scalars: Range<Int>, with text: String
  ) throws(EditError) {
    let container = try container(at: path, .text)
    guard scalars.lowerBound >= 0,
      scalars.upperBound <= shownText(of: container).scalarCount
    else { throw .rangeOutsideText(path) }
    if passages[container] == nil {
      try Self.performing(path, editor.spliceText(scalars, of: container, with: TextBuffer(text)))
    } else if !scalars.isEmpty || !text.isEmpty {
      let edit = TextEdit(deleted: scalars, inserted: TextBuffer(text), insertsBefore: true)
      try Self.performing(path, editShown(container, [edit]))
    }
  }

  // MARK: Places

  package func kind(of container: ContainerIndex) -> ContainerKind {
    editor.objects.log.containers[container].kind
  }

  /// Follows a path; finds the elements of a list faster the second time.
  private mutating func target(_ path: JSONPointer) -> Target? {
    let objects = editor.objects
    return Target(path.tokens, in: objects) { token, container in child(token, of: container) }
  }

  /// The child of a map or list that a token of a path names; `nil` if there is none.
  package mutating func child(_ token: String, of container: ContainerIndex) -> Objects.Child? {
    if kind(of: container) == .list { editor.noteSlots(of: container) }
    return editor.objects.child(token, of: container)
  }

  package mutating func container(
    at path: JSONPointer, _ expected: ContainerKind
  ) throws(EditError) -> ContainerIndex {
    guard let target = target(path) else { throw .noSuchPlace(path) }
    guard let container = target.container(in: editor.objects), kind(of: container) == expected
    else { throw .wrongKind(path, expected: expected) }
    return container
  }

  package mutating func parent(
    of path: JSONPointer
  ) throws(EditError) -> (container: ContainerIndex, token: String) {
    guard let token = path.tokens.last,
      let container = target(path.parent)?.container(in: editor.objects)
    else { throw .noSuchPlace(path) }
    return (container, token)
  }

  /// The key that a path names, or the element of a list that is there.
  package mutating func spot(at path: JSONPointer) throws(EditError) -> Spot {
    let (container, token) = try parent(of: path)
    switch kind(of: container) {
    case .map: return Spot(container: container, key: token)
    case .list:
      guard let child = child(token, of: container) else { throw .noSuchPlace(path) }
      return Spot(container: container, element: child.element)
    case _: throw .noSuchPlace(path)
    }
  }

  /// Makes an edit whose refusal is one at a path; static, since a method would be given a copy of
  /// the editor meanwhile, which would copy all that the two share.
  @discardableResult
  package static func performing<Result>(
    _ path: JSONPointer, _ edit: @autoclosure () throws(HistoryError) -> Result
  ) throws(EditError) -> Result {
    do throws(HistoryError) {
      return try edit()
    } catch {
      throw .limit(path, reason: error.reason.description)
    }
  }
}

/// An element of a list that was taken for one that the document held, though it may be another.
///
/// Where wanted content replaces a list, elements without an identity are told by how like they
/// are; see ``Editor/replaceContent(at:with:matching:)``. What others did meanwhile to the old
/// element then stands in the new one.
package struct ElementDoubt: Hashable, Sendable {
  /// Where the element stands in the wanted content.
  package var path: JSONPointer
  /// What the document held.
  package var old: DocumentNode
  /// What it was made to read.
  package var new: DocumentNode

  package init(path: JSONPointer, old: DocumentNode, new: DocumentNode) {
    self.path = path
    self.old = old
    self.new = new
  }
}

/// Why an edit cannot be made.
public enum EditError: Error, Hashable, Sendable {
  /// Nothing stands at the path, or what stands above it cannot hold it.
  case noSuchPlace(JSONPointer)
  /// An element cannot be moved to the path, which is not in its list.
  case otherList(JSONPointer)
  /// What stands at the path is of another kind.
  case wrongKind(JSONPointer, expected: ContainerKind)
  /// The range lies outside the text.
  case rangeOutsideText(JSONPointer)
  /// No contested passage stands at the place of the text.
  case noSuchPassage(JSONPointer)
  /// The conflict at the path cannot be settled as was chosen.
  case noSuchChoice(JSONPointer)
  /// Content that comes back was edited where text was redacted since, or has new text as long as
  /// half of that, so that nobody can tell what of it is that text; with the line of the text.
  case redacted(JSONPointer, line: Int)
  /// The document would grow larger or deeper than the limits.
  case limit(JSONPointer, reason: String)
}

extension EditError: CustomStringConvertible {
  /// The path and the reason.
  public var description: String {
    switch self {
    case .noSuchPlace(let path) where path.tokens.isEmpty:
      "the whole document cannot be replaced, moved or removed, only what is in it"
    case .noSuchPlace(let path): "\(path.words): there is no such place in the document"
    case .otherList(let path):
      "\(path.words): not in the element's own list; remove it there and insert it here"
    case .wrongKind(let path, let kind): "\(path.words): not a \(kind)"
    case .rangeOutsideText(let path): "\(path.words): the range lies outside the text"
    case .noSuchPassage(let path): "\(path.words): no contested passage stands there"
    case .noSuchChoice(let path):
      "\(path.words): the conflict there cannot be settled so; its sides may exclude each other"
    case .redacted(let path, let line):
      "\(path.words): what stands at line \(line) cannot be told from text that was redacted since"
    case .limit(let path, let reason): "\(path.words): \(reason)"
    }
  }
}

extension Editor {
  /// Traps unless the change so far is sound, and what is known of texts is known of texts;
  /// O(n log n + bytes); for tests.
  package func checkInvariants() {
    editor.checkInvariants()
    for container in rawEdited.union(passages.keys) {
      precondition(kind(of: container) == .text, "texts are edited and have passages")
    }
  }
}
