extension Document {
  /// The passages of texts that both sides of an earlier merge changed, and that nobody has touched
  /// since, where they stand now.
  ///
  /// What is undecided about a value follows from the changes alone (``conflicts``); that two
  /// passages overlap is known only to the merge that brought them together. This makes that merge
  /// again, from the versions that the copies had. Passages come in the order of the content; of
  /// two that share text only the first comes.
  ///
  /// Text that was redacted since is missing from what the sides had.
  ///
  /// Three replays of the history for each version, however many passages there are.
  ///
  /// - Parameters:
  ///   - versions: the heads of the copies, in the order in which they were merged.
  ///   - withAdjacentLines: whether places come, too, where what both changed adjoins, after the
  ///     overlaps of each copy.
  /// - Returns: the overlaps, with their present ``Conflict/path``, ``Conflict/line`` and
  ///   ``Conflict/scalars``.
  /// - Throws: ``DocumentError`` if one of the changes is not there.
  public func overlaps(
    ofMerging versions: [[ChangeID]], withAdjacentLines: Bool = false
  ) throws(DocumentError) -> [Conflict] {
    guard let first = versions.first else { return [] }
    let (changes, marker) = try markedChanges()
    var merged = try at(version: first, of: changes)
    var found: [Conflict] = []
    var taken = TakenText()
    for version in versions.dropFirst() {
      let copy = try at(version: version, of: changes)
      let report: MergeReport
      do throws(MergeError) {
        report = try merged.merge(copy)
      } catch {
        throw DocumentError(error.description, in: .log)
      }
      let overlaps =
        report.conflicts.filter { $0.kind == .overlap }
        + (withAdjacentLines ? report.adjoining : [])
      let passages = try PresentPassages(of: overlaps, in: merged, to: self)
      for var present in passages.present(overlaps) where taken.add(present) {
        present.remove(marker)
        found.append(present)
      }
    }
    return found
  }
}

/// Which parts of texts are taken by a passage.
private struct TakenText {
  fileprivate struct Parts {
    /// Ascending; none meets another.
    var ranges: [Range<Int>] = []
    /// Places of passages of which nothing is left.
    var places: Set<Int> = []
  }

  private var parts: [JSONPointer: Parts] = [:]

  /// Takes the part of a passage.
  ///
  /// O(log n) to look and O(n) to add, for n passages of the text; O(log n) if they ascend.
  ///
  /// - Returns: whether it was free, as ``Conflict/sharesText(with:)`` says.
  mutating func add(_ passage: Conflict) -> Bool {
    guard let scalars = passage.scalars else { return true }
    return parts[passage.path, default: Parts()].add(scalars)
  }
}

extension TakenText.Parts {
  fileprivate mutating func add(_ scalars: Range<Int>) -> Bool {
    if scalars.isEmpty { return places.insert(scalars.lowerBound).inserted }
    let next = ranges.partitionPoint { $0.upperBound > scalars.lowerBound }
    if next < ranges.count, ranges[next].overlaps(scalars) { return false }
    ranges.insert(scalars, at: next)
    return true
  }
}

extension Conflict {
  /// Takes what stands for redacted text out of the texts that compete.
  mutating func remove(_ marker: RedactionMarker) {
    for index in others.indices {
      guard case .text(let text) = others[index].node else { continue }
      others[index].node = .text(marker.removed(from: text))
    }
  }

  /// Whether both are passages of one text that overlap each other.
  package func sharesText(with other: Conflict) -> Bool {
    guard path == other.path, let mine = scalars, let others = other.scalars else { return false }
    return mine.overlaps(others) || mine == others
  }
}
