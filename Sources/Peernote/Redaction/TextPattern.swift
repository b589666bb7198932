/// What text to look for: characters that stand for themselves, `?` for any one character and `*`
/// for any number of them on one line; a backslash takes the meaning from the character after it.
///
/// Letters are told apart by case, characters by their scalars.
package struct TextPattern: Hashable, Sendable {
  /// How many scalars on either side of a place a match with `*` is looked for in.
  private static let starReach = 1024
  /// Where a line ends.
  static let lineFeed: UInt32 = 10
  /// Stands for scalars that are not known, which match nothing.
  static let unknown = UInt32.max

  /// What one character of a pattern matches.
  private enum Element: Hashable {
    case scalar(UInt32)
    case any

    func matches(_ scalar: UInt32) -> Bool {
      switch self {
      case .scalar(let own): own == scalar
      case .any: scalar != TextPattern.lineFeed && scalar != TextPattern.unknown
      }
    }
  }

  /// What stands between the stars.
  ///
  /// A star at either end has an empty part beside it.
  private var parts: [[Element]] = [[]]

  /// Reads a pattern; `nil` if it holds no character that stands for itself, or ends in a backslash.
  package init?(_ pattern: String) {
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped: parts.append([])
      case "?" where !isEscaped: parts[parts.count - 1].append(.any)
      default: parts[parts.count - 1].append(.scalar(scalar.value))
      }
      isEscaped = false
    }
    let saysSomething = parts.joined().contains { $0 != .any }
    guard saysSomething, !isEscaped else { return nil }
  }

  /// How far from a place a match that touches it can reach, in scalars.
  var reach: Int { parts.count == 1 ? parts[0].count - 1 : Self.starReach }

  /// Whether no match goes beyond a line.
  var staysOnLine: Bool { parts.count > 1 }

  /// The scalars that every match holds.
  var spelled: Set<UInt32> {
    var result: Set<UInt32> = []
    for case .scalar(let scalar) in parts.joined() { result.insert(scalar) }
    return result
  }

  /// Where the pattern matches, ascending; matches may overlap.
  ///
  /// With stars a match is as long as it can be, so that there is one on a line at most. O(n m) for
  /// a pattern of m scalars and the n that are looked at.
  ///
  /// A match has to touch `place`, or the line that it is on; `nil` for any.
  func matches(in scalars: [UInt32], touching place: Range<Int>? = nil) -> [Range<Int>] {
    let place = place ?? 0..<scalars.count
    if staysOnLine { return matches(in: scalars, onLinesOf: place) }
    let count = parts[0].count
    let first = max(0, place.lowerBound - count + 1)
    let end = min(place.upperBound, scalars.count - count + 1)
    guard first < end else { return [] }
    return (first..<end).compactMap { start in
      matches(parts[0], at: start, in: scalars[...]) ? start..<start + count : nil
    }
  }

  private func matches(in scalars: [UInt32], onLinesOf place: Range<Int>) -> [Range<Int>] {
    func isEnd(_ index: Int) -> Bool {
      scalars[index] == Self.lineFeed || scalars[index] == Self.unknown
    }
    var found: [Range<Int>] = []
    var start = place.lowerBound
    while start > 0, !isEnd(start - 1) { start -= 1 }
    while start <= place.upperBound, start < scalars.count {
      var end = start
      while end < scalars.count, !isEnd(end) { end += 1 }
      if let match = match(inLine: scalars[start..<end]) { found.append(match) }
      start = end + 1
    }
    return found
  }

  /// Whether the pattern matches somewhere in a text.
  package func matches(in text: String) -> Bool {
    !matches(in: text.unicodeScalars.map(\.value)).isEmpty
  }

  /// The first match on a line, as long as it can be: so there is no second one.
  ///
  /// O(n m).
  private func match(inLine line: ArraySlice<UInt32>) -> Range<Int>? {
    guard let first = firstIndex(of: parts[0], in: line) else { return nil }
    var next = first + parts[0].count
    for part in parts[1..<parts.count - 1] {
      guard let place = firstIndex(of: part, in: line[next...]) else { return nil }
      next = place + part.count
    }
    let last = parts[parts.count - 1]
    var end = line.endIndex - last.count
    while end >= next, !matches(last, at: end, in: line) { end -= 1 }
    guard end >= next else { return nil }
    return (parts[0].isEmpty ? line.startIndex : first)..<end + last.count
  }

  private func firstIndex(of part: [Element], in line: ArraySlice<UInt32>) -> Int? {
    var start = line.startIndex
    while start <= line.endIndex - part.count {
      if matches(part, at: start, in: line) { return start }
      start += 1
    }
    return nil
  }

  private func matches(_ part: [Element], at start: Int, in scalars: ArraySlice<UInt32>) -> Bool {
    guard start + part.count <= scalars.endIndex else { return false }
    for (offset, element) in part.enumerated() where !element.matches(scalars[start + offset]) {
      return false
    }
    return true
  }
}
