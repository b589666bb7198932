/// One run of events of one kind on one container, as the log keeps it.
///
/// What it names beside its container depends on its kind (``Kind/operands``). Containers, keys and
/// contents are named by their number in the log's tables, elements and slots by their event. Asking
/// for what it does not name traps in debug builds.
package struct Operation: Hashable, Sendable, BitwiseCopyable {
  /// What an operation does.
  ///
  /// The order is that of the format: an edit in a delta begins with the number of its kind, and the
  /// rows of a log have one that is less by two; see peernote(5).
  package enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Inserts `length` scalars at ``position``.
    case insertText
    /// Deletes `length` scalars at ``position``, first to last. A deletion of one scalar has this
    /// kind.
    case deleteForward
    /// Deletes `length` scalars at ``position``, last to first.
    case deleteBackward
    /// Writes a key.
    case put
    /// Removes a key.
    case remove
    /// Inserts `length` elements between two slots, each further one right of the one before.
    case insertElements
    /// Writes an element.
    case putElement
    /// Moves an element between two slots.
    case moveElement
    /// Removes an element.
    case removeElement
    /// Adds a value to a set.
    case add
    /// Discards a value of a set.
    case discard
    /// Adds an integer to a counter.
    case increment
  }

  /// What an operation names beside its container.
  package struct Operands: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// ``position`` and ``firstScalar``, in a text; nothing else then.
    static let scalars = Operands(rawValue: 1)
    /// ``key``.
    package static let key = Operands(rawValue: 2)
    /// ``element``.
    package static let element = Operands(rawValue: 4)
    /// ``left`` and ``right``.
    static let slots = Operands(rawValue: 8)
    /// ``contents``, one for each event.
    static let contents = Operands(rawValue: 16)
  }

  package var first: LocalVersion
  package var length: Int32
  /// What they do.
  package var kind: Kind
  /// To which container.
  package var container: ContainerIndex
  /// The position, the key, the element, or the slot on the left of elements that are inserted.
  private var a: Int32 = 0
  /// The number of the first scalar or content, or the slot on the left of an element's new place.
  private var b: Int32 = 0
  /// The slot on the right.
  private var c: Int32 = 0

  /// An operation whose operands are set one by one.
  @inline(__always)
  package init(first: LocalVersion, length: Int32, kind: Kind, container: ContainerIndex) {
    self.first = first
    self.length = length
    self.kind = kind
    self.container = container
  }

  package var end: LocalVersion { first + length }
  package var events: Range<LocalVersion> { first..<end }
}

// MARK: Operands

extension Operation {
  /// Where in its text the operation inserts or deletes.
  @inline(__always)
  package var position: Int32 {
    get { checked(a, .scalars) }
    set { a = checked(newValue, .scalars) }
  }

  /// How many scalars the operations before it insert, for an insertion, or else delete.
  @inline(__always)
  package var firstScalar: Int32 {
    get { checked(b, .scalars) }
    set { b = checked(newValue, .scalars) }
  }

  /// The numbers of its scalars, among all that are inserted or all that are deleted.
  @inline(__always)
  package var scalars: Range<Int32> { firstScalar..<firstScalar + length }

  /// The key that it writes or removes.
  @inline(__always)
  package var key: KeyIndex {
    get { KeyIndex(rawValue: checked(a, .key)) }
    set { a = checked(newValue.rawValue, .key) }
  }

  /// The element that it writes, moves or removes, by its insertion.
  @inline(__always)
  package var element: LocalVersion {
    get { LocalVersion(rawValue: checked(a, .element)) }
    set { a = checked(newValue.rawValue, .element) }
  }

  /// The slot on the left of where it puts elements.
  @inline(__always)
  package var left: Neighbour {
    get { Neighbour(rawValue: checked(kind == .moveElement ? b : a, .slots)) }
    set {
      let slot = checked(newValue.rawValue, .slots)
      if kind == .moveElement { b = slot } else { a = slot }
    }
  }

  /// The slot on the right of where it puts elements.
  @inline(__always)
  package var right: Neighbour {
    get { Neighbour(rawValue: checked(c, .slots)) }
    set { c = checked(newValue.rawValue, .slots) }
  }

  /// The first content that it writes, adds, discards or counts.
  @inline(__always)
  package var content: ContentIndex {
    get { ContentIndex(rawValue: checked(b, .contents)) }
    set { b = checked(newValue.rawValue, .contents) }
  }

  /// The contents of its events, none if it has none.
  @inline(__always)
  package var contents: Range<ContentIndex> {
    let first = ContentIndex(rawValue: b)
    return first..<first + (kind.operands.contains(.contents) ? length : 0)
  }

