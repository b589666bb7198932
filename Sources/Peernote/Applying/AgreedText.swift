/// What two versions of a text have alike, and where these differ what the text has itself.
///
/// Lines are compared first, and in lines of which as many stand in all three the words.
/// So what both made alike is no difference that is in the way: else merges of what was squashed or picked
/// in git would stop.
struct AgreedText {
  private(set) var bytes: [UInt8] = []

  /// What comparing the texts takes.
  init(_ base: ExactString, _ one: ExactString, _ other: ExactString) {
    let (old, left, right) = (
      Array(base.string.utf8), Array(one.string.utf8), Array(other.string.utf8)
    )
    var hunks = (
      LineDifference(from: old, to: left).hunks[...],
      LineDifference(from: old, to: right).hunks[...]
    )
    var (place, shifts) = (0, (0, 0))
    while let start = [hunks.0.first, hunks.1.first].compactMap({ $0?.old.lowerBound }).min() {
      // Hunks that touch belong together.
      var end = start
      var grown = (0, 0)
      func take(_ hunks: inout ArraySlice<Hunk>, _ grown: inout Int) -> Bool {
        guard let next = hunks.first, next.old.lowerBound <= end else { return false }
        end = max(end, next.old.upperBound)
        grown += next.new.count - next.old.count
        hunks.removeFirst()
        return true
      }
      while take(&hunks.0, &grown.0) || take(&hunks.1, &grown.1) {}
      bytes += old[place..<start]
      add(
        old[start..<end], left[start + shifts.0..<end + shifts.0 + grown.0],
        right[start + shifts.1..<end + shifts.1 + grown.1])
      place = end
      shifts = (shifts.0 + grown.0, shifts.1 + grown.1)
    }
    bytes += old[place...]
  }

  private mutating func add(
    _ old: ArraySlice<UInt8>, _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
  ) {
    if left == right || left == old || right == old {
      bytes += left == right ? left : old
      return
    }
    let (before, ours, theirs) = (old.lines, left.lines, right.lines)
    if before.count == ours.count, before.count == theirs.count {
      for (line, sides) in zip(before, zip(ours, theirs)) { add(line: line, sides.0, sides.1) }
      return
    }
    // What both put in stands once, and what only one of them took out stays.
    var (both, place) = ([UInt8](), left.startIndex)
    for hunk in LineDifference(from: Array(left), to: Array(right)).hunks {
      both += left[place..<left.startIndex + hunk.old.lowerBound]
      place = left.startIndex + hunk.old.upperBound
    }
    both += left[place...]
    let shared = String(decoding: both, as: UTF8.self)
    bytes += shared.unitedByLines(with: String(decoding: old, as: UTF8.self)).utf8
  }

  private mutating func add(
    line: ArraySlice<UInt8>, _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
  ) {
    if left == right || left == line || right == line {
      bytes += left == right ? left : line
      return
    }
    let text = TextBuffer(validated: Array(line))
    let others = TextDifference(from: text.utf8, to: Array(right)).edits
    let there = Dictionary(uniqueKeysWithValues: others.map { ($0.deleted, $0.inserted.string) })
    let edits = TextDifference(from: text.utf8, to: Array(left)).edits.filter { edit in
      there[edit.deleted] == edit.inserted.string
    }
    bytes += text.applying(edits).utf8
  }
}

extension ArraySlice<UInt8> {
  /// The lines, each with its line feed.
  fileprivate var lines: [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? endIndex
      result.append(self[start..<end])
      start = end
    }
    return result
  }
}
