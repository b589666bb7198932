/// The elements of all lists by number, in runs: what one operation inserted differs by one from
/// element to element.
///
/// Eight bytes an element, and more for those that were written, moved or removed later.
struct ElementTable: Sendable {
  /// Elements with consecutive events and contents.
  private struct Run: BitwiseCopyable {
    var firstNumber: Int32
    var first: Objects.Element
  }

  private struct Place: BitwiseCopyable {
    var run: Int32
    /// Where in ``touches`` it stands what became of the element; -1 if nothing did.
    var touch: Int32
  }

  private struct Touch: BitwiseCopyable {
    var lastWrite: Int32
    var lastMove: Int32
    var lastRemoval: Int32
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
    let number = Int32(places.count)
    if let run = runs.last {
      let offset = number - run.firstNumber
      if run.first.list == element.list, run.first.event + offset == element.event,
        run.first.content + offset == element.content
      {
        places.append(Place(run: Int32(runs.count - 1), touch: -1))
        return
      }
    }
    places.append(Place(run: Int32(runs.count), touch: -1))
    runs.append(Run(firstNumber: number, first: element))
  }
}

extension ElementTable: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { places.count }
  var count: Int { places.count }

  /// An element; only what was done to it can be changed.
  subscript(number: Int) -> Objects.Element {
    get {
      let place = places[number]
      let run = runs[Int(place.run)]
      let offset = Int32(number) - run.firstNumber
      var element = run.first
      element.event += offset
      element.content += offset
      if place.touch >= 0 {
        let touch = touches[Int(place.touch)]
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
      if places[number].touch >= 0 {
        touches[Int(places[number].touch)] = touch
      } else {
        places[number].touch = Int32(touches.count)
        touches.append(touch)
      }
    }
  }
}
