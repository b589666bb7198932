import PeernoteEngine

/// What the texts of a document have in common with those of an earlier version, by the identity of
/// their scalars.
///
/// What came and what went is read off the operations in between, so that two letters that look the
/// same are not taken for each other.
struct TextAlignment {
  /// Scalars in a row that both versions show, or one of them.
  struct Run: Equatable {
    var count: Int
    var isInOld: Bool
    var isInNew: Bool

    var isKept: Bool { isInOld && isInNew }
  }

  private let old: DocumentFile
  private let new: DocumentFile
  /// The runs of the raw texts that were edited in between, by their numbers in the new version.
  private let edited: [ContainerIndex: [Run]]

  /// Walks the texts that were edited; `nil` if the later version lacks something of the earlier one,
  /// or its history contradicts itself.
  ///
  /// O(operations since the last critical version before those in between), and a walk over them.
  init?(from old: DocumentFile, to new: DocumentFile) {
    guard old.id == new.id, let heads = new.log.heads(of: old.log) else { return nil }
    let log = new.log
    let since = log.graph.difference(heads, log.graph.heads).onlySecond.reversed()
    self.old = old
    self.new = new
    guard let first = since.first?.lowerBound else {
      edited = [:]
      return
    }
    var sides = SideRuns()
    for range in since {
      sides.append(from: range.lowerBound, .theirs)
      sides.append(from: range.upperBound, .both)
    }
    let critical = CriticalVersions(of: log.graph, before: first)
    let cut = log.graph.cut(after: critical.last(before: first))
    let changes = log.textChanges(after: cut.last, by: sides)
      .filter { container, change in
        change.isByThem && sides.run(at: log.containers[container].created).sides == .both
      }
    var walker = Walker(log: log, after: cut, changes: changes, texts: new.texts)
    guard (try? walker.walk(sides: sides)) != nil else { return nil }
    var edited: [ContainerIndex: [Run]] = [:]
    for container in changes.keys {
      guard let sequence = walker.tracker.sequences[container] else { return nil }
      var runs: [Run] = []
      walker.tracker.forEachItem(of: sequence) { item in
        let run = Run(
          count: Int(item.length),
          isInOld: item.insertedBy.contains(.ours) && !item.deletedBy.contains(.ours),
          isInNew: item.deletedBy.isEmpty)
        runs.append(run)
      }
      guard runs.end(atLength: new.texts[container].scalarCount) else { return nil }
      edited[container] = runs
    }
    self.edited = edited
  }

  /// The runs of a text as it is shown.
  ///
  /// O(runs + passages), plus comparing the passages that changed.
  func runs(
    of before: ContainerIndex, _ after: ContainerIndex, showing texts: (TextBuffer, TextBuffer)
  ) -> [Run] {
    let whole = [Run(count: old.texts[before].scalarCount, isInOld: true, isInNew: true)]
    let raw = edited[after] ?? whole
    let passages = (old.passages[before] ?? [], new.passages[after] ?? [])
    if passages.0.isEmpty, passages.1.isEmpty { return raw }
    return ShownRuns(raw, passages, texts).runs
  }
}

extension [TextAlignment.Run] {
  /// Cuts the last run, which may reach beyond the text, so that it ends with the text; false if
  /// the runs are not as long as the text then.
  fileprivate mutating func end(atLength length: Int) -> Bool {
    let count = reduce(0) { $0 + ($1.isInNew ? $1.count : 0) }
    guard let last, count > length, last.isInNew else { return count == length }
    self[self.count - 1].count -= count - length
    return last.count >= count - length
  }
}

/// The runs of two texts with passages, as they are shown.
private struct ShownRuns {
  typealias Run = TextAlignment.Run

  /// What both texts have in common.
  private struct Block {
    var old: Int
    var new: Int
    var count: Int
    /// The raw run that it is a part of.
    var run: Int
  }

  private(set) var runs: [Run] = []

