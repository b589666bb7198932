import Peernote

/// The lines of a text, each with the change that last wrote something in it.
///
/// They are found anew each time they are gone through, and take no memory, unlike the passages that
/// changes wrote: a text can have as many lines as it has bytes.
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
  /// The passages of the text: one past the last scalar, and the place of the change in the list.
  private let passages: [(end: Int32, change: ChangeIndex)]

  /// Lists the lines of a text with its passages: see ``Peernote/Document/passages(ofTextAt:)``.
  init(text: String, passages: [(end: Int32, change: ChangeIndex)], in document: Document) {
    self.text = text
    self.passages = passages
    changes = document.changes
  }

  /// Whether a change is the later one of two.
  private func isLater(_ left: Int, than right: Int) -> Bool {
    left != right && (changes[left].time, left) > (changes[right].time, right)
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
    private var passage = 0

    fileprivate init(_ lines: BlamedLines) {
      self.lines = lines
      index = lines.text.startIndex
    }

    mutating func next() -> Line? {
      let scalars = lines.text.unicodeScalars
      let start = index
      var latest: Int?
      while index < scalars.endIndex {
        let scalar = scalars[index]
        let end = index
        index = scalars.index(after: index)
        while lines.passages[passage].end <= position { passage += 1 }
        position += 1
        let writer = lines.passages[passage].change.number
        // The end of a line counts only where there is nothing else.
        if scalar == "\n" { return Line(range: start..<end, change: latest ?? writer) }
        if latest.map({ lines.isLater(writer, than: $0) }) ?? true { latest = writer }
      }
      return latest.map { Line(range: start..<index, change: $0) }
    }
  }
}
