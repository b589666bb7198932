/// An edit that somebody made to another version of a document, at its place in this one.
struct PickedEdit {
  /// The way to the place, the same in all versions.
  private var steps: [PlaceChange.Step]
  private var path: JSONPointer
  private var action: Action

  private enum Action {
    case splice([TextSplice])
    case put(Value)
    case remove
    case add(Value)
    case discard(Value)
  }

  /// What becomes of an edit.
  enum Result {
    case edit(PickedEdit)
    /// The version reads so already.
    case isThere
    /// The version lacks what it builds on, or changed it too.
    case impossible
  }

  /// Looks for the place of an edit.
  ///
  /// O(size of what is there).
  ///
  /// - Parameters:
  ///   - place: the edit.
  ///   - theirs: the version that it leads to.
  ///   - base: the version that it comes from.
  ///   - ours: the version in which it is to be made.
  /// - Returns: the edit, or why there is none.
  static func make(
    of place: PlaceChange, from theirs: Document, since base: Document, in ours: Document
  ) -> Result {
    let path = ours.file.objects.path(along: place.steps)
    let node = path.flatMap { ours.node(at: $0) }
    func edit(_ action: Action) -> Result {
      path.map { .edit(PickedEdit(steps: place.steps, path: $0, action: action)) } ?? .impossible
    }
    func member(_ value: Value) -> Bool? {
      guard case .set(let members) = node else { return nil }
      return members.contains(value)
    }
    switch place.action {
    case .text(let old, let new):
      guard path != nil, case .text(let text) = node else { return .impossible }
      let made = TextDifference(from: old, to: new).splices
      // What is contested is settled by whoever edits it, and by nobody else.
      guard !base.isContested(made.map(\.range), along: place.steps),
        !theirs.isContested(made.resultRanges, along: place.steps)
      else { return .impossible }
      if text.utf8.elementsEqual(new.utf8) { return .isThere }
      guard
        let splices = made.moved(
          over: TextDifference(from: old, to: text).splices, from: old, to: text),
        !ours.isContested(splices.map(\.range), along: place.steps)
      else { return .impossible }
      return splices.isEmpty ? .isThere : edit(.splice(splices))
    case .replaced(let old, by: .value(let value)):
      guard let node else { return .impossible }
      if node.isExactly(.value(value)) { return .isThere }
      guard case .value = old, node.isExactly(old) else { return .impossible }
      return edit(.put(value))
    case .added(.value(let value)):
      // A new element would be there twice once the original comes.
      guard case .key(let key) = place.steps.last else { return .impossible }
      guard let node else {
        guard let map = ours.file.objects.path(along: place.steps.dropLast()),
          case .map = ours.node(at: map)
        else { return .impossible }
        return .edit(
          PickedEdit(steps: place.steps, path: map.appending(key), action: .put(value)))
      }
      return node.isExactly(.value(value)) ? .isThere : .impossible
    case .removed(let old):
      guard let node else { return .isThere }
      return node.isExactly(old) ? edit(.remove) : .impossible
    case .memberAdded(let value):
      return member(value).map { $0 ? .isThere : edit(.add(value)) } ?? .impossible
    case .memberRemoved(let value):
      return member(value).map { $0 ? edit(.discard(value)) : .isThere } ?? .impossible
    case .added, .replaced, .moved, .counted: return .impossible
    }
  }

  /// Looks for the place of the edit in a version that lacks some of what this one holds.
  ///
  /// O(size of what is there).
  ///
  /// - Parameters:
  ///   - ours: the version that the edit is for.
  ///   - past: the other one.
  /// - Returns: the edit there; `nil` if it meets something that the other version lacks, or the
  ///   place is not there.
  func moved(from ours: Document, to past: Document) -> PickedEdit? {
    guard let place = past.file.objects.path(along: steps), let node = ours.node(at: path),
      let earlier = past.node(at: place)
    else { return nil }
    guard case .splice(let splices) = action else {
      guard node.isExactly(earlier) else { return nil }
      return PickedEdit(steps: steps, path: place, action: action)
    }
    guard case .text(let text) = node, case .text(let earlierText) = earlier,
      let moved = splices.moved(beside: TextDifference(from: text, to: earlierText).splices),
      !past.isContested(moved.map(\.range), along: steps)
    else { return nil }
    return PickedEdit(steps: steps, path: place, action: .splice(moved))
  }

