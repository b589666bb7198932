/// The place of an event in a log, or of something in one table of a log, or of what is replayed
/// from it, or in a table with a place for each of those.
///
/// Each table has a type of its own, so that none of its indices is taken for one of another table.
package protocol LogIndex: RawRepresentable, Hashable, Strideable, Sendable, BitwiseCopyable
where RawValue == Int32, Stride == Int {
  init(rawValue: Int32)
}

extension LogIndex {
  @inline(__always)
  package init(_ index: Int) { self.init(rawValue: Int32(index)) }

  /// The place as a number.
  @inline(__always)
  package var number: Int { Int(rawValue) }

  @inline(__always)
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  @inline(__always)
  package func distance(to other: Self) -> Int { other.number - number }

  @inline(__always)
  package func advanced(by distance: Int) -> Self { Self(number + distance) }

  @inline(__always)
  package static func + (index: Self, distance: Int32) -> Self {
    Self(rawValue: index.rawValue + distance)
  }

  @inline(__always)
  package static func - (index: Self, distance: Int32) -> Self {
    Self(rawValue: index.rawValue - distance)
  }

  /// How many places after another one it comes.
  @inline(__always)
  package static func - (index: Self, other: Self) -> Int32 { index.rawValue - other.rawValue }

  @inline(__always)
  package static func += (index: inout Self, distance: Int32) { index = index + distance }

  @inline(__always)
  package static func -= (index: inout Self, distance: Int32) { index = index - distance }
}

/// The place of a key in the keys of a log.
package struct KeyIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Stands for a key that a log does not have, and where there is none.
  package static let absent = KeyIndex(rawValue: -1)
}

/// The place of a content in the contents of a log.
package struct ContentIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a container in the containers of a log.
package struct ContainerIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The document itself.
  package static let root = ContainerIndex(rawValue: 0)
}

/// The place of an agent in the agents of a log.
package struct AgentIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of an author in the authors of a log.
package struct AuthorIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a message in the messages of a log.
package struct MessageIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a change in the changes of a log.
package struct ChangeIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The first change.
  package static let first = ChangeIndex(rawValue: 0)
  /// Stands for what was there before all changes.
  static let beforeAll = ChangeIndex(rawValue: -1)
  /// Comes after all changes.
  static let afterAll = ChangeIndex(rawValue: .max)
}

/// The place of a chain in the chains of a log.
package struct ChainIndex: LogIndex {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The first chain.
  package static let first = ChainIndex(rawValue: 0)
}

/// An index or none, in as many bytes as an index takes.
@propertyWrapper
package struct Compact<Index: LogIndex>: Hashable, Sendable, BitwiseCopyable {
  /// The place; -1 for none.
  private var number: Int32

  @inline(__always)
  package init(wrappedValue: Index?) { number = wrappedValue?.rawValue ?? -1 }

  package var wrappedValue: Index? {
    @inline(__always) get { number < 0 ? nil : Index(rawValue: number) }
    @inline(__always) set { number = newValue?.rawValue ?? -1 }
  }
}

extension Array {
  /// What a table holds for one place of a log's table.
  @inline(__always)
  package subscript(index: some LogIndex) -> Element {
    get { self[index.number] }
    _modify { yield &self[index.number] }
  }
}

/// A dense index of events inside one log: its position in the log's canonical order.
///
/// Local versions are never stored as an identity; the same event has another one in another set
/// of changes. They are 32 bits wide, so a log holds at most ``maximumEventCount`` events.
///
/// Inside a tracker, negative numbers name the scalars of a placeholder
/// (``firstPlaceholder`` + n is its n-th scalar).
package struct LocalVersion: LogIndex {
  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The first event of a log.
  package static let first = LocalVersion(rawValue: 0)
  /// Stands for no event: where there is none, or for what was there before all events.
  package static let beforeAll = LocalVersion(rawValue: -1)
  /// Comes after all events.
  package static let afterAll = LocalVersion(rawValue: .max)
  /// The name of the first scalar of a tracker's placeholder; one more than the least, so that
  /// counting down past it is safe.
  package static let firstPlaceholder = LocalVersion(rawValue: .min + 1)
  /// Comes before all events and before the scalars of all placeholders.
  package static let least = LocalVersion(rawValue: .min)
  /// How many events one log can hold (2^30, a thousand million).
  package static var maximumEventCount: Int { 1 << 30 }

  /// Whether it is an event, and neither a scalar of a placeholder nor ``beforeAll``.
  @inline(__always)
  package var isEvent: Bool { rawValue >= 0 }
}

extension LocalVersion: CustomStringConvertible {
  package var description: String { "\(rawValue)" }
}

/// A set of events that is closed under "causally before" is named by its heads: those of its
/// events that no other of its events comes after, ascending.
package typealias Version = [LocalVersion]

/// What stands on one side of a place in a sequence: an event, or the sequence's start or end.
package struct Neighbour: Hashable, Sendable, BitwiseCopyable {
  /// The event; greater than any at the edge.
  let rawValue: Int32

  /// The start or the end of the sequence.
  package static var edge: Neighbour { Neighbour(rawValue: .max) }

  @inline(__always)
  init(rawValue: Int32) { self.rawValue = rawValue }

  /// An event.
  @inline(__always)
  package init(_ event: LocalVersion) { self.init(rawValue: event.rawValue) }

  /// The event; `nil` at the edge.
  @inline(__always)
  package var event: LocalVersion? { rawValue == .max ? nil : LocalVersion(rawValue: rawValue) }
}

extension Neighbour: CustomStringConvertible {
  package var description: String { event.map { "\($0)" } ?? "the edge" }
}
