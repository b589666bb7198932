public import PeernoteEngine

extension Document {
  /// What leads from the content of another state of this document to the content of this one.
  ///
  /// Containers and list elements are known by their identity, so that an element that moved is
  /// moved, and what is edited inside a container is told there. Where the other state is an earlier
  /// one, texts are told by the operations since: each letter that came or went, where it did.
  /// Otherwise, and where a text has contested passages, they are told by their difference.
  /// O(containers and elements), plus what was edited in texts and a walk over what was concurrent;
  /// for a state that is no earlier one O(n log n) for the size of both.
  ///
  /// - Parameter other: the state before: a copy of the value, or a document of the same identity.
  /// - Returns: the patches, in order.
  public func patches(from other: Document) -> [Patch] {
    var comparison = StateComparison(old: other.file, new: file, byHistory: true)
    comparison.compare(.root, .root, at: JSONPointer())
    return comparison.patches
  }

  /// What leads from the content at one version to the content at another.
  ///
  /// U+FFFD stands for each scalar of a text that was redacted since, as in ``at(version:)``, so that
  /// places are those of the versions. Two walks over the whole history.
  ///
  /// - Parameters:
  ///   - old: the heads of the version before.
  ///   - new: the heads of the version after; the current ones if none are given.
  /// - Returns: the patches, in order.
  /// - Throws: ``DocumentError`` if one of the changes is not there.
  public func patches(
    from old: [ChangeID], to new: [ChangeID]? = nil
  ) throws(DocumentError) -> [Patch] {
    let before = try at(version: old)
    guard let new else { return patches(from: before) }
    return try at(version: new).patches(from: before)
  }
}

/// Goes through two states of a document side by side and lists what differs.
struct StateComparison {
  let old: DocumentFile
  let new: DocumentFile
  private let oldTexts: [TextBuffer]
  private let newTexts: [TextBuffer]
  private(set) var patches: [Patch] = []
  /// The elements that patches insert, by the places of these.
  private(set) var insertedElements: [Int: [EventID]] = [:]
  /// Whether what was made anew, as it is where it was picked, counts as what it is alike to: a
  /// container of the same kind under a key or in an element, and an element with the same content.
  var joinsCopies = false

  /// What the texts have in common by their history; `nil` if that doesn't tell.
  private let alignment: TextAlignment?

  /// O(1), or as ``TextAlignment`` if texts are compared `byHistory`: by the operations in between,
  /// not by what they show.
  init(old: DocumentFile, new: DocumentFile, byHistory: Bool) {
    self.old = old
    self.new = new
    alignment = byHistory ? TextAlignment(from: old, to: new) : nil
    oldTexts = old.shownTexts
    newTexts = new.shownTexts
  }

  /// Compares a container with what it was.
  mutating func compare(_ before: ContainerIndex, _ after: ContainerIndex, at path: JSONPointer) {
    switch new.log.containers[after].kind {
    case .map:
      compareMaps(before, after, at: path)
    case .list:
      compareLists(before, after, at: path)
    case .text:
      compareTexts(before, after, at: path)
    case .set:
      let was = old.objects.members(ofSet: before)
      let now = new.objects.members(ofSet: after)
      for value in Array(Set(was).subtracting(now)).sortedByEncoding() {
        add(.discard(value), at: path)
      }
      for value in Array(Set(now).subtracting(was)).sortedByEncoding() {
        add(.add(value), at: path)
      }
    case .counter:
      let difference =
        new.objects.value(ofCounter: after) &- old.objects.value(ofCounter: before)
      if difference != 0 { add(.increment(by: difference), at: path) }
    }
  }

  private mutating func add(_ action: Patch.Action, at path: JSONPointer) {
    patches.append(Patch(path: path, action: action))
  }

  private mutating func compareMaps(
    _ before: ContainerIndex, _ after: ContainerIndex, at path: JSONPointer
  ) {
    let was = old.objects.children(ofMap: before)
    let now = new.objects.children(ofMap: after)
    var known: [Value: Objects.Child] = [:]
    for child in was { known[.string(old.log.keys[child.key])] = child }
    let names = Set(now.map { Value.string(new.log.keys[$0.key]) })
    for child in was where !names.contains(.string(old.log.keys[child.key])) {
      add(.remove, at: path.appending(old.log.keys[child.key]))
    }
    for child in now {
      let key = new.log.keys[child.key]
      compare(known[.string(key)], child, at: path.appending(key))
    }
  }

