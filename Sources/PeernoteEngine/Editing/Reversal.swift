/// What some events of a history did, and what the document would hold without them.
///
/// Made from the state before a reversal, which ``ChangeEditor/revert(_:)`` then edits.
struct Reversal {
  /// The state that is being reverted in.
  let objects: Objects
  /// The texts of that state, by container number.
  let texts: [TextBuffer]
  /// The events to revert, as ascending ranges that don't touch.
  let excluded: [Range<LocalVersion>]
  /// Which events edit each container.
  let edits: EditedRanges
  /// What the events touched, by container number.
  private(set) var touched: [Int32: Touched] = [:]
  /// How the texts that they touched have to change.
  let textReversal: TextReversal

  /// What the events touched of one container, each once and in the order of the history.
  struct Touched {
    var keys: [Int32] = []
    var elements: [LocalVersion] = []
    var members: [Value] = []
    /// The sum of the increments.
    var amount: Int64 = 0
  }

  /// O(n log n) for n operations since the first of the events, and a walk over the texts that they
  /// edited from the last critical version before.
  init(
    of excluded: [Range<LocalVersion>], in objects: Objects, texts: [TextBuffer]
  ) throws(ReversalError) {
    self.objects = objects
    self.texts = texts
    self.excluded = excluded
    edits = objects.edits ?? EditedRanges(of: objects.log)
    var seen: Set<Thing> = []
    do throws(HistoryError) {
      textReversal = try TextReversal(of: excluded, log: objects.log, texts: texts)
      for range in excluded {
        try objects.log.forEachOperation(in: range) { note($0, seen: &seen) }
      }
    } catch {
      throw .history(error)
    }
  }

  private enum Thing: Hashable {
    case key(container: Int32, Int32)
    case element(LocalVersion)
    case member(container: Int32, Value)
  }

  private mutating func note(_ operation: Operation, seen: inout Set<Thing>) {
    let container = operation.container
    var things = touched[container] ?? Touched()
    switch operation.kind {
    case .insertText, .deleteForward, .deleteBackward:
      break
    case .put, .remove:
      if seen.insert(.key(container: container, operation.a)).inserted {
        things.keys.append(operation.a)
      }
    case .insertElements:
      for event in operation.events where seen.insert(.element(event)).inserted {
        things.elements.append(event)
      }
    case .putElement, .moveElement, .removeElement:
      if seen.insert(.element(operation.a)).inserted { things.elements.append(operation.a) }
    case .add, .discard:
      guard case .value(let value) = objects.log.contents[Int(operation.a)] else {
        preconditionFailure("a set's members are values")
      }
      if seen.insert(.member(container: container, value)).inserted {
        things.members.append(value)
      }
    case .increment:
      guard case .value(.integer(let amount)) = objects.log.contents[Int(operation.a)] else {
        preconditionFailure("a log's increments are integers")
      }
      things.amount &+= amount
    }
    touched[container] = things
  }

  /// Whether an event is being reverted.
  func isExcluded(_ event: LocalVersion) -> Bool { excluded.holds(event) }

  // MARK: Registers

  /// What a register should show; `nil` for nothing.
  ///
  /// What someone else wrote stays, and so does a container that someone else edited inside. Where
  /// one of the events decides what is shown, it is what would be shown without them.
  func wanted(_ register: Objects.Register) -> Objects.Entry? {
    if let shown = objects.resolve(register).shown {
      if !isExcluded(shown.event) || isEditedByOthers(shown) { return shown }
    }
    return objects.resolve(register, without: excluded).shown
  }

  /// Whether a write created a container inside which others than the events edited.
  private func isEditedByOthers(_ entry: Objects.Entry) -> Bool {
    guard let container = objects.container(createdBy: entry.event) else { return false }
    return !edits.areAll(inside: container, in: excluded)
  }

  /// Whether what is shown stands for what is wanted, so that nothing has to be written.
  func isSame(_ shown: Objects.Entry?, _ wanted: Objects.Entry?) -> Bool {
    guard let shown, let wanted else { return shown == nil && wanted == nil }
    if shown.event == wanted.event { return true }
    guard case .value(let left) = objects.log.contents[Int(shown.content)],
      case .value(let right) = objects.log.contents[Int(wanted.content)]
    else { return false }
    return left == right
  }

  // MARK: List elements

  /// An element by its insertion.
  func element(_ event: LocalVersion) -> Objects.Element? {
    objects.slotIndex(madeBy: event).map {
      objects.elements[Int(objects.slots[$0].element)]
    }
  }

  /// Whether an element should be shown.
  ///
  /// One that the events inserted only if someone else wrote it, or edited inside it; one that only
  /// they removed in any case.
  func isWanted(_ element: Objects.Element) -> Bool {
    if !isExcluded(element.event) {
      return objects.state(of: element, without: excluded) != .removed
    }
    if objects.state(of: element) == .removed { return false }
    for write in objects.history(from: objects.registers[Int(element.register)].lastWrite) {
      if !isExcluded(write.event) { return true }
      if let container = objects.container(createdBy: write.event),
        !edits.areAll(inside: container, in: excluded)
      {
        return true
      }
    }
    return false
  }

  /// The slot in which an element should stand.
  func wantedSlot(of element: Objects.Element) -> Int32 {
    let shown = objects.shownSlot(of: element)
    // One that the events inserted and someone else keeps stays where it is.
    if isExcluded(element.event) || !isExcluded(objects.slots[Int(shown)].event) { return shown }
    return objects.shownSlot(of: element, without: excluded)
  }
}
