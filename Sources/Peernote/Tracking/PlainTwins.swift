/// Lines of a plain file that several changes brought in, but somebody typed once.
///
/// A phone without this program sends its file, edits on, and is met by another state of the same
/// file: each state is recorded as an edit of the last version that is known, and what they have in
/// common was typed once and is in both. No rule on the base can help, as the version that they
/// share was never seen. So two lines are twins if two changes brought them in of which neither had
/// seen the other, with nothing between that both had seen, and if neither stands elsewhere in
/// what either of them saw.
///
/// A version shows of its twins that of the change with the smaller name, and none beside a twin
/// that was edited or deleted, but not moved, by somebody who did not know of it, since that is what
/// became of the line. So the file shows one, also where edits beside the line are contested, and whichever was
/// taken out of the history (``PlainHistory/countTwinsOnce()``).
///
/// A file that reaches a machine before its history is recorded as an edit of an older version, all
/// that is new to that machine at once. When the history comes, the whole text equals a version of
/// it: then all their lines are twins, in pairs, wherever they stand.
struct PlainTwins {
  /// A line that one change brought in as a whole.
  struct Line {
    /// By its place in the document.
    var change: Int
    /// What is left out for it to go, with its line feed, ascending: by number in the sequence.
    var scalars: [Range<Int>]
    /// Whether the line feed is that before the line, not that after it.
    var takesFeedBefore: Bool
    /// What it says.
    var text: String
    /// The others that were typed with it.
    var twins: [Twin] = []
  }

  /// Another line that was typed with one.
  struct Twin {
    /// By its number.
    var line: Int
    /// The version that says so; `nil` if the two lines do.
    var witness: SeenChanges?
  }

  /// A line that a version does not show.
  struct Hidden: Hashable {
    /// What it says.
    var text: String
    /// Where it stands in the raw text of the version, in scalars, with its line feed; empty if it
    /// was taken out of that already.
    var scalars: Range<Int>
    /// Where the twin stands that is shown in its stead; `nil` if that was edited or deleted.
    var shown: Range<Int>?
    /// Whether all of that twin is there, on a line with something else.
    var isOnOtherLine = false
  }

  /// All lines, ascending by the name of their change.
  private(set) var lines: [Line] = []
  let sequence: PlainSequence?
  let history: SeenHistory
  /// For each change whether it counts twins once: what it deletes nobody deleted.
  private let areCounting: [Bool]

  /// What such changes say.
  static let message = "counts lines once that came in more than once"

  /// How many runs of scalars are looked at; in texts that take more nothing is left out.
  private static let workLimit = 1 << 24
  private var steps = 0

