extension Document {
  /// Where both sides of earlier merges changed one line of a text, or lines that adjoin, and what
  /// stands there has not changed since.
  ///
  /// What is undecided follows from the changes alone (``conflicts``); what was combined is known only
  /// to the merge that did it. This makes these merges again. A replay of the history for each
  /// version.
  ///
  /// - Parameter versions: the heads of the copies, in the order in which they were merged.
  /// - Returns: the places, where they stand now, in the order of the content.
  /// - Throws: ``DocumentError`` if one of the changes is not there.
  public func adjoiningLines(
    ofMerging versions: [[ChangeID]]
  ) throws(DocumentError) -> [Conflict] {
    guard let first = versions.first else { return [] }
    let (changes, marker) = try markedChanges()
    var merged = try at(version: first, of: changes)
    var found: [Conflict] = []
    for version in versions.dropFirst() {
      let copy = try at(version: version, of: changes)
      do throws(MergeError) {
        found = try merged.merge(copy, after: found).adjoining
      } catch {
        throw DocumentError(error.description, in: .log)
      }
    }
    return found.standing(in: self).map { place in
      var place = place
      place.remove(marker)
      return place
    }
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
