import Peernote

/// A place that two copies changed, with all that either did there.
struct MeetingPlace {
  /// The outermost place of all.
  var name: PlaceName
  /// What this copy did, by places in the divergence.
  var ours: [Int]
  /// What the other did.
  var theirs: [Int]

  /// The places where two copies meet, in the order of the content.
  ///
  /// O(n) for n meetings.
  static func find(in divergence: Divergence) -> [MeetingPlace] {
    var places: [MeetingPlace] = []
    var numbers: [[PlaceChange.Step]: Int] = [:]
    for meeting in divergence.meetings {
      let ours = divergence.ours.places[meeting.ours]
      let theirs = divergence.theirs.places[meeting.theirs]
      let anchor = ours.steps.count < theirs.steps.count ? ours : theirs
      let number = numbers[anchor.steps] ?? places.count
      if number == places.count {
        numbers[anchor.steps] = number
        places.append(MeetingPlace(name: anchor.name, ours: [], theirs: []))
      }
      if places[number].ours.last != meeting.ours, !places[number].ours.contains(meeting.ours) {
        places[number].ours.append(meeting.ours)
      }
      if places[number].theirs.last != meeting.theirs {
        places[number].theirs.append(meeting.theirs)
      }
    }
    return places
  }
}
