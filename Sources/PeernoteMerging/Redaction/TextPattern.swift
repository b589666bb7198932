import PeernoteEngine

/// What text to look for: characters that stand for themselves, `?` for any one character and `*`
/// for any number of them on one line; a backslash takes the meaning from the character after it.
///
/// Letters are told apart by case, characters by their scalars.
package struct TextPattern: Hashable, Sendable {
  /// How many scalars on either side of a place a match with `*` is looked for in.
  private static let starReach = 1024
  /// Where a line ends.
  static let lineFeed: UInt32 = 10
  /// Stands for scalars that are not known, which match nothing.
  static let unknown = UInt32.max

  /// What one character of a pattern matches.
  private enum Element: Hashable {
    case scalar(UInt32)
    case any

    func matches(_ scalar: UInt32) -> Bool {
      switch self {
      case .scalar(let own): own == scalar
      case .any: scalar != TextPattern.lineFeed && scalar != TextPattern.unknown
      }
    }
  }

  /// What stands between the stars.
  ///
  /// A star at either end has an empty part beside it.
  private var parts: [[Element]] = [[]]

  /// Reads a pattern; `nil` if it holds no character that stands for itself, or ends in a backslash.
  package init?(_ pattern: String) {
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: parts.append([])
      case "?" where !isEscaped: parts[parts.count - 1].append(.any)
      default: parts[parts.count - 1].append(.scalar(scalar.value))
      }
      isEscaped = false
    }
    let saysSomething = parts.joined().contains { $0 != .any }
    guard saysSomething, !isEscaped else { return nil }
  }

  /// How far from a place a match that touches it can reach, in scalars.
  var reach: Int { parts.count == 1 ? parts[0].count - 1 : Self.starReach }

  /// Whether no match goes beyond a line.
  var staysOnLine: Bool { parts.count > 1 }

  /// The scalars that every match holds.
  var spelled: Set<UInt32> {
    Set(parts.joined().compactMap { if case .scalar(let scalar) = $0 { scalar } else { nil } })
  }

  /// Where the pattern matches, ascending; matches may overlap.
  ///
  /// With stars a match is as long as it can be, so that there is one on a line at most. O(n m) for
  /// a pattern of m scalars and the n that are looked at.
  ///
  /// A match has to touch `place`, or the line that it is on; `nil` for any.
  func matches(in scalars: [UInt32], touching place: Range<Int>? = nil) -> [Range<Int>] {
    let place = place ?? 0..<scalars.count
    if staysOnLine { return matches(in: scalars, onLinesOf: place) }
    let count = parts[0].count
    let first = max(0, place.lowerBound - count + 1)
    let end = min(place.upperBound, scalars.count - count + 1)
    guard first < end else { return [] }
    return (first..<end).filter { matches(parts[0], at: $0, in: scalars[...]) }
      .map { $0..<$0 + count }
  }

  private func matches(in scalars: [UInt32], onLinesOf place: Range<Int>) -> [Range<Int>] {
    func isEnd(_ index: Int) -> Bool {
      scalars[index] == Self.lineFeed || scalars[index] == Self.unknown
    }
    var found: [Range<Int>] = []
    var start = place.lowerBound
    while start > 0, !isEnd(start - 1) { start -= 1 }
    while start <= place.upperBound, start < scalars.count {
      var end = start
      while end < scalars.count, !isEnd(end) { end += 1 }
      if let match = match(inLine: scalars[start..<end]) { found.append(match) }
      start = end + 1
    }
    return found
  }

  /// Whether the pattern matches somewhere in a text.
  package func matches(in text: String) -> Bool {
    !matches(in: text.unicodeScalars.map(\.value)).isEmpty
  }

  /// The first match on a line, as long as it can be: so there is no second one; O(n m).
  private func match(inLine line: ArraySlice<UInt32>) -> Range<Int>? {
    guard let first = firstIndex(of: parts[0], in: line) else { return nil }
    var next = first + parts[0].count
    for part in parts[1..<parts.count - 1] {
      guard let place = firstIndex(of: part, in: line[next...]) else { return nil }
      next = place + part.count
    }
    let last = parts[parts.count - 1]
    let places = next..<max(next, line.endIndex - last.count + 1)
    guard let end = places.last(where: { matches(last, at: $0, in: line) }) else { return nil }
    return (parts[0].isEmpty ? line.startIndex : first)..<end + last.count
  }

  private func firstIndex(of part: [Element], in line: ArraySlice<UInt32>) -> Int? {
    let places = line.startIndex..<max(line.startIndex, line.endIndex - part.count + 1)
    return places.first { matches(part, at: $0, in: line) }
  }

  private func matches(_ part: [Element], at start: Int, in scalars: ArraySlice<UInt32>) -> Bool {
    scalars[start...].starts(with: part) { $1.matches($0) }
  }
}

/// Collects scalars that stand next to each other, and finds a pattern in them.
struct PassageSearch {
  private let pattern: TextPattern
  private let inserted: InsertedText
  private let log: Log
  /// All inserted scalars that are known, in the order of their insertion.
  private let known: [UInt32]
  /// How many scalars were gone through.
  private(set) var searchedScalars = 0
  /// Which of them were found, 64 a word.
  private var isFound: [UInt64]
  /// The passage so far.
  private var scalars: [UInt32] = []
  /// For runs of its scalars where they begin in the passage, and the first among the known ones.
  private var runs: [(offset: Int, known: Int)] = []

