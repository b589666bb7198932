/// What a change did to a scalar of a stretch, of two changes that may know nothing of each other.
struct EditMark: OptionSet {
  var rawValue: UInt8

  static let byFirst = EditMark(rawValue: 1)
  static let bySecond = EditMark(rawValue: 2)
  static let byBoth: EditMark = [.byFirst, .bySecond]
  static let inserted = EditMark(rawValue: 4)
  static let deleted = EditMark(rawValue: 8)
  /// Was deleted before both, or inserted later: stands in no text that matters.
  static let gone = EditMark(rawValue: 16)
}

extension StretchReader {
  /// Whether two changes at most touched a part of what is read, and their edits are so far apart
  /// that nothing can be contested: the usual case, known without a ``PassageFinder``.
  ///
  /// Their edits are apart where between those of the one and those of the other stands a scalar of
  /// no word, with one on either side of it that nobody touched either; and where no run of edits
  /// comes to the same text on both sides.
  ///
  /// O(n) for n scalars, unless edits begin alike.
  mutating func areEditsApart(_ part: StretchPart) -> Bool {
    switch writers(of: part) {
    case .others: return false
    case .one: return true
    case .two(let one, let other): mark(part, one, other)
    }
    guard let edits = editsApart(in: part.units) else { return false }
    return !edits.indices.contains { mayAgree(edits, from: $0, in: part.units) }
  }

  /// Who touched a stretch, besides those whom all others had seen.
  private enum Writers {
    case one
    case two(ChangeIndex, ChangeIndex)
    /// More, or somebody who has seen them.
    case others
  }

  private func writers(of part: StretchPart) -> Writers {
    var first: ChangeIndex?
    var second: ChangeIndex?
    var lastSeen = ChangeIndex.beforeAll
    func isKnown(_ change: ChangeIndex) -> Bool {
      if change == .beforeAll || change > part.last || change == first || change == second
        || change == lastSeen
      {
        return true
      }
      if change <= part.settled {
        lastSeen = max(lastSeen, change)
      } else if first == nil {
        first = change
      } else if second == nil {
        second = change
      } else {
        return false
      }
      return true
    }
    let firstDeleter = deletersStart(of: part)
    let lastDeleter = part.units.last.map { Int(units[$0].deletersEnd) } ?? firstDeleter
    guard units[part.units].allSatisfy({ isKnown($0.insertedBy) }),
      deleters[firstDeleter..<lastDeleter].allSatisfy(isKnown)
    else { return .others }
    guard let first, let second else { return .one }
    return lastSeen > min(first, second) ? .others : .two(first, second)
  }

  /// Notes what each of two changes did to each scalar.
  private mutating func mark(_ part: StretchPart, _ first: ChangeIndex, _ second: ChangeIndex) {
    marks.removeAll(keepingCapacity: true)
    var next = deletersStart(of: part)
    for unit in units[part.units] {
      var mark: EditMark = []
      func add(_ change: ChangeIndex, _ what: EditMark) {
        if change == first { mark.formUnion([.byFirst, what]) }
        if change == second { mark.formUnion([.bySecond, what]) }
      }
      add(unit.insertedBy, .inserted)
      if unit.insertedBy > part.last { mark.insert(.gone) }
      while next < Int(unit.deletersEnd) {
        let deleter = deleters[next]
        next += 1
        if deleter == first || deleter == second {
          add(deleter, .deleted)
        } else if deleter <= part.last {
          mark.insert(.gone)
        }
      }
      marks.append(mark)
    }
  }

  /// The places of the edits by their marks, each between scalars that nobody touched; `nil` unless those of the
  /// two changes are apart.
  private func editsApart(in range: Range<Int>) -> [ClosedRange<Int>]? {
    var result: [ClosedRange<Int>] = []
    var last: EditMark = []
    // Of the scalars since the last edit.
    var untouched = 0
    var separator = 0
    // The last untouched scalar.
    var before = 0
    for (place, mark) in marks.enumerated() where !mark.contains(.gone) {
      let side = mark.intersection(.byBoth)
      if side.isEmpty {
        untouched += 1
        if separator == 0, untouched > 1, partsWords(place, after: before, in: range) {
          separator = untouched
        }
        before = place
        continue
      }
      if side == .byBoth { return nil }
      let isApart = separator > 0 && separator < untouched
      if !last.isEmpty, side != last, !isApart { return nil }
      if untouched == 0, let edit = result.popLast() {
        result.append(edit.lowerBound...place)
      } else {
        result.append(place...place)
      }
      last = side
      untouched = 0
      separator = 0
    }
    return result
  }

  /// Whether the scalar at a place is in no word, whatever stands there but the one before it.
  private func partsWords(_ place: Int, after before: Int, in range: Range<Int>) -> Bool {
    switch WordPart(units[range.lowerBound + place].scalar) {
    case .none: true
    case .space: WordPart(units[range.lowerBound + before].scalar) != .digit
    case .letter, .digit, .separator, .apostrophe, .lowLine, .hyphen, .sign: false
    }
  }

  /// Whether from an edit on, up to some edit of the other change, both sides may read the same.
  private func mayAgree(
    _ edits: [ClosedRange<Int>], from number: Int, in range: Range<Int>
  ) -> Bool {
    let units = units[range]
    let origin = range.lowerBound
    let start = edits[number].lowerBound
    func side(_ edit: ClosedRange<Int>) -> EditMark {
      marks[edit.lowerBound].intersection(.byBoth)
    }
    guard let other = edits[number...].first(where: { side($0) != side(edits[number]) }) else {
      return false
    }
    /// The next scalar that a side shows.
    func next(_ side: EditMark, from place: Int) -> Int {
      var place = place
      while place < marks.count {
        let mark = marks[place]
        let hides: EditMark = mark.isDisjoint(with: side) ? .inserted : .deleted
        if !mark.contains(.gone), mark.isDisjoint(with: hides) { return place }
        place += 1
      }
      return place
    }
    var ours = next(.byFirst, from: start)
    var theirs = next(.bySecond, from: start)
    while ours <= other.upperBound || theirs <= other.upperBound {
      guard ours < marks.count, theirs < marks.count,
        units[origin + ours].scalar == units[origin + theirs].scalar
      else { return false }
      ours = next(.byFirst, from: ours + 1)
      theirs = next(.bySecond, from: theirs + 1)
    }
    return true
  }
}
