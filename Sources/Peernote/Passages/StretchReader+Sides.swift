/// The passages that one side of a merge shows in a text.
struct SidePassages {
  let side: Sides
  let passages: [TextPassage]
  /// Whether of what the side did since the walk began each event has seen all before it.
  let isLinear: Bool

  /// The first and the last scalar of each passage.
  var places: SidePlaces {
    SidePlaces(passages.flatMap { [$0.raw.lowerBound, $0.raw.upperBound - 1] }, of: side)
  }
}

extension StretchReader {
  /// The passages of a merged text, from those of the two sides and a walk over what was done since a
  /// critical version before they parted.
  ///
  /// What was kept at that version, and a side has not touched since, it still shows if it has only
  /// gone on from there: no round of its own has taken it in. So what one side has touched the other
  /// one still shows, as long as nothing was deleted on both. It counts only if our side shows it, so
  /// that no forged passage comes in with a merge.
  ///
  /// O(runs) more than what finding the passages of the rounds takes.
  ///
  /// - Parameters:
  ///   - text: what was inserted, by that walk, with the ``SidePassages/places`` of both sides.
  ///   - log: the log.
  ///   - cut: the last event of the version.
  ///   - ours: our passages.
  ///   - theirs: theirs.
  /// - Returns: the passages, ascending; `nil` if the two sides do not tell.
  static func passages(
    in text: TextRuns, of log: Log, after cut: LocalVersion, _ ours: SidePassages,
    _ theirs: SidePassages
  ) -> [TextPassage]? {
    var reader = StretchReader(log: log, text: text)
    if !ours.passages.isEmpty || !theirs.passages.isEmpty {
      let changes = ChangeNumbers(log)
      let places = text.places
      guard
        let known = reader.passages(of: ours, at: places[0], keptAt: cut, numbers: changes),
        let other = reader.passages(of: theirs, at: places[1], keptAt: cut, numbers: changes),
        other.allSatisfy({ $0.touchedBy == nil }),
        areSame(known.filter { $0.touchedBy == nil }, other)
      else { return nil }
      reader.add(known)
    }
    let result = reader.readAll()
    return reader.lacksHistory ? nil : result
  }

  /// Those of a side's passages that were kept at a version; `nil` if one was looked at again since,
  /// by a side that shows no others.
  private func passages(
    of side: SidePassages, at places: [Place], keptAt cut: LocalVersion, numbers: ChangeNumbers
  ) -> [KeptPassage]? {
    guard places.count == 2 * side.passages.count else { return nil }
    var result: [KeptPassage] = []
    for (number, passage) in side.passages.enumerated() {
      let names = ([passage.shown] + passage.others).flatMap(\.changes)
      let isOlder = names.allSatisfy { name in
        numbers[name].map { log.eventCounts.firstEvent(ofChange: $0) <= cut } ?? false
      }
      if isOlder {
        let (first, last) = (places[2 * number], places[2 * number + 1])
        result.append(keeping(passage, from: first, to: last, after: cut, round: .beforeAll))
      } else if side.isLinear {
        return nil
      }
    }
    return result
  }

  private static func areSame(_ left: [KeptPassage], _ right: [KeptPassage]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy {
        $0.first == $1.first && $0.last == $1.last && $0.passage.hasSameReadings(as: $1.passage)
      }
  }
}
