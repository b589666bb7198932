import Peernote
import PeernoteJSON

/// What the two sides of a divergence are called.
struct DivergenceWords {
  /// Over what only this copy did.
  var ours: String
  /// Over what only the other did.
  var theirs: String
  /// Over what both did.
  var both: String
  /// Before what this copy did at a place that both changed.
  var here: String
  /// Before what the other did there.
  var there: String

  /// For a merge of copies into one.
  static func merge(isDone: Bool) -> DivergenceWords {
    DivergenceWords(
      ours: "only here:", theirs: isDone ? "came in:" : "would come in:",
      both: "changed on both sides:", here: "here", there: "there")
  }

  /// For a comparison of two files.
  static func comparison(of ours: FileName, with theirs: FileName) -> DivergenceWords {
    DivergenceWords(
      ours: "only in \(ours.inputName):", theirs: "only in \(theirs.inputName):",
      both: "changed in both:", here: ours.inputName, there: theirs.inputName)
  }
}

extension Divergence {
  /// How much of each list is shown unless all is wanted.
  private static let shownLines = 20

  /// Lists what the other copy did, what this one did, and where both did something.
  func report(_ words: DivergenceWords, _ invocation: Invocation) throws {
    let meetings = MeetingPlace.find(in: self)
    try report(words.theirs, theirs, without: Set(meetings.flatMap(\.theirs)), invocation)
    try report(words.ours, ours, without: Set(meetings.flatMap(\.ours)), invocation)
    var lines: [StyledLine] = []
    for place in meetings {
      lines.append("    \(place.name.words, .bold)")
      let here = place.ours.map { ours.places[$0] }
      let there = place.theirs.map { theirs.places[$0] }
      if here.count == 1, there.count == 1, here[0].isSame(as: there[0]) {
        lines += there[0].lines(inside: place.name, invocation).map { "      both: \($0)" }
        continue
      }
      for (side, changes) in [(words.here, here), (words.there, there)] {
        for change in changes {
          lines += change.lines(inside: place.name, invocation).map { "      \(side): \($0)" }
        }
      }
    }
    try report(words.both, lines, beyond: 0, invocation)
  }

  private func report(
    _ heading: String, _ changes: PlaceChanges, without met: Set<Int>, _ invocation: Invocation
  ) throws {
    let shown = changes.places.enumerated().filter { !met.contains($0.offset) }
    let limit = invocation.console.isVerbose ? Int.max : Self.shownLines + 1
    var lines: [StyledLine] = []
    for (index, place) in shown.enumerated() {
      if lines.count >= limit {
        let rest = shown.count - index + changes.count - changes.places.count
        return try report(heading, lines, beyond: rest, invocation)
      }
      lines += place.element.lines(invocation).map { "    \($0)" }
    }
    try report(heading, lines, beyond: changes.count - changes.places.count, invocation)
  }

  private func report(
    _ heading: String, _ lines: [StyledLine], beyond: Int, _ invocation: Invocation
  ) throws {
    if lines.isEmpty { return }
    let console = invocation.console
    let isAll = console.isVerbose
    try console.report("  \(heading, .bold)")
    let shown = isAll || lines.count <= Self.shownLines ? lines[...] : lines.prefix(Self.shownLines)
    for line in shown { try console.report(line) }
    let rest = lines.count - shown.count + beyond
    if rest > 0 {
      let end = isAll ? "" : "; --verbose shows them"
      try console.report("    and \(rest) more\(end)")
    }
  }
}
