/// Names a place in a document for good, whatever is inserted before it and wherever it is moved.
///
/// A path counts the elements of a list, so that it leads elsewhere once somebody else inserted or
/// moved one. What has to last longer than one look at the document, such as the row that is
/// selected or the text that a view edits, is kept as a handle:
///
///     let row = document.handle(at: ["agenda", "1"])
///     _ = try document.merge(other)
///     let path = row.flatMap { document.path(to: $0) }  // where it is now
///
/// It means the same in every copy of the document that has what it names.
public struct DocumentHandle: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    case container(ContainerID)
    case element(EventID, list: ContainerID)
    case key(String, map: ContainerID)
  }

  let place: Place

  /// The event that created the container or inserted the element; `nil` for a key and for the root.
  package var event: EventID? {
    switch place {
    case .container(.created(let event)), .element(let event, _): event
    case .container(.root), .key: nil
    }
  }
}

extension Document {
  /// The handle of what stands at a path; `nil` if nothing does.
  ///
  /// An element of a list is named as such, whatever is written into it; a text or another container
  /// under a key is named itself, and is gone when something else takes its place; a value is named
  /// by its key. As ``node(at:)``, without the size of what is there.
  public func handle(at path: JSONPointer) -> DocumentHandle? {
    guard let target = Target(path, in: file.objects) else { return nil }
    switch target {
    case .root:
      return DocumentHandle(place: .container(.root))
    case .child(let child, let parent) where child.isElement:
      return DocumentHandle(
        place: .element(log.eventID(of: child.element), list: log.containerID(parent)))
    case .child(let child, let parent):
      if let container = target.container(in: file.objects) {
        return DocumentHandle(place: .container(log.containerID(container)))
      }
      return DocumentHandle(place: .key(log.keys[child.key], map: log.containerID(parent)))
    }
  }

  /// Where a handle leads now; `nil` if what it names is not shown, or not in this document.
  ///
  /// O(depth log n + writes + slots of the lists on the way).
  public func path(to handle: DocumentHandle) -> JSONPointer? { file.objects.path(to: handle) }
}

extension Editor {
  /// Where a handle leads now; `nil` if what it names is not shown, or not in this document.
  ///
  ///     try document.change(by: session) { editor in
  ///       if let row, let path = editor.path(to: row) {
  ///         try editor.replaceText(at: path.appending("notes"), with: "Bring cups.")
  ///       }
  ///     }
  ///
  /// O(depth log n + writes + slots of the lists on the way).
  public func path(to handle: DocumentHandle) -> JSONPointer? { editor.objects.path(to: handle) }
}

extension Objects {
  /// Where a handle leads; `nil` if what it names is not shown.
  fileprivate func path(to handle: DocumentHandle) -> JSONPointer? {
    let tokens: [String]?
    switch handle.place {
    case .container(let id):
      tokens = log.containerNumber(of: id).flatMap { path(to: $0) }
    case .element(let id, let list):
      guard let event = log.event(id), let list = log.containerNumber(of: list) else { return nil }
      tokens = path(toElement: event, of: list)
    case .key(let key, let map):
      guard let map = log.containerNumber(of: map), child(key, ofMap: map) != nil
      else { return nil }
      tokens = path(to: map).map { $0 + [key] }
    }
    return tokens.map { JSONPointer($0) }
  }
}
