public import PeernoteEngine

extension Editor {
  /// Makes what stands at a path read as other content, by the smallest sensible edits.
  ///
  /// - Maps are compared key by key, sets member by member; a counter gets the difference added.
  /// - Values are written only where they differ.
  /// - Texts are edited as ``replaceText(at:with:)`` does.
  /// - Elements of lists are matched by an identity key such as `id` where they have one, else by
  ///   their content; of what is left, those that stand in the same gap and are much alike are
  ///   taken for the same element, edited, never those that only stand in the same place. Elements found elsewhere in the list are moved, with as
  ///   few moves as do. Elements with one identity that were inserted on two sides are joined
  ///   if none of their values differ.
  /// - A container that is there stays the same container, so that what others do to it meanwhile
  ///   merges. Where the kinds differ, the old one is replaced.
  ///
  /// What is not there yet is written as with ``put(node:at:)``. Near-linear in the size of both,
  /// times the depth of lists in lists whose elements have no identity.
  ///
  /// - Parameters:
  ///   - path: where the content goes; the root takes a map.
  ///   - wanted: what should stand there.
  ///   - keys: the keys by which elements of lists are told apart; the first that two have counts.
  /// - Throws: ``EditError`` if the parent isn't there or the document would grow over its limits.
  public mutating func replaceContent(
    at path: JSONPointer, with wanted: DocumentNode, identityKeys keys: [String] = ["id"]
  ) throws(EditError) {
    try replaceContent(at: path, with: wanted, matching: ContentMatching(identityKeys: keys))
  }

  /// The same, where other content may stand for what is there.
  package mutating func replaceContent(
    at path: JSONPointer, with wanted: DocumentNode, matching: ContentMatching
  ) throws(EditError) {
    var matching = matching
    let remembered = editor.objects.log.identityKeys.filter { !matching.identityKeys.contains($0) }
    matching.identityKeys += remembered
    let wanted = try marked(wanted, at: path, matching)
    if path.tokens.isEmpty {
      guard case .map = wanted else { throw .wrongKind(path, expected: .map) }
      return try update(.root, to: wanted, at: path, matching)
    }
    let (container, token) = try parent(of: path)
    let child = child(token, of: container)
    let spot = try spot(at: path)
    guard let shown = child?.resolved.shown else { return try write(wanted, in: spot, at: path) }
    try update(shown, in: spot, to: wanted, at: path, matching)
  }

  /// Makes what is shown in a spot read as other content, or replaces it.
  mutating func update(
    _ entry: Objects.Entry, in spot: Spot, to wanted: DocumentNode, at path: JSONPointer,
    _ matching: ContentMatching
  ) throws(EditError) {
    let present = editor.objects.log.contents[entry.content]
    let wanted = matching.adapted(wanted, to: present)
    switch (present, wanted.shell) {
    case (.value(let old), .value(let new)):
      if old != new { try write(wanted, in: spot, at: path) }
    case (.container(let old), .container(let new)):
      guard old == new, let container = editor.objects.container(createdBy: entry.event) else {
        return try write(wanted, in: spot, at: path)
      }
      if case .map(let entries) = wanted, matching.maps.enumerations.contains(path),
        !hasKeys(of: entries, container)
      {
        return try write(wanted, in: spot, at: path)
      }
      if matching.replacesCounters, case .counter(let count) = wanted {
        let isSame = count == editor.objects.value(ofCounter: container)
        return isSame ? () : try write(wanted, in: spot, at: path)
      }
      try update(container, to: wanted, at: path, matching)
    case (.value, .container), (.container, .value):
      try write(wanted, in: spot, at: path)
    }
  }

  /// Makes a container read as content of its kind.
  private mutating func update(
    _ container: ContainerIndex, to wanted: DocumentNode, at path: JSONPointer,
    _ matching: ContentMatching
  ) throws(EditError) {
    switch wanted {
    case .value:
      preconditionFailure("a container is compared with what a container holds")
    case .map(let entries):
      try updateMap(container, to: entries, at: path, matching)
    case .list(let nodes):
      try updateList(container, to: nodes, at: path, matching)
    case .text(let text):
      try replaceText(of: container, with: text, at: path)
    case .set(let members):
      try updateSet(container, to: members, at: path)
    case .counter(let count):
      let difference = count &- editor.objects.value(ofCounter: container)
      if difference == 0 { return }
      try Self.performing(path, editor.increment(container, by: difference))
    }
  }

  /// Whether a map has the keys of some entries and no other.
  private func hasKeys(of entries: [DocumentNode.MapEntry], _ map: ContainerIndex) -> Bool {
    let log = editor.objects.log
    let keys = editor.objects.children(ofMap: map).map { Value.string(log.keys[$0.key]) }
    return Set(keys) == Set(entries.map { .string($0.key) })
  }

  private mutating func updateMap(
    _ map: ContainerIndex, to entries: [DocumentNode.MapEntry], at path: JSONPointer,
    _ matching: ContentMatching
  ) throws(EditError) {
    let log = editor.objects.log
    let wanted = Set(entries.map { Value.string($0.key) })
    let known = matching.maps.knownKeys[path]
    for child in editor.objects.children(ofMap: map) {
      let key = log.keys[child.key]
      if wanted.contains(.string(key)) { continue }
      if let known, !known.contains(key) { continue }
      try Self.performing(path.appending(key), editor.remove(map: map, key: key))
    }
    var missing: [DocumentNode.MapEntry] = []
    for entry in entries {
      guard let shown = editor.objects.child(entry.key, ofMap: map)?.resolved.shown else {
        missing.append(entry)
        continue
      }
      let path = path.appending(entry.key)
      let spot = Spot(container: map, key: entry.key)
      try update(shown, in: spot, to: entry.node, at: path, matching)
    }
    if missing.isEmpty { return }
    try together(ChangeEditor.Extent(contentOf: .map(missing)), in: map) {
      (editor) throws(EditError) in
      for entry in missing {
        let spot = Spot(container: map, key: entry.key)
        try editor.write(entry.node, in: spot, at: path.appending(entry.key))
      }
    }
  }

  private mutating func updateSet(
    _ set: ContainerIndex, to wanted: [Value], at path: JSONPointer
  ) throws(EditError) {
    let present = Set(editor.objects.members(ofSet: set))
    for value in Array(present.subtracting(wanted)).sortedByEncoding() {
      try Self.performing(path, editor.discard(value, fromSet: set))
    }
    var known = present
    for value in wanted where known.insert(value).inserted {
      try Self.performing(path, editor.add(value, toSet: set))
    }
  }
}
