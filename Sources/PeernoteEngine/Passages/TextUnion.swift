/// Unites what two versions of a text show.
///
/// What one side did is looked at where the other side did something near, in a window of the text
/// (``PassageUnion``); all else stays. O(passages of both sides), plus for each scalar that the given
/// side touched the tokens around it, and the sentences of what is contested.
struct TextUnion {
  typealias Place = TextRuns.Place

  let versions: UnitedVersions
  /// Where the passages of either side stand; those that overlap are one.
  let hulls: [Hull]
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

  /// O(passages of both sides).
  init(_ versions: UnitedVersions) {
    self.versions = versions
    var hulls: [Hull] = []
    for shared in versions.passages {
      let passage = shared.passage
      if let last = hulls.last, passage.low <= last.high {
        hulls[hulls.count - 1] = Hull(
          low: last.low, high: max(last.high, passage.high), isCommon: false)
      } else {
        hulls.append(Hull(low: passage.low, high: passage.high, isCommon: shared.shownBy == .both))
      }
    }
    self.hulls = hulls
    steps = hulls.count
  }

  // MARK: Windows

  /// A part of the text that begins and ends with a token that both sides left as it was.
  private struct Window {
    /// Its first scalar, or where the text begins.
    var start: Place
    /// Right after its last scalar, or where the text ends.
    var end: Place
    /// The sides that touched something there, or have passages there that the other one lacks.
    var touchedBy: UnitedVersions.Shown
  }

  /// The passages of the union of two versions, neither of which holds the other, ascending.
  ///
  /// The runs that one side has inserted or deleted since ascend. The first run that either side has
  /// touched is `nil` if they don't show equally much text.
  mutating func passages(near touched: [Int32], alikeFrom first: Int32?) -> [FoundPassage] {
    if let first, let found = passagesOfAlike(from: first) { return found }
    // Where something may be contested, with the passages found there.
    var done: [(window: Window, passages: [FoundPassage])] = []
    var last: Place?
    for seed in seeds(touched) {
      if let last, seed < last { continue }
      var window = window(around: seed, toSentence: false)
      if window.touchedBy == .both {
        // Most likely something is contested there, with its sentence.
        window = self.window(around: seed, toSentence: true)
        var found = passages(in: window)
        while let before = done.last, let old = before.passages.last, let new = found.first,
          new.low <= old.high
        {
          // The token between them came along with both.
          window.start = before.window.start
          done.removeLast()
          found = passages(in: window)
        }
        done.append((window, found))
      }
      last = window.end
    }
    let kept = versions.passages.filter { shared in
      let low = shared.passage.low
      let next = done.partitionPoint { $0.window.end > low }
      if next < done.count, done[next].window.start <= low { return false }
      // Elsewhere stays what both have, and what one has that the other has not seen.
      return shared.shownBy == .both || !shared.passage.isMade(in: versions.haveSeen)
    }
    return (kept.map(\.passage) + done.flatMap(\.passages)).sorted { $0.low < $1.low }
  }

  /// The passages of the union in a part of the text.
  private mutating func passages(in window: Window) -> [FoundPassage] {
    var units: [PassageUnion.Unit] = []
    var scan = TextScan(of: versions, from: window.start, forward: true)
    while let unit = scan.next(), unit.place < window.end { units.append(unit) }
    let first = versions.passages.partitionPoint { $0.passage.low >= window.start }
    var union = PassageUnion(
      units, of: versions,
      passages: versions.passages[first...].prefix { $0.passage.low < window.end })
    let found = passages(union.parts())
    steps += union.steps
    if union.usesPassages { usesPassages = true }
    return found
  }

  /// Where to look around: at runs that are touched, and where a passage begins that one side has and
  /// the other one not, which may be inside a run.
  private func seeds(_ touched: [Int32]) -> [Place] {
    let runs = touched.map { Place(run: $0, offset: 0) }
    let own = hulls.filter { !$0.isCommon }.map(\.low)
    return own.isEmpty ? runs : (runs + own).sorted()
  }

  private mutating func window(around seed: Place, toSentence: Bool) -> Window {
    let isRun = seed.offset == 0
    let hull = hull(at: seed)
    let end = isRun ? Place(run: seed.run + 1, offset: 0) : seed
    let isDifferent = hull?.isCommon == false
    var window = Window(
      start: min(seed, hull?.low ?? seed), end: max(end, hull?.high.next ?? end),
      touchedBy: isDifferent ? .both : isRun ? versions.shown(seed.run).touchedBy : [])
    grow(&window, forward: false, toSentence: toSentence)
    grow(&window, forward: true, toSentence: toSentence)
    return window
  }

  /// Adds tokens on one side, until some follow each other that both sides left as they were, or a
  /// line feed; if `toSentence`, one of them is the white space between two sentences.
  private mutating func grow(_ window: inout Window, forward: Bool, toSentence: Bool) {
    var (borders, hasEnd) = (BorderCount(), !toSentence)
    var sentence = SentenceEnd(isForward: forward)
    var scan = TextScan(of: versions, from: forward ? window.end : window.start, forward: forward)
    defer { steps += scan.steps }
    while let unit = scan.next() {
      let hull = hull(at: unit.place)
      if hull != nil || unit.shown.isTouched {
        window.touchedBy.formUnion(hull?.isCommon == false ? .both : unit.shown.touchedBy)
        (borders, hasEnd) = (BorderCount(), !toSentence)
        sentence = SentenceEnd(isForward: forward)
        continue
      }
      let isFeed = unit.scalar == TokenPart.lineFeed
      borders.pass(unit.scalar)
      if !borders.areFew, hasEnd, !isFeed { return }
      if forward { window.end = unit.place.next } else { window.start = unit.place }
      if isFeed { return }
      // The first token may go on in what was touched. A sentence stands between two others.
      if borders.count > 0, sentence.isMet(by: unit.scalar) {
        (borders.count, hasEnd) = (forward ? 0 : 1, true)
      }
    }
    let end = Place(run: Int32(versions.text.runs.count), offset: 0)
    if forward { window.end = end } else { window.start = .first }
  }

