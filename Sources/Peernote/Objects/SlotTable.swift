/// The slots of all lists by number, ascending by event, in runs: what one operation inserted stands
/// one right of the other, with events and contents that follow one another.
///
/// An element is named by its first slot, which its insertion made. Sixteen bytes a slot, twenty-four
/// a run, and more for elements that were written, moved or removed later.
struct SlotTable: Sendable {
  /// Elements that were inserted each right of the one before, or a place that one was moved to.
  private struct Run: BitwiseCopyable {
    var firstNumber: SlotIndex
    var event: LocalVersion
    var list: ContainerIndex
    var filling: Objects.Write.Written
    @Compact var originLeft: SlotIndex?
    @Compact var originRight: SlotIndex?
  }

  private struct Place: BitwiseCopyable {
    var run: RunIndex
    /// The slots on both sides now; `nil` at the ends.
    @Compact var next: SlotIndex?
    @Compact var previous: SlotIndex?
    /// What became of the element that was inserted here; `nil` if nothing did.
    @Compact var touch: TouchIndex? = nil
  }

  private struct Touch: BitwiseCopyable {
    @Compact var lastWrite: WriteIndex?
    @Compact var lastMove: WriteIndex?
    @Compact var lastRemoval: WriteIndex?
  }

  /// The place of a run in ``runs``.
  private struct RunIndex: LogIndex {
    let rawValue: Int32

    @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }
  }

  /// The place in ``touches`` of what became of an element.
  private struct TouchIndex: LogIndex {
    let rawValue: Int32

    @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }
  }

  private var places: [Place] = []
  private var runs: [Run] = []
  private var touches: [Touch] = []

  /// Makes room for this many slots in all, in so many runs.
  mutating func reserveCapacity(_ count: Int, runs runCount: Int) {
    places.reserveCapacity(count)
    runs.reserveCapacity(runCount)
  }

  /// How many bytes the slots take.
  var byteCount: Int {
    places.count * MemoryLayout<Place>.stride + runs.count * MemoryLayout<Run>.stride
      + touches.count * MemoryLayout<Touch>.stride
  }

  /// Appends a slot.
  ///
  /// Amortized O(1).
  mutating func append(_ slot: Objects.Slot) {
    let number = endIndex
    if !continues(slot, number) {
      runs.append(
        Run(
          firstNumber: number, event: slot.event, list: slot.list, filling: slot.filling,
          originLeft: slot.originLeft, originRight: slot.originRight))
    }
    places.append(
      Place(run: RunIndex(runs.count - 1), next: slot.next, previous: slot.previous))
  }

  private func continues(_ slot: Objects.Slot, _ number: SlotIndex) -> Bool {
    guard let run = runs.last, let content = slot.filling.content else { return false }
    let offset = number - run.firstNumber
    return run.event + offset == slot.event && run.filling.content.map { $0 + offset } == content
      && slot.originLeft == number - 1 && run.originRight == slot.originRight
  }

  /// The event that made a slot.
  func event(of number: SlotIndex) -> LocalVersion {
    let run = runs[places[number].run]
    return run.event + (number - run.firstNumber)
  }

  /// The list that a slot is in.
  func list(of number: SlotIndex) -> ContainerIndex { runs[places[number].run].list }

  /// The first slot of the element that a slot was made for.
  func firstSlot(of number: SlotIndex) -> SlotIndex {
    runs[places[number].run].filling.slot ?? number
  }

  /// The elements, in the order of their insertion.
  var elements: some Sequence<Objects.Element> {
    indices.lazy.filter { firstSlot(of: $0) == $0 }.map { self[element: $0] }
  }

  /// The element that a slot was made for; only what was done to it can be changed.
  subscript(element number: SlotIndex) -> Objects.Element {
    get {
      let number = firstSlot(of: number)
      let place = places[number]
      let run = runs[place.run]
      let offset = number - run.firstNumber
      guard let content = run.filling.content else {
        preconditionFailure("the first slot of an element is that of its insertion")
      }
      var element = Objects.Element(
        slot: number, list: run.list, event: run.event + offset, content: content + offset)
      if let number = place.touch {
        let touch = touches[number]
        element.lastWrite = touch.lastWrite
        element.lastMove = touch.lastMove
        element.lastRemoval = touch.lastRemoval
      }
      return element
    }
    set {
      let touch = Touch(
        lastWrite: newValue.lastWrite, lastMove: newValue.lastMove,
        lastRemoval: newValue.lastRemoval)
      let number = firstSlot(of: number)
      if let known = places[number].touch {
        touches[known] = touch
      } else {
        places[number].touch = TouchIndex(touches.count)
        touches.append(touch)
      }
    }
  }
}

extension SlotTable: RandomAccessCollection {
  var startIndex: SlotIndex { SlotIndex(0) }
  var endIndex: SlotIndex { SlotIndex(places.count) }
  var count: Int { places.count }

  /// A slot; only its neighbours can be changed.
  subscript(number: SlotIndex) -> Objects.Slot {
    get {
      let place = places[number]
      let run = runs[place.run]
      let offset = number - run.firstNumber
      return Objects.Slot(
        event: run.event + offset, list: run.list,
        filling: run.filling.content.map { .init($0 + offset) } ?? run.filling,
        originLeft: offset > 0 ? number - 1 : run.originLeft,
        originRight: run.originRight, next: place.next, previous: place.previous)
    }
    set {
      places[number].next = newValue.next
      places[number].previous = newValue.previous
    }
  }
}
