package import PeernoteEngine

/// Where something that stood at a path of an earlier version stands now.
///
/// Keys of maps are the same by name, elements of lists by identity, wherever they were moved, to
/// another list, too, and whatever was inserted before them.
struct EarlierPlace {
  /// The path now; of a list element that was removed since the path that it would have first.
  var path = JSONPointer()
  /// The key or list element that it is; none for the root.
  var spot = Editor.Spot(container: .root)
  /// Whether something stands there now.
  var isThere = true

  /// Finds a place; `nil` if what it stood in is gone or another one now; O(elements of the lists
  /// on the path).
  init?(_ steps: [PlaceChange.Step], now: Objects) {
    for (depth, step) in steps.enumerated() {
      var parent = ContainerIndex.root
      if depth > 0 {
        guard isThere, let place = Target(path, in: now)?.container(in: now) else { return nil }
        parent = place
      }
      switch (step, now.log.containers[parent].kind) {
      case (.key(let key), .map):
        path.tokens.append(key.string)
        spot = Editor.Spot(container: parent, key: key.string)
        isThere = now.child(key.string, of: parent) != nil
      case (.element(let id), .list):
        guard let event = now.insertion(id, in: parent) else { return nil }
        let index = now.children(ofList: parent).firstIndex { $0.element == event }
        var moves = ChangeMoves(in: now, texts: [], now.numbered(["id"]))
        if index == nil, let moved = moves.destination(ofElement: event),
          let list = now.list(ofElement: moved), let path = now.path(to: .element(moved))
        {
          self.path = JSONPointer(path)
          spot = Editor.Spot(container: list, element: moved)
        } else {
          path.tokens.append(String(index ?? 0))
          spot = Editor.Spot(container: parent, element: event)
          isThere = index != nil
        }
      case (.key, _), (.element, _): return nil
      }
    }
  }
}

extension Objects {
  /// The insertion of an element; `nil` if none of the list is called so.
  func insertion(_ element: EventID, in list: ContainerIndex) -> LocalVersion? {
    log.event(element).flatMap { self.list(ofElement: $0) == list ? $0 : nil }
  }

  /// The elements of the lists in a container, by the path that leads to each list.
  func elementsOfLists(in container: ContainerIndex) -> [JSONPointer: [EventID]] {
    var result: [JSONPointer: [EventID]] = [:]
    func walk(_ container: ContainerIndex, at path: JSONPointer) {
      func note(_ child: Child, _ token: String) {
        guard let created = child.resolved.shown.flatMap({ self.container(createdBy: $0.event) })
        else { return }
        walk(created, at: path.appending(token))
      }
      let kind = log.containers[container].kind
      if kind == .map {
        for child in children(ofMap: container) { note(child, log.keys[child.key]) }
      } else if kind == .list {
        let children = children(ofList: container)
        result[path] = children.map { log.eventID(of: $0.element) }
        for (index, child) in children.enumerated() { note(child, String(index)) }
      }
    }
    walk(container, at: JSONPointer())
    return result
  }
}

extension Document {
  /// Where what stands at a path of another version of the document stands in this one; `nil` if
  /// nothing stands there, or it or what it stands in is not here.
  package func path(ofPlace path: JSONPointer, in other: Document) -> JSONPointer? {
    self.path(along: other.steps(to: path))
  }

  /// What stands at a place that another state of the document has; `nil` if nothing does.
  package func node(at steps: [PlaceChange.Step]) -> DocumentNode? {
    path(along: steps).flatMap { node(at: $0) }
  }

  /// Where what another state of the document has stands here; `nil` if it had nothing, or it or what
  /// it stands in is not here.
  package func path(along steps: [PlaceChange.Step]?) -> JSONPointer? {
    guard let place = steps.flatMap({ EarlierPlace($0, now: file.objects) }), place.isThere
    else { return nil }
    return place.path
  }
}

extension Editor {
  /// Makes what stood at a path of an earlier version read as it did then, wherever it stands now.
  ///
  /// List elements that were removed since come back, the same elements as before, also inside of
  /// what is restored. What stands at the path now but did not then goes.
  package mutating func restore(_ past: PastContent) throws(EditError) {
    let path = past.path
    guard let content = past.node, let steps = past.steps else {
      // A list element that stands at the path now may be one of then that stood elsewhere.
      let (parent, token) = try parent(of: path)
      if let child = child(token, of: parent), child.isElement,
        editor.objects.log.graph.closure(of: editor.objects.log.version(of: past.version))
          .holds(child.element)
      {
        throw .noSuchPlace(path)
      }
      return try remove(at: path)
    }
    guard let place = EarlierPlace(steps, now: editor.objects) else { throw .noSuchPlace(path) }
    if !place.isThere { return try write(content, in: place.spot, at: path) }
    var matching = ContentMatching.exact
    for (list, elements) in past.elements {
      matching.earlierElements[JSONPointer(place.path.tokens + list.tokens)] = elements
    }
    try replaceContent(at: place.path, with: content, matching: matching)
  }

  /// Puts an element of a list where others stand, or removes it; O(elements of the list).
  ///
  /// The element is named by its insertion. One that was removed comes back as `node`, the same
  /// element as before. If the list is there no more, nothing is done. The first of `others` that
  /// stands there stands after it, and without any it is the last one; `nil` removes it.
  package mutating func shift(
    _ element: EventID, inListAt steps: [PlaceChange.Step], as node: DocumentNode?,
    before others: [EventID]?
  ) throws(EditError) {
    guard let place = EarlierPlace(steps, now: editor.objects), place.isThere,
      let list = Target(place.path, in: editor.objects)?.container(in: editor.objects),
      let insertion = editor.objects.insertion(element, in: list)
    else { return }
    let path = place.path
    let present = editor.elements(ofList: list)
    let index = present.firstIndex(of: insertion)
    guard let others else {
      guard let index else { return }
      return try Self.performing(
        path, editor.removeElement(list: list, element: insertion, at: index))
    }
    let rest = present.filter { $0 != insertion }
    let places = Dictionary(uniqueKeysWithValues: zip(rest, 0...))
    let next = others.compactMap { editor.objects.insertion($0, in: list).flatMap { places[$0] } }
    try show(
      insertion, of: list, as: index == nil ? node ?? .value(.null) : nil,
      at: next.first ?? rest.count, path)
  }

  /// Shows an element at an index of its list without it, with some content unless that is to stay;
  /// O(elements of the list).
  mutating func show(
    _ element: LocalVersion, of list: ContainerIndex, as node: DocumentNode?, at index: Int,
    _ path: JSONPointer
  ) throws(EditError) {
    if let node { try write(node, in: Spot(container: list, element: element), at: path) }
    let from = editor.elements(ofList: list).firstIndex(of: element)
    if from == index { return }
    try Self.performing(
      path, editor.moveElement(list: list, element: element, to: index, from: from))
  }
}
