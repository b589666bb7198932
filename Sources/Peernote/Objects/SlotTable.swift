/// The slots of all lists by number, ascending by event, in runs: what one operation inserted
/// stands one right of the other.
///
/// Twelve bytes a slot, and twenty a run.
struct SlotTable: Sendable {
  /// Slots with consecutive events and elements, each made right of the one before.
  private struct Run: BitwiseCopyable {
    var firstNumber: Int32
    var event: LocalVersion
    var element: Int32
    var originLeft: Int32
    var originRight: Int32
  }

  private struct Place: BitwiseCopyable {
    var run: Int32
    /// The slots on both sides now; -1 at the ends.
    var next: Int32
    var previous: Int32
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
    let number = Int32(places.count)
    var run = Int32(runs.count - 1)
    if !continues(slot, number) {
      run += 1
      runs.append(
        Run(
          firstNumber: number, event: slot.event, element: slot.element,
          originLeft: slot.originLeft, originRight: slot.originRight))
    }
    places.append(Place(run: run, next: slot.next, previous: slot.previous))
  }

  private func continues(_ slot: Objects.Slot, _ number: Int32) -> Bool {
    guard let run = runs.last else { return false }
    let offset = number - run.firstNumber
    return run.event + offset == slot.event && run.element + offset == slot.element
      && slot.originLeft == number - 1 && run.originRight == slot.originRight
  }

  /// The event that made a slot.
  func event(of number: Int) -> LocalVersion {
    let run = runs[Int(places[number].run)]
    return run.event + (Int32(number) - run.firstNumber)
  }
}

extension SlotTable: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { places.count }
  var count: Int { places.count }

  /// A slot; only its neighbours can be changed.
  subscript(number: Int) -> Objects.Slot {
    get {
      let place = places[number]
      let run = runs[Int(place.run)]
      let offset = Int32(number) - run.firstNumber
      return Objects.Slot(
        event: run.event + offset, element: run.element + offset,
        originLeft: offset > 0 ? Int32(number) - 1 : run.originLeft,
        originRight: run.originRight, next: place.next, previous: place.previous)
    }
    set {
      places[number].next = newValue.next
      places[number].previous = newValue.previous
    }
  }
}
