/// A table whose first elements may be those of another one, without copying them: copies of a
/// document mostly have a long history in common.
package struct SharedList<Index: LogIndex, Element: Hashable & Sendable>: Sendable {
  /// Begins with the shared elements; what comes after them is not this list's.
  private var shared: [Element] = []
  private var sharedCount = 0
  /// The elements after the shared ones.
  private var own: [Element] = []

  /// The first elements of this list, shared with it where they are many; O(1) for elements that
  /// are shared, else O(count).
  func prefix(_ count: Int) -> SharedList {
    var result = SharedList()
    let stored = sharedCount == 0 ? own : shared
    let leading = sharedCount == 0 ? count : Swift.min(sharedCount, count)
    if leading == count, count < stored.count / 2 {
      // To share the few would keep the many in memory.
      result.own = Array(stored[..<count])
      return result
    }
    (result.shared, result.sharedCount) = (stored, leading)
    result.own = Array(own[..<(count - leading)])
    return result
  }

  mutating func reserve(_ count: Int) {
    own.reserveCapacity(Swift.max(0, count - sharedCount))
  }

  @inline(__always)
  mutating func append(_ element: Element) { own.append(element) }

  /// Appends elements that `body` writes into room for this many.
  @inline(__always)
  mutating func append<Failure: Error>(
    addingCapacity room: Int, _ body: (inout OutputSpan<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    try own.append(addingCapacity: room, initializingWith: body)
  }

  /// Changes the last element of a list that has one.
  mutating func changeLast(_ body: (inout Element) -> Void) {
    if own.isEmpty {
      // A shared element is not changed in place.
      sharedCount -= 1
      own.append(shared[sharedCount])
    }
    body(&own[own.count - 1])
  }

  mutating func removeLast(_ number: Int) {
    let own = Swift.min(number, own.count)
    self.own.removeLast(own)
    sharedCount -= number - own
  }

  /// The elements from an index on, none of which is shared; their own indices begin anywhere.
  func unshared(from index: Index) -> ArraySlice<Element> {
    own[(index.number - sharedCount)...]
  }

  /// Calls `body` with the first elements, in order.
  @inline(__always)
  func forEach(ofFirst number: Int, _ body: (Element) -> Void) {
    for element in shared[..<Swift.min(number, sharedCount)] { body(element) }
    for element in own[..<Swift.max(0, number - sharedCount)] { body(element) }
  }

  /// How many of the first elements stand in the same memory as another list's; O(1).
  func storedOnce(with other: SharedList) -> Int { leading.storedOnce(with: other.leading) }

  private var leading: ArraySlice<Element> {
    sharedCount > 0 ? shared[..<sharedCount] : own[...]
  }
}

extension SharedList: RandomAccessCollection {
  package var startIndex: Index { Index(0) }
  package var endIndex: Index { Index(count) }
  package var count: Int { sharedCount + own.count }

  package var last: Element? { own.last ?? (sharedCount > 0 ? shared[sharedCount - 1] : nil) }

  package subscript(index: Index) -> Element {
    @inline(__always) get { self[number: index.number] }
  }

  package subscript(number number: Int) -> Element {
    @inline(__always) get {
      number < sharedCount ? shared[number] : own[number - sharedCount]
    }
  }
}

extension SharedList: Hashable {
  package static func == (left: SharedList, right: SharedList) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  package func hash(into hasher: inout Hasher) {
    for element in self { hasher.combine(element) }
  }
}
