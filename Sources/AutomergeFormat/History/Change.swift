internal import PeernoteDigest
internal import PeernoteJSON

/// A change: operations that one actor made together, and what they were made upon.
package struct Change: Sendable {
  package internal(set) var hash = ChangeHash([])
  /// The actor's number in the history.
  package internal(set) var actor: UInt32
  /// The place among the actor's changes, from 1.
  package internal(set) var sequence: Int
  /// The counter of the first operation.
  package internal(set) var firstCounter: UInt32
  /// The operations in the history's table.
  package internal(set) var operations = 0..<0
  /// When it was made, in seconds since 1970; 0 if that is not known.
  package internal(set) var time: Int64
  /// A message as UTF-8, empty if there is none.
  package internal(set) var message: [UInt8]
  /// The changes that it was made upon.
  package internal(set) var dependencies: [ChangeHash] = []
  /// Bytes behind the operations, which mean nothing to this version.
  var extra: [UInt8] = []
  /// The body of the chunk, if writing the change anew would give other bytes and so another hash.
  var verbatim: [UInt8]?

  /// Whether the bytes that its hash is of are others than those that are written of such a change.
  package var isUnusual: Bool { verbatim != nil }

  /// The name of its operation at a place of the table.
  func id(ofOperation place: Int) -> OperationID {
    OperationID(
      counter: firstCounter + UInt32(place - operations.lowerBound), actor: actor)
  }

  /// The counter of the last operation; one less than that of the first if there is none.
  var lastCounter: UInt32 { firstCounter &+ UInt32(operations.count) &- 1 }
}

/// The SHA-256 that names a change.
package struct ChangeHash: Hashable, Comparable, Sendable {
  /// How many bytes it has.
  package static let size = 32

  private let high, low: UInt128

  /// Takes 32 bytes for a hash.
  package init(_ bytes: some Sequence<UInt8>) {
    var (high, low): (UInt128, UInt128) = (0, 0)
    for byte in bytes { (high, low) = (high << 8 | low >> 120, low << 8 | UInt128(byte)) }
    (self.high, self.low) = (high, low)
  }

  /// Hashes the chunk that a body would stand in: type, length and body.
  init(ofChunk type: UInt8, body: ArraySlice<UInt8>) {
    var head = [type]
    head.append(unsigned: UInt64(body.count))
    var hash = SHA256()
    hash.update(head)
    hash.update(body)
    self.init(hash.finalize())
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    (0..<Self.size).map {
      UInt8(truncatingIfNeeded: ($0 < 16 ? high : low) >> (120 - 8 * ($0 & 15)))
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ChangeHash: CustomStringConvertible {
  /// 64 hexadecimal digits.
  package var description: String { hexadecimal(bytes) }

  /// The first twelve digits, for people.
  package var shortText: String { String(description.prefix(12)) }
}

/// Which changes were made upon which: for each change how many of each actor's changes came before
/// it, which are the first ones of each.
package struct ChangeClocks: Sendable {
  private let history: AutomergeHistory
  private let actorCount: Int
  /// By change, the counts for all actors.
  private var counts: [Int32]

  /// The most counts: 67,108,864, which is 256 MiB.
  static let limit = 1 << 26

  /// Goes through a history: O(changes · actors), which has a limit.
  package init(_ history: AutomergeHistory) throws(AutomergeError) {
    self.history = history
    actorCount = history.actors.actors.count
    let links = history.parents.reduce(0) { $0 + $1.count }
    guard max(history.changes.count, links / 16) <= Self.limit / max(1, actorCount) else {
      throw AutomergeError(
        .limit, "too many changes by too many actors: \(history.changes.count), \(actorCount)")
    }
    counts = Array(repeating: 0, count: history.changes.count * actorCount)
    for number in history.order {
      let row = number * actorCount
      for parent in history.parents[number] {
        let other = Int(parent) * actorCount
        for actor in 0..<actorCount where counts[other + actor] > counts[row + actor] {
          counts[row + actor] = counts[other + actor]
        }
      }
      let change = history.changes[number]
      counts[row + Int(change.actor)] = Int32(change.sequence)
    }
  }

  /// Whether a change was made upon another one, or is it.
  package func isMade(_ change: Int, upon other: Int) -> Bool {
    let earlier = history.changes[other]
    return counts[change * actorCount + Int(earlier.actor)] >= Int32(earlier.sequence)
  }
}
