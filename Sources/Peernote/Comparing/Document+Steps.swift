extension Objects {
  /// The way to a place, which is the same in all states of the document; `nil` if nothing is there.
  ///
  /// O(depth) steps, each O(children).
  func steps(to path: JSONPointer) -> [PlaceChange.Step]? {
    var steps: [PlaceChange.Step] = []
    let target = Target(path.tokens, in: self) { token, parent in
      guard let child = child(token, of: parent) else { return nil }
      steps.append(child.isElement ? .element(log.eventID(of: child.element)) : .key(token))
      return child
    }
    return target == nil ? nil : steps
  }
}

extension Document {
  /// The way to a place, which is the same in all states of the document; `nil` if nothing is there.
  ///
  /// O(depth) steps, each O(children).
  package func steps(to path: JSONPointer) -> [PlaceChange.Step]? { file.objects.steps(to: path) }

  /// The elements of a list, in order; none if no list is there.
  ///
  /// O(depth) steps, each O(children).
  package func elements(ofListAt path: JSONPointer) -> [EventID] {
    let objects = file.objects
    guard let list = Target(path, in: objects)?.container(in: objects),
      log.containers[list].kind == .list
    else { return [] }
    return objects.children(ofList: list).map { log.eventID(of: $0.element) }
  }

  /// What stands at a place that another state of the document has; `nil` if nothing does.
  ///
  /// O(depth) steps, each O(children), and the size of what is returned.
  package func node(at steps: [PlaceChange.Step]) -> DocumentNode? {
    let objects = file.objects
    let target = Target(steps, in: objects) { step, parent in
      switch (step, log.containers[parent].kind) {
      case (.key(let key), .map): objects.child(key, of: parent)
      case (.element(let name), .list):
        log.event(name).flatMap { event in
          objects.children(ofList: parent).first { $0.element == event }
        }
      case (.key, _), (.element, _): nil
      }
    }
    return target?.node(in: objects, texts: file.shownTexts)
  }

  /// The places where this state differs from an earlier one, whose changes it has all.
  ///
  /// O(n log n) for the size of both.
  package func places(changedSince earlier: Document) -> PlaceChanges {
    StateChanges(from: earlier.file, to: file).changes
  }
}