  /// The hull of passages that a place lies in, in O(log passages).
  func hull(at place: Place) -> Hull? {
    if hulls.isEmpty { return nil }
    let next = hulls.partitionPoint { $0.high >= place }
    return next < hulls.count && hulls[next].low <= place ? hulls[next] : nil
  }

  // MARK: Passages

  /// The passages that what the union shows makes of the raw text.
  mutating func passages(_ parts: [ShownPart]) -> [FoundPassage] {
    var shown: [(part: ShownPart, raw: RawText?)] = []
    for part in parts {
      var next = (part, raw: raw(of: part))
      if let last = shown.last, last.raw == nil || next.raw == nil {
        // Of what has nothing in the raw text, what is beside it comes along.
        var both = ShownPart(.group, shown.removeLast().part.passage)
        both.append(part.passage)
        next = (both, raw(of: both))
      }
      shown.append(next)
    }
    return shown.compactMap { part, raw in
      guard part.kind == .group, let raw else { return part.kind == .passage ? part.passage : nil }
      let readings = part.readings.distinct
      if readings.count == 1, readings[0].scalars == raw.scalars { return nil }
      return FoundPassage(low: raw.low, high: raw.high, readings: readings)
    }
  }

  /// Raw text of the union, from its first scalar to its last one.
  private typealias RawText = (low: Place, high: Place, scalars: [UInt32])

  /// What of a group stands in the raw text, if anything does; of all else something does.
  private mutating func raw(of part: ShownPart) -> RawText? {
    let (low, high) = (part.low, part.high)
    if part.kind != .group { return (low, high, []) }
    var ends: (low: Place, high: Place)?
    var scalars: [UInt32] = []
    for (run, offsets) in versions.text.parts(from: low, to: high) {
      steps += 1
      guard versions.shown(run).isInUnion, !offsets.isEmpty else { continue }
      let first = Place(run: run, offset: offsets.lowerBound)
      ends = (ends?.low ?? first, Place(run: run, offset: offsets.upperBound - 1))
      versions.text.append(offsets, of: run, to: &scalars)
    }
    steps += scalars.count
    return ends.map { ($0.low, $0.high, scalars) }
  }
}

extension TextRuns.Place {
  /// The first place of a text.
  static let first = Self(run: 0, offset: 0)
  /// Behind all places of any text.
  static let last = Self(run: .max, offset: 0)

  /// Right after it, in the same run.
  var next: Self { Self(run: run, offset: offset + 1) }
}

/// Goes through the scalars of a text that one of two versions shows, or both had until each deleted
/// them, in one direction.
struct TextScan: IteratorProtocol {
  typealias Place = TextRuns.Place

  private let versions: UnitedVersions
  private let isForward: Bool
  private var run: Int32
  /// Where the next scalar begins, or where it ends that comes before.
  private var offset: Int32
  private var shown: UnitedVersions.Shown
  /// Scalars of the run that were read ahead, from one on.
  private var scalars: [UInt32] = []
  private var first: Int32 = 0
  /// How many scalars were read, and runs passed over.
  private(set) var steps = 0
  private static let chunk: Int32 = 32

  /// Starts at a place, with the scalar there or, backwards, the one before it.
  init(of versions: UnitedVersions, from place: Place, forward: Bool) {
    self.versions = versions
    isForward = forward
    let count = Int32(versions.text.runs.count)
    run = min(place.run, count)
    offset = run < count ? place.offset : 0
    shown = run < count ? versions.shown(run) : []
  }

  /// The next scalar, in O(1), amortized, plus the runs that no version shows.
  mutating func next() -> PassageUnion.Unit? {
    while shown.isEmpty || (isForward ? offset >= versions.text.runs[Int(run)].count : offset == 0)
    {
      run += isForward ? 1 : -1
      shown = []
      guard versions.text.runs.indices.contains(Int(run)) else { return nil }
      shown = versions.shown(run)
      offset = isForward ? 0 : versions.text.runs[Int(run)].count
      scalars.removeAll(keepingCapacity: true)
      steps += 1
    }
    steps += 1
    let place = isForward ? offset : offset - 1
    if !(first..<first + Int32(scalars.count)).contains(place) {
      first = isForward ? place : max(0, offset - Self.chunk)
      let end = isForward ? min(versions.text.runs[Int(run)].count, offset + Self.chunk) : offset
      scalars.removeAll(keepingCapacity: true)
      versions.text.append(first..<end, of: run, to: &scalars)
    }
    offset = isForward ? offset + 1 : place
    return PassageUnion.Unit(
      scalar: scalars[Int(place - first)], place: Place(run: run, offset: place), shown: shown)
  }
}
