package import PeernoteEngine

/// What stood at a path of a document at an earlier version, without what was redacted since.
package struct PastContent: Hashable, Sendable {
  package let path: JSONPointer
  package let version: [ChangeID]
  /// What stood there; `nil` if nothing did.
  package let node: DocumentNode?
  /// The texts from which something is missing, in the order of their containers.
  package let gaps: [RedactedGap]
  /// How what stood there is found in later versions; `nil` if nothing did.
  package let steps: [PlaceChange.Step]?
  /// The elements of the lists in it, by the path from what stood there to the list.
  let elements: [JSONPointer: [EventID]]
}

extension Document {
  /// What the document said at a version, given by its heads, without what was redacted since.
  ///
  /// This is what to bring forward, by ``Editor/restore(_:)``. The document that ``at(version:)``
  /// gives has U+FFFD for each redacted scalar instead, so that places in its texts are those of the
  /// version.
  ///
  /// One walk over the whole history. If `isInOrderOfWriting`, the keys of each map stand as
  /// ``rootInOrderOfWriting`` says. Throws if one of the changes is not there, or the history takes
  /// more than the limits.
  package consuming func content(
    atVersion version: [ChangeID], at path: JSONPointer = JSONPointer(),
    inOrderOfWriting isInOrderOfWriting: Bool = false
  ) throws(DocumentError) -> PastContent {
    let (changes, marker) = try markedChanges()
    let past = try (consume self).at(version: version, of: consume changes)
    var texts = past.file.shownTexts
    var gaps: [RedactedGap] = []
    for container in texts.indices {
      let known = marker.removed(from: texts[container].string)
      let missing = texts[container].scalarCount - known.unicodeScalars.count
      if missing == 0 { continue }
      texts[container] = TextBuffer(known)
      if let place = past.file.objects.path(to: ContainerIndex(container)),
        place.starts(with: path.tokens)
      {
        gaps.append(RedactedGap(path: JSONPointer(place), scalars: missing))
      }
    }
    let root = past.file.objects.node(
      ofContainer: .root, texts: texts, inOrderOfWriting: isInOrderOfWriting)
    let objects = past.file.objects
    let elements = Target(path, in: objects)?.container(in: objects)
      .map { objects.elementsOfLists(in: $0) }
    return PastContent(
      path: path, version: past.heads, node: root[path], gaps: gaps,
      steps: objects.steps(to: path),
      elements: elements ?? [:])
  }
}
