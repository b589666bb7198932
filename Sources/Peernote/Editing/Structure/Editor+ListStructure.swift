extension Editor {
  /// Makes a list read as other elements.
  mutating func updateList(
    _ list: Int32, to wanted: [Node], at path: JSONPointer, _ matching: ContentMatching
  ) throws(EditError) {
    let partners = partners(of: wanted, in: list, matching)
    try updateElements(of: list, to: wanted, partners, at: path, matching)
    let elements = editor.elements(ofList: list)
    try removeOthers(elements, from: list, partners, at: path)
    let moves = ListMoves(toOrder: partners.filter { $0 >= 0 })
    for move in moves.moves {
      try Self.performing(path.appending(String(move.to))) { () throws(HistoryError) in
        try editor.moveElement(
          list: list, element: elements[Int(move.element)], to: Int(move.to), from: Int(move.from))
      }
    }
    try insertMissing(wanted, into: list, partners, at: path)
  }

  /// Edits the elements that stay.
  private mutating func updateElements(
    of list: Int32, to wanted: [Node], _ partners: [Int32], at path: JSONPointer,
    _ matching: ContentMatching
  ) throws(EditError) {
    for (index, partner) in partners.enumerated() where partner >= 0 {
      guard let child = editor.child(at: Int(partner), ofList: list),
        let shown = child.resolved.shown
      else { continue }
      let path = path.appending(String(index))
      try update(
        shown, to: wanted[index], at: path, matching,
        replace: { editor, node throws(EditError) in
          try editor.together(ChangeEditor.Extent([node]), in: list) {
            (editor) throws(EditError) in
            let created = try Self.performing(path) { () throws(HistoryError) in
              try editor.editor.putElement(
                list: list, element: child.element, content: node.shell)
            }
            if let created { try editor.fill(created, with: node, at: path) }
          }
        })
    }
  }

  /// Removes the elements that nothing wanted is.
  private mutating func removeOthers(
    _ elements: [LocalVersion], from list: Int32, _ partners: [Int32], at path: JSONPointer
  ) throws(EditError) {
    var isKept = [Bool](repeating: false, count: elements.count)
    for partner in partners where partner >= 0 { isKept[Int(partner)] = true }
    // From the end, so that the indices of those before stay.
    for index in elements.indices.reversed() where !isKept[index] {
      try Self.performing(path.appending(String(index))) { () throws(HistoryError) in
        try editor.removeElement(list: list, element: elements[index], at: index)
      }
    }
  }

  /// Inserts the elements without a partner, run by run.
  private mutating func insertMissing(
    _ wanted: [Node], into list: Int32, _ partners: [Int32], at path: JSONPointer
  ) throws(EditError) {
    var index = 0
    while index < wanted.count {
      let start = index
      while index < wanted.count, partners[index] < 0 { index += 1 }
      if start < index {
        let new = wanted[start..<index]
        try together(ChangeEditor.Extent(new), in: list) { (editor) throws(EditError) in
          try editor.insertNew(new, into: list, at: path)
        }
      }
      index += 1
    }
  }

  /// Inserts elements at the indices that they have here.
  private mutating func insertNew(
    _ new: ArraySlice<Node>, into list: Int32, at path: JSONPointer
  ) throws(EditError) {
    var created = try Self.performing(path.appending(String(new.startIndex))) {
      () throws(HistoryError) in
      try editor.insertElements(list: list, at: new.startIndex, contents: new.map(\.shell))
    }[...]
    for (place, node) in zip(new.indices, new) {
      guard case .container = node.shell else { continue }
      try fill(created.removeFirst(), with: node, at: path.appending(String(place)))
    }
  }

  // MARK: Which elements are the same

  /// For each wanted element the index of the one that it is; -1 for a new one.
  private func partners(
    of wanted: [Node], in list: Int32, _ matching: ContentMatching
  ) -> [Int32] {
    let children = editor.objects.children(ofList: list)
    var samples: [String: Value] = [:]
    for child in children {
      guard let identity = identity(of: child, matching), samples[identity.key] == nil else {
        continue
      }
      samples[identity.key] = identity.value
    }
    let numbers = ElementNumbers(
      oldCount: children.count, newCount: wanted.count,
      identity: { place in
        switch place {
        case .old(let index): identity(of: children[index], matching)
        case .new(let index): Self.identity(of: wanted[index], matching, samples: samples)
        }
      },
      content: { place in
        switch place {
        case .old(let index):
          editor.objects.node(of: children[index], texts: editor.texts).comparable
        case .new(let index): wanted[index].comparable
        }
      })
    return ListMatching(numbers) { new, old in
      let present = shell(of: children[old])
      return switch (matching.adapting(wanted[new], present).shell, present) {
      case (.value, .value): true
      case (.container(let left), .container(let right)): left == right
      case (.value, .container), (.container, .value): false
      }
    }.partners
  }

  private func shell(of child: Objects.Child) -> Content {
    guard let shown = child.resolved.shown else {
      preconditionFailure("an element that is shown has content")
    }
    return editor.objects.log.contents[Int(shown.content)]
  }

  private func identity(
    of child: Objects.Child, _ matching: ContentMatching
  ) -> ElementNumbers.Identity? {
    guard case .container(.map) = shell(of: child), let shown = child.resolved.shown,
      let map = editor.objects.container(createdBy: shown.event)
    else { return nil }
    for key in matching.identityKeys {
      guard let entry = editor.child(key, ofMap: map)?.resolved.shown,
        case .value(let value) = editor.objects.log.contents[Int(entry.content)]
      else { continue }
      return .init(key: key, value: value)
    }
    return nil
  }

  private static func identity(
    of node: Node, _ matching: ContentMatching, samples: [String: Value]
  ) -> ElementNumbers.Identity? {
    for key in matching.identityKeys {
      guard case .value(let value) = node[key] else { continue }
      if let sample = samples[key],
        case .value(let adapted) = matching.adapting(.value(value), .value(sample))
      {
        return .init(key: key, value: adapted)
      }
      return .init(key: key, value: value)
    }
    return nil
  }
}

extension Node {
  /// The content with all that JSON writes alike made alike, to find elements that stand for the
  /// same.
  fileprivate var comparable: Node {
    switch self {
    case .value: self
    case .text(let text): .value(.string(text))
    case .counter(let count): .value(.integer(count))
    case .set(let members): .list(members.map { .value($0) })
    case .list(let nodes): .list(nodes.map(\.comparable))
    case .map(let entries):
      .map(entries.map { .init(key: $0.key, node: $0.node.comparable) })
    }
  }
}
