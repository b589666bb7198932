package import Peernote

extension Review {
  /// The review of some documents.
  ///
  /// Where nothing is merged, what stood at places before is looked for only if it is to be whole. A few
  /// walks over the history of each, and O(n log n) for the content.
  package init(of documents: [ReviewedDocument], isWhole: Bool = true) throws(DocumentError) {
    var places: [Place] = []
    for (number, document) in documents.enumerated() {
      var finder = PlaceFinder(
        document: document, number: number, root: document.merged.root,
        texts: TextsByLine(of: document.merged))
      try finder.findContested(isWhole: isWhole)
      try finder.findChanges()
      places += finder.places
    }
    self.init(of: documents, places)
  }
}

private struct PlaceFinder {
  let document: ReviewedDocument
  let number: Int
  let root: DocumentNode
  var contested: [Review.Place] = []
  var changes: [Review.Place] = []
  var texts: TextsByLine
  /// The document as changes that made a side left it.
  var versions: [[ChangeID]: Document] = [:]

  /// All places in the order of the content.
  var places: [Review.Place] {
    func rank(_ number: Int, _ place: Review.Place) -> (Int, Int, Int) {
      (place.isOfRemoval ? 0 : 1, place.scalars?.lowerBound ?? 0, number)
    }
    return (contested + changes).enumerated().sorted { left, right in
      left.element.path == right.element.path
        ? rank(left.offset, left.element) < rank(right.offset, right.element)
        : left.element.path.precedes(right.element.path)
    }.map(\.element)
  }

  // MARK: What is contested

  mutating func findContested(isWhole: Bool) throws(DocumentError) {
    let conflicts = document.merged.conflicts(identityKeys: document.identityKeys)
    if conflicts.isEmpty { return }
    let before: [EarlierContent]
    if let parting = document.parting {
      var reader = EarlierContentReader(
        of: document.merged, since: parting, identityKeys: document.identityKeys)
      before = conflicts.map { reader.content(before: $0) }
    } else {
      before = try document.merged.earlierContent(
        of: conflicts, identityKeys: document.identityKeys
      ) { isWhole || $0.kind == .moved }
    }
    for (conflict, before) in zip(conflicts, before) {
      var place = Review.Place(
        document: number, conflict: conflict, path: conflict.path, scalars: conflict.scalars,
        line: conflict.line, name: PlaceName(of: conflict.path, in: root), before: before,
        shown: conflict.kept.node)
      place.around = texts.sentence(around: conflict)
      place.choices = choices(of: conflict, before, own: try own(conflict))
      contested.append(place)
    }
  }

  /// The sides that the reader's own copy has.
  ///
  /// It holds the changes of each. Where git had a difference applied, both sides may have been made
  /// anew: then it is the one that left there what the copy shows.
  private mutating func own(_ conflict: Conflict) throws(DocumentError) -> [Int] {
    guard let mine = document.mine else { return [] }
    let changes = conflict.sides.map(\.changes)
    let held = changes.indices.filter { changes[$0].contains(where: mine.contains) }
    guard held.isEmpty, let steps = document.merged.steps(to: conflict.path),
      let shown = mine.node(at: steps)
    else { return held }
    for names in changes where versions[names] == nil {
      versions[names] = try document.merged.at(version: names)
    }
    return changes.indices.filter { versions[changes[$0]]?.node(at: steps) == shown }
  }

  private func choices(
    of conflict: Conflict, _ before: EarlierContent, own: [Int]
  ) -> [Review.Choice] {
    let keys = document.identityKeys
    let names = conflict.sideNames
    let taken = conflict.taken(since: before.node)
    let count = conflict.sides.count
    var choices = conflict.sides.enumerated().compactMap { number, side in
      conflict.resolution(taking: .side(side), since: before.node, identityKeys: keys).map {
        Review.Choice(
          key: names[number], side: side, isMine: own == [number] && count > 1,
          isTheirs: own.count == count - 1 && !own.contains(number) && !own.isEmpty,
          content: taken.sides[number].node, resolution: $0)
      }
    }
    if let united = conflict.resolution(taking: .all, identityKeys: keys) {
      let content: DocumentNode? =
        switch united.outcome {
        case .content(let node), .element(nil, let node): node
        case .reading(_, let text), .passage(_, let text): .text(text)
        case .staying, .untouched, .element, .moved, .allElements: conflict.kept.node
        }
      choices.append(Review.Choice(key: "both", content: content, resolution: united))
    }
    // What one side has kept is that side.
    if let node = before.node, !choices.contains(where: { $0.content == node }),
      let resolution = conflict.resolution(taking: .content(node))
    {
      choices.append(Review.Choice(key: "before", content: node, resolution: resolution))
    }
    return choices
  }

  // MARK: What nobody contests

