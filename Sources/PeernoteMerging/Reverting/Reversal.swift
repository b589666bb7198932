import PeernoteEngine

/// What some events of a history did, and what the document would hold without them.
///
/// Made from the state before a reversal, which ``Editor/revert(_:cancelled:)`` then edits.
struct Reversal {
  /// The state that is being reverted in.
  let objects: Objects
  /// The texts of that state, by container number.
  let texts: [TextBuffer]
  /// The events to revert, as ascending ranges that don't touch.
  let excluded: [Range<LocalVersion>]
  /// The events to revert but for the creations of containers that others edited inside, which
  /// stand: what registers and elements should hold is decided without these.
  let withdrawn: [Range<LocalVersion>]
  /// Those of the events that cancel each other out: where they alone make as much of a difference,
  /// the others make none, and what is shown stays.
  let cancelled: [Range<LocalVersion>]
  /// Those but for the creations of containers that others edited inside.
  let withdrawnCancelled: [Range<LocalVersion>]
  /// Whether the events that are not cancelled edited a container or something in it, by number.
  private let isEditedInside: [Bool]
  /// The list elements that the events created and that others edited inside, and what the events
  /// created in these, by container number: they stay whole.
  private let isKeptWhole: [Bool]
  /// What the events touched, by container number.
  private(set) var touched: [ContainerIndex: Touched] = [:]
  /// How the texts that they touched have to change.
  private let textReversal: TextReversal

  /// What the events touched of one container, each once and in the order of the history.
  struct Touched {
    /// Keys of a map, or elements of a list.
    var spots: [Objects.Spot] = []
    /// Values of a set.
    var members: [Value] = []
    /// The sum of the increments.
    var amount: Int64 = 0
    /// The sum of those that are not cancelled.
    var amountLeft: Int64 = 0
  }

  /// O(n log n) for n operations since the first of the events, and a walk over the texts that they
  /// edited from the last critical version before.
  init(
    of excluded: [Range<LocalVersion>], cancelled: [Range<LocalVersion>], in objects: Objects,
    texts: [TextBuffer]
  ) throws(RevertError) {
    self.objects = objects
    self.texts = texts
    let edits = objects.edits ?? EditedRanges(of: objects.log)
    let edited = edits.containersEdited(outside: excluded)
    func withdrawn(
      _ events: [Range<LocalVersion>], standing isEdited: [Bool]
    ) -> [Range<LocalVersion>] {
      let standing = zip(objects.log.containers, isEdited).compactMap {
        $1 ? $0.created..<$0.created + 1 : nil
      }
      return events.flatMap { standing.gaps(in: $0) }
    }
    self.excluded = excluded
    self.withdrawn = withdrawn(excluded, standing: edited)
    self.cancelled = cancelled
    withdrawnCancelled = withdrawn(
      cancelled, standing: edits.containersEdited(outside: cancelled))
    let left = excluded.flatMap { cancelled.gaps(in: $0) }
    isEditedInside = edits.containersEdited(outside: left.gaps(in: .first..<objects.log.graph.end))
    var isKeptWhole = [Bool](repeating: false, count: edited.count)
    for (number, container) in objects.log.containers.enumerated() {
      guard let parent = container.parent else { continue }
      let isInList = objects.log.containers[parent].kind == .list
      isKeptWhole[number] =
        excluded.holds(container.created)
        && (edited[number] && isInList || isKeptWhole[parent])
    }
    self.isKeptWhole = isKeptWhole
    textReversal = try Editor.limited(
      TextReversal(of: excluded, cancelled: cancelled, log: objects.log, texts: texts))
    var seen: Set<EditTarget> = []
    for range in excluded {
      objects.log.forEachOperation(in: range) { note($0, seen: &seen) }
    }
    if objects.edits != nil { noteSurroundings(&seen) }
  }

  private mutating func note(_ operation: Operation, seen: inout Set<EditTarget>) {
    let log = objects.log
    operation.forEachTarget(in: log) { target, _ in note(target, seen: &seen) }
    if operation.kind == .increment {
      guard case .value(.integer(let amount)) = log.contents[operation.content] else {
        preconditionFailure("a log's increments are integers")
      }
      touched[operation.container]?.amount &+= amount
      if !cancelled.holds(operation.first) {
        touched[operation.container]?.amountLeft &+= amount
      }
    }
  }

  private mutating func note(_ target: EditTarget, seen: inout Set<EditTarget>) {
    guard seen.insert(target).inserted else { return }
    var all = touched[target.container] ?? Touched()
    switch target.member {
    case .key(let key): all.spots.append(.key(target.container, key))
    case .element(let element): all.spots.append(.element(element))
    case .value(let value): all.members.append(value)
    case .whole: break
    }
    touched[target.container] = all
  }

