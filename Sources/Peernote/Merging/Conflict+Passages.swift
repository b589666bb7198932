extension ConflictFinder {
  /// Records the contested passages of a text.
  mutating func recordPassages(of container: ContainerIndex) {
    guard let passages = passages[container] else { return }
    let text = texts[container]
    let names = ChangeNumbers(objects.log)
    var line = 1
    var place = TextPlace()
    for (passage, shown) in zip(passages, PassageMap(passages).shownRanges)
    where !passage.others.isEmpty {
      let next = text.place(ofScalar: shown.lowerBound, from: place)
      line += text.lineFeeds(from: place, to: next)
      place = next
      let kept = side(of: passage.shown, names)
      record(
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

extension Document {
  /// Those of an earlier version's conflicts over values and readings that are settled now: none of
  /// what they kept beside what is shown is kept, or shown, as one of several any more.
  ///
  /// O(1) if there were none, else as ``conflicts``.
  package func settled(of earlier: [Conflict]) -> [Conflict] {
    let decided = earlier.filter { $0.kind == .passage || $0.kind == .register }
    if decided.isEmpty { return [] }
    let open = conflicts.flatMap { [$0.kept] + $0.others }
    return decided.filter { conflict in
      !conflict.others.contains { side in
        open.contains { $0.change == side.change && $0.node == side.node }
      }
    }
  }
}

/// Finds overlaps of a raw text in the text that is shown.
struct ShownOverlaps {
  private let map: PassageMap
  private let isEmpty: Bool
  private var lines: TextLines

  /// O(bytes).
  init(through passages: [TextPassage], of raw: TextBuffer) {
    map = PassageMap(passages)
    isEmpty = passages.isEmpty
    lines = TextLines(map.shown(from: raw))
  }

  /// An overlap as it stands in the text that is shown.
  ///
  /// `nil` if it meets a passage that is contested, which says more, unless both sides stand there
  /// together beside that, too; or if both did the same. Where one side's text is shown for what both
  /// wrote, it is no more than adjacent.
  ///
  /// O(bytes since the one before, and of the overlap).
  mutating func shown(_ overlap: Conflict) -> Conflict? {
    guard let scalars = overlap.scalars, !isEmpty else { return overlap }
    let met = map.passages(meeting: scalars)
    if let first = met.first(where: { !$0.others.isEmpty }),
      let last = met.last(where: { !$0.others.isEmpty })
    {
      let passages = first.raw.lowerBound..<last.raw.upperBound
      guard combinesBeside(passages, overlap, scalars),
        var result = together(overlap, from: scalars)
      else { return nil }
      result.kind = .overlap
      if result.reason == .adjacent { result.reason = .changes }
      return result
    }
    if !met.isEmpty {
      guard var result = together(overlap, from: scalars) else { return nil }
      if result.others.contains(where: { $0.node == result.kept.node }) {
        (result.kind, result.reason) = (.adjacent, .adjacent)
      }
      return result
    }
    let start = map.shown(ofRaw: scalars.lowerBound)
    var result = overlap
    result.scalars = start..<start + scalars.count
    result.line = lines.line(ofScalar: start)
    return result
  }

  /// Whether what is shown before or behind the contested passages that an overlap meets is what
  /// neither side had there.
  ///
  /// - Parameters:
  ///   - passages: from the first to the last of these, in the raw text.
  ///   - overlap: the overlap.
  ///   - raw: where that stands in the raw text.
  /// - Returns: whether it is.
  private mutating func combinesBeside(
    _ passages: Range<Int>, _ overlap: Conflict, _ raw: Range<Int>
  ) -> Bool {
    let sides = overlap.others.compactMap { side -> String.UTF8View? in
      if case .text(let text)? = side.node { text.utf8 } else { nil }
    }
    if sides.isEmpty { return false }
    func text(_ range: Range<Int>) -> ArraySlice<UInt8> {
      let (start, end) = (
        map.shown(ofRaw: range.lowerBound), map.shown(ofRaw: range.upperBound, forward: true)
      )
      guard range.lowerBound < range.upperBound, start < end else { return [] }
      _ = lines.line(ofScalar: start)
      return lines.text(upToScalar: end)
    }
    let before = text(raw.lowerBound..<max(raw.lowerBound, passages.lowerBound))
    let behind = text(min(raw.upperBound, passages.upperBound)..<raw.upperBound)
    return !sides.contains { $0.starts(with: before) }
      || !sides.contains { $0.reversed().starts(with: behind.reversed()) }
  }

  /// An overlap as it stands among passages; `nil` if both did the same.
  private mutating func together(_ overlap: Conflict, from raw: Range<Int>) -> Conflict? {
    if overlap.others.count == 2, overlap.others[0].node == overlap.others[1].node { return nil }
    let start = map.shown(ofRaw: raw.lowerBound)
    let end = max(start, map.shown(ofRaw: raw.upperBound, forward: true))
    var result = overlap
    result.scalars = start..<end
    result.line = lines.line(ofScalar: start)
    result.kept.node = .text(String(decoding: lines.text(upToScalar: end), as: UTF8.self))
    return result
  }
}

/// What one side of a merge showed of a text.
struct ShownSide {
  /// What the text showed; `nil` if that was all of it.
  private var shown: TextBuffer?
  /// Where the raw text is not what was shown, in bytes, ascending.
  private var hidden: [Range<Int>] = []

  /// Takes a text by its number; `nil` for one that the side does not have.
  ///
  /// O(bytes) if it has passages.
  init(
    of container: ContainerIndex?, _ texts: [TextBuffer],
    _ passages: [ContainerIndex: [TextPassage]]
  ) {
    guard let container, let open = passages[container] else { return }
    let raw = texts[container]
    shown = PassageMap(open).shown(from: raw)
    var place = TextPlace()
    for passage in open {
      let start = raw.place(ofScalar: passage.raw.lowerBound, from: place)
      place = raw.place(ofScalar: passage.raw.upperBound, from: start)
      hidden.append(start.byte..<place.byte)
    }
  }

  /// Whether the side showed a part of its raw text.
  ///
  /// O(log passages), or O(bytes) if the part meets a passage or nobody knows where it stands.
  func shows(_ part: String, at bytes: Range<Int>?) -> Bool {
    guard let shown else { return true }
    if let bytes {
      let next = hidden.partitionPoint { $0.upperBound > bytes.lowerBound }
      if next == hidden.count || hidden[next].lowerBound >= bytes.upperBound { return true }
    }
    return shown.utf8.holds(Array(part.utf8))
  }
}

extension Conflict {
  /// Leaves out of an overlap what a side held but did not show, being the union of contested
  /// readings.
  ///
  /// - Parameter sides: our side and theirs, and where the overlap stands in the raw text of each.
  mutating func keepSeen(in sides: [(side: ShownSide, bytes: Range<Int>?)]) {
    for (index, side) in sides.enumerated() where others.indices.contains(index) {
      guard case .text(let held) = others[index].node,
        !side.side.shows(held, at: side.bytes)
      else { continue }
      others[index].node = kept.node
      (kind, reason) = (.adjacent, .adjacent)
    }
  }
}