  /// Whether it edits a text.
  var isOfText: Bool {
    if case .splice = action { true } else { false }
  }

  func make(by editor: inout Editor) throws(EditError) {
    switch action {
    case .splice(let splices):
      // From the last one on, so that the places of the others stay.
      for splice in splices.reversed() {
        try editor.spliceText(
          at: path, scalars: splice.position..<splice.position + splice.deleted,
          with: splice.inserted)
      }
    case .put(let value): try editor.put(value, at: path)
    case .remove: try editor.remove(at: path)
    case .add(let value): try editor.add(value, toSetAt: path)
    case .discard(let value): try editor.discard(value, fromSetAt: path)
    }
  }
}

extension Document {
  /// Whether some ranges of a text that is shown meet a contested passage, if only at its border.
  ///
  /// O(ranges · passages).
  fileprivate func isContested(
    _ ranges: [Range<Int>], along steps: [PlaceChange.Step]
  ) -> Bool {
    guard !file.passages.isEmpty, let path = file.objects.path(along: steps),
      let container = Target(path, in: file.objects)?.container(in: file.objects),
      let passages = file.passages[container]
    else { return false }
    return zip(passages, PassageMap(passages).shownRanges).contains { passage, shown in
      !passage.others.isEmpty
        && ranges.contains {
          $0.lowerBound <= shown.upperBound && shown.lowerBound <= $0.upperBound
        }
    }
  }
}

extension TextSplice {
  /// The scalars that it replaces.
  fileprivate var range: Range<Int> { position..<position + deleted }

  fileprivate var isDeletion: Bool { inserted.isEmpty }

  /// Whether it inserts whole lines right before or after whole lines that another one edits.
  fileprivate func doesAddLines(beside other: TextSplice, in text: [Unicode.Scalar]) -> Bool {
    guard deleted == 0, position == other.position || position == other.range.upperBound else {
      return false
    }
    let inserted = [inserted, other.inserted].filter { !$0.isEmpty }.map(\.unicodeScalars)
    let places = [other.position, other.range.upperBound]
    return inserted.allSatisfy { $0.last == "\n" }
      && places.allSatisfy { $0 == 0 || text[$0 - 1] == "\n" }
      || inserted.allSatisfy { $0.first == "\n" }
        && places.allSatisfy { $0 == text.count || text[$0] == "\n" }
  }

  /// Which of some lines another edit did not bring.
  fileprivate enum LackingLines {
    case all
    /// These, each at its place among the others.
    case some([TextSplice])
    /// Some are the same, but neither edit brings all lines of the other one.
    case unclear
  }

  /// Which of the lines that it inserts another edit at the same place did not insert.
  ///
  /// O(lines).
  ///
  /// - Parameters:
  ///   - other: the other edit, which inserts whole lines, too.
  ///   - start: where the other one's lines begin in the text that it leads to.
  /// - Returns: the lines; all if the other edit replaces something, or none is the same that says
  ///   anything.
  fileprivate func linesLacking(in other: TextSplice, from start: Int) -> LackingLines {
    let (lines, others) = (
      inserted.unicodeScalars.splitAfterLineFeeds, other.inserted.unicodeScalars.splitAfterLineFeeds
    )
    let known = Set(others.filter(\.sayAnything).map { String($0) })
    guard other.deleted == 0, other.position == position,
      lines.contains(where: { known.contains(String($0)) })
    else { return .all }
    if lines.isSubsequence(of: others) { return .some([]) }
    guard others.isSubsequence(of: lines) else { return .unclear }
    var lacking: [TextSplice] = []
    var (place, next) = (start, others.startIndex)
    for line in lines {
      if next < others.endIndex, others[next].elementsEqual(line) {
        place += line.count
        next += 1
      } else if let last = lacking.indices.last, lacking[last].position == place {
        lacking[last].inserted += String(line)
      } else {
        lacking.append(TextSplice(position: place, deleted: 0, inserted: String(line)))
      }
    }
    return .some(lacking)
  }