  /// The events of list elements and slots that the operation names.
  package var references: [LocalVersion] {
    var events: [LocalVersion] = []
    if kind.operands.contains(.element) { events.append(element) }
    if kind.operands.contains(.slots) { events += [left.event, right.event].compactMap(\.self) }
    return events
  }

  /// The operands as they are kept, of which those that there are not are 0.
  @inline(__always)
  var packedOperands: (a: Int32, b: Int32, c: Int32) {
    get { (a, b, c) }
    set { (a, b, c) = newValue }
  }

  /// What an operand is or is to be; traps in debug builds unless operations of this kind have it.
  @inline(__always)
  private func checked(_ value: Int32, _ operand: Operands) -> Int32 {
    assert(kind.operands.contains(operand), "an operation is asked only for what its kind names")
    return value
  }
}

extension Operation.Kind {
  /// What operations of this kind name.
  @inline(__always)
  package var operands: Operation.Operands {
    switch self {
    case .insertText, .deleteForward, .deleteBackward: .scalars
    case .put: [.key, .contents]
    case .remove: .key
    case .insertElements: [.slots, .contents]
    case .putElement: [.element, .contents]
    case .moveElement: [.element, .slots]
    case .removeElement: .element
    case .add, .discard, .increment: .contents
    }
  }

  /// Whether operations of this kind may be more than one event long.
  @inline(__always)
  package var isRun: Bool { editsText || self == .insertElements }

  /// Whether the operation edits a text.
  @inline(__always)
  package var editsText: Bool { operands == .scalars }

  /// Whether the operation deletes text.
  package var deletesText: Bool { self == .deleteForward || self == .deleteBackward }

  /// The kind of container that the operation works on.
  package var containerKind: ContainerKind {
    switch self {
    case .insertText, .deleteForward, .deleteBackward: .text
    case .put, .remove: .map
    case .insertElements, .putElement, .moveElement, .removeElement: .list
    case .add, .discard: .set
    case .increment: .counter
    }
  }
}

extension Operation {
  /// The operation's part that covers some of its events, at least one.
  @inline(__always)
  package func slice(_ part: Range<LocalVersion>) -> Operation {
    part == events ? self : cut(to: part)
  }

  private func cut(to part: Range<LocalVersion>) -> Operation {
    let skipped = part.lowerBound - first
    let left = end - part.upperBound
    var result = self
    result.first = part.lowerBound
    result.length = part.upperBound - part.lowerBound
    switch kind {
    case .insertText:
      result.position += skipped
      result.firstScalar += skipped
    case .deleteForward:
      result.firstScalar += skipped
    case .deleteBackward:
      result.position += left
      result.firstScalar += skipped
      if result.length == 1 { result.kind = .deleteForward }
    default:
      precondition(kind == .insertElements, "operations of other kinds are one event long")
      if skipped > 0 { result.left = Neighbour(part.lowerBound - 1) }
      result.content += skipped
    }
    return result
  }

  /// Takes in as many events of the operation that follows as can be written in one run with this
  /// one: none, one, or all.
  ///
  /// Events are joined greedily, one after the other, inside a chain: so the runs of a log depend
  /// on its events alone, not on how they were grouped when they were made. A single deletion has
  /// no direction; the event after it decides.
  package mutating func take(from next: Operation) -> Int32 {
    guard next.first == end, next.container == container else { return 0 }
    var taken = next.length
    switch kind {
    case .insertText:
      guard next.kind == .insertText, next.position == position + length else { return 0 }
    case .insertElements:
      guard next.kind == .insertElements, next.left == Neighbour(end - 1), next.right == right,
        next.content == content + length
      else { return 0 }
    case .deleteForward, .deleteBackward:
      guard next.kind.deletesText else { return 0 }
      let last = next.kind == .deleteBackward ? next.position + next.length - 1 : next.position
      if kind == .deleteForward, last == position {
        if next.kind == .deleteBackward { taken = 1 }
      } else if last == position - 1, kind == .deleteBackward || length == 1 {
        if next.kind == .deleteForward { taken = 1 }
        kind = .deleteBackward
        position = last - (taken - 1)
      } else {
        return 0
      }
    default:
      precondition(!kind.isRun, "all kinds of runs are joined")
      return 0
    }
    length += taken
    return taken
  }

  /// Whether ``take(from:)`` would take in some events of the operation that follows.
  package func joins(_ next: Operation) -> Bool {
    var copy = self
    return copy.take(from: next) > 0
  }
}
