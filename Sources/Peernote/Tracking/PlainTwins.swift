/// Lines of a plain file that two changes brought in, of which one is to go.
///
/// A phone without this program sends its file, edits on, and is met by another state of the same
/// file: each state is recorded as an edit of the last version that is known, and what they have in
/// common was typed once and is in both. No rule on the base can help, as the version that they
/// share was never seen. So a line counts once if two changes brought it in of which neither had
/// seen the other, nor anybody both, with nothing between that both had seen, and if it stands once
/// in the work of either.
///
/// Of two the one whose change has the smaller name stays, so that all machines come to the same.
/// Contested text is left alone, as it is for a person to settle.
struct PlainTwins {
  /// A line that one change brought in as a whole.
  private struct Line {
    /// By its place in the document.
    var change: Int
    /// What is to be deleted for it to go, in scalars of the raw text: with its line feed.
    var scalars: Range<Int>
  }

  /// What is to go, in scalars of the raw text, ascending and disjoint.
  private(set) var surplus: [Range<Int>] = []

  /// Who brought in what of the raw text: where each stretch ends, and the place of its change.
  private let origins: [(end: Int32, change: Int32)]
  private let history: SeenHistory

  /// Finds the twins in the present text of a history.
  ///
  /// One walk over the history if it has several heads; else nothing is done.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  init(of document: Document) throws(DocumentError) {
    guard document.heads.count > 1, let text = document.text(at: PlainHistory.path) else {
      (origins, history) = ([], SeenHistory())
      return
    }
    origins = try document.rawPassages(of: text)
    history = SeenHistory(of: document)
    let heads = document.heads.compactMap { history.numbers[$0] }
    let contested = document.file.passages[text, default: []].filter { !$0.others.isEmpty }
    var surplus: Set<Range<Int>> = []
    let raw = document.file.texts[Int(text)].string
    for lines in lines(of: raw, without: contested.map(\.raw)).values where lines.count > 1 {
      for (index, line) in lines.enumerated() {
        for other in lines[(index + 1)...] where areTwins(line, other, among: lines, heads) {
          let isFirst = history.names[line.change] < history.names[other.change]
          surplus.insert(isFirst ? other.scalars : line.scalars)
        }
      }
    }
    for range in surplus.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      // Two lines that share a line feed go together.
      guard let last = self.surplus.last, range.lowerBound < last.upperBound else {
        self.surplus.append(range)
        continue
      }
      let end = max(last.upperBound, range.upperBound)
      self.surplus[self.surplus.count - 1] = last.lowerBound..<end
    }
  }

  /// The lines with a letter or digit that are one change's work, by what they say.
  private func lines(of text: String, without contested: [Range<Int>]) -> [String: [Line]] {
    let scalars = Array(text.unicodeScalars)
    var result: [String: [Line]] = [:]
    var origin = 0
    var start = 0
    while start < scalars.count {
      let end = scalars[start...].firstIndex(of: "\n") ?? scalars.count
      defer { start = end + 1 }
      while origins[origin].end <= start { origin += 1 }
      let own = (origin == 0 ? 0 : Int(origins[origin - 1].end))..<Int(origins[origin].end)
      guard own.upperBound >= end, Self.saysAnything(scalars[start..<end]) else { continue }
      let range: Range<Int>
      if own.upperBound > end {
        range = start..<end + 1
      } else if own.lowerBound < start {
        range = start - 1..<end
      } else {
        continue
      }
      let isContested = contested.contains {
        $0.lowerBound <= range.upperBound && range.lowerBound <= $0.upperBound
      }
      if isContested { continue }
      var line = ""
      line.unicodeScalars.append(contentsOf: scalars[start..<end])
      let change = Int(origins[origin].change)
      result[line, default: []].append(Line(change: change, scalars: range))
    }
    return result
  }

  /// Whether a line has a letter or digit.
  static func saysAnything(_ line: some Sequence<Unicode.Scalar>) -> Bool {
    line.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
  }

  /// Whether two equal lines were typed once.
  private func areTwins(
    _ line: Line, _ other: Line, among lines: [Line], _ heads: [Int]
  ) -> Bool {
    let (left, right) = (history.pasts[line.change], history.pasts[other.change])
    let hasAnybodySeenBoth = heads.contains {
      history.pasts[$0].contains(line.change) && history.pasts[$0].contains(other.change)
    }
    if hasAnybodySeenBoth { return false }
    func haveSeen(_ change: Int) -> Bool { left.contains(change) && right.contains(change) }
    let isRepeated = lines.contains { third in
      third.scalars != line.scalars && third.scalars != other.scalars
        && (third.change == line.change || third.change == other.change
          || haveSeen(third.change))
    }
    if isRepeated { return false }
    let between =
      min(
        line.scalars.upperBound, other.scalars.upperBound)..<max(
        line.scalars.lowerBound, other.scalars.lowerBound)
    var start = 0
    for (end, change) in origins {
      if between.overlaps(start..<Int(end)), haveSeen(Int(change)) { return false }
      start = Int(end)
    }
    return true
  }
}
