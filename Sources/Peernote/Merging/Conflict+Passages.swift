extension ConflictFinder {
  /// Notes the contested passages of a text.
  mutating func notePassages(of container: Int32) {
    guard let passages = passages[container] else { return }
    let text = texts[Int(container)]
    let names = ChangeNumbers(objects.log)
    var line = 1
    var place = TextPlace()
    for (passage, shown) in zip(passages, PassageMap(passages).shownRanges)
    where !passage.others.isEmpty {
      let next = text.place(ofScalar: shown.lowerBound, from: place)
      line += text.lineFeeds(from: place, to: next)
      place = next
      let kept = side(of: passage.shown, names)
      note(
        Conflict(
          path: path, line: line, scalars: shown, kind: .passage,
          id: "\(kept.change)@\(shown.lowerBound)", kept: kept,
          others: passage.others.map { side(of: $0, names) }))
    }
  }

  /// A reading with the latest change whose reading it is.
  private func side(of reading: TextPassage.Reading, _ names: ChangeNumbers) -> Conflict.Side {
    let latest = reading.changes.compactMap { names[$0] }.max { left, right in
      objects.log.isLaterWrite(
        objects.log.eventCounts.firstEvent(ofChange: right),
        than: objects.log.eventCounts.firstEvent(ofChange: left))
    }
    guard let latest else { preconditionFailure("a reading is that of a change of the log") }
    return objects.log.side(
      objects.log.eventCounts.firstEvent(ofChange: latest), node: .text(reading.text.string))
  }
}

extension Conflict {
  /// What a conflict is about, so that it is known again after a merge.
  var matter: Matter {
    Matter(
      path: kind == .passage ? path : nil, writes: writes,
      texts: kind == .passage ? ([kept] + others).map(\.node) : [])
  }

  /// See ``matter``.
  struct Matter: Hashable {
    var path: JSONPointer?
    var writes: [EventID]
    var texts: [Node?]
  }
}

/// Finds overlaps of a raw text in the text that is shown.
struct ShownOverlaps {
  private let map: PassageMap
  private let isEmpty: Bool
  private let text: TextBuffer
  /// How far lines were counted.
  private var place = TextPlace()
  private var line = 1

  /// O(bytes).
  init(through passages: [TextPassage], of raw: TextBuffer) {
    map = PassageMap(passages)
    isEmpty = passages.isEmpty
    text = map.shown(from: raw)
  }

  /// An overlap as it stands in the text that is shown; `nil` if it meets a passage, which says
  /// more.
  ///
  /// O(bytes since the one before).
  mutating func shown(_ overlap: Conflict) -> Conflict? {
    guard let scalars = overlap.scalars, !isEmpty else { return overlap }
    if map.meets(raw: scalars) { return nil }
    let start = map.shown(ofRaw: scalars.lowerBound)
    if start < place.scalar { (place, line) = (TextPlace(), 1) }
    let next = text.place(ofScalar: start, from: place)
    line += text.lineFeeds(from: place, to: next)
    place = next
    var result = overlap
    result.scalars = start..<start + scalars.count
    result.line = line
    return result
  }
}
