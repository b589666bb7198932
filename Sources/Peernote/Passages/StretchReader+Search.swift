/// A part of what a ``StretchReader`` has read.
struct StretchPart {
  /// The scalars, by their places.
  var units: Range<Int>
  /// How many visible scalars come before.
  var start = 0
  /// The last change of those that are as if they had always been there, if there are any.
  var settled = ChangeIndex.beforeAll
  /// The last change that counts: the part is looked at as it was then.
  var last = ChangeIndex.afterAll
}

extension StretchReader {
  /// The passages in a part, which is taken apart further, until nothing of it is settled.
  ///
  /// What all changes that touched a part have seen is as if it had always been there; so it is taken
  /// apart once more where that holds of a line end.
  ///
  /// - Parameters:
  ///   - whole: the part.
  ///   - knowingWhatIsApart: whether to leave out what ``areEditsApart(_:)`` knows to have none.
  /// - Returns: the passages, ascending, by the visible scalars that were read.
  mutating func passages(
    in whole: StretchPart, knowingWhatIsApart: Bool
  ) -> [TextPassage] {
    var result: [TextPassage] = []
    // The next one last.
    var waiting = [whole]
    while let part = waiting.popLast() {
      if knowingWhatIsApart, areEditsApart(part) {
        assert(passages(in: part, knowingWhatIsApart: false).isEmpty, "edits that are not apart")
        continue
      }
      guard let changes = changes(of: part) else { continue }
      if let lines = lines(of: part, changes) {
        waiting += lines.reversed()
        continue
      }
      if let last = settled(part, changes, knowingWhatIsApart) {
        var rest = part
        rest.settled = last
        waiting.append(rest)
        continue
      }
      result += passages(of: part, changes.counted(forScalars: part.units.count))
    }
    return result
  }

  /// The changes that touched a part; `nil` if none of them can be contested.
  private func changes(of part: StretchPart) -> StretchChanges? {
    guard let last = part.units.last else { return nil }
    // Scalars beside each other are often of the same changes.
    var changes: [ChangeIndex] = []
    var latest = (part.settled, part.settled)
    func leaveEachOnce() {
      let sorted = changes.sorted()
      changes.removeAll(keepingCapacity: true)
      for change in sorted where change != changes.last { changes.append(change) }
    }
    func add(_ change: ChangeIndex) {
      if change <= part.settled || change == latest.0 || change == latest.1 { return }
      changes.append(change)
      latest = (change, latest.0)
      guard changes.count == 4 * StretchChanges.changeLimit else { return }
      leaveEachOnce()
      // That many more are too many in any case.
      changes.removeLast(max(0, changes.count - 2 * StretchChanges.changeLimit))
    }
    for deleter in deleters[deletersStart(of: part)..<Int(units[last].deletersEnd)] { add(deleter) }
    for unit in units[part.units] { add(unit.insertedBy) }
    leaveEachOnce()
    return StretchChanges(changes, of: log)
  }

  /// The last of the first changes that are settled: all others have seen them, and when they were
  /// the latest nothing but the raw text was shown.
  ///
  /// After a number of changes at which there were passages only twice as many are tried.
  ///
  /// - Returns: the change; `nil` if there are none.
  private mutating func settled(
    _ part: StretchPart, _ changes: StretchChanges, _ knowingWhatIsApart: Bool
  ) -> ChangeIndex? {
    var next = changes.cut(from: 1)
    while let cut = next {
      var earlier = part
      earlier.last = cut.last
      if knowingWhatIsApart && areEditsApart(earlier)
        || passages(of: earlier, changes.first(cut.count, forScalars: part.units.count)).isEmpty
      {
        return cut.last
      }
      next = changes.cut(from: 2 * cut.count)
    }
    return nil
  }

  /// The lines that a part is made of, if there are several that all have seen, but for those that
  /// none of its changes touched.
  private func lines(of part: StretchPart, _ changes: StretchChanges) -> [StretchPart]? {
    var result: [StretchPart] = []
    var line = part
    line.units = part.units.lowerBound..<part.units.lowerBound
    var visible = 0
    var isTouched = false
    var deletersEnd = deletersStart(of: part)
    func end(at place: Int) {
      line.units = line.units.lowerBound..<place
      if isTouched { result.append(line) }
      line.units = place..<place
      line.start += visible
      (visible, isTouched) = (0, false)
    }
    for place in part.units {
      let unit = units[place]
      let deleters = deleters[deletersEnd..<Int(unit.deletersEnd)]
      deletersEnd = Int(unit.deletersEnd)
      let isOpen = changes.isOpen(unit.insertedBy)
      isTouched = isTouched || isOpen || deleters.contains { changes.isOpen($0) }
      guard deleters.isEmpty else { continue }
      visible += 1
      if unit.scalar == 0x0A, !isOpen, place + 1 < part.units.upperBound { end(at: place + 1) }
    }
    if line.units.lowerBound == part.units.lowerBound { return nil }
    end(at: part.units.upperBound)
    return result
  }

