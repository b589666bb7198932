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
  /// A replay of the history for each version, and one for each passage.
  ///
  /// - Parameter versions: the heads of the copies, in the order in which they were merged.
  /// - Returns: the overlaps, with their present ``Conflict/path``, ``Conflict/line`` and
  ///   ``Conflict/scalars``.
  /// - Throws: ``DocumentError`` if one of the changes is not there.
  public func overlaps(ofMerging versions: [[ChangeID]]) throws(DocumentError) -> [Conflict] {
    guard let first = versions.first else { return [] }
    let (changes, marker) = try markedChanges()
    var merged = try at(version: first, of: changes)
    var found: [Conflict] = []
    for version in versions.dropFirst() {
      let copy = try at(version: version, of: changes)
      let report: MergeReport
      do throws(MergeError) {
        report = try merged.merge(copy)
      } catch {
        throw DocumentError(kind: .damaged, section: "log", reason: error.description)
      }
      for overlap in report.conflicts where overlap.kind == .overlap {
        guard var present = try present(overlap, of: merged) else { continue }
        present.remove(marker)
        if !found.contains(where: { $0.sharesText(with: present) }) { found.append(present) }
      }
    }
    return found
  }

  /// An overlap of an earlier state where it stands now; `nil` if its passage has changed.
  private func present(
    _ overlap: Conflict, of merged: Document
  ) throws(DocumentError) -> Conflict? {
    guard let passage = overlap.scalars, case .text(let old) = overlap.kept.node else { return nil }
    let start: TextCursor.Place
    let end: TextCursor.Place
    do throws(CursorError) {
      // Around a passage of which nothing is left, so that what is inserted there counts.
      let outside = passage.isEmpty
      start = try place(
        of: merged.cursor(
          inTextAt: overlap.path, scalar: passage.lowerBound,
          affinity: outside ? .backward : .forward))
      end = try place(
        of: merged.cursor(
          inTextAt: overlap.path, scalar: passage.upperBound,
          affinity: outside ? .forward : .backward))
    } catch {
      throw DocumentError(kind: .damaged, section: "log", reason: error.description)
    }
    guard let path = start.path, start.scalar <= end.scalar, case .text(let text) = node(at: path)
    else { return nil }
    let before = text.unicodeScalars.prefix(start.scalar)
    let now = text.unicodeScalars[before.endIndex...].prefix(end.scalar - start.scalar)
    guard now.elementsEqual(old.unicodeScalars) else { return nil }
    var present = overlap
    present.path = path
    present.line = 1 + before.count { $0 == "\n" }
    present.scalars = start.scalar..<end.scalar
    return present
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
