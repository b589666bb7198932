extension Repair {
  /// Changes that were not saved, by time and name.
  ///
  /// Takes 16 bytes for each, besides the copies that tell of them: a document can hold a change for
  /// every few bytes of its file.
  package struct LostChanges: RandomAccessCollection, Sendable {
    /// A copy that tells of lost changes.
    struct Source {
      var places: ChangePlaces
      /// Of which of its changes text is lost, if it is damaged.
      var textLost: [Bool]?
      /// Why the others are lost that do not follow a lost one.
      var reason: LostChange.Reason
    }

    /// A lost change.
    private struct Place {
      /// In milliseconds; changes of which it is not known come last.
      var time: Int64
      /// The copy that tells of it; one past the last if none does.
      var source: Int32
      /// The number of the change there, or its place among the names.
      var number: Int32

      /// The change in the copy that tells of it.
      var change: ChangeIndex { ChangeIndex(rawValue: number) }
    }

    private let saved: ChangePlaces?
    private let sources: [Source]
    /// The names of changes of which no copy tells more.
    private let names: [ChangeID]
    private var places: [Place] = []

    /// The changes that a document lacks: those of copies, and the named ones, which are known to
    /// have been there.
    ///
    /// O(n log n) for n changes of all copies, of which the first tells why a change is lost that
    /// several lost.
    init(missingIn saved: ChangePlaces?, sources: [Source] = [], named: Set<ChangeID> = []) {
      self.saved = saved
      self.sources = sources
      names = named.filter { name in
        !(saved?.contains(name) ?? false) && !sources.contains { $0.places.contains(name) }
      }.sorted()
      var found: [Place] = []
      for (number, source) in sources.enumerated() {
        let log = source.places.log
        for change in log.graph.changes {
          let id = log.changeID(ofChange: change)
          if saved?.contains(id) ?? false { continue }
          if sources[..<number].contains(where: { $0.places.contains(id) }) { continue }
          let time = log.metadata(ofChange: change).time.milliseconds
          found.append(Place(time: time, source: Int32(number), number: change.rawValue))
        }
      }
      for number in names.indices {
        found.append(Place(time: .max, source: Int32(sources.count), number: Int32(number)))
      }
      found.sort { left, right in
        left.time != right.time ? left.time < right.time : id(of: left) < id(of: right)
      }
      places = found
    }

    /// The place of the first change.
    package var startIndex: Int { 0 }
    /// One past the place of the last change.
    package var endIndex: Int { places.count }

    /// A change.
    ///
    /// O(log n) for n changes of the copy that tells of it.
    package subscript(position: Int) -> LostChange {
      let place = places[position]
      guard Int(place.source) < sources.count else {
        return LostChange(id: id(of: place), reason: .unreadable)
      }
      let source = sources[Int(place.source)]
      let summary = ChangeSummary(of: place.change, in: source.places.log)
      return LostChange(
        id: summary.id, time: summary.time, author: summary.author,
        reason: source.reason(of: place.change, summary, saved: saved))
    }

    private func id(of place: Place) -> ChangeID {
      Int(place.source) < sources.count
        ? sources[Int(place.source)].places.log.changeID(ofChange: place.change)
        : names[Int(place.number)]
    }
  }
}

extension Repair.LostChanges.Source {
  /// Why a change is lost.
  fileprivate func reason(
    of change: ChangeIndex, _ summary: ChangeSummary, saved: ChangePlaces?
  ) -> Repair.LostChange.Reason {
    guard let textLost else { return reason }
    if textLost[change] { return .text }
    let parent = summary.parents.first { !(saved?.contains($0) ?? false) }
    return parent.map { .follows($0) } ?? reason
  }
}
