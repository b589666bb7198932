extension StretchReader {
  /// The runs from one place to another one, parted by the passages that stay.
  struct StretchParts: Sequence, IteratorProtocol {
    let text: TextRuns
    let kept: [KeptPassage]
    let round: Range<LocalVersion>
    var place: Place
    let end: Place
    /// The next passage, by number.
    var number: Int
    /// Where the passage ends in which the place is, if it is in one.
    var passageEnd: Place?

    init(
      of text: TextRuns, _ kept: [KeptPassage], in round: Range<LocalVersion>, from start: Place,
      to end: Place
    ) {
      self.text = text
      self.kept = kept
      self.round = round
      self.end = end
      place = start
      number = kept.partitionPoint { $0.first >= start }
    }

    /// A part of a run, and the number of the passage that comes next in it, if one does.
    ///
    /// Of a passage that somebody deletes what the round inserts in it comes after it.
    mutating func next() -> (run: Int, offsets: Range<Int32>, passage: Int?)? {
      while let last = passageEnd {
        if place.run >= last.run {
          passageEnd = nil
          place = Place(run: last.run, offset: last.offset + 1)
        } else {
          place = Place(run: place.run + 1, offset: 0)
          if place.run < last.run, round.contains(text.runs[place.run].first) {
            return (place.run, 0..<text.runs[place.run].count, nil)
          }
        }
      }
      if place.offset == 0 {
        // A passage that stays is there.
        let next = number < kept.count ? kept[number].first.run : Int.max
        place.run = Swift.min(text.run(from: place.run, in: round), Swift.max(next, place.run))
      }
      guard place < end else { return nil }
      let (run, start) = (place.run, place.offset)
      if number < kept.count, kept[number].first.run == run, kept[number].first < end {
        let passage = kept[number]
        number += 1
        if passage.deletedBy.isEmpty {
          place = Place(run: passage.last.run, offset: passage.last.offset + 1)
        } else {
          passageEnd = passage.last
        }
        return (run, start..<passage.first.offset, number - 1)
      }
      place = Place(run: run + 1, offset: 0)
      return (run, start..<(run == end.run ? end.offset : text.runs[run].count), nil)
    }
  }
}
