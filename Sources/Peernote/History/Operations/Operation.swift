/// One run of events of one kind on one container, as the log keeps it.
///
/// Containers, keys, contents and elements are named by number: `container` indexes the log's
/// containers, keys and contents index the log's tables, elements and places are local versions.
package struct Operation: Hashable, Sendable, BitwiseCopyable {
  /// What an operation does; the comments say what `a`, `b` and `c` hold.
  package enum Kind: UInt8, CaseIterable, Hashable, Sendable, BitwiseCopyable {
    /// Inserts `length` scalars at position `a`; `b` scalars are inserted by operations before it.
    case insertText
    /// Deletes `length` scalars at position `a`, first to last; `b` scalars are deleted by
    /// operations before it. A deletion of one scalar has this kind.
    case deleteForward
    /// Deletes `length` scalars at position `a`, last to first; `b` as above.
    case deleteBackward
    /// Writes key `a` with content `b`.
    case put
    /// Removes key `a`.
    case remove
    /// Inserts `length` elements with the contents from `c` on, the first between the slots `a`
    /// and `b`, each further one right of the one before.
    case insertElements
    /// Writes element `a` with content `b`.
    case putElement
    /// Moves element `a` between the slots `b` and `c`.
    case moveElement
    /// Removes element `a`.
    case removeElement
    /// Adds content `a`.
    case add
    /// Discards content `a`.
    case discard
    /// Adds the integer of content `a`.
    case increment
  }

  /// The first event.
  package var first: LocalVersion
  /// How many events.
  package var length: Int32
  /// What they do.
  package var kind: Kind
  /// To which container.
  package var container: Int32
  package var a: Int32 = 0
  package var b: Int32 = 0
  package var c: Int32 = 0

  package init(
    first: LocalVersion, length: Int32, kind: Kind, container: Int32, a: Int32 = 0, b: Int32 = 0,
    c: Int32 = 0
  ) {
    self.first = first
    self.length = length
    self.kind = kind
    self.container = container
    self.a = a
    self.b = b
    self.c = c
  }

  /// One past the last event.
  package var end: LocalVersion { first + length }
  /// The events.
  package var events: Range<LocalVersion> { first..<end }
}

extension Operation.Kind {
  /// Whether the operation edits a text.
  @inline(__always)
  package var editsText: Bool {
    switch self {
    case .insertText, .deleteForward, .deleteBackward: true
    case .put, .remove, .insertElements, .putElement, .moveElement, .removeElement, .add,
      .discard, .increment:
      false
    }
  }

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

  /// How many contents an operation of this kind and length takes from the log's table.
  package func contentCount(length: Int32) -> Int32 {
    switch self {
    case .insertElements: length
    case .put, .putElement, .add, .discard, .increment: 1
    case .insertText, .deleteForward, .deleteBackward, .remove, .moveElement, .removeElement: 0
    }
  }
}
