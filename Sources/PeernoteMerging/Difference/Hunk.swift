/// A pair of ranges that differ between two sequences; what lies between hunks is equal.
///
/// The unit (tokens or bytes) is that of the sequences. In a list of hunks the ranges ascend, and
/// at least one unit of equal content lies between one hunk and the next.
package struct Hunk: Hashable {
  // There may be as many as units, and files have fewer than 2³¹ bytes.
  private let oldRange: Range<Int32>
  private let newRange: Range<Int32>

  package var old: Range<Int> { Int(oldRange.lowerBound)..<Int(oldRange.upperBound) }
  package var new: Range<Int> { Int(newRange.lowerBound)..<Int(newRange.upperBound) }

  init(old: Range<Int>, new: Range<Int>) {
    oldRange = Int32(old.lowerBound)..<Int32(old.upperBound)
    newRange = Int32(new.lowerBound)..<Int32(new.upperBound)
  }

  /// Whether only one of the two sides has content.
  var isOneSided: Bool { old.isEmpty || new.isEmpty }

  /// The hunks that a matching leaves, in O(old.count + new count).
  ///
  /// `partners[i]` is the index in the new sequence that old unit `i` is matched with, or -1;
  /// the matched indices ascend.
  static func unmatched(_ partners: [Int32], newCount: Int) -> [Hunk] {
    var hunks: [Hunk] = []
    var oldStart = 0
    var newStart = 0
    for (index, partner) in partners.enumerated() where partner >= 0 {
      let newIndex = Int(partner)
      if oldStart < index || newStart < newIndex {
        hunks.append(Hunk(old: oldStart..<index, new: newStart..<newIndex))
      }
      oldStart = index + 1
      newStart = newIndex + 1
    }
    if oldStart < partners.count || newStart < newCount {
      hunks.append(Hunk(old: oldStart..<partners.count, new: newStart..<newCount))
    }
    return hunks
  }

  /// Joins hunks that touch.
  static func joined(_ hunks: [Hunk]) -> [Hunk] {
    var result: [Hunk] = []
    result.reserveCapacity(hunks.count)
    for hunk in hunks {
      if let last = result.last, last.old.upperBound >= hunk.old.lowerBound {
        result[result.count - 1] = last.joined(with: hunk)
      } else {
        result.append(hunk)
      }
    }
    return result
  }

  /// This hunk, a later one and what lies between.
  func joined(with next: Hunk) -> Hunk {
    Hunk(old: old.lowerBound..<next.old.upperBound, new: new.lowerBound..<next.new.upperBound)
  }

  /// What a hunk has before a part of it, and after that; `nil` for nothing.
  func parts(beside part: Hunk) -> (before: Hunk?, after: Hunk?) {
    let before = Hunk(
      old: old.lowerBound..<part.old.lowerBound, new: new.lowerBound..<part.new.lowerBound)
    let after = Hunk(
      old: part.old.upperBound..<old.upperBound, new: part.new.upperBound..<new.upperBound)
    func unlessEmpty(_ hunk: Hunk) -> Hunk? { hunk.old.isEmpty && hunk.new.isEmpty ? nil : hunk }
    return (unlessEmpty(before), unlessEmpty(after))
  }
}