  /// Notes the places of the containers that the events edited, and of those around them: one that
  /// was removed, and is shown because of these edits only, has to go again.
  private mutating func noteSurroundings(_ seen: inout Set<EditTarget>) {
    for edited in touched.keys.sorted() {
      var container = edited
      while let target = objects.creationTarget(of: container) {
        container = target.container
        note(target, seen: &seen)
      }
    }
  }

  /// Whether what the events did in a container stays.
  ///
  /// It is a list element that they created and others edited inside, or they created it in such an
  /// element. Text is not kept whole.
  func keepsWhole(_ container: ContainerIndex) -> Bool {
    isKeptWhole[container] && objects.log.containers[container].kind != .text
  }

  // MARK: Keys and elements

  /// What a key or an element shows now; `nil` for nothing.
  func shown(at spot: Objects.Spot) -> Objects.Entry? {
    if case .element(let insertion) = spot,
      objects.element(insertedBy: insertion).map({ objects.state(of: $0) }) == .removed
    {
      return nil
    }
    return objects.register(at: spot).flatMap { objects.resolve($0).shown }
  }

  /// What a key or an element should show without some events; `nil` for nothing.
  ///
  /// What someone else wrote and nobody replaced stays, and so does a container that someone else
  /// edited inside. Anything else gives way to what would be shown without the events: where one
  /// of them wrote, and where a container that was replaced or removed is shown in spite of that.
  func wanted(at spot: Objects.Spot, without events: [Range<LocalVersion>]) -> Objects.Entry? {
    guard let register = objects.register(at: spot) else { return nil }
    if case .element(let insertion) = spot, let element = objects.element(insertedBy: insertion),
      !isWanted(element, without: events)
    {
      return nil
    }
    if let shown = objects.resolve(register).shown, !shown.isKept,
      !events.holds(shown.event)
    {
      return shown
    }
    return objects.resolve(register, without: events).shown
  }

  /// Whether a key or an element should show the same without the events as without the cancelled
  /// ones, with the same inside.
  func isLeft(_ spot: Objects.Spot) -> Bool {
    let wanted = wanted(at: spot, without: withdrawn)
    let inside = wanted.flatMap { objects.container(createdBy: $0.event) }
    return isSame(self.wanted(at: spot, without: withdrawnCancelled), wanted)
      && inside.map { isEditedInside[$0] } != true
  }

  /// Whether what is shown stands for what is wanted, so that nothing has to be written.
  func isSame(_ shown: Objects.Entry?, _ wanted: Objects.Entry?) -> Bool {
    guard let shown, let wanted else { return shown == nil && wanted == nil }
    if shown.event == wanted.event { return true }
    guard case .value(let left) = objects.log.contents[shown.content],
      case .value(let right) = objects.log.contents[wanted.content]
    else { return false }
    return left == right
  }

  /// Whether an element should be shown: if it would be without some events.
  ///
  /// One that they inserted only if someone else wrote it, or edited inside it.
  private func isWanted(
    _ element: Objects.Element, without events: [Range<LocalVersion>]
  ) -> Bool {
    objects.history(of: element.register).contains { !events.holds($0.event) }
      && objects.state(of: element, without: events) != .removed
  }

  /// The slots into which some elements of a list have to move; none if without the events the list
  /// has the order that it has without the cancelled ones.
  func movedElements(among spots: [Objects.Spot]) -> [LocalVersion: SlotIndex] {
    var moved: [LocalVersion: SlotIndex] = [:]
    var isOrderLeft = true
    for case .element(let insertion) in spots {
      guard let element = objects.element(insertedBy: insertion) else { continue }
      let isWanted = isWanted(element, without: withdrawn)
      if isWanted != self.isWanted(element, without: withdrawnCancelled) { isOrderLeft = false }
      if !isWanted { continue }
      let slot = wantedSlot(of: element, without: excluded)
      if slot != wantedSlot(of: element, without: cancelled) { isOrderLeft = false }
      if slot != objects.shownSlot(of: element) { moved[insertion] = slot }
    }
    return isOrderLeft ? [:] : moved
  }

  /// The slot in which an element should stand without some events.
  func wantedSlot(
    of element: Objects.Element, without events: [Range<LocalVersion>]
  ) -> SlotIndex {
    let shown = objects.shownSlot(of: element)
    // One that the events inserted and someone else keeps stays where it is.
    if events.holds(element.event) || !events.holds(objects.slots[shown].event) {
      return shown
    }
    return objects.shownSlot(of: element, without: events)
  }

  // MARK: Texts

