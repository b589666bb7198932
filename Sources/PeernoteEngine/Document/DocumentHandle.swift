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
  package enum Place: Hashable, Sendable {
    case container(ContainerID)
    case element(EventID)
    case key(String, map: ContainerID)
  }

  package let place: Place

  package init(place: Place) {
    self.place = place
  }

  /// The insertion of the element; `nil` for anything else.
  package var element: EventID? { if case .element(let element) = place { element } else { nil } }
}

extension Document {
  /// The handle of what stands at a path; `nil` if nothing does.
  ///
  /// An element of a list is named as such, whatever is written into it; a text or another container
  /// under a key is named itself, and is gone when something else takes its place; a value is named
  /// by its key. As ``node(at:)``, without the size of what is there.
  public func handle(at path: JSONPointer) -> DocumentHandle? {
    guard let target = Target(path, in: file.objects) else { return nil }
    if case .child(let child, _) = target, child.isElement {
      return file.objects.handle(of: .element(child.element))
    }
    if let container = target.container(in: file.objects) {
      return DocumentHandle(place: .container(log.containerID(container)))
    }
    guard case .child(let child, let parent) = target else { return nil }
    return file.objects.handle(of: .key(parent, child.key))
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
  /// The handle of a key or an element.
  package func handle(of spot: Spot) -> DocumentHandle {
    switch spot {
    case .key(let map, let key):
      DocumentHandle(place: .key(log.keys[key], map: log.containerID(map)))
    case .element(let insertion): DocumentHandle(place: .element(log.eventID(of: insertion)))
    }
  }

  /// Where a handle leads; `nil` if what it names is not shown.
  fileprivate func path(to handle: DocumentHandle) -> JSONPointer? {
    let tokens: [String]?
    switch handle.place {
    case .container(let id): tokens = log.containerNumber(of: id).flatMap { path(to: $0) }
    case .element(let id): tokens = log.event(id).flatMap { path(to: .element($0)) }
    case .key(let key, let map):
      guard let map = log.containerNumber(of: map), child(key, ofMap: map) != nil
      else { return nil }
      tokens = path(to: map).map { $0 + [key] }
    }
    return tokens.map { JSONPointer($0) }
  }
}