  mutating func findChanges() throws(DocumentError) {
    guard let parting = document.parting else { return }
    // What the reader's own copy has does not come in.
    let mine = document.mine.flatMap { $0.heads.allSatisfy(document.merged.contains) ? $0 : nil }
    let since = mine ?? parting
    let conflicts = contested.compactMap(\.conflict)
    let moved = Set(conflicts.flatMap(\.movedElements))
    // What moves in a list is named by that, of which nothing else is contested with it.
    let paths = conflicts.flatMap { ($0.kind == .moved ? [] : [$0.path]) + $0.elements }
    var reader = EarlierContentReader(
      of: document.merged, since: since, identityKeys: document.identityKeys)
    var edited: [(change: PlaceChange, old: String, lines: TextLines, hunks: [TextLines.Hunk])] = []
    for change in document.merged.places(changedSince: since).places
    where !isPart(change, of: paths, moved) {
      guard let old = change.texts?.old else {
        add(change)
        continue
      }
      guard let lines = texts.lines(change.path) else { continue }
      let passages = conflicts.filter { $0.path == change.path }.compactMap { conflict in
        conflict.scalars.map { ($0, before: reader.content(before: conflict)) }
      }
      let hunks = lines.hunks(from: old, besides: passages)
      if !hunks.isEmpty { edited.append((change, old, lines, hunks)) }
    }
    if edited.isEmpty { return }
    let byCopies = Dictionary(
      grouping: document.copies.flatMap { $0.places(changedSince: parting).places }, by: \.steps)
    let origins = try document.merged.passages(ofTextsAt: edited.map(\.change.path))
    for ((change, old, lines, hunks), passages) in zip(edited, origins) {
      let parts = hunks.flatMap { hunk in
        lines.parted(hunk) { scalars in
          Set(writings(of: [scalars], passages ?? [], since: since).flatMap(\.authors))
        }
      }
      for hunk in parts {
        var part = change
        (part.old, part.new) = (.text(hunk.lines.old), .text(hunk.lines.new))
        var deeds = writings(of: hunk.parts, passages ?? [], since: since)
        if deeds.isEmpty {
          // Who only deleted left nothing there: it is whose copy lacks the lines.
          deeds = (byCopies[change.steps] ?? []).filter { copy in
            guard let new = copy.texts?.new else { return false }
            return ChangedLines.find(from: old, to: new).contains { $0.meets(hunk.lines) }
          }.map { ($0.authors, $0.time) }
        }
        if !deeds.isEmpty {
          part.authors = deeds.flatMap(\.authors).distinct
          part.time = deeds.compactMap(\.time).max()
        }
        add(part, at: hunk.scalars, canBeLeftOut: !hunk.touchesPassage)
      }
    }
  }

  /// Takes a change, of a text some lines of it.
  private mutating func add(
    _ change: PlaceChange, at scalars: Range<Int>? = nil, canBeLeftOut: Bool = true
  ) {
    var place = Review.Place(
      document: number, change: change, path: change.path, scalars: scalars, name: change.name,
      before: .known(change.old), shown: change.new)
    if place.isOfRemoval, let home = change.home { place.path = home }
    if let scalars { place.line = texts.lines(change.path)?.line(of: scalars.lowerBound) }
    if canBeLeftOut {
      var choice = Review.Choice(key: "before", content: change.old)
      if let scalars, case .text(let old)? = change.old {
        choice.resolution = Resolution(path: change.path, outcome: .passage(scalars, old))
      }
      place.choices = [choice]
    }
    changes.append(place)
  }

  /// Whether a change is part of what is contested, or holds it.
  private func isPart(
    _ change: PlaceChange, of contested: [JSONPointer], _ moved: Set<EventID>
  ) -> Bool {
    let path = change.home ?? change.path
    return switch (change.kind, change.steps.last) {
    case (.moved, .element(let name)?), (.removed, .element(let name)?):
      // What is inside may be contested for itself.
      moved.contains(name) || contested.contains { path.parent.isInside($0) }
    case (.text, _): contested.contains { path.isInside($0) && path != $0 }
    default: contested.contains { path.isInside($0) || $0.isInside(path) }
    }
  }

  /// Who wrote what came since into parts of a text, and when, the last one first.
  private func writings(
    of parts: [Range<Int>], _ passages: [(end: Int32, change: ChangeIndex)], since: Document
  ) -> [(authors: [String], time: Timestamp?)] {
    let numbers = parts.flatMap { scalars in
      let first = passages.partitionPoint { Int($0.end) > scalars.lowerBound }
      let last = passages.partitionPoint { Int($0.end) >= scalars.upperBound }
      return passages[first..<min(last + 1, passages.count)].map(\.change.number)
    }
    return Set(numbers).map { document.merged.changes[$0] }.filter { !since.contains($0.id) }
      .sorted { ($0.time, $0.id) > ($1.time, $1.id) }.map { ([$0.author], $0.time) }
  }
}

extension PlaceChange {
  /// The element of a list that came, went or moved; `nil` if something else happened.
  var shifted: EventID? {
    guard [.added, .removed, .moved].contains(kind), case .element(let element)? = steps.last
    else { return nil }
    return element
  }
}

extension Review.Place {
  /// What leaves the change out, unless an element of a list is to be shifted for that; `nil` for what
  /// is contested, and for lines of a text.
  var reversal: Patch? {
    guard let change, change.shifted == nil else { return nil }
    let action: Patch.Action? =
      switch (change.kind, change.old, change.new) {
      case (.added, _, _): .remove
      case (.removed, let node?, _), (.replaced, let node?, _): .put(node)
      case (.memberAdded, _, .value(let value)?): .discard(value)
      case (.memberRemoved, .value(let value)?, _): .add(value)
      case (.counted, .counter(let old)?, .counter(let new)?): .increment(by: old &- new)
      case (_, _, _): nil
      }
    return action.map { Patch(path: path, action: $0) }
  }
}