  /// Finds the twins in the history of a tracked file.
  ///
  /// Nothing is done if nothing is concurrent; else two walks over the whole history, and up to
  /// O(r²) for r runs of text, with a limit.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  init(of document: Document, _ history: SeenHistory? = nil) throws(DocumentError) {
    guard let text = document.text(at: PlainHistory.path),
      let cuts = document.log.criticalCuts(ofTexts: CollectionOfOne(text))[text],
      document.log.containersEditedConcurrently(cuts).contains(text)
    else {
      (sequence, self.history, areCounting) = (nil, SeenHistory(), [])
      return
    }
    let sequence = try PlainSequence(of: text, in: document)
    self.sequence = sequence
    self.history = history ?? SeenHistory(of: document)
    areCounting = document.changes.map { $0.message == Self.message }
    var found: [Line] = []
    for number in sequence.runs.indices { readLines(from: number, of: sequence, &found) }
    let names = self.history.names
    found.sort {
      (names[$0.change], $0.scalars[0].lowerBound) < (names[$1.change], $1.scalars[0].lowerBound)
    }
    lines = found
    pairTypedOnce(sequence)
    pairMoved(sequence)
    pairEqualStates(document, sequence)
    if steps > Self.workLimit { lines = [] }
  }

  /// Whether there are none.
  var isEmpty: Bool { lines.allSatisfy(\.twins.isEmpty) }

  // MARK: Finding lines

  /// Reads the lines of the change that brought in a run, from there up to the end of its work, as
  /// it saw the text.
  private mutating func readLines(
    from number: Int, of sequence: PlainSequence, _ found: inout [Line]
  ) {
    let change = sequence.runs[number].change
    let version = history.pasts[change]
    guard steps <= Self.workLimit, sequence.shows(sequence.runs[number], in: version) else {
      return
    }
    var before = number - 1
    while before >= 0, !sequence.shows(sequence.runs[before], in: version) { before -= 1 }
    steps += number - before
    // What it goes on with was read already.
    if before >= 0, sequence.runs[before].change == change { return }
    var places: [Int] = []
    var next = number
    while next < sequence.runs.count {
      if sequence.shows(sequence.runs[next], in: version) {
        if sequence.runs[next].change != change { break }
        places += sequence.runs[next].scalars
      }
      next += 1
    }
    steps += next - number
    let isAtStart = before < 0 || sequence.isLineFeed(sequence.runs[before].scalars.upperBound - 1)
    let isAtEnd =
      next == sequence.runs.count || sequence.isLineFeed(sequence.runs[next].scalars.lowerBound)
    appendLines(of: change, places, isAtStart, isAtEnd, sequence, &found)
  }

  private func appendLines(
    of change: Int, _ places: [Int], _ isAtStart: Bool, _ isAtEnd: Bool,
    _ sequence: PlainSequence, _ found: inout [Line]
  ) {
    var start = 0
    while start < places.count {
      let end = places[start...].firstIndex { sequence.isLineFeed($0) } ?? places.count
      defer { start = end + 1 }
      guard start > 0 || isAtStart else { continue }
      let content = places[start..<end].map { sequence.scalars[$0] }
      guard content.sayAnything, !content.contains("\u{FFFD}") else { continue }
      let own: Range<Int>
      if end < places.count {
        own = start..<end + 1
      } else if start > 0, isAtEnd {
        own = start - 1..<end
      } else {
        continue
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: content)
      var ranges: [Range<Int>] = []
      for place in places[own] {
        if let last = ranges.last, last.upperBound == place {
          ranges[ranges.count - 1] = last.lowerBound..<place + 1
        } else {
          ranges.append(place..<place + 1)
        }
      }
      found.append(
        Line(change: change, scalars: ranges, takesFeedBefore: end == places.count, text: text))
    }
  }

  // MARK: Matching

  /// Notes that two lines were typed once.
  mutating func pair(_ first: Int, _ second: Int, witness: SeenChanges? = nil) {
    lines[first].twins.append(Twin(line: second, witness: witness))
    lines[second].twins.append(Twin(line: first, witness: witness))
  }

  /// Pairs the lines that say the same at one place.
  private mutating func pairTypedOnce(_ sequence: PlainSequence) {
    for group in Dictionary(grouping: lines.indices, by: { lines[$0].text }).values
    where group.count > 1 {
      for (index, first) in group.enumerated() {
        for second in group[(index + 1)...] {
          guard step(group.count) else { return }
          let others = group.filter { $0 != first && $0 != second }
          if areApart(first, second, beside: others, sequence),
            areAtOnePlace(lines[first], lines[second], sequence)
          {
            pair(first, second)
          }
        }
      }
    }
  }

  /// Counts work.
  ///
  /// - Returns: whether there may be more.
  mutating func step(_ count: Int) -> Bool {
    steps += count
    return steps <= Self.workLimit
  }

  /// Whether neither of two equal lines is known to whoever brought in the other, and none of some
  /// more that say the same stands in what they saw.
  func areApart(
    _ first: Int, _ second: Int, beside others: [Int], _ sequence: PlainSequence
  ) -> Bool {
    let (line, other) = (lines[first], lines[second])
    let (left, right) = (history.pasts[line.change], history.pasts[other.change])
    if left.contains(other.change) || right.contains(line.change) { return false }
    return !others.contains { third in
      stands(lines[third], in: left, sequence) || stands(lines[third], in: right, sequence)
    }
  }

  /// Whether nothing stands between two lines that both saw who brought them in.
  private mutating func areAtOnePlace(
    _ line: Line, _ other: Line, _ sequence: PlainSequence
  ) -> Bool {
    let (left, right) = (history.pasts[line.change], history.pasts[other.change])
    let (before, after) =
      line.scalars[0].lowerBound < other.scalars[0].lowerBound ? (line, other) : (other, line)
    var index = sequence.run(of: before.scalars[before.scalars.count - 1].upperBound - 1) + 1
    let end = sequence.run(of: after.scalars[0].lowerBound)
    while index < end {
      let run = sequence.runs[index]
      steps += 1
      let haveBothSeen = left.contains(run.change) && right.contains(run.change)
      if haveBothSeen, !run.deletedBy.contains(where: { left.contains($0) || right.contains($0) }) {
        return false
      }
      index += 1
    }
    return true
  }

  /// Whether a version shows all of a line.
  private func stands(
    _ line: Line, in version: SeenChanges, _ sequence: PlainSequence
  ) -> Bool {
    version.contains(line.change)
      && line.scalars.allSatisfy { scalars in
        (sequence.run(of: scalars.lowerBound)...sequence.run(of: scalars.upperBound - 1))
          .allSatisfy { sequence.shows(sequence.runs[$0], in: version) }
      }
  }

  // MARK: What a version shows

  /// What has become of a line in a version.
  private enum Fate {
    /// It stands there as it was typed, here in the raw text.
    case intact(Range<Int>)
    /// These changes edited or deleted it, or only what stands beside it.
    case touched(by: [Int], isWhole: Bool)
    /// It was taken out as a twin, and stood here in the raw text.
    case counted(Int)
  }

  /// The lines of the raw text of a version that it does not show, ascending.
  func hidden(in version: SeenChanges) -> [Hidden] {
    guard let sequence, !isEmpty else { return [] }
    let raw = RawVersion(version, of: sequence)
    let groups = groups(in: version)
    let fates = lines.indices.map { groups[$0] == nil ? nil : fate(of: lines[$0], in: raw) }
    var shown: [Int: Range<Int>] = [:]
    var result: [Hidden] = []
    var taken: [(line: Int, place: Int)] = []
    for (number, fate) in fates.enumerated() {
      let line = lines[number]
      let range: Range<Int>
      switch fate {
      case .intact(let place): range = place
      case .counted(let place):
        taken.append((number, place))
        continue
      case .touched, nil: continue
      }
      let twins = groups[number] ?? []
      // Who took one out and brought one in has moved it.
      let bringing = Set(twins.map { lines[$0].change })
      let gone = twins.compactMap { twin -> Bool? in
        guard case .touched(let changes, let isWhole) = fates[twin],
          changes.contains(where: {
            !bringing.contains($0) && !history.pasts[$0].contains(line.change)
          })
        else { return nil }
        return isWhole
      }
      if !gone.isEmpty {
        result.append(
          Hidden(
            text: line.text, scalars: range, shown: nil,
            isOnOtherLine: gone.allSatisfy(\.self)))
      } else if let twin = twins.first(where: { shown[$0] != nil }) {
        result.append(Hidden(text: line.text, scalars: range, shown: shown[twin]))
      } else {
        shown[number] = range
      }
    }
    for (line, place) in taken {
      if let twin = groups[line]?.first(where: { shown[$0] != nil }) {
        result.append(Hidden(text: lines[line].text, scalars: place..<place, shown: shown[twin]))
      }
    }
    return result.sorted { $0.scalars.lowerBound < $1.scalars.lowerBound }
  }

  /// A line that nobody deleted, of which changes that count lines once took a twin out.
  struct Counted {
    /// What it says.
    var text: String
    /// Where the one that is left stands in the raw text, or where one stood, in scalars.
    var place: Int
  }

  /// What a version has to show, ascending by places: lines with twins of which some were taken out
  /// and nobody deleted or edited any that says the same.
  ///
  /// Each of several changes may have left another twin.
  func counted(in version: SeenChanges) -> [Counted] {
    guard let sequence, !isEmpty else { return [] }
    let texts = Set(groups(in: version).keys.map { lines[$0].text })
    if texts.isEmpty { return [] }
    let raw = RawVersion(version, of: sequence)
    var left: [String: Int] = [:]
    var taken: [String: Int] = [:]
    var touched: Set<String> = []
    for line in lines where version.contains(line.change) && texts.contains(line.text) {
      switch fate(of: line, in: raw) {
      case .intact(let place): left[line.text] = left[line.text] ?? place.lowerBound
      case .counted(let place): taken[line.text] = taken[line.text] ?? place
      case .touched: touched.insert(line.text)
      }
    }
    return taken.filter { !touched.contains($0.key) }
      .map { Counted(text: $0.key, place: left[$0.key] ?? $0.value) }
      .sorted { ($0.place, $0.text) < ($1.place, $1.text) }
  }

  /// For each line of a version that has twins there all of them, itself included, ascending: what
  /// is a twin of one is a twin of all.
  ///
  /// What a version shows follows from its own changes alone.
  private func groups(in version: SeenChanges) -> [Int: [Int]] {
    var result: [Int: [Int]] = [:]
    for first in lines.indices where result[first] == nil && version.contains(lines[first].change) {
      var group = [first]
      var known: Set<Int> = [first]
      var next = 0
      while next < group.count {
        for twin in lines[group[next]].twins
        where version.contains(lines[twin.line].change)
          && twin.witness.map({ $0.isSubset(of: version) }) ?? true
          && known.insert(twin.line).inserted
        {
          group.append(twin.line)
        }
        next += 1
      }
      if group.count == 1 { continue }
      group.sort()
      for line in group { result[line] = group }
    }
    return result
  }

  private func fate(of line: Line, in raw: RawVersion) -> Fate {
    let sequence = raw.sequence
    let first = sequence.run(of: line.scalars[0].lowerBound)
    let last = sequence.run(of: line.scalars[line.scalars.count - 1].upperBound - 1)
    var touching: [Int] = []
    var isWhole = true
    for index in first...last {
      let run = sequence.runs[index]
      if line.scalars.contains(where: { $0.overlaps(run.scalars) }) {
        let deleting = run.deletedBy.filter { raw.version.contains($0) }
        touching += deleting
        if !deleting.isEmpty, run.scalars.contains(where: { !sequence.isLineFeed($0) }) {
          isWhole = false
        }
      } else if raw.starts[index] < raw.starts[index + 1] {
        touching.append(run.change)
        isWhole = false
      }
    }
    // What was written before it on its line, or after it.
    if line.takesFeedBefore {
      if let next = raw.run(after: last),
        !sequence.isLineFeed(sequence.runs[next].scalars.lowerBound)
      {
        touching.append(sequence.runs[next].change)
      }
    } else if line.scalars[0].lowerBound == sequence.runs[first].scalars.lowerBound,
      let before = raw.run(before: first),
      !sequence.isLineFeed(sequence.runs[before].scalars.upperBound - 1)
    {
      touching.append(sequence.runs[before].change)
    }
    guard touching.isEmpty else {
      touching.removeAll { areCounting[$0] }
      return touching.isEmpty
        ? .counted(raw.starts[first]) : .touched(by: touching, isWhole: isWhole)
    }
    let start =
      raw.starts[first] + line.scalars[0].lowerBound - sequence.runs[first].scalars.lowerBound
    return .intact(start..<start + line.scalars.reduce(0) { $0 + $1.count })
  }
}
