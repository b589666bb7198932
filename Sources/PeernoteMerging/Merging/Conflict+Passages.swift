package import PeernoteEngine

extension ConflictFinder {
  /// The contested passages of a text.
  func contestedPassages(of container: ContainerIndex) -> [Conflict] {
    guard let passages = passages[container] else { return [] }
    var found: [Conflict] = []
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
      var conflict = Conflict(
        path: path, line: line, scalars: shown, kind: .passage,
        id: "\(kept.change)@\(shown.lowerBound)", kept: kept,
        others: passage.others.map { side(of: $0, names) })
      conflict.lineStart = text.lineStart(before: place)
      found.append(conflict)
    }
    return found
  }

  /// The lines of a text that were moved and are contested; O(bytes), if there are any.
  func movedLines(of container: ContainerIndex) -> [Conflict] {
    guard let moves = moves[container] else { return [] }
    let map = PassageMap(passages[container] ?? [])
    let lines = StandingLines(texts[container].string)
    return moves.compactMap { move in
      var sides: [Conflict.Side] = []
      var scalars: Range<Int>?
      for found in move.sides {
        guard let raw = found.raw else {
          let isBlank = found.rest.allSatisfy { TokenPart.isBlank($0) }
          let rest = isBlank ? nil : DocumentNode.text(TextBuffer(scalars: found.rest).string)
          var side = objects.log.side(found.event, node: rest)
          if rest != nil { side.moved = .shortenedLine }
          sides.append(side)
          continue
        }
        // What a contested passage shows is told by that.
        let isTold = map.passages(meeting: raw).contains {
          !$0.others.isEmpty && $0.raw.overlaps(raw)
        }
        let start = map.shown(ofRaw: raw.lowerBound)
        let end = map.shown(ofRaw: raw.upperBound, forward: true)
        guard !isTold, let (line, place) = lines.place(ofLine: move.text, in: start..<end),
          !sides.contains(where: { $0.line == line })
        else { continue }
        var side = objects.log.side(found.event, node: .text(move.text))
        (side.line, side.isMoved, side.moved) = (line, true, .line)
        scalars = scalars ?? place
        sides.append(side)
      }
      guard let scalars, sides.count > 1 else { return nil }
      var conflict = objects.log.conflict(.moved, at: path, sides, by: move.sides.map(\.event))
      (conflict.line, conflict.scalars) = (sides[0].line, scalars)
      return conflict
    }
  }

  /// A reading with the changes whose reading it is, the latest one first.
  private func side(of reading: TextPassage.Reading, _ names: ChangeNumbers) -> Conflict.Side {
    let log = objects.log
    let events = reading.changes.compactMap { names[$0] }.map {
      log.eventCounts.firstEvent(ofChange: $0)
    }.sorted { log.isLaterWrite($0, than: $1) }
    guard let latest = events.first else {
      preconditionFailure("a reading is that of a change of the log")
    }
    var side = log.side(latest, node: .text(reading.text.string))
    let others = events.dropFirst().map { log.side($0, node: nil) }
    side.otherChanges = others.map(\.change)
    side.otherAuthors = others.map(\.author).filter { $0 != side.author }.distinct
    return side
  }
}

extension Conflict {
  /// Where it begins in its text.
  var start: Int { scalars?.lowerBound ?? 0 }

  /// What a conflict is about, so that it is known again after a merge.
  var matter: Matter {
    kind == .passage
      ? Matter(path: path, writes: writes, texts: sides.map(\.node)) : Matter(writes: writes)
  }

  struct Matter: Hashable {
    var path: JSONPointer?
    var writes: [EventID]
    var texts: [DocumentNode?] = []
  }
}

