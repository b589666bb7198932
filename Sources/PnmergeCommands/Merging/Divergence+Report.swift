import Peernote
import PeernoteFiles
import PeernoteJSON

/// What the two sides of a divergence are called.
struct DivergenceWords {
  /// Over what only this copy did, what only the other did, and what both did.
  var ours, theirs, both: String
  /// Before what either did at a place that both changed.
  var here, there: String
}

extension Divergence {
  /// How much of each list is shown unless all is wanted.
  private static let shownLines = 20

  /// Lists what the other copy did, what this one did, and where both did something.
  func report(_ words: DivergenceWords, _ invocation: Invocation) throws {
    let meetings = MeetingPlace.find(in: self)
    try report(words.theirs, theirs, without: Set(meetings.flatMap(\.theirs)), invocation)
    try report(words.ours, ours, without: Set(meetings.flatMap(\.ours)), invocation)
    let lines = meetings.flatMap { place -> [StyledLine] in
      let here = place.ours.map { ours.places[$0] }
      let there = place.theirs.map { theirs.places[$0] }
      let isSame = here.count == 1 && there.count == 1 && here[0].isSame(as: there[0])
      let sides = isSame ? [("both", there)] : [(words.here, here), (words.there, there)]
      return ["    \(place.name.words, .bold)"]
        + sides.flatMap { side, changes in
          changes.flatMap { $0.lines(inside: place.name, invocation) }
            .map { "      \(side): \($0)" }
        }
    }
    try report(words.both, lines.lazy.map { [$0] }, beyond: 0, invocation)
  }

  private func report(
    _ heading: String, _ changes: PlaceChanges, without met: Set<Int>, _ invocation: Invocation
  ) throws {
    let shown = changes.places.indices.filter { !met.contains($0) }
    let blocks = shown.lazy.map { index in
      changes.places[index].lines(invocation).map { StyledLine("    \($0)") }
    }
    try report(heading, blocks, beyond: changes.count - changes.places.count, invocation)
  }

  /// Shows as much as is wanted, and counts the rest: lines, and blocks of which none is needed.
  private func report(
    _ heading: String, _ blocks: some Collection<[StyledLine]>, beyond: Int,
    _ invocation: Invocation
  ) throws {
    let console = invocation.console
    let limit = console.isVerbose ? Int.max : Self.shownLines
    var lines: [StyledLine] = []
    var rest = blocks.count + beyond
    for block in blocks {
      lines += block
      rest -= 1
      if lines.count > limit { break }
    }
    if lines.isEmpty { return }
    try console.report("  \(heading, .bold)")
    for line in lines.prefix(limit) { try console.report(line) }
    rest += max(0, lines.count - limit)
    if rest > 0 {
      try console.report("    and \(rest) more\(console.isVerbose ? "" : "; --verbose shows them")")
    }
  }
}

/// A place that two copies changed, with all that either did there, by places in the divergence.
private struct MeetingPlace {
  /// The outermost place of all.
  var name: PlaceName
  var ours: [Int] = []
  var theirs: [Int] = []

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
        places.append(MeetingPlace(name: anchor.name))
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

extension Divergence {
  /// The members of a report for programs, with names for the lists of what either copy did;
  /// pnmerge-json(5) describes them.
  func members(ours: String, theirs: String) -> [JSONReport.Member] {
    [
      ("common", .list(common) { .string($0.description) }),
      (theirs, .list(self.theirs.places, \.json)),
      ("\(theirs)_count", .json(.count(self.theirs.count))),
      (ours, .list(self.ours.places, \.json)),
      ("\(ours)_count", .json(.count(self.ours.count))),
      ("meetings", .list(meetings) { [theirs: .count($0.theirs), ours: .count($0.ours)] }),
    ]
  }
}

extension PlaceChange {
  var json: JSON {
    // Of a text its lines tell.
    let isText = kind == .text
    return .object(present: [
      "path": .string(path.description), "name": .string(name.words),
      "change": .string(kind.rawValue), "from": origin.map { .count($0) },
      "old": isText ? nil : old?.json, "new": isText ? nil : new?.json,
      "lines": isText ? .array(changedLines.map(\.json)) : nil,
      "authors": .array(authors.map { .string($0) }), "time": time.map { .string($0.iso8601) },
    ])
  }
}

extension ChangedLines {
  /// The lines for programs: numbers from 1, and what stood there and stands there now.
  fileprivate var json: JSON {
    [
      "old_line": .count(oldLines.lowerBound + 1), "new_line": .count(newLines.lowerBound + 1),
      "old": .string(old), "new": .string(new),
    ]
  }
}

extension Document {
  /// What all copies bring that the document in `file` lacks, beside what it has that they lack;
  /// `nil` if that is nothing, or they cannot be merged, which a merge tells.
  ///
  /// One walk over the whole history of each copy but the first, and another one of the document.
  func divergence(
    fromCopies copies: some Collection<Document>, in file: FileName
  ) throws(Failure) -> Divergence? {
    guard var theirs = copies.first else { return nil }
    do throws(MergeError) {
      switch try relation(to: theirs) {
      case .same where copies.count == 1, .unrelated, .differentDocument: return nil
      case .same, .behind, .ahead, .diverged: break
      }
      try theirs.merge(Array(copies.dropFirst()))
    } catch {
      return nil
    }
    return try file.parsing(divergence(from: theirs))
  }
}
