import Peernote

/// The difference between two texts in the unified format, with three lines of context.
struct UnifiedDifference {
  enum Kind {
    /// Where the lines that follow stand.
    case place
    case same
    case removed
    case added
    /// The line before has no line feed.
    case unended
  }

  struct Line {
    var kind: Kind
    /// Without the mark in front and the line feed.
    var text: String
  }

  private(set) var lines: [Line] = []

  private static let context = 3

  /// Compares two texts.
  ///
  /// - Complexity: that of ``Peernote/LineDifference``, and O(*n*) for texts of *n* bytes.
  init(from old: String, to new: String) {
    let oldBytes = Array(old.utf8)
    let newBytes = Array(new.utf8)
    guard oldBytes != newBytes else { return }
    let oldLines = TextLines(oldBytes)
    let newLines = TextLines(newBytes)
    // In lines, not bytes.
    let hunks = LineDifference(from: oldBytes, to: newBytes).hunks.map { hunk in
      (old: oldLines.lines(in: hunk.old), new: newLines.lines(in: hunk.new))
    }
    var start = 0
    while start < hunks.count {
      var end = start + 1
      while end < hunks.count,
        hunks[end].old.lowerBound - hunks[end - 1].old.upperBound <= 2 * Self.context
      { end += 1 }
      add(Array(hunks[start..<end]), oldLines, newLines)
      start = end
    }
  }

  /// Adds hunks that share their context.
  private mutating func add(
    _ hunks: [(old: Range<Int>, new: Range<Int>)], _ old: TextLines, _ new: TextLines
  ) {
    guard let first = hunks.first, let last = hunks.last else { return }
    let leading = min(Self.context, first.old.lowerBound)
    let trailing = min(Self.context, old.count - last.old.upperBound)
    let oldRange = first.old.lowerBound - leading..<last.old.upperBound + trailing
    let newRange = first.new.lowerBound - leading..<last.new.upperBound + trailing
    let place = "@@ -\(Self.place(oldRange)) +\(Self.place(newRange)) @@"
    lines.append(Line(kind: .place, text: place))
    var position = oldRange.lowerBound
    for hunk in hunks {
      add(.same, position..<hunk.old.lowerBound, of: old)
      add(.removed, hunk.old, of: old)
      add(.added, hunk.new, of: new)
      position = hunk.old.upperBound
    }
    add(.same, position..<oldRange.upperBound, of: old)
  }

  private mutating func add(_ kind: Kind, _ range: Range<Int>, of text: TextLines) {
    for index in range {
      lines.append(Line(kind: kind, text: text[index]))
      if index == text.count - 1 && !text.isEnded {
        lines.append(Line(kind: .unended, text: ""))
      }
    }
  }

  /// First line, from 1, and count, as POSIX says for `diff -u`: the line before for no lines.
  private static func place(_ range: Range<Int>) -> String {
    switch range.count {
    case 0: "\(range.lowerBound),0"
    case 1: "\(range.lowerBound + 1)"
    default: "\(range.lowerBound + 1),\(range.count)"
    }
  }
}

/// The lines of a text, found by number and by byte.
private struct TextLines {
  private let bytes: [UInt8]
  /// Where each line begins, and the end of the text.
  private var starts: [Int] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var start = 0
    while start < bytes.count {
      starts.append(start)
      start = (bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1
    }
    starts.append(bytes.count)
  }

  var count: Int { starts.count - 1 }

  /// Whether the last line has a line feed.
  var isEnded: Bool { bytes.last == UInt8(ascii: "\n") }

  /// The lines that a range of bytes covers, which begins and ends between lines.
  ///
  /// - Complexity: O(log(count)).
  func lines(in range: Range<Int>) -> Range<Int> {
    index(of: range.lowerBound)..<index(of: range.upperBound)
  }

  private func index(of start: Int) -> Int {
    var range = 0..<starts.count
    while range.count > 1 {
      let middle = range.lowerBound + range.count / 2
      range = starts[middle] <= start ? middle..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  subscript(index: Int) -> String {
    var line = bytes[starts[index]..<starts[index + 1]]
    if line.last == UInt8(ascii: "\n") { line = line.dropLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
