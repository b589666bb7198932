/// Unites what two versions of a text show.
///
/// What one side did is looked at where the other side did something near, in a window of the text
/// (``PassageUnion``); all else stays. O(passages of both sides), plus for each scalar that the given
/// side touched the tokens around it, and the sentences of what is contested.
struct TextUnion {
  typealias Place = TextRuns.Place

  let versions: UnitedVersions
  /// Where the passages of either side stand; those that overlap are one.
  private let hulls: [Hull]
  /// How much was looked at.
  var steps: Int
  /// Whether what is contested holds passages that one side alone has.
  private(set) var usesPassages = false

  struct Hull {
    var low: Place
    var high: Place
    /// Whether it is one passage that both sides have.
    var isCommon: Bool
  }

  private init(_ versions: UnitedVersions) {
    self.versions = versions
    var hulls: [Hull] = []
    for (passage, shown) in versions.passages {
      if let last = hulls.last, passage.low <= last.high {
        hulls[hulls.count - 1] = Hull(
          low: last.low, high: max(last.high, passage.high), isCommon: false)
      } else {
        hulls.append(Hull(low: passage.low, high: passage.high, isCommon: shown == .both))
      }
    }
    self.hulls = hulls
    steps = hulls.count
  }

  /// The passages of the union.
  ///
  /// - Parameters:
  ///   - versions: the two versions, neither of which holds the other.
  ///   - touched: the runs that one side has inserted or deleted since, ascending.
  ///   - first: the first run that either side has; `nil` if they don't show equally much text.
  ///   - steps: how much was looked at is added.
  /// - Returns: the passages, ascending, and whether they follow from passages that one side alone
  ///   has.
  static func passages(
    of versions: UnitedVersions, touched: [Int32], alikeFrom first: Int32?, _ steps: inout Int
  ) -> (found: [FoundPassage], areOfOneSide: Bool) {
    var union = TextUnion(versions)
    defer { steps += union.steps }
    if let first, let found = union.passagesOfAlike(from: first) { return (found, false) }
    let found = union.passages(near: touched)
    return (found, union.usesPassages)
  }

  // MARK: Windows

  /// A part of the text that begins and ends with a token that both sides left as it was.
  private struct Window {
    /// The scalars that a side shows, ascending.
    var units: [PassageUnion.Unit] = []
    var low: Place
    /// Right after the last scalar.
    var end: Place
    var isWhole = (start: false, end: false)
    var isTouchedByOne = false
    var isTouchedByOther = false
  }

  private mutating func passages(near touched: [Int32]) -> [FoundPassage] {
    // What was looked at so far, with the passages found there, and up to where a side touched it.
    var done: [(low: Place, end: Place, touched: Place, passages: [FoundPassage])] = []
    var last: Place?
    for seed in seeds(touched) {
      if let last, seed < last { continue }
      var window = window(around: seed)
      last = window.end
      guard window.isTouchedByOne, window.isTouchedByOther else { continue }
      while true {
        // A sentence may reach back into what was looked at.
        while let before = done.last, window.low < before.touched {
          done.removeLast()
          join(&window, from: before.low)
        }
        let union = PassageUnion(
          window.units, of: versions,
          passages: [
            versions.one.passages.inside(window.low, window.end),
            versions.other.passages.inside(window.low, window.end),
          ], isWhole: window.isWhole)
        if union.isTooSmall {
          steps += union.steps
          grow(&window, to: .sentence)
          continue
        }
        let entries = union.entries(&steps)
        let found = passages(entries)
        steps += union.steps
        if let before = done.last, let last = before.passages.last, let first = found.first,
          first.low <= last.high
        {
          // The token between them came along with both.
          done.removeLast()
          join(&window, from: before.low)
          continue
        }
        if union.usesPassages { usesPassages = true }
        done.append((window.low, window.end, end(ofTouchedIn: window), found))
        break
      }
      last = window.end
    }
    var result: [FoundPassage] = []
    var parts = done[...]
    for (passage, shown) in versions.passages {
      while let part = parts.first, part.end <= passage.low {
        result += part.passages
        parts.removeFirst()
      }
      if let part = parts.first, part.low <= passage.low { continue }
      // Elsewhere stays what both have, and what one has that the other has not seen.
      if shown == .both || !passage.isMade(in: versions.haveSeen) { result.append(passage) }
    }
    for part in parts { result += part.passages }
    return result
  }

