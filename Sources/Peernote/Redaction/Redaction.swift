/// Which deletions have to give up their text so that nobody can read a passage any more.
///
/// A deletion is no change of what a document means, so its text can go while its length stays.
/// All deletions of one scalar have to give it up, or history still shows it.
package struct Redaction: Sendable {
  /// The deletions, ascending and not touching, by their number among all deletion events.
  package private(set) var deletions: [Range<Int32>] = []
  /// How many scalars were gone through to find them, for tests of the effort.
  package private(set) var searchedScalars = 0

  /// The most scalars that are gone through around deletions: some seconds.
  package static let effort = 1 << 28

  /// All deletions of a log.
  package init(ofAll log: Log) {
    if log.deletedScalarCount > 0 { deletions = [0..<log.deletedScalarCount] }
  }

  /// The deletions of a scalar.
  ///
  /// O(bytes of deleted text).
  init(of scalar: Unicode.Scalar, in log: Log) {
    let text = Array(log.deletedText.text.string.unicodeScalars)
    log.deletedText.forEachPart(in: 0..<log.deletedText.count) { part, first in
      guard let first else { return }
      for (number, index) in zip(part, first...) where text[index] == scalar {
        deletions.append(number..<number + 1)
      }
    }
    deletions = deletions.united()
  }

  /// The deletions of all scalars that a pattern matches.
  ///
  /// Looks at the text as its authors saw it right before each deletion, around what was deleted;
  /// and at all that was ever inserted, in its order. So a passage is found that was typed or
  /// deleted in pieces, or of which a part is still visible. One walk over the whole history, plus
  /// what the deletions and their surroundings take to search.
  ///
  /// `effort` is the most scalars to go through around deletions. Throws if the history does not
  /// lead to the texts, which are by container number, or the search takes more than the effort.
  package init(
    of pattern: TextPattern, in log: Log, texts: [TextBuffer], effort: Int = Self.effort
  ) throws(HistoryError) {
    var search = PassageSearch(
      pattern: pattern, log: log, inserted: try InsertedText(of: log, texts: texts))
    if !search.isPromising { return }
    let containers = log.containers.indices.filter { log.containers[$0].kind == .text }
    var walker = Walker(
      log: log, after: .start,
      texts: containers.map { (container: ContainerIndex($0), placeholder: 0) })
    try walker.walk(sides: .allBoth) { tracker, sequence, operation in
      // Beyond it the walk is the smaller part.
      guard operation.kind.deletesText, search.searchedScalars <= effort else { return }
      search.search(
        around: operation.position..<operation.position + operation.length, of: sequence,
        in: &tracker)
    }
    guard search.searchedScalars <= effort else { throw HistoryError(.tooLongSearch) }
    for container in containers {
      guard let sequence = walker.tracker.sequences[ContainerIndex(container)] else { continue }
      search.search(allOf: sequence, in: walker.tracker)
    }
    searchedScalars = search.searchedScalars
    var numbers: [Range<Int32>] = []
    for deletions in walker.tracker.deletionsInOrder {
      let first = log.scalarNumber(of: deletions.deleted.lowerBound)
      let piece = InsertedText.Piece(deletions, number: log.scalarNumber(of: deletions.first))
      search.forEachFound(in: first..<first + piece.count) { part in
        let start = piece.event + (part.lowerBound - first)
        numbers.append(piece.deletions(of: start..<start + Int32(part.count)))
      }
    }
    deletions = numbers.united()
  }
}

extension Objects {
  /// Gives up the text of some deletions.
  ///
  /// O(bytes of deleted text + ranges).
  package mutating func redact(_ redaction: Redaction) {
    log.deletedText = log.deletedText.redacting(redaction.deletions)
  }
}