  /// Compares what stands in a key or an element with what stood there.
  private mutating func compare(
    _ before: Objects.Child?, _ after: Objects.Child, at path: JSONPointer
  ) {
    guard let now = after.resolved.shown else { return }
    if let was = before?.resolved.shown {
      let (left, right) = (old.log.contents[was.content], new.log.contents[now.content])
      if let first = old.objects.container(createdBy: was.event),
        let second = new.objects.container(createdBy: now.event),
        joinsCopies || old.log.containerID(first) == new.log.containerID(second), left == right
      {
        return compare(first, second, at: path)
      }
      if case .value = left, left == right { return }
    }
    add(.put(new.objects.node(of: now, texts: newTexts)), at: path)
  }

  private mutating func compareLists(
    _ before: ContainerIndex, _ after: ContainerIndex, at path: JSONPointer
  ) {
    let was = old.objects.children(ofList: before)
    let now = new.objects.children(ofList: after)
    let names = now.indices.map { new.log.eventID(of: now[$0].element) }
    let known = was.indices.map { old.log.eventID(of: was[$0].element) }
    var partners = Self.partners(of: names, among: known)
    var isKept = [Bool](repeating: false, count: was.count)
    for partner in partners where partner >= 0 { isKept[Int(partner)] = true }
    if joinsCopies, partners.contains(-1), isKept.contains(false) {
      var left: [DocumentNode: [Int32]] = [:]
      for index in was.indices.reversed() where !isKept[index] {
        left[old.objects.node(of: was[index], texts: oldTexts), default: []].append(Int32(index))
      }
      for index in now.indices where partners[index] < 0 {
        let node = new.objects.node(of: now[index], texts: newTexts)
        guard let partner = left[node]?.popLast() else { continue }
        partners[index] = partner
        isKept[Int(partner)] = true
      }
    }
    for index in was.indices.reversed() where !isKept[index] {
      add(.remove, at: path.appending(String(index)))
    }
    for move in ListMoves(toOrder: partners.filter { $0 >= 0 }).moves {
      add(.move(to: Int(move.to)), at: path.appending(String(move.from)))
    }
    for run in partners.indices(where: { $0 < 0 }).ranges {
      insertedElements[patches.count] = Array(names[run])
      let nodes = run.map { new.objects.node(of: now[$0], texts: newTexts) }
      add(.insert(nodes), at: path.appending(String(run.lowerBound)))
    }
    for (index, partner) in partners.enumerated() where partner >= 0 {
      compare(was[Int(partner)], now[index], at: path.appending(String(index)))
    }
  }

  /// For each element of a list the place at which it was, -1 if it was not there.
  ///
  /// Takes most memory for the shorter of the parts between what both have at either end.
  private static func partners(of now: [EventID], among was: [EventID]) -> [Int32] {
    let start = zip(was, now).prefix { $0 == $1 }.count
    let end = zip(was[start...].reversed(), now[start...].reversed()).prefix { $0 == $1 }.count
    var partners = now.indices.map { Int32($0 < start ? $0 : -1) }
    for place in 0..<end { partners[now.count - 1 - place] = Int32(was.count - 1 - place) }
    let (before, after) = (start..<was.count - end, start..<now.count - end)
    var places: [EventID: Int32] = [:]
    if before.count < after.count {
      for index in before { places[was[index]] = Int32(index) }
      for index in after { partners[index] = places[now[index]] ?? -1 }
    } else {
      for index in after { places[now[index]] = Int32(index) }
      for index in before {
        if let place = places[was[index]] { partners[Int(place)] = Int32(index) }
      }
    }
    return partners
  }

  /// Adds what became of a text: first what came, then what went, each from the end of the text, so
  /// that a place beside both stays where it was.
  private mutating func compareTexts(
    _ before: ContainerIndex, _ after: ContainerIndex, at path: JSONPointer
  ) {
    let texts = (oldTexts[before], newTexts[after])
    let isRaw = old.passages[before] == nil && new.passages[after] == nil
    guard let alignment, isRaw else {
      for edit in TextDifference(from: texts.0.utf8, to: texts.1.utf8).edits.reversed() {
        let replacement = TextReplacement(scalars: edit.deleted, text: edit.inserted.string)
        add(.splice(replacement), at: path)
      }
      return
    }
    var (place, newPlace, bothPlace) = (0, 0, 0)
    var (came, went): ([TextReplacement], [TextReplacement]) = ([], [])
    for run in alignment.edited[after] ?? [] {
      if run.isInNew, !run.isInOld {
        let text = texts.1.string(ofScalars: newPlace..<newPlace + run.count)
        came.append(TextReplacement(scalars: place..<place, text: text))
      }
      if run.isInOld, !run.isInNew {
        went.append(TextReplacement(scalars: bothPlace..<bothPlace + run.count, text: ""))
      }
      if run.isInOld { place += run.count }
      if run.isInNew { newPlace += run.count }
      if run.isInOld || run.isInNew { bothPlace += run.count }
    }
    for replacement in came.reversed() + went.reversed() { add(.splice(replacement), at: path) }
  }
}
