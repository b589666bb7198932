/// A binary heap of events with a mark, the greatest event first.
///
/// Each entry is one word, so that comparing and moving entries is cheap.
struct VersionQueue: Sendable {
  /// An event on the way through the graph, with its chain and a mark.
  struct Entry: BitwiseCopyable {
    /// The event, below it the chain that holds it, below that two bits of mark.
    fileprivate var bits: UInt64

    @inline(__always)
    init(_ event: LocalVersion, chain: ChainIndex, side: UInt8) {
      bits =
        UInt64(truncatingIfNeeded: event.rawValue) << 32
        | UInt64(truncatingIfNeeded: chain.rawValue) << 2 | UInt64(side)
    }

    @inline(__always)
    var event: LocalVersion {
      LocalVersion(rawValue: Int32(truncatingIfNeeded: bits >> 32))
    }
    @inline(__always)
    var chain: ChainIndex {
      ChainIndex(rawValue: Int32(truncatingIfNeeded: (bits & 0xFFFF_FFFF) >> 2))
    }
    @inline(__always)
    var side: UInt8 { UInt8(truncatingIfNeeded: bits & 3) }
  }

  private var heap: [Entry] = []

  @inline(__always)
  var isEmpty: Bool { heap.isEmpty }

  /// The entry of the greatest event, which ``pop()`` would return.
  @inline(__always)
  var greatest: Entry? { heap.first }

  /// Forgets all, and keeps the memory.
  mutating func removeAll() {
    heap.removeAll(keepingCapacity: true)
  }

  /// Adds to the mark of the greatest event.
  ///
  /// Precondition: the queue is not empty.
  @inline(__always)
  mutating func markGreatest(_ side: UInt8) {
    heap[0].bits |= UInt64(side)
  }

  /// Adds an event.
  ///
  /// O(log n).
  @inline(__always)
  mutating func push(_ event: LocalVersion, chain: ChainIndex, _ side: UInt8) {
    let entry = Entry(event, chain: chain, side: side)
    var place = heap.count
    heap.append(entry)
    if place == 0 { return }
    var heap = self.heap.mutableSpan
    while place > 0 {
      let above = (place - 1) / 2
      if heap[above].bits >= entry.bits { break }
      heap[place] = heap[above]
      place = above
    }
    heap[place] = entry
  }

  /// Removes the entry of the greatest event.
  ///
  /// O(log n).
  @inline(__always)
  mutating func pop() -> Entry? {
    guard let last = heap.popLast() else { return nil }
    if heap.isEmpty { return last }
    var heap = self.heap.mutableSpan
    let result = heap[0]
    var place = 0
    while true {
      var child = 2 * place + 1
      if child >= heap.count { break }
      if child + 1 < heap.count, heap[child + 1].bits > heap[child].bits { child += 1 }
      if last.bits >= heap[child].bits { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
    return result
  }
}
