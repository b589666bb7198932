import PeernoteTestSupport

/// A history among several people, told in bytes of which any make sense, and laws to try on it.
///
/// The first byte chooses what people write (a ``HistoryProfile``), the second how many they are,
/// the third a law. Then comes what they do, four bytes a step: who does what, with whom or how
/// much, and two bytes from which all else is drawn.
package struct HistoryFrame {
  /// The history.
  private let history: History
  private let laws: [Law]

  /// The most steps of a history; more take long and add little.
  private static let stepLimit = 40

  /// Takes any bytes for a frame.
  package init(_ bytes: [UInt8]) {
    let header = Array(bytes.prefix(3)) + [0, 0, 0]
    let profile = HistoryProfile.all[Int(header[0]) % HistoryProfile.all.count]
    let replicas = 2 + Int(header[1]) % 4
    var script = Script(seed: UInt64(header[1]), profile: profile)
    script.replicas = replicas
    script.steps = []
    var rest = bytes.dropFirst(3)
    while rest.count >= 4, script.steps.count < Self.stepLimit {
      script.steps.append(Self.step(Array(rest.prefix(4)), replicas: replicas))
      rest = rest.dropFirst(4)
    }
    history = History(script: script, profile: profile)
    // Merging is tried always, beside one law of all.
    laws = [Law.merging, Law.all[Int(header[2]) % Law.all.count]]
  }

  private static func step(_ bytes: [UInt8], replicas: Int) -> Step {
    let replica = Int(bytes[0] >> 3) % replicas
    let choice = Int(bytes[1])
    let salt = UInt64(bytes[2]) << 8 | UInt64(bytes[3])
    switch bytes[0] % 8 {
    case 0: return .save(replica: replica)
    case 1: return choice % 2 == 0 ? .session(replica: replica) : .gather
    case 2, 3, 4:
      let other = (replica + 1 + choice % (replicas - 1)) % replicas
      let extent: Step.Extent =
        switch (choice >> 4) % 3 {
        case 0: .save(salt: salt)
        case 1: .part(salt: salt)
        default: .whole
        }
      return .merge(into: replica, from: other, extent: extent)
    default: return .edit(replica: replica, edits: 1 + choice % 4, salt: salt)
    }
  }

  /// One clause for each law that is broken.
  package var faults: [String] { Law.faults(of: laws, in: history) }

  /// A frame by its number.
  package static func bytes(_ number: Int) -> [UInt8] {
    var random = SplitMix64(seed: UInt64(number))
    return [UInt8(number % HistoryProfile.all.count), UInt8(random.below(4)), UInt8(number)]
      + (0..<4 * (4 + number % 13)).map { _ in UInt8(random.below(256)) }
  }
}
