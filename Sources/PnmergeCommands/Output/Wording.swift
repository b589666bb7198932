import Peernote

/// A number and a noun in the right form: `1 change`, `3 changes`, `2 copies`.
func counted(_ count: Int, _ noun: String) -> String {
  guard count != 1 else { return "1 \(noun)" }
  return noun.hasSuffix("y") ? "\(count) \(noun.dropLast())ies" : "\(count) \(noun)s"
}

/// Parts of a sentence in a row: `a`, `a and b`, `a, b and c`.
func enumerated(_ parts: [String]) -> String {
  guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
  return parts.dropLast().joined(separator: ", ") + " and " + last
}

/// How an author is named; changes may have none.
func authorName(_ author: String) -> String {
  author.isEmpty ? "unknown" : visibleText(author)
}

/// How many of some changes are whose, most first, then by name.
func authorCounts(_ changes: [ChangeSummary]) -> [(author: String, count: Int)] {
  var counts: [[UInt8]: Int] = [:]
  for change in changes { counts[Array(change.author.utf8), default: 0] += 1 }
  return counts.sorted { left, right in
    left.value != right.value
      ? left.value > right.value : left.key.lexicographicallyPrecedes(right.key)
  }.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
}

extension Invocation {
  /// A time for people, where this program runs.
  func localText(_ time: Timestamp) -> String {
    let now = (try? currentTime()) ?? host.now
    let currentYear = CivilTime(now, secondsFromUTC: host.secondsFromUTC(at: now)).year
    return CivilTime(time, secondsFromUTC: host.secondsFromUTC(at: time))
      .shortText(currentYear: currentYear)
  }
}
