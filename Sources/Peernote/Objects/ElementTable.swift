/// The elements of all lists by number, in runs: what one operation inserted differs by one from
/// element to element.
///
/// Eight bytes an element, and more for those that were written, moved or removed later.
struct ElementTable: Sendable {
  /// Elements with consecutive events and contents.
  private struct Run: BitwiseCopyable {
    var firstNumber: ElementIndex
    var first: Objects.Element
  }

  private struct Place: BitwiseCopyable {
    var run: RunIndex
    /// What became of the element; `nil` if nothing did.
    @Compact var touch: TouchIndex?
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

  /// Makes room for this many elements in all.
  mutating func reserveCapacity(_ count: Int) {
    places.reserveCapacity(count)
  }

  /// How many bytes the elements take.
  var byteCount: Int {
    places.count * MemoryLayout<Place>.stride + runs.count * MemoryLayout<Run>.stride
      + touches.count * MemoryLayout<Touch>.stride
  }

  /// Appends an element to which nothing was done yet.
  ///
  /// Amortized O(1).
  mutating func append(_ element: Objects.Element) {
    let number = endIndex
    if let run = runs.last {
      let offset = number - run.firstNumber
      if run.first.list == element.list, run.first.event + offset == element.event,
        run.first.content + offset == element.content
      {
        places.append(Place(run: RunIndex(runs.count - 1), touch: nil))
        return
      }
    }
    places.append(Place(run: RunIndex(runs.count), touch: nil))
    runs.append(Run(firstNumber: number, first: element))
  }
}

extension ElementTable: RandomAccessCollection {
  var startIndex: ElementIndex { ElementIndex(0) }
  var endIndex: ElementIndex { ElementIndex(places.count) }
  var count: Int { places.count }

  /// An element; only what was done to it can be changed.
  subscript(number: ElementIndex) -> Objects.Element {
    get {
      let place = places[number]
      let run = runs[place.run]
      let offset = number - run.firstNumber
      var element = run.first
      element.event += offset
      element.content += offset
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
      if let known = places[number].touch {
        touches[known] = touch
      } else {
        places[number].touch = TouchIndex(touches.count)
        touches.append(touch)
      }
    }
  }
}