extension Document {
  /// Those of an earlier version's conflicts over values and readings that are settled now: none of
  /// what they kept beside what is shown is kept, or shown, as one of several any more.
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

extension Log {
  /// Lines of a merged text that both sides changed, as they stand in the text that is shown.
  ///
  /// Those that meet a contested passage are left out, as that says more; also those where one
  /// side's text is shown for what both wrote. O(bytes). The last events that edited the text on
  /// our side and on theirs are `edits`.
  func adjoining(
    _ places: [AdjoiningLines.Place], of text: MergedTextHistory, among passages: [TextPassage],
    at path: JSONPointer, by edits: (ours: LocalVersion, theirs: LocalVersion)
  ) -> [Conflict] {
    if places.isEmpty { return [] }
    let latest = isLaterWrite(edits.ours, than: edits.theirs) ? edits.ours : edits.theirs
    let name = eventID(of: latest).description
    let map = PassageMap(passages)
    let shown = map.shown(from: text.text)
    var line = 1
    var place = TextPlace()
    return places.compactMap { found in
      if map.passages(meeting: found.merged).contains(where: { !$0.others.isEmpty }) { return nil }
      let start = map.shown(ofRaw: found.merged.lowerBound)
      let end = max(start, map.shown(ofRaw: found.merged.upperBound, forward: true))
      let first = shown.place(ofScalar: start, from: place)
      let last = shown.place(ofScalar: end, from: first)
      line += shown.lineFeeds(from: place, to: first)
      place = first
      let texts = [shown.string(from: first, to: last), found.texts[1], found.texts[2]]
      if texts[1] == texts[2] { return nil }
      let told = zip([latest, edits.ours, edits.theirs], texts).map { side($0, node: .text($1)) }
      return Conflict(
        path: path, line: line, scalars: start..<end, kind: .adjacent,
        id: "\(name)@\(start)", kept: told[0], others: Array(told.dropFirst()))
    }
  }
}

extension [Conflict] {
  /// Lines that adjoined in earlier merges, where they stand now; those that have changed since are
  /// left out.
  package func standing(in document: Document) -> [Conflict] {
    if isEmpty { return [] }
    let root = document.root
    var texts: [JSONPointer: StandingLines] = [:]
    return compactMap { conflict in
      guard case .text(let lines) = conflict.kept.node else { return nil }
      if texts[conflict.path] == nil, case .text(let text)? = root[conflict.path] {
        texts[conflict.path] = StandingLines(text)
      }
      guard let (line, scalars) = texts[conflict.path]?.place(of: lines, near: conflict.line ?? 1)
      else { return nil }
      var result = conflict
      (result.line, result.scalars) = (line, scalars)
      return result
    }
  }
}

/// The lines of a text, to find some again.
struct StandingLines {
  private let lines: [Substring.UnicodeScalarView]
  /// How many scalars come before each.
  private var starts: [Int] = []
  /// The lines that read the same.
  private var places: [Substring: [Int]] = [:]

  /// O(bytes).
  init(_ text: String) {
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    var start = 0
    for (number, line) in lines.enumerated() {
      starts.append(start)
      places[Substring(line), default: []].append(number)
      start += line.count + 1
    }
  }

  /// Where the first line stands in a part of the text that reads so, by its number from 1; `nil` if
  /// none does.
  func place(ofLine text: String, in part: Range<Int>) -> (line: Int, scalars: Range<Int>)? {
    for number in places[Substring(text)] ?? [] {
      let scalars = starts[number]..<starts[number] + lines[number].count
      if part.contains(scalars) { return (number + 1, scalars) }
    }
    return nil
  }

  /// Where some lines stand, next to a line by its number from 1; `nil` if they don't.
  func place(of text: String, near line: Int) -> (line: Int, scalars: Range<Int>)? {
    let wanted = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    let found = (places[Substring(wanted[0])] ?? []).filter { start in
      start + wanted.count <= lines.count
        && zip(lines[start...], wanted).allSatisfy { $0.elementsEqual($1) }
    }
    guard let nearest = found.min(by: { abs($0 + 1 - line) < abs($1 + 1 - line) }) else {
      return nil
    }
    let start = starts[nearest]
    return (nearest + 1, start..<start + text.unicodeScalars.count)
  }
}

extension TextBuffer {
  /// What stands on a line in front of a place, unless that is long.
  fileprivate func lineStart(before place: TextPlace) -> String {
    let line = utf8[..<place.byte].suffix(200)
    guard let feed = line.lastIndex(of: 0x0A) else {
      return line.startIndex == 0 ? String(decoding: line, as: UTF8.self) : ""
    }
    return String(decoding: line[(feed + 1)...], as: UTF8.self)
  }
}
