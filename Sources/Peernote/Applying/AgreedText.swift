/// What two versions of a text have alike, and where these differ what the text has itself.
///
/// Lines are compared first, and in lines of which as many stand in all three the words. What both put
/// at one place, first or last, they have alike there.
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
    // What both put first, or last.
    let first = ours.commonCount(with: theirs)
    let last = ours.dropFirst(first).reversed()
      .commonCount(with: theirs.dropFirst(first).reversed())
    var own = before[...]
    own = own.dropFirst(own.commonCount(with: ours.prefix(first)))
    own = own.dropLast(own.reversed().commonCount(with: ours.suffix(last).reversed()))
    for line in ours.prefix(first) + own + ours.suffix(last) { bytes += line }
  }

  private mutating func add(
    line: ArraySlice<UInt8>, _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>
  ) {
    if left == right || left == line || right == line {
      bytes += left == right ? left : line
      return
    }
    var scalars = Array(String(decoding: line, as: UTF8.self).unicodeScalars)
    for edit in Self.shared(edits(from: line, to: left), edits(from: line, to: right)).reversed() {
      scalars.replaceSubrange(edit.place, with: edit.words.joined().compactMap(Unicode.Scalar.init))
    }
    for scalar in scalars { bytes += UTF8.encode(scalar).map { Array($0) } ?? [] }
  }

  /// Words put in the place of some scalars of a line.
  private struct Edit: Equatable {
    var place: Range<Int>
    var words: ArraySlice<[UInt32]>
  }

  private func edits(from line: ArraySlice<UInt8>, to other: ArraySlice<UInt8>) -> [Edit] {
    TextDifference(from: Array(line), to: Array(other)).splices.map { splice in
      let inserted = splice.inserted.unicodeScalars.map(\.value)
      var words: [[UInt32]] = []
      TokenPart.forEachToken(of: inserted[...]) { words.append(Array(inserted[$0])) }
      return Edit(place: splice.position..<splice.position + splice.deleted, words: words[...])
    }
  }

  /// What both put at one place, first or last, and where they took the same away all that is the same.
  private static func shared(_ ones: [Edit], _ others: [Edit]) -> [Edit] {
    var others = others
    let numbers = others.indices
    let starts = Dictionary(uniqueKeysWithValues: numbers.map { (others[$0].place.lowerBound, $0) })
    let ends = Dictionary(uniqueKeysWithValues: numbers.map { (others[$0].place.upperBound, $0) })
    var result: [Edit] = []
    for var one in ones {
      let (start, end) = (one.place.lowerBound, one.place.upperBound)
      if let other = starts[start] {
        if one == others[other] {
          result.append(one)
          others[other].words = []
          continue
        }
        let count = one.words.commonCount(with: others[other].words)
        result.append(Edit(place: start..<start, words: one.words.prefix(count)))
        one.words.removeFirst(count)
        others[other].words.removeFirst(count)
      }
      if let other = ends[end] {
        let count = one.words.reversed().commonCount(with: others[other].words.reversed())
        result.append(Edit(place: end..<end, words: one.words.suffix(count)))
        others[other].words.removeLast(count)
      }
    }
    return result.filter { !$0.place.isEmpty || !$0.words.isEmpty }
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

extension Sequence where Element: Equatable {
  /// How many first elements stand in another sequence, too.
  fileprivate func commonCount(with other: some Sequence<Element>) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
