/// The slots of all lists by number, ascending by event, in runs: what one operation inserted
/// stands one right of the other.
///
/// Twelve bytes a slot, and twenty a run.
struct SlotTable: Sendable {
  /// Slots with consecutive events and elements, each made right of the one before.
  private struct Run: BitwiseCopyable {
    var firstNumber: SlotIndex
    var event: LocalVersion
    var element: ElementIndex
    @Compact var originLeft: SlotIndex?
    @Compact var originRight: SlotIndex?
  }

  private struct Place: BitwiseCopyable {
    var run: RunIndex
    /// The slots on both sides now; `nil` at the ends.
    @Compact var next: SlotIndex?
    @Compact var previous: SlotIndex?
  }

  /// The place of a run in ``runs``.
  private struct RunIndex: LogIndex {
    let rawValue: Int32

    @inline(__always)
    init(rawValue: Int32) { self.rawValue = rawValue }
  }

  private var places: [Place] = []
  private var runs: [Run] = []

  /// Makes room for this many slots in all, in so many runs.
  mutating func reserveCapacity(_ count: Int, runs runCount: Int) {
    places.reserveCapacity(count)
    runs.reserveCapacity(runCount)
  }

  /// How many bytes the slots take.
  var byteCount: Int {
    places.count * MemoryLayout<Place>.stride + runs.count * MemoryLayout<Run>.stride
  }

  /// Appends a slot.
  ///
  /// Amortized O(1).
  mutating func append(_ slot: Objects.Slot) {
    let number = endIndex
    if !continues(slot, number) {
      runs.append(
        Run(
          firstNumber: number, event: slot.event, element: slot.element,
          originLeft: slot.originLeft, originRight: slot.originRight))
    }
    places.append(
      Place(run: RunIndex(runs.count - 1), next: slot.next, previous: slot.previous))
  }

  private func continues(_ slot: Objects.Slot, _ number: SlotIndex) -> Bool {
    guard let run = runs.last else { return false }
    let offset = number - run.firstNumber
    return run.event + offset == slot.event && run.element + offset == slot.element
      && slot.originLeft == number - 1 && run.originRight == slot.originRight
  }

  /// The event that made a slot.
  func event(of number: SlotIndex) -> LocalVersion {
    let run = runs[places[number].run]
    return run.event + (number - run.firstNumber)
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
        event: run.event + offset, element: run.element + offset,
        originLeft: offset > 0 ? number - 1 : run.originLeft,
        originRight: run.originRight, next: place.next, previous: place.previous)
    }
    set {
      places[number].next = newValue.next
      places[number].previous = newValue.previous
    }
  }
}
