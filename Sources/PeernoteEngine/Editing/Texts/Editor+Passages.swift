extension Editor {
  /// Settles a contested passage of a text: what it reads from now on is ordinary text, also when
  /// a copy comes later that has not seen it.
  ///
  /// O(bytes of the text). The scalars are as a ``Conflict`` says. The text is one of the readings,
  /// or anything else. Throws if no contested passage stands there.
  package mutating func settlePassage(
    at path: JSONPointer, scalars: Range<Int>, with text: String
  ) throws(EditError) {
    let container = try container(at: path, .text)
    let ranges = PassageMap(passages[container] ?? []).shownRanges
    guard let number = ranges.firstIndex(of: scalars) else { throw .noSuchPassage(path) }
    let isSame = shownText(of: container).string(ofScalars: scalars).utf8
      .elementsEqual(text.utf8)
    let edit = TextEdit(deleted: scalars, inserted: TextBuffer(text))
    try Self.performing(path, editShown(container, isSame ? [] : [edit], settling: [number]))
  }

  /// The text that is shown; O(1) if it has no passages, else O(bytes).
  package func shownText(of container: ContainerIndex) -> TextBuffer {
    let raw = editor.texts[container]
    guard let passages = passages[container] else { return raw }
    return PassageMap(passages).shown(from: raw)
  }

  /// The texts that are shown, by container number.
  package var shownTexts: [TextBuffer] { passages.shown(from: editor.texts) }

  /// Edits a text in places of what is shown.
  ///
  /// A passage that an edit meets, or touches with no white space between, is settled: what is
  /// shown becomes the raw text there, with the edit. O(bytes of the text). The edits ascend and do
  /// not touch each other. Besides, the passages `settled` are, by number.
  package mutating func editShown(
    _ container: ContainerIndex, _ edits: [TextEdit], settling settled: Set<Int> = []
  ) throws(HistoryError) {
    guard let passages = passages[container] else {
      return try editor.editText(container, by: edits)
    }
    let plan = ShownEditPlan(
      edits, passages: passages, settled: settled, raw: editor.texts[container])
    try editor.editText(container, by: plan.rawEdits)
    self.passages[container] = plan.passages.isEmpty ? nil : plan.passages
  }
}

extension TextEdit {
  /// Whether it changes something in a range, or right at its border with no white space between.
  fileprivate func meets(_ passage: TextPassage, shownAt range: Range<Int>) -> Bool {
    if deleted.overlaps(range)
      || deleted.isEmpty && range.contains(deleted.lowerBound)
        && deleted.lowerBound > range.lowerBound
      || range.isEmpty
    {
      return true
    }
    let (text, shown) = (
      inserted.string.unicodeScalars, passage.shown.text.string.unicodeScalars
    )
    let isBefore = deleted.upperBound == range.lowerBound
    let beside = isBefore ? [text.last, shown.first] : [text.first, shown.last]
    return !beside.contains { $0.map { TokenPart.isBlank($0.value) } ?? false }
  }
}

/// What edits of the text that is shown come to in the raw text.
private struct ShownEditPlan {
  private(set) var rawEdits: [TextEdit] = []
  /// The passages that were not met.
  private(set) var passages: [TextPassage] = []

  private let shown: TextBuffer
  private let map: PassageMap

  /// Edits and passages that meet.
  private struct Cluster {
    var shown: Range<Int>
    var edits: [TextEdit] = []
    /// From the first passage to the last, in the raw text and the one that is shown.
    var passages: (raw: Range<Int>, shown: Range<Int>)?

    /// Whether a later part belongs to it.
    func meets(_ part: Cluster) -> Bool {
      if part.shown.lowerBound != shown.upperBound {
        return part.shown.lowerBound < shown.upperBound
      }
      return passages != nil || part.passages != nil
    }
  }

  init(
    _ edits: [TextEdit], passages all: [TextPassage], settled: Set<Int>, raw: TextBuffer
  ) {
    map = PassageMap(all)
    shown = map.shown(from: raw)
    for cluster in clusters(edits, all, settled: settled) { apply(cluster) }
    passages = moved(all, past: rawEdits)
  }

  /// Puts together what meets: passages with the edits at or in them, and edits with the passages
  /// that they reach.
  private func clusters(
    _ edits: [TextEdit], _ all: [TextPassage], settled: Set<Int>
  ) -> [Cluster] {
    var parts: [Cluster] = edits.map { Cluster(shown: $0.deleted, edits: [$0]) }
    var next = 0
    for (number, (passage, range)) in zip(all, map.shownRanges).enumerated() {
      while next < edits.count, edits[next].deleted.upperBound < range.lowerBound { next += 1 }
      let isMet = edits[next...].prefix { $0.deleted.lowerBound <= range.upperBound }
        .contains { $0.meets(passage, shownAt: range) }
      if isMet || settled.contains(number) {
        parts.append(Cluster(shown: range, passages: (passage.raw, range)))
      }
    }
    parts.sort {
      ($0.shown.lowerBound, $0.shown.upperBound, $0.passages?.raw.lowerBound ?? .min)
        < ($1.shown.lowerBound, $1.shown.upperBound, $1.passages?.raw.lowerBound ?? .min)
    }
    var result: [Cluster] = []
    for part in parts {
      guard let last = result.last, last.meets(part) else {
        result.append(part)
        continue
      }
      let index = result.count - 1
      result[index].shown =
        last.shown.lowerBound..<max(last.shown.upperBound, part.shown.upperBound)
      result[index].edits += part.edits
      if let more = part.passages {
        let known = last.passages ?? more
        result[index].passages = (
          known.raw.lowerBound..<more.raw.upperBound, known.shown.lowerBound..<more.shown.upperBound
        )
      }
    }
    return result
  }

  private mutating func apply(_ cluster: Cluster) {
    guard let passages = cluster.passages else {
      for edit in cluster.edits {
        let start = map.raw(ofShown: edit.deleted.lowerBound)
        var edit = edit
        edit.deleted = start..<start + edit.deleted.count
        add(edit)
      }
      return
    }
    // What stands in the cluster beside passages is deleted by its edits.
    let passage = passages.raw
    let before = passages.shown.lowerBound - cluster.shown.lowerBound
    let after = cluster.shown.upperBound - passages.shown.upperBound
    let start = passage.lowerBound - before
    let end = passage.upperBound + after
    let text = shown.applying(cluster.edits, in: cluster.shown)
    // After the first scalar of the passage, so that it stands inside.
    add(TextEdit(deleted: start..<passage.lowerBound + 1, inserted: text))
    add(TextEdit(deleted: passage.lowerBound + 1..<end))
  }

  private mutating func add(_ edit: TextEdit) {
    if !edit.deleted.isEmpty || edit.inserted.scalarCount > 0 { rawEdits.append(edit) }
  }

  /// The passages that no edit met, where they stand afterwards.
  private func moved(_ all: [TextPassage], past edits: [TextEdit]) -> [TextPassage] {
    var result: [TextPassage] = []
    var shift = 0
    var next = 0
    for passage in all {
      while next < edits.count, edits[next].deleted.upperBound <= passage.raw.lowerBound {
        shift += edits[next].inserted.scalarCount - edits[next].deleted.count
        next += 1
      }
      if next < edits.count, edits[next].deleted.overlaps(passage.raw) { continue }
      var moved = passage
      moved.raw = passage.raw.lowerBound + shift..<passage.raw.upperBound + shift
      result.append(moved)
    }
    return result
  }
}
