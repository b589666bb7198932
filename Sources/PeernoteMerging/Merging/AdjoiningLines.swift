public import PeernoteEngine

/// Finds where both sides of a merge edited one line of a text, or lines with no untouched line
/// between, and neither contradicts the other: what they did is combined, and git would stop there.
package struct AdjoiningLines {
  /// Such a place.
  package struct Place {
    /// The lines in the merged raw text, in scalars, without the last line feed.
    package var merged: Range<Int>
    /// What stands there merged, in our text and in theirs.
    package var texts: [String]

    package init(merged: Range<Int>, texts: [String]) {
      (self.merged, self.texts) = (merged, texts)
    }
  }

  /// A place of the texts between two segments, in ours and in theirs in bytes.
  private struct Spot {
    var merged = TextPlace()
    var ours = 0
    var theirs = 0
  }

  /// Edits between which no line is untouched.
  private struct Run {
    var start: Spot
    var end: Spot
    var sides: Sides
  }

  private let history: MergedTextHistory

  /// All such places, in order; O(segments + bytes).
  package static func find(in history: MergedTextHistory) -> [Place] {
    let search = AdjoiningLines(history: history)
    return search.runs().filter { $0.sides == [.ours, .theirs] }.map { search.place($0) }
  }

  private func runs() -> [Run] {
    var result: [Run] = []
    var spot = Spot()
    for segment in history.segments {
      let start = spot
      spot.ours += Int(segment.ourBytes)
      spot.theirs += Int(segment.theirBytes)
      if segment.isInMerged {
        spot.merged.scalar += Int(segment.count)
        spot.merged.byte += Int(segment.isInOurs ? segment.ourBytes : segment.theirBytes)
      }
      let sides = segment.touchedBy
      if sides.isEmpty { continue }
      if let last = result.last, adjoin(last.end.merged, start.merged) {
        result[result.count - 1].end = spot
        result[result.count - 1].sides.formUnion(sides)
      } else {
        result.append(Run(start: start, end: spot, sides: sides))
      }
    }
    return result
  }

  /// Whether no whole line lies between two places of the merged text.
  private func adjoin(_ end: TextPlace, _ start: TextPlace) -> Bool {
    // A line that an edit ends in is touched.
    let text = history.text.utf8
    let isAtStart = end.byte == 0 || text[end.byte - 1] == 0x0A
    // Most edits stand far apart, so that a second line tells.
    let ends = text[end.byte..<start.byte].lazy.filter { $0 == 0x0A }.prefix(2)
    return ends.count < (isAtStart ? 1 : 2)
  }

  private func place(_ run: Run) -> Place {
    let (start, end) = (run.start, run.end)
    let text = history.text.utf8
    let merged = lines(of: text, from: start.merged.byte, to: end.merged.byte)
    let first = start.merged.scalar - scalarCount(of: text[merged.lowerBound..<start.merged.byte])
    let ours = lines(of: history.ours.utf8, from: start.ours, to: end.ours)
    let theirs = lines(of: history.theirs.utf8, from: start.theirs, to: end.theirs)
    return Place(
      merged: first..<first + scalarCount(of: text[merged]),
      texts: [text[merged], history.ours.utf8[ours], history.theirs.utf8[theirs]].map {
        String(decoding: $0, as: UTF8.self)
      })
  }

  /// The whole lines around some bytes, without the last line feed.
  private func lines(of text: [UInt8], from start: Int, to end: Int) -> Range<Int> {
    let first = text[..<start].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    if end > first, text[end - 1] == 0x0A { return first..<end - 1 }
    return first..<(text[end...].firstIndex(of: 0x0A) ?? text.count)
  }
}

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
