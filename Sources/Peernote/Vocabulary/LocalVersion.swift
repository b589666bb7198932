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
  static let afterAll = LocalVersion(rawValue: .max)
  /// The name of the first scalar of a tracker's placeholder; one more than the least, so that
  /// counting down past it is safe.
  package static let firstPlaceholder = LocalVersion(rawValue: .min + 1)
  /// Comes before all events and before the scalars of all placeholders.
  static let least = LocalVersion(rawValue: .min)
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