  /// Where the changes begin that deleted scalars of a part.
  func deletersStart(of part: StretchPart) -> Int {
    part.units.lowerBound == 0 ? 0 : Int(units[part.units.lowerBound - 1].deletersEnd)
  }

  /// The passages of a part.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - changes: its changes up to the last one that counts; `nil` if there are too many.
  /// - Returns: the passages, ascending; none if there are too many changes.
  private func passages(of part: StretchPart, _ changes: CountedChanges?) -> [TextPassage] {
    guard let changes else { return [] }
    var stretch = Stretch()
    stretch.past = changes.past
    if stretch.isLinear { return [] }
    stretch.rank = ranks(of: changes.names)
    var end = deletersStart(of: part)
    for unit in units[part.units] {
      let deleters = deleters[end..<Int(unit.deletersEnd)]
      end = Int(unit.deletersEnd)
      var next = Stretch.Unit(scalar: unit.scalar, insertedBy: -1)
      if unit.insertedBy > part.last { continue }
      if let number = changes.number(of: unit.insertedBy) { next.insertedBy = Int32(number) }
      var isGone = false
      for deleter in deleters where deleter <= part.last {
        if let number = changes.number(of: deleter) {
          next.deletedBy.insert(number)
        } else {
          isGone = true
        }
      }
      // What somebody deleted whom all have seen concerns nobody.
      if isGone { continue }
      stretch.units.append(next)
      if let passage = passage(for: unit.scalar) {
        stretch.passages[unit.scalar] = ([passage.shown] + passage.others).map {
          $0.text.string.unicodeScalars.map(\.value)
        }
      }
    }
    if stretch.units.isEmpty { return [] }
    var finder = PassageFinder(stretch)
    return finder.shown(by: stretch.all).passages.compactMap {
      passage($0, of: stretch, from: part.start, changes: changes.names)
    }
  }

  private func ranks(of changes: [ChangeIndex]) -> [Int] {
    let order = changes.indices.sorted { left, right in
      log.isLaterWrite(
        log.eventCounts.firstEvent(ofChange: changes[right]),
        than: log.eventCounts.firstEvent(ofChange: changes[left]))
    }
    var result = [Int](repeating: 0, count: changes.count)
    for (rank, number) in order.enumerated() { result[number] = rank }
    return result
  }

  /// What a passage reads; `nil` if that is the raw text, and nothing else.
  private func passage(
    _ passage: PassageFinder.Region, of stretch: Stretch, from start: Int, changes: [ChangeIndex]
  ) -> TextPassage? {
    let all = stretch.all
    /// - Parameter inner: a scalar that stands for a passage, and what that reads instead.
    func text(_ units: [Int], with inner: (unit: Int, text: TextBuffer)? = nil) -> TextBuffer {
      var result = TextBuffer()
      var scalars = String.UnicodeScalarView()
      for unit in units {
        let value = stretch.units[unit].scalar
        if let scalar = Unicode.Scalar(value) {
          scalars.append(scalar)
        } else if let passage = self.passage(for: value) {
          result.append(TextBuffer(String(scalars)))
          result.append(inner?.unit == unit ? inner?.text ?? TextBuffer() : passage.shown.text)
          scalars.removeAll()
        }
      }
      result.append(TextBuffer(String(scalars)))
      return result
    }
    func names(_ numbers: [Int]) -> [ChangeID] {
      numbers.sorted().map { log.changeID(ofChange: changes[$0]) }
    }
    let union = passage.range.filter { stretch.isLive($0, in: all) }
    if union.isEmpty { return nil }
    let shown = TextPassage.Reading(
      text: text(passage.units), changes: names(passage.shownRivals))
    var others: [TextPassage.Reading] = []
    func add(_ other: TextPassage.Reading) {
      if other.text != shown.text, !others.contains(where: { $0.text == other.text }) {
        others.append(other)
      }
    }
    let kept = passage.isContested ? passage.others : []
    for reading in kept {
      add(TextPassage.Reading(text: text(reading.units), changes: names(reading.changes)))
    }
    if others.isEmpty, text(union) == shown.text { return nil }
    for unit in passage.range where stretch.isLive(unit, in: all) {
      guard let inner = self.passage(for: stretch.units[unit].scalar), !inner.others.isEmpty else {
        continue
      }
      // With what stands around it.
      let around = ([passage.units] + kept.map(\.units)).first { $0.contains(unit) } ?? [unit]
      for reading in [inner.shown] + inner.others {
        add(
          TextPassage.Reading(
            text: text(around, with: (unit, reading.text)), changes: reading.changes))
      }
    }
    let start = start + (0..<passage.range.lowerBound).count { stretch.isLive($0, in: all) }
    return TextPassage(raw: start..<start + union.count, shown: shown, others: others)
  }
}