  /// Lets a window begin earlier.
  private mutating func join(_ window: inout Window, from low: Place) {
    guard low < window.low else { return }
    window.units = units(from: low, to: window.low) + window.units
    window.low = low
    window.isWhole.start = low == .first
  }

  /// Right after the last scalar of a window that a side touched, or where a passage stands.
  private func end(ofTouchedIn window: Window) -> Place {
    let last = window.units.last { $0.shown.isTouched || hull(at: $0.place) != nil }
    return last.map { max($0.place, hull(at: $0.place)?.high ?? $0.place).next } ?? window.low
  }

  /// The scalars of a part of the text that a side shows.
  private mutating func units(from low: Place, to end: Place) -> [PassageUnion.Unit] {
    var result: [PassageUnion.Unit] = []
    var scan = TextScan(of: versions, from: low, forward: true)
    while let unit = scan.next(in: versions), unit.place < end { result.append(unit) }
    steps += result.count
    return result
  }

  /// Where to look around: at runs that are touched, and where a passage begins that one side has and
  /// the other one not, which may be inside a run.
  private func seeds(_ touched: [Int32]) -> [Place] {
    let runs = touched.map { Place(run: $0, offset: 0) }
    let own = hulls.filter { !$0.isCommon }.map(\.low)
    return own.isEmpty ? runs : (runs + own).sorted()
  }

  private mutating func window(around seed: Place) -> Window {
    let isRun = seed.offset == 0
    let hull = hull(at: seed)
    let end = isRun ? Place(run: seed.run + 1, offset: 0) : seed
    let shown = isRun ? versions.shown(seed.run) : .all
    var window = Window(low: min(seed, hull?.low ?? seed), end: max(end, hull?.high.next ?? end))
    window.isTouchedByOne = shown.isTouchedByOne || hull?.isCommon == false
    window.isTouchedByOther = shown.isTouchedByOther || hull?.isCommon == false
    let (first, last) = (window.low, window.end)
    let before = grow(&window, to: .token)
    guard window.isTouchedByOne, window.isTouchedByOther else { return window }
    window.units.insert(contentsOf: units(from: first, to: last), at: before)
    return window
  }

  /// How far a window is grown.
  private enum Reach {
    /// Over a token.
    case token
    /// Over a token and the white space between two sentences.
    case sentence
  }

  /// Adds tokens on both sides, until some follow each other that both sides left as they were, or a
  /// line feed.
  ///
  /// - Returns: how many scalars it adds before.
  @discardableResult
  private mutating func grow(_ window: inout Window, to reach: Reach) -> Int {
    let (first, last) = (window.units.first, window.units.last)
    if !window.isWhole.end {
      var scan = TextScan(of: versions, from: window.end, forward: true)
      let isAtEdge = addTokens(&scan, reach, after: last, to: &window)
      window.isWhole.end = isAtEdge
      window.end =
        isAtEdge ? Place(run: .max, offset: 0) : window.units.last?.place.next ?? window.end
    }
    if window.isWhole.start { return 0 }
    let before = window.units.count
    var scan = TextScan(of: versions, from: window.low, forward: false)
    let isAtEdge = addTokens(&scan, reach, after: first, to: &window)
    let added = window.units.count - before
    window.isWhole.start = isAtEdge
    window.low = isAtEdge ? .first : window.units.last?.place ?? window.low
    let new = Array(window.units[before...].reversed())
    window.units.removeLast(added)
    window.units.insert(contentsOf: new, at: 0)
    return added
  }

  /// Appends the scalars up to the end of some tokens that both sides left as they were, one after the
  /// other, or of a line feed.
  ///
  /// - Returns: whether the text ends there.
  private mutating func addTokens(
    _ scan: inout TextScan, _ reach: Reach, after last: PassageUnion.Unit?, to window: inout Window
  ) -> Bool {
    let start = window.units.count
    var borders = 0
    var hasEnd = reach == .token
    var sentence = SentenceEnd(isForward: scan.isForward)
    var before = last.flatMap { $0.shown.isTouched || hull(at: $0.place) != nil ? nil : $0 }
    var inside: Hull?
    defer { steps += window.units.count - start + scan.skipped }
    while let unit = scan.next(in: versions) {
      if let hull = inside, hull.low <= unit.place, unit.place <= hull.high {
        window.units.append(unit)
        continue
      }
      inside = hull(at: unit.place)
      if inside != nil || unit.shown.isTouched {
        window.units.append(unit)
        if unit.shown.isTouchedByOne || inside?.isCommon == false { window.isTouchedByOne = true }
        if unit.shown.isTouchedByOther || inside?.isCommon == false {
          window.isTouchedByOther = true
        }
        (before, borders, hasEnd) = (nil, 0, reach == .token)
        sentence = SentenceEnd(isForward: scan.isForward)
        continue
      }
      if unit.scalar == TokenPart.lineFeed {
        window.units.append(unit)
        return false
      }
      if let before {
        let (left, right) = scan.isForward ? (before, unit) : (unit, before)
        if TokenPart.areApart(left.scalar, right.scalar) {
          borders += 1
          if borders > 1, hasEnd { return false }
        }
      }
      if sentence.isMet(by: unit.scalar) { (hasEnd, borders) = (true, 1) }
      before = unit
      window.units.append(unit)
    }
    return true
  }

