/// The places of a text where its units, such as words, begin and end.
protocol TextBoundaries {
  /// The text in UTF-8.
  var text: [UInt8] { get }

  /// The unit that `position` splits, or `nil` where it splits none.
  ///
  /// `floor`, at or before `position`, splits none.
  func unit(around position: Int, floor: Int) -> Range<Int>?
}

extension Hunk {
  /// Widens hunks of bytes until no end splits a unit of either text, joining those that meet.
  ///
  /// Near-linear: the text between two hunks is segmented a constant number of times, and a hunk
  /// that does not settle within a few steps joins its neighbour.
  static func widened<Boundaries: TextBoundaries>(
    _ hunks: [Hunk], old oldBoundaries: Boundaries, new newBoundaries: Boundaries
  ) -> [Hunk] {
    var result: [Hunk] = []
    var pending = hunks[...]
    while var hunk = pending.popFirst() {
      // The start, moving left to the previous hunk at most.
      var tries = 0
      while true {
        let floor = result.last.map { ($0.old.upperBound, $0.new.upperBound) } ?? (0, 0)
        let (oldStart, newStart) = (hunk.old.lowerBound, hunk.new.lowerBound)
        let gap = oldStart - floor.0
        if gap <= 0 {
          if let last = result.popLast() { hunk = last.joined(with: hunk) }
          break
        }
        let inOld = oldBoundaries.unit(around: oldStart, floor: floor.0)
        let inNew = newBoundaries.unit(around: newStart, floor: floor.1)
        if inOld == nil, inNew == nil { break }
        tries += 1
        let back = max(
          oldStart - (inOld?.lowerBound ?? oldStart), newStart - (inNew?.lowerBound ?? newStart))
        hunk = hunk.widened(back: tries > 8 ? gap : min(back, gap), ahead: 0)
      }
      // The end, moving right and taking in the next hunk when it is reached.
      tries = 0
      while true {
        let (oldEnd, newEnd) = (hunk.old.upperBound, hunk.new.upperBound)
        let inOld = oldBoundaries.unit(around: oldEnd, floor: hunk.old.lowerBound)
        let inNew = newBoundaries.unit(around: newEnd, floor: hunk.new.lowerBound)
        if inOld == nil, inNew == nil { break }
        tries += 1
        let ahead = max(
          (inOld?.upperBound ?? oldEnd) - oldEnd, (inNew?.upperBound ?? newEnd) - newEnd)
        let gap = (pending.first?.old.lowerBound ?? oldBoundaries.text.count) - oldEnd
        if ahead < gap && tries <= 8 {
          hunk = hunk.widened(back: 0, ahead: ahead)
        } else if let next = pending.popFirst() {
          hunk = hunk.joined(with: next)
        } else {
          hunk = hunk.widened(back: 0, ahead: gap)
        }
      }
      result.append(hunk)
    }
    return result
  }

  private func widened(back: Int, ahead: Int) -> Hunk {
    Hunk(
      old: (old.lowerBound - back)..<(old.upperBound + ahead),
      new: (new.lowerBound - back)..<(new.upperBound + ahead))
  }
}
