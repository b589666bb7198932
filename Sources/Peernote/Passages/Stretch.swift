/// A stretch of a text with its history: what the passages in it are a function of.
///
/// Nothing that stands outside matters to it: it lies between two lines that all changes know of.
struct Stretch {
  /// One scalar that was ever inserted in the stretch, deleted ones included, in the order of the
  /// text.
  struct Unit {
    /// The scalar; beyond Unicode for one whose text was redacted.
    var scalar: UInt32
    /// The change that inserted it; -1 for what all changes have seen.
    var insertedBy: Int32
    /// The changes that deleted it.
    var deletedBy = ChangeSet()

    /// What is redacted is left out of every reading that is written.
    var isRedacted: Bool { scalar == Self.redacted }

    /// Stands for any scalar that was redacted.
    static let redacted = UInt32.max
    /// Stands for the first passage of an earlier round; the next ones have the next numbers.
    static let firstAtom: UInt32 = 0x110000
  }

  /// All scalars.
  var units: [Unit] = []
  /// The readings of the passages of earlier rounds, by the scalar that stands for each.
  var passages: [UInt32: [[UInt32]]] = [:]
  /// For each change those that it has seen, itself included.
  var past: [ChangeSet] = []
  /// For each change its place among all by time, then Lamport, then agent, as for registers.
  var rank: [Int] = []

  /// All changes.
  var all: ChangeSet { ChangeSet(below: past.count) }

  /// Whether a scalar is visible in the union of some changes.
  func isLive(_ unit: Int, in version: ChangeSet) -> Bool {
    isKnown(unit, in: version) && units[unit].deletedBy.isDisjoint(with: version)
  }

  /// Whether a scalar was ever there in a version.
  func isKnown(_ unit: Int, in version: ChangeSet) -> Bool {
    let change = Int(units[unit].insertedBy)
    return change < 0 || version.contains(change)
  }

  /// The changes that inserted or deleted a scalar.
  func touching(_ unit: Int) -> ChangeSet {
    var result = units[unit].deletedBy
    if units[unit].insertedBy >= 0 { result.insert(Int(units[unit].insertedBy)) }
    return result
  }

  /// The changes of a version that touched some scalars that it knows of.
  func touching(_ range: ClosedRange<Int>, in version: ChangeSet) -> ChangeSet {
    var result = ChangeSet()
    var unit = range.lowerBound
    while unit <= range.upperBound {
      if isKnown(unit, in: version) { result.formUnion(touching(unit)) }
      unit += 1
    }
    return result.intersection(version)
  }

  /// Those of some changes that no other of them has seen.
  func latest(of changes: ChangeSet) -> [Int] {
    var seen = ChangeSet()
    for change in changes {
      var before = past[change]
      before.remove(change)
      seen.formUnion(before)
    }
    return Array(changes.subtracting(seen))
  }

  /// Whether neither of two changes has seen the other.
  func areConcurrent(_ first: Int, _ second: Int) -> Bool {
    !past[first].contains(second) && !past[second].contains(first)
  }

  /// Whether every change has seen all before it, so that nothing can be contested.
  var isLinear: Bool {
    for second in past.indices {
      for first in 0..<second where areConcurrent(first, second) { return false }
    }
    return true
  }
}