  /// How much of a line is collected first; each further piece is four times as long.
  private static let firstPiece: Int32 = 64

  /// A search that has found nothing yet; O(bytes).
  init(pattern: TextPattern, log: Log, inserted: InsertedText) {
    self.pattern = pattern
    self.inserted = inserted
    self.log = log
    known = inserted.knownScalars
    isFound = [UInt64](repeating: 0, count: (known.count + 63) / 64)
  }

  /// Whether the pattern may match anywhere: each scalar that it spells was inserted once;
  /// O(bytes).
  var isPromising: Bool { pattern.spelled.isSubset(of: known) }

  // MARK: Searching

  /// Looks for the pattern around some scalars of a text, which are about to be deleted; O(reach of
  /// the pattern + scalars), in pieces of text; with stars at most to both ends of the line.
  mutating func search(
    around deleted: Range<Int32>, of sequence: Tracker.SequenceHandle, in tracker: inout Tracker
  ) {
    let reach = Int32(clamping: pattern.reach)
    let length = tracker.length(of: sequence)
    guard deleted.lowerBound < min(deleted.upperBound, length) else { return }
    let first = max(0, deleted.lowerBound - min(reach, deleted.lowerBound))
    let last = min(length - deleted.upperBound, reach) + deleted.upperBound
    var piece = pattern.staysOnLine ? Self.firstPiece : reach
    var start = deleted.lowerBound
    while start > first {
      start = max(first, deleted.lowerBound - min(piece, deleted.lowerBound))
      removeAll()
      append(start..<deleted.lowerBound, of: sequence, in: &tracker)
      if pattern.staysOnLine, scalars.contains(TextPattern.lineFeed) { break }
      piece = min(reach, 4 * piece)
    }
    let place = scalars.count
    append(deleted, of: sequence, in: &tracker)
    let count = scalars.count - place
    piece = pattern.staysOnLine ? Self.firstPiece : reach
    var end = deleted.upperBound
    while end < last {
      let next = min(last, end + min(piece, last - end))
      let before = scalars.count
      append(end..<next, of: sequence, in: &tracker)
      end = next
      if pattern.staysOnLine, scalars[before...].contains(TextPattern.lineFeed) { break }
      piece = min(reach, 4 * piece)
    }
    record(pattern.matches(in: scalars, touching: place..<place + count))
    removeAll()
  }

  /// Looks for the pattern in all that was ever inserted into a text, in its order; O(n).
  mutating func search(allOf sequence: Tracker.SequenceHandle, in tracker: borrowing Tracker) {
    tracker.forEachItem(of: sequence) { append($0.first, count: $0.length) }
    record(pattern.matches(in: scalars))
    removeAll()
  }

  private mutating func append(
    _ positions: Range<Int32>, of sequence: Tracker.SequenceHandle, in tracker: inout Tracker
  ) {
    tracker.forEachVisibleRun(in: positions, of: sequence) { append($0, count: $1) }
  }

  /// Appends scalars by name.
  ///
  /// What is redacted already stands as one that matches nothing, however long it is: it can be far
  /// longer than the file.
  private mutating func append(_ first: LocalVersion, count: Int32) {
    searchedScalars += Int(count)
    let number = log.scalarNumber(of: first)
    inserted.scalars.forEachPart(in: number..<number + count) { part, first in
      guard let first else {
        runs.append((scalars.count, -1))
        scalars.append(TextPattern.unknown)
        return
      }
      runs.append((scalars.count, first))
      scalars.append(contentsOf: known[first..<first + part.count])
    }
  }

  private mutating func removeAll() {
    scalars.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
  }

  // MARK: What was found

  private mutating func record(_ matches: [Range<Int>]) {
    for match in matches {
      var start = match.lowerBound
      var run = runIndex(of: start)
      while start < match.upperBound {
        let end = run + 1 < runs.count ? runs[run + 1].offset : scalars.count
        let part = start..<min(end, match.upperBound)
        let first = runs[run].known + (start - runs[run].offset)
        for index in first..<first + part.count { isFound[index >> 6] |= 1 << (index & 63) }
        start = part.upperBound
        run += 1
      }
    }
  }

  private func runIndex(of offset: Int) -> Int {
    runs.partitionPoint { $0.offset > offset } - 1
  }

  /// Calls `body` with the parts of some inserted scalars, by their number, that were found; O(log
  /// r + scalars) for r redacted ranges.
  func forEachFound(in numbers: Range<Int32>, _ body: (Range<Int32>) -> Void) {
    inserted.scalars.forEachPart(in: numbers) { part, first in
      guard let first else { return }
      var start = part.lowerBound
      for number in part {
        let index = first + Int(number - part.lowerBound)
        if isFound[index >> 6] & 1 << (index & 63) != 0 { continue }
        if start < number { body(start..<number) }
        start = number + 1
      }
      if start < part.upperBound { body(start..<part.upperBound) }
    }
  }
}
