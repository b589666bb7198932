import Peernote

extension Invocation {
  /// A time for people, where this program runs.
  func localText(_ time: Timestamp) -> String {
    let now = (try? currentTime()) ?? host.now
    let currentYear = CivilTime(now, secondsFromUTC: host.secondsFromUTC(at: now)).year
    return CivilTime(time, secondsFromUTC: host.secondsFromUTC(at: time))
      .shortText(currentYear: currentYear)
  }
}
