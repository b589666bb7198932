/// Where something that stood at a path of an earlier version stands now.
///
/// Keys of maps are the same by name, elements of lists by identity, wherever they were moved and
/// whatever was inserted before them.
struct EarlierPlace {
  /// The path now; of a list element that was removed since the path that it would have first.
  var path: JSONPointer
  /// The container that it stands in now.
  var parent: Int32
  /// The list element that it is; `nil` for a key of a map.
  var element: LocalVersion?
  /// Whether something stands there now.
  var isThere: Bool

  /// Finds a place that is not the whole document; `nil` if nothing stood there, or what it stood
  /// in is gone or another one now.
  ///
  /// O(elements of the lists on the path).
  ///
  /// - Parameters:
  ///   - path: leads to it in the earlier version.
  ///   - old: the earlier version.
  ///   - now: the present one.
  init?(_ path: JSONPointer, in old: Objects, now: Objects) {
    guard !path.tokens.isEmpty else { return nil }
    self.init(path: JSONPointer(), parent: 0, element: nil, isThere: true)
    var oldContainer: Int32 = 0
    for (depth, token) in path.tokens.enumerated() {
      if depth > 0 {
        guard isThere, let place = Target(self.path, in: now)?.container(in: now) else {
          return nil
        }
        parent = place
      }
      guard let was = old.child(token, of: oldContainer), step(token, was, old, now) else {
        return nil
      }
      guard depth < path.tokens.count - 1 else { return }
      guard let next = was.resolved.shown.flatMap({ old.container(createdBy: $0.event) }) else {
        return nil
      }
      oldContainer = next
    }
  }

  private init(path: JSONPointer, parent: Int32, element: LocalVersion?, isThere: Bool) {
    (self.path, self.parent, self.element, self.isThere) = (path, parent, element, isThere)
  }

  /// Goes down to what a child of the earlier version is now; `false` if that cannot be told.
  private mutating func step(
    _ token: String, _ was: Objects.Child, _ old: Objects, _ now: Objects
  ) -> Bool {
    let kind = now.log.containers[Int(parent)].kind
    guard was.key < 0 else {
      guard kind == .map else { return false }
      path.tokens.append(token)
      element = nil
      isThere = now.child(token, of: parent) != nil
      return true
    }
    guard kind == .list, let event = now.log.event(old.log.eventID(of: was.element)),
      let slot = now.slotIndex(madeBy: event),
      now.elements[Int(now.slots[slot].element)].list == parent
    else { return false }
    element = event
    let index = now.children(ofList: parent).firstIndex { $0.element == event }
    isThere = index != nil
    path.tokens.append(String(index ?? 0))
    return true
  }
}

extension Document {
  /// Where something that stood at a path of an earlier version stands now; `nil` if nothing stood
  /// there, or it or what it stood in was removed.
  ///
  /// O(elements of the lists on the path).
  public func presentPath(of path: JSONPointer, in old: PastContent) -> JSONPointer? {
    if path.tokens.isEmpty { return path }
    guard let place = EarlierPlace(path, in: old.document.file.objects, now: file.objects) else {
      return nil
    }
    return place.isThere ? place.path : nil
  }
}

extension Editor {
  /// Makes what stood at a path of an earlier version read as it did then, wherever it stands now.
  ///
  /// A list element that was removed since comes back, the same element as before. What stands at
  /// the path now but did not then goes.
  ///
  /// - Parameters:
  ///   - path: leads to the place in the earlier version.
  ///   - old: the earlier version; see ``Document/content(atVersion:)``.
  /// - Throws: ``EditError`` if there was and is nothing, what it stood in was replaced since, or the
  ///   document would grow over its limits.
  public mutating func restore(at path: JSONPointer, from old: PastContent) throws(EditError) {
    guard let content = old.root[path] else {
      // A list element that stands at the path now may be one of then that stood elsewhere.
      let (parent, token) = try parent(of: path)
      if kind(of: parent) == .list, let index = JSONPointer.index(token),
        let child = editor.child(at: index, ofList: parent),
        old.document.contains(editor.objects.log.eventID(of: child.element).change)
      {
        throw .noSuchPlace(path)
      }
      return try remove(at: path)
    }
    if path.tokens.isEmpty { return try replaceContent(at: path, with: content) }
    guard let place = EarlierPlace(path, in: old.document.file.objects, now: editor.objects) else {
      throw .noSuchPlace(path)
    }
    if place.isThere { return try replaceContent(at: place.path, with: content) }
    guard let element = place.element else { return try put(node: content, at: place.path) }
    try together(ChangeEditor.Extent([content]), in: place.parent) { (editor) throws(EditError) in
      let created = try Self.performing(path) { () throws(HistoryError) in
        try editor.editor.putElement(
          list: place.parent, element: element, content: content.shell)
      }
      if let created { try editor.fill(created, with: content, at: path) }
    }
  }
}