  /// The edits that take back what the events did to a text, or only those where they make another
  /// difference than the cancelled ones; throws if something is to come back that is not known any
  /// more.
  func edits(of text: ContainerIndex, onlyLeft: Bool) throws(RevertError) -> [TextEdit] {
    if let edits = textReversal.edits(of: text, onlyLeft: onlyLeft) { return edits }
    throw .redacted(objects.path(to: text).map { JSONPointer($0) })
  }
}

/// How texts have to change so that they are as without some events.
///
/// A scalar that one of the events inserted goes, if it still stands; one that they alone deleted
/// comes back where it stood.
struct TextReversal {
  private struct Edit {
    /// The edit; `nil` for an insertion of what is not known any more.
    var edit: TextEdit?
    /// Whether the events make another difference there than the cancelled ones: between two
    /// scalars that stay, and that were there before the cancelled ones.
    var isLeft = false
  }

  /// The edits of each text that the events touched, ascending.
  private var edits: [ContainerIndex: [Edit]] = [:]

  /// The edits of a text, or only those where the events make another difference than the cancelled
  /// ones; `nil` if something is to come back that is not known any more.
  func edits(of text: ContainerIndex, onlyLeft: Bool) -> [TextEdit]? {
    let wanted = (edits[text] ?? []).filter { $0.isLeft || !onlyLeft }
    let known = wanted.compactMap(\.edit)
    return known.count == wanted.count ? known : nil
  }

  /// Walks the texts that some events edited, from the last critical version before the first.
  ///
  /// Throws if an operation does not apply at its version, or a text is not as long as the history
  /// makes it.
  init(
    of excluded: [Range<LocalVersion>], cancelled: [Range<LocalVersion>], log: Log,
    texts: [TextBuffer]
  ) throws(HistoryError) {
    guard let first = excluded.first?.lowerBound else { return }
    var sides = SideRuns()
    sides.append(from: .least, .ours)
    for range in excluded {
      sides.append(from: range.lowerBound, .theirs)
      sides.append(from: range.upperBound, .ours)
    }
    let cut = log.graph.cut(after: CriticalVersions(of: log.graph).last(before: first))
    let edited = log.textChanges(after: cut.last, by: sides).filter { $0.value.isByThem }
    if edited.isEmpty { return }
    var walker = Walker(log: log, after: cut, changes: edited, texts: texts)
    try walker.walk(sides: sides)
    let bounds = (excluded + cancelled).flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
    let deleted = WalkedDeletions(of: walker, bounds: bounds)
    for container in edited.keys.sorted() {
      let text = try TextRuns(
        of: container, raw: texts[container], walker: walker, deleted: deleted)
      note(text, of: container, without: excluded, cancelled)
    }
  }

  /// Notes what the events alone inserted into a text, or deleted from it.
  private mutating func note(
    _ text: TextRuns, of container: ContainerIndex, without excluded: [Range<LocalVersion>],
    _ cancelled: [Range<LocalVersion>]
  ) {
    var found: [Edit] = []
    let firstCancelled = cancelled.first?.lowerBound ?? .afterAll
    var gap = (start: 0, isLeft: false)
    func endGap() {
      for index in gap.start..<found.count { found[index].isLeft = gap.isLeft }
      gap = (found.count, false)
    }
    for (number, run) in zip(Int32(0)..., text.runs) {
      let deletions = text.deletions[text.deletions(of: number)]
      func fate(without events: [Range<LocalVersion>]) -> (goes: Bool, returns: Bool) {
        let isInserted = events.holds(run.first)
        if deletions.isEmpty { return (isInserted, false) }
        return (
          false, !isInserted && deletions.allSatisfy { events.holds($0.event(of: run.first)) }
        )
      }
      let wanted = fate(without: excluded)
      // What was brought back may have been deleted again.
      let isCopyDeleted =
        cancelled.holds(run.first)
        && deletions.map { $0.event(of: run.first) }.contains {
          excluded.holds($0) && !cancelled.holds($0)
        }
      if isCopyDeleted || wanted != fate(without: cancelled) { gap.isLeft = true }
      let start = Int(run.start)
      if wanted.goes {
        found.append(Edit(edit: TextEdit(deleted: start..<start + Int(run.count))))
      } else if wanted.returns {
        var edit: TextEdit?
        if !run.isRedacted {
          var scalars: [UInt32] = []
          text.append(0..<run.count, of: number, to: &scalars)
          edit = TextEdit(deleted: start..<start, inserted: TextBuffer(scalars: scalars))
        }
        found.append(Edit(edit: edit))
      } else if deletions.isEmpty, run.first < firstCancelled {
        // What others inserted since may part what was brought back.
        endGap()
      }
    }
    endGap()
    edits[container] = found
  }
}
