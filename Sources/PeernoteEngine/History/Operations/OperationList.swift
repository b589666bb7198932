/// The operations of a log in order, packed in sixteen bytes each, and eight more for insertions into
/// lists and moves.
///
/// The events of the operations tile a range from the first one on, so that an operation's length is
/// the distance to the next one's first event.
package struct OperationList: Sendable {
  /// One operation without its length.
  struct Packed: Hashable, BitwiseCopyable {
    var first: LocalVersion
    /// The container times 16, plus the kind.
    var containerAndKind: UInt32
    var a: Int32
    /// Where the rest of the operation stands, if it has one.
    var b: Int32

    @inline(__always)
    static func pack(_ container: ContainerIndex, _ kind: Operation.Kind) -> UInt32 {
      UInt32(truncatingIfNeeded: container.rawValue) << 4 | UInt32(kind.rawValue)
    }

    @inline(__always)
    func operation(end: LocalVersion, rests: SharedList<RestIndex, Rest>) -> Operation {
      let kind = kind
      let rest = kind.hasRest ? rests[number: Int(b)] : Rest(b: b, c: 0)
      var operation = Operation(
        first: first, length: end - first, kind: kind, container: container)
      operation.packedOperands = (a, rest.b, rest.c)
      return operation
    }

    @inline(__always)
    var container: ContainerIndex {
      ContainerIndex(rawValue: Int32(truncatingIfNeeded: containerAndKind >> 4))
    }

    @inline(__always)
    var kind: Operation.Kind {
      guard let kind = Operation.Kind(rawValue: UInt8(truncatingIfNeeded: containerAndKind & 15))
      else { preconditionFailure("an operation is of a known kind") }
      return kind
    }
  }

  /// What does not fit into a packed operation, if it names slots.
  struct Rest: Hashable, BitwiseCopyable {
    var b: Int32
    var c: Int32
  }

  /// The place of an operation in ``packed``.
  struct PackedIndex: LogIndex {
    let rawValue: Int32
  }

  /// The place of a rest in ``rests``.
  struct RestIndex: LogIndex {
    let rawValue: Int32
  }

  var packed = SharedList<PackedIndex, Packed>()
  /// The rests of those that have one, in order.
  private var rests = SharedList<RestIndex, Rest>()
  package internal(set) var end = LocalVersion.first

  package init() {}

  /// The first operations of this list, shared with it where they are many, in O(1) for operations
  /// that are shared, else O(count); and O(operations after them).
  package func prefix(_ count: Int) -> OperationList {
    var result = OperationList()
    result.end = first(of: count)
    result.packed = packed.prefix(count)
    result.rests = rests.prefix(restCount(ofFirst: count))
    return result
  }

  /// How many rests the first operations have, in O(operations after them); O(1) if there are none
  /// at all.
  private func restCount(ofFirst count: Int) -> Int {
    if rests.isEmpty { return 0 }
    let next = (count..<self.count).first { packed[number: $0].kind.hasRest }
    return next.map { Int(packed[number: $0].b) } ?? rests.count
  }

  /// The index of the first operation that ends after an event, in O(log operations).
  func index(endingAfter event: LocalVersion) -> Int {
    (0..<count).partitionPoint { first(of: $0 + 1) > event }
  }

  /// Makes room for this many operations in all.
  package mutating func reserve(_ count: Int) {
    packed.reserve(count)
  }

  /// Appends an operation.
  ///
  /// Precondition: it begins where the last one ends, and its container is below 2^28
  /// (``Limits/containers``).
  @inline(__always)
  package mutating func append(_ operation: Operation) {
    packed.append(pack(operation))
    end = operation.end
  }

  /// Packs an operation, and keeps its rest.
  @inline(__always)
  private mutating func pack(_ operation: Operation) -> Packed {
    let operands = operation.packedOperands
    var packed = Packed(
      first: operation.first,
      containerAndKind: Packed.pack(operation.container, operation.kind), a: operands.a,
      b: operands.b)
    if operation.kind.hasRest {
      packed.b = Int32(rests.count)
      rests.append(Rest(b: operands.b, c: operands.c))
    }
    return packed
  }

  /// Replaces the last operation.
  mutating func replaceLast(by operation: Operation) {
    if packed[number: count - 1].kind.hasRest { rests.removeLast(1) }
    let new = pack(operation)
    packed.changeLast { $0 = new }
    end = operation.end
  }

  /// Lets the last operation take in what it can of the one that follows.
  mutating func joinToLast(_ next: Operation) -> Int32 {
    var last = self[count - 1]
    let taken = last.take(from: next)
    if taken > 0 { replaceLast(by: last) }
    return taken
  }

  /// Appends the text edits of a chain of another list, as long as it holds nothing else.
  ///
  /// O(edits). The chain ends there before `end`. For each container of the other list `containers`
  /// holds its number here, if it has one. How many scalars the operations of this list insert and
  /// delete goes on with each. The index of the first operation that was not copied is returned.
  ///
  /// Precondition: nothing of the chain can be joined to the last operation.
  mutating func appendTextEdits(
    of other: OperationList, from index: Int, until end: LocalVersion,
    containers: [ContainerIndex?],
    _ counts: inout (inserted: Int32, deleted: Int32)
  ) -> Int {
    let shift = self.end - other.first(of: index)
    var next = index
    var first = other.first(of: index)
    while first < end {
      let packed = other.packed[number: next]
      let kind = packed.kind
      guard kind.editsText else { break }
      guard let container = containers[packed.container] else { break }
      let isInsertion = kind == .insertText
      self.packed.append(
        Packed(
          first: first + shift, containerAndKind: Packed.pack(container, kind), a: packed.a,
          b: isInsertion ? counts.inserted : counts.deleted))
      next += 1
      let following = other.first(of: next)
      if isInsertion {
        counts.inserted += following - first
      } else {
        counts.deleted += following - first
      }
      first = following
    }
    self.end = first + shift
    return next
  }

  /// The container that an operation edits.
  @inline(__always)
  package func container(of index: Int) -> ContainerIndex { packed[number: index].container }

  /// The first event of an operation, or one past the last event.
  @inline(__always)
  package func first(of index: Int) -> LocalVersion {
    index < count ? packed[number: index].first : end
  }
}

extension Operation.Kind {
  /// Whether operations name more than fits.
  @inline(__always)
  fileprivate var hasRest: Bool { operands.contains(.slots) }
}

extension OperationList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { packed.count }
  package var count: Int { packed.count }

  package subscript(index: Int) -> Operation {
    @inline(__always) get {
      packed[number: index].operation(end: first(of: index + 1), rests: rests)
    }
  }
}

extension OperationList: Equatable {
  package static func == (left: OperationList, right: OperationList) -> Bool {
    left.count == right.count && left.commonPrefixLength(with: right) == left.count
  }

  /// How many of the first operations are the same in another list, in O(n); O(1) for those that
  /// both share from one list.
  package func commonPrefixLength(with other: OperationList) -> Int {
    let limit = Swift.min(count, other.count)
    var index = Swift.min(limit, packed.storedOnce(with: other.packed))
    while index < limit, self[index] == other[index] { index += 1 }
    return index
  }
}