  /// Where the first passage begins that one side has alone.
  var firstDifferentHull: Place? { hulls.first { !$0.isCommon }?.low }

  /// The hull of passages that a place lies in.
  ///
  /// O(log passages).
  func hull(at place: Place) -> Hull? {
    if hulls.isEmpty { return nil }
    let next = hulls.partitionPoint { $0.high >= place }
    return next < hulls.count && hulls[next].low <= place ? hulls[next] : nil
  }

  // MARK: Passages

  /// The passages that what the union shows makes of the raw text.
  mutating func passages(_ entries: [PassageUnion.Entry]) -> [FoundPassage] {
    var entries = entries
    var place = 0
    while place < entries.count {
      let entry = entries[place]
      if entry.passage != nil
        || visible(from: entry.low, to: entry.high, isFirstEnough: true) != nil
      {
        place += 1
        continue
      }
      // Nothing of it stands in the raw text: what is beside it comes along.
      guard entries.count > 1 else { return [] }
      place = max(place - 1, 0)
      entries[place] = entries[place].beside(entries.remove(at: place + 1))
    }
    return entries.compactMap { entry in
      if let passage = entry.passage {
        return passage < 0
          ? nil : FoundPassage(low: entry.low, high: entry.high, readings: entry.readings)
      }
      guard let raw = visible(from: entry.low, to: entry.high, isFirstEnough: false) else {
        return nil
      }
      let readings = entry.readings.distinct
      if readings.count == 1, readings[0].scalars == raw.scalars { return nil }
      return FoundPassage(low: raw.low, high: raw.high, readings: readings)
    }
  }

  /// What of the raw text of the union is visible between two scalars; `nil` if nothing is.
  private mutating func visible(
    from low: Place, to high: Place, isFirstEnough: Bool
  ) -> (low: Place, high: Place, scalars: [UInt32])? {
    var ends: (low: Place, high: Place)?
    var scalars: [UInt32] = []
    for run in low.run...high.run {
      steps += 1
      guard versions.isVisible(run) else { continue }
      let count = versions.text.runs[Int(run)].count
      let start = run == low.run ? low.offset : 0
      let end = run == high.run ? high.offset + 1 : count
      guard start < end else { continue }
      let (first, last) = (Place(run: run, offset: start), Place(run: run, offset: end - 1))
      ends = (ends?.low ?? first, last)
      if isFirstEnough { break }
      versions.text.append(start..<end, of: run, to: &scalars)
    }
    steps += scalars.count
    return ends.map { ($0.low, $0.high, scalars) }
  }
}

extension PassageUnion.Entry {
  /// Two entries as one.
  fileprivate func beside(_ other: Self) -> Self {
    var row = ReadingsInARow()
    row.append(shown, others)
    row.append(other.shown, other.others)
    return Self(
      low: min(low, other.low), high: max(high, other.high),
      row.readings(by: (changes + other.changes).ascending))
  }
}

extension TextRuns.Place {
  /// The first place of a text.
  fileprivate static let first = Self(run: 0, offset: 0)

  /// Right after it, in the same run.
  var next: Self { Self(run: run, offset: offset + 1) }
}

extension [FoundPassage] {
  /// Those that begin in a part of a text.
  ///
  /// O(log n).
  fileprivate func inside(_ low: TextRuns.Place, _ end: TextRuns.Place) -> ArraySlice<FoundPassage>
  {
    self[partitionPoint { $0.low >= low }..<partitionPoint { $0.low >= end }]
  }
}
