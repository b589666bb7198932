/// Finds places where both sides edited lines with no untouched line between them.
///
/// Where git leaves a merge to a person something is therefore reported, unless both did the same.
struct AdjoiningLines {
  private let merge: MergedText

  /// One overlap for every run of edits without an untouched line between, if both sides had a part
  /// in it.
  ///
  /// Nothing is reported in parts that are reported anyway. O(parts + text).
  static func find(in merge: MergedText, except reported: [Bool]) -> [Overlap] {
    let search = AdjoiningLines(merge: merge)
    var result: [Overlap] = []
    var run = 0..<0
    func endRun() {
      if !run.isEmpty, !reported[run].contains(true), search.isOfBoth(run) {
        result.append(merge.overlap(.adjacent, run))
      }
    }
    for index in merge.indices where merge.role(index) != .kept {
      if !run.isEmpty, search.adjoin(run.upperBound - 1, index) {
        run = run.lowerBound..<index + 1
      } else {
        endRun()
        run = index..<index + 1
      }
    }
    endRun()
    return result
  }

  /// Whether both sides edited something in some parts, and not only the same.
  private func isOfBoth(_ run: Range<Int>) -> Bool {
    var (ours, theirs, common) = (false, false, false)
    for index in run {
      switch merge.role(index) {
      case .kept: break
      case .insertion(let byOurs), .deletion(let byOurs):
        if byOurs { ours = true } else { theirs = true }
      case .commonDeletion: common = true
      }
    }
    return ours && theirs || common && (ours || theirs)
  }

  /// Whether no whole line lies in the kept text between two edits.
  private func adjoin(_ first: Int, _ second: Int) -> Bool {
    let gap = merge.bytes(first).upperBound..<merge.bytes(second).lowerBound
    // A line that an edit ends in is touched.
    var lines = gap.lowerBound == 0 || merge.text[gap.lowerBound - 1] == 0x0A ? 0 : -1
    for position in gap where merge.text[position] == 0x0A {
      lines += 1
      if lines > 0 { return false }
    }
    return true
  }
}
