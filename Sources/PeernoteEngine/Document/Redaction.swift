/// Which deletions have to give up their text so that nobody can read a passage any more.
///
/// A deletion is no change of what a document means, so its text can go while its length stays.
/// All deletions of one scalar have to give it up, or history still shows it.
package struct Redaction: Sendable {
  /// The deletions, ascending and not touching, by their number among all deletion events.
  package private(set) var deletions: [Range<Int32>]
  /// How many scalars were gone through to find them, for tests of the effort.
  package let searchedScalars: Int

  /// Ascending deletions that do not touch.
  package init(deletions: [Range<Int32>], searchedScalars: Int = 0) {
    self.deletions = deletions
    self.searchedScalars = searchedScalars
  }

  /// All deletions of a log.
  package init(ofAll log: Log) {
    self.init(deletions: log.deletedScalarCount > 0 ? [0..<log.deletedScalarCount] : [])
  }

  /// The deletions of a scalar; O(bytes of deleted text).
  package init(of scalar: Unicode.Scalar, in log: Log) {
    let text = Array(log.deletedText.text.string.unicodeScalars)
    var deletions: [Range<Int32>] = []
    log.deletedText.forEachPart(in: 0..<log.deletedText.count) { part, first in
      guard let first else { return }
      for (number, index) in zip(part, first...) where text[index] == scalar {
        deletions.append(number..<number + 1)
      }
    }
    self.init(deletions: deletions.united())
  }

  /// Leaves out ascending ranges of deletions.
  package mutating func leave(_ others: [Range<Int32>]) {
    deletions = deletions.flatMap { others.gaps(in: $0) }
  }
}

extension Objects {
  /// Gives up the text of some deletions; O(bytes of deleted text + ranges).
  package mutating func redact(_ redaction: Redaction) {
    log.deletedText = log.deletedText.redacting(redaction.deletions)
  }
}

/// A scalar that stands for redacted text while a past version is looked at, and for nothing else.
package struct RedactionMarker {
  /// The scalar; `nil` if nothing is redacted, or none is free.
  package let scalar: Unicode.Scalar?

  package init(scalar: Unicode.Scalar?) {
    self.scalar = scalar
  }

  /// The last scalar that was never inserted; O(bytes).
  init(in inserted: InsertedText) {
    guard inserted.scalars.redactedCount > 0 else {
      scalar = nil
      return
    }
    let used = Set(inserted.knownScalars)
    let free = (0...UInt32(0x10_FFFF)).reversed().lazy.filter { !used.contains($0) }
    scalar = free.compactMap { Unicode.Scalar($0) }.first
  }

  /// A text without the marker; O(bytes).
  package func removed(from text: String) -> String {
    guard let scalar, text.unicodeScalars.contains(scalar) else { return text }
    var known = String.UnicodeScalarView()
    known.append(contentsOf: text.unicodeScalars.lazy.filter { $0 != scalar })
    return String(known)
  }
}

/// A text that came back without what was redacted since.
package struct RedactedGap: Hashable, Sendable {
  /// Where the text stands in the document.
  package var path: JSONPointer
  /// How many scalars of it were redacted.
  package var scalars: Int

  package init(path: JSONPointer, scalars: Int) {
    self.path = path
    self.scalars = scalars
  }
}
