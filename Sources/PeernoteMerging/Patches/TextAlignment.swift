import PeernoteEngine

/// What the texts of a document have in common with those of an earlier version, by the identity of
/// their scalars.
///
/// What came and what went is read off the operations in between, so that two letters that look the
/// same are not taken for each other.
struct TextAlignment {
  /// Scalars in a row that both versions show, or one of them.
  struct Run {
    var count: Int
    var isInOld: Bool
    var isInNew: Bool
  }

  /// The runs of the raw texts that were edited in between, by their numbers in the new version.
  let edited: [ContainerIndex: [Run]]

  /// Walks the texts that were edited; `nil` if the later version lacks something of the earlier
  /// one, or its history contradicts itself; O(operations since the last critical version before
  /// those in between), and a walk over them.
  init?(from old: DocumentFile, to new: DocumentFile) {
    let (log, names) = (new.log, old.log.headChanges)
    let heads = log.version(of: names)
    guard old.id == new.id, heads.count == names.count else { return nil }
    let since = log.graph.difference(heads, log.graph.heads).onlySecond.reversed()
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
