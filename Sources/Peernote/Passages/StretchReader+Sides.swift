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
  /// gone on from there: no round of its own has taken it in. The other side has to agree, but for
  /// what it has touched, so that no forged passage comes in with a merge.
  ///
  /// O(runs) more than what finding the passages of the rounds takes.
  ///
  /// - Parameters:
  ///   - text: what was inserted, by that walk, with the ``SidePassages/places`` of both sides.
  ///   - log: the log.
  ///   - cut: the last event of the version.
  ///   - sides: the passages of the two sides.
  /// - Returns: the passages, ascending; `nil` if the two sides do not tell.
  static func passages(
    in text: TextRuns, of log: Log, after cut: LocalVersion, sides: [SidePassages]
  ) -> [TextPassage]? {
    guard let main = sides.firstIndex(where: \.isLinear) else { return nil }
    var reader = StretchReader(log: log, text: text)
    if sides.contains(where: { !$0.passages.isEmpty }) {
      let changes = ChangeNumbers(log)
      var kept: [[KeptPassage]] = []
      for (side, places) in zip(sides, text.places) {
        guard
          let passages = reader.passages(of: side, at: places, keptAt: cut, numbers: changes)
        else { return nil }
        kept.append(passages)
      }
      let untouched = kept.map { $0.filter { $0.touchedBy == nil } }
      guard untouched.allSatisfy({ areSame($0, untouched[main]) }) else { return nil }
      reader.add(kept[main])
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
