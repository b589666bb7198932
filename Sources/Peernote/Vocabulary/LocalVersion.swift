/// A dense index of events inside one log: its position in the log's canonical order.
///
/// Local versions are never stored as an identity; the same event has another one in another set
/// of changes. They are 32 bits wide, so a log holds at most ``maximumEventCount`` events.
///
/// Inside a tracker, negative numbers name the scalars of a placeholder
/// (``firstPlaceholder`` + n is its n-th scalar).
package typealias LocalVersion = Int32

extension LocalVersion {
  /// No event: the start or end of a sequence where a neighbour is asked for.
  package static var none: LocalVersion { .max }
  /// The name of the first scalar of a tracker's placeholder; one more than the least, so that
  /// counting down past it is safe.
  package static var firstPlaceholder: LocalVersion { .min + 1 }
  /// How many events one log can hold (2^30, a thousand million).
  package static var maximumEventCount: Int { 1 << 30 }
}

/// A set of events that is closed under "causally before" is named by its heads: those of its
/// events that no other of its events comes after, ascending.
package typealias Version = [LocalVersion]

extension Range<LocalVersion> {
  /// The part of this range that lies in `other`; empty where there is none.
  package func intersection(_ other: Range<LocalVersion>) -> Range<LocalVersion> {
    let start = Swift.max(lowerBound, other.lowerBound)
    return start..<Swift.max(start, Swift.min(upperBound, other.upperBound))
  }
}
