/// The chains of a graph, in canonical order.
///
/// Copies of a document mostly have a long history in common: the first chains can be shared with
/// another list, without copying them.
package struct ChainList: Sendable {
  /// Begins with the shared chains; what comes after them is not this list's.
  private var shared: [Chain] = []
  private var sharedCount = 0
  /// The chains after the shared ones.
  private(set) var own: [Chain] = []

  package init() {}

  /// The first chains of this list, shared with it where they are many.
  ///
  /// O(1) for chains that are shared, else O(count).
  func prefix(_ count: Int) -> ChainList {
    var result = ChainList()
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

  /// Makes room for this many chains in all.
  mutating func reserve(_ count: Int) {
    own.reserveCapacity(Swift.max(0, count - sharedCount))
  }

  mutating func append(_ chain: Chain) { own.append(chain) }

  /// Appends chains that `body` writes into room for this many.
  mutating func append<Failure: Error>(
    addingCapacity room: Int, _ body: (inout OutputSpan<Chain>) throws(Failure) -> Void
  ) throws(Failure) {
    try own.append(addingCapacity: room, initializingWith: body)
  }

  /// Changes the last chain.
  ///
  /// Precondition: there is one.
  mutating func changeLast(_ body: (inout Chain) -> Void) {
    if own.isEmpty {
      // A shared chain is not changed in place.
      sharedCount -= 1
      own.append(shared[sharedCount])
    }
    body(&own[own.count - 1])
  }

  /// Takes off the last chains, none of which is shared.
  mutating func removeLast(_ number: Int) { own.removeLast(number) }

  /// The chains from an index on, none of which is shared; their own indices begin anywhere.
  func unshared(from index: ChainIndex) -> ArraySlice<Chain> {
    own[(index.number - sharedCount)...]
  }

  /// Calls `body` with the first chains, in order.
  @inline(__always)
  func forEach(ofFirst number: Int, _ body: (Chain) -> Void) {
    for chain in shared[..<Swift.min(number, sharedCount)] { body(chain) }
    for chain in own[..<Swift.max(0, number - sharedCount)] { body(chain) }
  }

  /// The index of the chain that holds an event.
  ///
  /// O(log chains).
  ///
  /// Precondition: one of them holds it.
  func index(of event: LocalVersion) -> ChainIndex {
    ChainIndex((0..<count).partitionPoint { self[number: $0].start > event } - 1)
  }

  /// How many of the first chains stand in the same memory as another list's.
  ///
  /// O(1).
  func storedOnce(with other: ChainList) -> Int { leading.storedOnce(with: other.leading) }

  private var leading: ArraySlice<Chain> { sharedCount > 0 ? shared[..<sharedCount] : own[...] }
}

extension ChainList: RandomAccessCollection {
  package var startIndex: ChainIndex { .first }
  package var endIndex: ChainIndex { ChainIndex(count) }
  package var count: Int { sharedCount + own.count }

  package subscript(index: ChainIndex) -> Chain {
    @inline(__always) get { self[number: index.number] }
  }

  private subscript(number number: Int) -> Chain {
    @inline(__always) get {
      number < sharedCount ? shared[number] : own[number - sharedCount]
    }
  }
}

extension ChainList: Hashable {
  package static func == (left: ChainList, right: ChainList) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  package func hash(into hasher: inout Hasher) {
    for chain in self { hasher.combine(chain) }
  }
}
