import Peernote

/// The lines of a text, each with the change that last wrote something in it.
///
/// They are found anew each time they are gone through, and take no memory: a text can have as many
/// lines as it has bytes.
struct BlamedLines: Sequence {
  /// A line without its end.
  struct Line {
    /// Where it stands in the text.
    var range: Range<String.Index>
    /// The place of the change in the document's list.
    var change: Int
  }

  let text: String
  /// All changes of the document; in the file they stand after those that they follow.
  let changes: ChangeList
  private let origins: [TextOrigin]
  /// Of the changes that wrote the text.
  private let places: [ChangeID: Place]

  /// When a change was made: of two the greater is the later one.
  fileprivate struct Place: Comparable {
    var time: Timestamp
    var index: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.time, left.index) < (right.time, right.index)
    }
  }

  /// Lists the lines of a text.
  ///
  /// O(n log n) for n changes of the document, and the origins.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - origins: the changes that wrote it, without gaps.
  ///   - changes: all changes of the document.
  init(text: String, origins: [TextOrigin], changes: ChangeList) {
    self.text = text
    self.origins = origins
    self.changes = changes
    let writers = Set(origins.lazy.map(\.change))
    var places: [ChangeID: Place] = [:]
    places.reserveCapacity(writers.count)
    for (index, change) in changes.enumerated() where writers.contains(change.id) {
      places[change.id] = Place(time: change.time, index: index)
    }
    self.places = places
  }

  /// The text of a line.
  func text(of line: Line) -> String { String(text[line.range]) }

  func makeIterator() -> Iterator { Iterator(self) }

  /// Goes through the lines.
  struct Iterator: IteratorProtocol {
    private let lines: BlamedLines
    private var index: String.Index
    /// How many scalars come before.
    private var position = 0
    private var origin = 0

    fileprivate init(_ lines: BlamedLines) {
      self.lines = lines
      index = lines.text.startIndex
    }

    mutating func next() -> Line? {
      let scalars = lines.text.unicodeScalars
      let start = index
      var latest: Place?
      while index < scalars.endIndex {
        let scalar = scalars[index]
        let end = index
        index = scalars.index(after: index)
        while lines.origins[origin].scalars.upperBound <= position { origin += 1 }
        position += 1
        // The end of a line counts only where there is nothing else.
        if scalar == "\n" {
          let change = latest ?? lines.places[lines.origins[origin].change]
          return Line(range: start..<end, change: change?.index ?? 0)
        }
        guard let place = lines.places[lines.origins[origin].change] else { continue }
        if latest.map({ $0 < place }) ?? true { latest = place }
      }
      return latest.map { Line(range: start..<index, change: $0.index) }
    }
  }
}
