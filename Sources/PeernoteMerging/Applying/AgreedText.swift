import PeernoteEngine

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
      if before.count == 1 { return addWords(old, left, right) }
      for (line, sides) in zip(before, zip(ours, theirs)) { add(line, sides.0, sides.1) }
      return
    }
    // What both put in, where both may have put it.
    let (one, other) = (Origins(of: ours, in: before), Origins(of: theirs, in: before))
    var last = (ours: -1, theirs: -1)
    var place = 0
    for (their, our) in Origins(of: theirs, in: ours).numbers.enumerated() {
      guard let our, one.numbers[our] == nil, other.numbers[their] == nil else { continue }
      let low = max(one.gaps[our].low, other.gaps[their].low, place)
      let high = min(one.gaps[our].high, other.gaps[their].high)
      guard low <= high else { continue }
      // What both put first stands before the old lines in whose place they put something.
      let isFirst =
        (our, their) == (last.ours + 1, last.theirs + 1)
        || one.standsFirst(our) && other.standsFirst(their)
      if isFirst { last = (our, their) }
      for line in before[place..<(isFirst ? low : high)] { bytes += line }
      bytes += ours[our]
      place = isFirst ? low : high
    }
    for line in before[place...] { bytes += line }
  }

  private mutating func addWords(
    _ line: ArraySlice<UInt8>, _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
  ) {
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
    let ends = indices.filter { self[$0] == 0x0A }.map { $0 + 1 }
    return zip([startIndex] + ends, ends + [endIndex]).map { self[$0..<$1] }
      .filter { !$0.isEmpty }
  }
}

/// Which of some old lines some new ones are.
private struct Origins {
  /// By the new ones' numbers; `nil` for what is none of the old ones.
  private(set) var numbers: [Int?] = []
  /// Behind how many old lines each stands, at least and at most.
  private(set) var gaps: [(low: Int, high: Int)] = []

  /// What comparing the lines takes.
  init(of new: [ArraySlice<UInt8>], in old: [ArraySlice<UInt8>]) {
    let (before, after) = (Array(old.joined()), Array(new.joined()))
    var line = 0
    for hunk in LineDifference(from: before, to: after).hunks.inLines(of: before, after) {
      numbers += (line..<hunk.old.lowerBound).map { $0 }
      numbers += repeatElement(nil, count: hunk.new.count)
      line = hunk.old.upperBound
    }
    numbers += (line..<old.count).map { $0 }
    var low = 0
    for number in numbers {
      gaps.append((low, old.count))
      if let number { low = number + 1 }
    }
    var high = old.count
    for (place, number) in numbers.enumerated().reversed() {
      gaps[place].high = high
      if let number { high = number }
    }
  }

  /// Whether a new line follows an old one, or nothing.
  func standsFirst(_ place: Int) -> Bool { place == 0 || numbers[place - 1] != nil }
}