  /// By how many scalars it makes a text longer.
  fileprivate var lengthening: Int { inserted.unicodeScalars.count - deleted }

  /// Whether an insertion stands at its place already, though the edits that were found hide it.
  ///
  /// Where the line above was changed, too, they may replace just that one by both, and keep the
  /// line end between them as the one after them.
  ///
  /// - Parameters:
  ///   - changed: the text that it is an edit of.
  ///   - before: the last edit before it of those that lead to that text, none of which meets it.
  ///   - after: the first one after it.
  ///   - place: where it belongs in the text that these start from.
  ///   - text: that text.
  /// - Returns: whether the same text is there, right before or after the place, and partly new.
  fileprivate func stands(
    in changed: [Unicode.Scalar], after before: TextSplice?, before after: TextSplice?,
    movedFrom place: Int, of text: [Unicode.Scalar]
  ) -> Bool {
    let inserted = Array<Unicode.Scalar>(inserted.unicodeScalars)
    // What is not new is just the text that stands beside the place anyway.
    if let before, !before.inserted.isEmpty,
      inserted.count > place - before.position - before.deleted
    {
      let start = position - inserted.count
      if start >= 0, changed[start..<position] == inserted[...],
        start == 0 || changed[start - 1] == "\n" || changed[start - 1] == text[place - 1]
      {
        return true
      }
    }
    if let after, !after.inserted.isEmpty, inserted.count > after.position - place {
      let end = position + inserted.count
      return end <= changed.count && changed[position..<end] == inserted[...]
        && (end == changed.count || changed[end] == "\n" || changed[end] == text[place])
    }
    return false
  }
}

extension [TextSplice] {
  /// The scalars that they put in, by their places in the new text.
  fileprivate var resultRanges: [Range<Int>] {
    var shift = 0
    return map { splice in
      let (start, count) = (splice.position + shift, splice.inserted.unicodeScalars.count)
      shift += count - splice.deleted
      return start..<start + count
    }
  }

  /// The edits at their places in a text that other edits were made to; what both did is left out.
  ///
  /// O(n).
  ///
  /// - Parameters:
  ///   - others: the edits that lead from the same text to the other one.
  ///   - text: the text that all of them start from.
  ///   - changed: the text that the others lead to.
  /// - Returns: `nil` if one meets or adjoins another one that is not the same, unless both only
  ///   delete, and no line goes on in another one then, or it inserts whole lines beside some that
  ///   the other one edits: then it comes after what that inserts.
  func moved(
    over others: [TextSplice], from text: String, to changed: String
  ) -> [TextSplice]? {
    let text = Array<Unicode.Scalar>(text.unicodeScalars)
    let changed = Array<Unicode.Scalar>(changed.unicodeScalars)
    var result: [TextSplice] = []
    var next = others.startIndex
    var shift = 0
    for splice in self {
      let end = splice.position + splice.deleted
      while next < others.endIndex, others[next].position + others[next].deleted < splice.position {
        shift += others[next].lengthening
        next += 1
      }
      var start = splice.position
      var met = next
      var isMade = false
      while met < others.endIndex, others[met].position <= end {
        let other = others[met]
        if splice.isDeletion, other.isDeletion {
          let gone =
            Swift.min(
              splice.position, other.position)..<Swift.max(end, other.position + other.deleted)
          if text.joinsLines(without: gone) { return nil }
          if start < other.position {
            result.append(
              TextSplice(position: start + shift, deleted: other.position - start, inserted: ""))
          }
          start = Swift.max(start, Swift.min(end, other.position + other.deleted))
        } else if other.position == splice.position, other.deleted == splice.deleted,
          other.inserted.utf8.elementsEqual(splice.inserted.utf8)
        {
          isMade = true
        } else if splice.doesAddLines(beside: other, in: text) {
          switch splice.linesLacking(in: other, from: other.position + shift) {
          case .all: break
          case .some(let lacking):
            result += lacking
            isMade = true
          case .unclear: return nil
          }
          // What is taken out after it leaves its place as it is.
          if other.deleted > 0, other.position == end { break }
        } else {
          return nil
        }
        // One that reaches further may meet the next one, too.
        if other.position + other.deleted > end { break }
        shift += other.lengthening
        met += 1
      }
      next = met
      if isMade || splice.isDeletion && start == end { continue }
      var moved = splice
      moved.position = start + shift
      moved.deleted = end - start
      let isThere =
        moved.deleted == 0
        && moved.stands(
          in: changed, after: others[..<next].last, before: others[next...].first,
          movedFrom: start, of: text)
      if !isThere { result.append(moved) }
    }
    return result
  }
}

