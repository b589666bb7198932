import Foundation

/// What the environment sets for tests that try random things.
package enum TestSetting {
  /// The number in a variable, by its name without `PEERNOTE_`; `nil` if there is none.
  package static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment["PEERNOTE_\(name)"].flatMap { UInt64($0) }
  }

  /// The same as a count.
  package static func count(_ name: String) -> Int? { number(name).map(Int.init) }

  /// Whether a variable is set, by its name without `PEERNOTE_`.
  package static func isSet(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment["PEERNOTE_\(name)"] != nil
  }

  /// The seeds of histories or worlds: as many as `PEERNOTE_ROUNDS` says, from that of
  /// `PEERNOTE_SEED` on.
  package static func seeds(_ rounds: UInt64) -> Range<UInt64> {
    let first = number("SEED") ?? 1
    return first..<first + (number("ROUNDS") ?? rounds)
  }
}