  init(
    _ raw: [Run], _ passages: ([TextPassage], [TextPassage]), _ texts: (TextBuffer, TextBuffer)
  ) {
    var blocks: [Block] = []
    var ends = (old: 0, new: 0)
    for (number, run) in raw.enumerated() {
      if run.isKept {
        blocks.append(Block(old: ends.old, new: ends.new, count: run.count, run: number))
      }
      if run.isInOld { ends.old += run.count }
      if run.isInNew { ends.new += run.count }
    }
    let (gone, came) = Self.differing(passages, blocks)
    blocks = Self.parts(of: blocks, without: gone) { $0.old }
    blocks = Self.parts(of: blocks, without: came) { $0.new }
    blocks.append(Block(old: ends.old, new: ends.new, count: 0, run: raw.count))
    let maps = (PassageMap(passages.0), PassageMap(passages.1))
    var left = (gone[...], came[...])
    var (last, lastRun) = ((old: 0, new: 0), -1)
    for block in blocks {
      let different = (
        left.0.prefix { $0.upperBound <= block.old }.count,
        left.1.prefix { $0.upperBound <= block.new }.count
      )
      if different == (0, 0) {
        runs += raw[lastRun + 1..<block.run]
      } else {
        left.0.removeFirst(different.0)
        left.1.removeFirst(different.1)
        let was = maps.0.shown(ofRaw: last.old)..<maps.0.shown(ofRaw: block.old)
        let now = maps.1.shown(ofRaw: last.new)..<maps.1.shown(ofRaw: block.new)
        addDifference(texts.0.string(ofScalars: was), texts.1.string(ofScalars: now))
      }
      last = (block.old + block.count, block.new + block.count)
      lastRun = block.run
      let count = maps.0.shown(ofRaw: last.old) - maps.0.shown(ofRaw: block.old)
      if count > 0 { runs.append(Run(count: count, isInOld: true, isInNew: true)) }
    }
  }

  /// The passages that only one of two texts has, as ranges of its raw text.
  private static func differing(
    _ passages: ([TextPassage], [TextPassage]), _ blocks: [Block]
  ) -> (old: [Range<Int>], new: [Range<Int>]) {
    var gone: [Range<Int>] = []
    var came = Set(passages.1.map(\.raw))
    for passage in passages.0 {
      let next = blocks.partitionPoint { $0.old > passage.raw.lowerBound }
      if next > 0, blocks[next - 1].old + blocks[next - 1].count >= passage.raw.upperBound {
        let shift = blocks[next - 1].new - blocks[next - 1].old
        let raw = passage.raw.lowerBound + shift..<passage.raw.upperBound + shift
        let twin = passages.1.partitionPoint { $0.raw.lowerBound >= raw.lowerBound }
        if twin < passages.1.count, passages.1[twin].raw == raw,
          passages.1[twin].shown.text == passage.shown.text
        {
          came.remove(raw)
          continue
        }
      }
      gone.append(passage.raw)
    }
    return (gone, came.sorted { $0.lowerBound < $1.lowerBound })
  }

  /// What is left of blocks without some ranges, both ascending by a place in one of the texts.
  private static func parts(
    of blocks: [Block], without ranges: [Range<Int>], _ start: (Block) -> Int
  ) -> [Block] {
    blocks.flatMap { block in
      let place = start(block)
      return ranges.gaps(in: place..<place + block.count).map { part in
        let shift = part.lowerBound - place
        return Block(
          old: block.old + shift, new: block.new + shift, count: part.count, run: block.run)
      }
    }
  }

  private mutating func addDifference(_ was: String, _ now: String) {
    var place = 0
    let count = was.unicodeScalars.count
    func add(_ count: Int, _ isInOld: Bool, _ isInNew: Bool) {
      if count > 0 { runs.append(Run(count: count, isInOld: isInOld, isInNew: isInNew)) }
    }
    for edit in TextDifference(from: was, to: now).edits {
      add(edit.deleted.lowerBound - place, true, true)
      add(edit.inserted.scalarCount, false, true)
      add(edit.deleted.count, true, false)
      place = edit.deleted.upperBound
    }
    add(count - place, true, true)
  }
}

extension Log {
  /// The events of this log that are the heads of another one; `nil` if it lacks one of them.
  ///
  /// O(heads) if it is the other one with more at its end.
  fileprivate func heads(of other: Log) -> Version? {
    let heads = other.graph.heads
    func names(_ event: LocalVersion, in log: Log) -> EventID? {
      event < log.graph.end ? log.eventID(of: event) : nil
    }
    if heads.allSatisfy({ names($0, in: self) == other.eventID(of: $0) }) { return heads }
    var result: Version = []
    for head in heads {
      guard let event = event(other.eventID(of: head)) else { return nil }
      result.append(event)
    }
    return result.sorted()
  }
}