extension [TextSplice] {
  /// The edits at their places in a text that lacks what others take out, and holds what they put in.
  ///
  /// O(n).
  ///
  /// - Parameter others: the edits that lead from the same text to the other one.
  /// - Returns: the edits, each behind what adjoins it on its left; `nil` if one meets another, unless
  ///   it inserts something in what is taken out.
  fileprivate func moved(beside others: [TextSplice]) -> [TextSplice]? {
    var result: [TextSplice] = []
    var next = others.startIndex
    var shift = 0
    for var splice in self {
      let range = splice.range
      while next < others.endIndex, others[next].range.upperBound <= range.lowerBound {
        shift += others[next].lengthening
        next += 1
      }
      splice.position += shift
      if next < others.endIndex, others[next].position <= range.upperBound {
        let other = others[next]
        if other.position < range.upperBound {
          guard range.isEmpty, other.isDeletion else { return nil }
          splice.position = other.position + shift
        }
      }
      result.append(splice)
    }
    return result
  }
}

extension String.UnicodeScalarView {
  /// The lines, each with its line feed.
  fileprivate var splitAfterLineFeeds: [Substring.UnicodeScalarView] {
    var lines: [Substring.UnicodeScalarView] = []
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: "\n").map(index(after:)) ?? endIndex
      lines.append(self[start..<end])
      start = end
    }
    return lines
  }
}

extension [Substring.UnicodeScalarView] {
  /// Whether all of them stand among others, in the same order.
  ///
  /// O(n).
  fileprivate func isSubsequence(of others: Self) -> Bool {
    var next = startIndex
    for other in others where next < endIndex && self[next].elementsEqual(other) { next += 1 }
    return next == endIndex
  }
}

extension [Unicode.Scalar] {
  /// Whether a line goes on in another one where a range is left out.
  fileprivate func joinsLines(without range: Range<Int>) -> Bool {
    let startsLine = range.lowerBound == 0 || self[range.lowerBound - 1] == "\n"
    let endsLine = range.upperBound == count || self[range.upperBound] == "\n"
    return !startsLine && !endsLine && self[range].contains("\n")
  }
}

extension Objects {
  /// The keys and indices that lead along some steps; `nil` if what is there is not shown.
  ///
  /// O(steps log n + slots of the lists on the way).
  fileprivate func path(along steps: some Collection<PlaceChange.Step>) -> JSONPointer? {
    var path = JSONPointer()
    for step in steps {
      switch step {
      case .key(let key): path = path.appending(key)
      case .element(let id):
        guard let list = Target(path, in: self)?.container(in: self),
          let insertion = log.event(id), let place = self.path(toElement: insertion, of: list)
        else { return nil }
        path = JSONPointer(place)
      }
    }
    return Target(path, in: self) == nil ? nil : path
  }
}
