import ArgumentParser
import PeernoteJSON

/// What the argument parser says of wrong arguments, in this program's words.
enum UsageText {
  /// What the parser says, maybe on several lines, as a line that ends with where to look.
  static func line(_ message: String, hint: String) -> String {
    let line = message.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    let text = uncapitalized(explained(line.hasSuffix(".") ? String(line.dropLast()) : line)[...])
      .replacing(". Did you mean", with: "; did you mean", maxReplacements: 1)
    let shown = visibleText(of: ArgumentText.bytes(for: text))
    return shown.hasSuffix("?") ? "\(shown) See \(hint)" : "\(shown); see \(hint)"
  }

  /// A text with the reason why a value is invalid, as far as that can be told.
  private static func explained(_ text: String) -> String {
    let start = "The value '"
    // The last place, since the value may hold anything.
    guard text.hasPrefix(start), let label = text.ranges(of: "' is invalid for '").last,
      let end = text[label.upperBound...].firstRange(of: "'")?.upperBound
    else { return text }
    let value = text.dropFirst(start.count).prefix(upTo: label.lowerBound)
    return reason(text[end...], for: value).map { "\(text[..<end]): \($0)" } ?? text
  }

  /// Why a value is invalid, by what the parser adds; `nil` if nothing is known.
  private static func reason(_ addition: Substring, for value: Substring) -> String? {
    if addition.hasPrefix(": ") { return uncapitalized(addition.dropFirst(2)) }
    for start in [". Please provide one of the following: ", ". Please provide one of "]
    where addition.hasPrefix(start) {
      let names = addition.dropFirst(start.count).split { ",' ".contains($0) }.map(String.init)
        .filter { !["-", "and", "or"].contains($0) }
      return names.count == 1 ? "there is only \(names[0])" : "there are \(enumerated(names))"
    }
    let bytes = ArgumentText.bytes(for: String(value))
    if bytes.isEmpty { return "it is empty" }
    return String(validating: bytes, as: UTF8.self) == nil ? "it is not UTF-8" : nil
  }

  /// The text with a small letter at its beginning, but for abbreviations.
  private static func uncapitalized(_ text: Substring) -> String {
    let second = text.unicodeScalars.dropFirst().first
    guard let first = text.first, let second, second.properties.isLowercase || second == " "
    else { return String(text) }
    return first.lowercased() + text.dropFirst()
  }
}

/// The names most like a mistyped one.
enum NearestName {
  /// The names that take the fewest changes, of one letter or of two swapped, the nearest first; of
  /// equally near ones those that share more letters at the beginning, then those that are listed first.
  static func nearest(_ count: Int, to text: String, in names: [String]) -> [String] {
    let typed = Array(text.utf8.prefix(32))
    let ranked = names.enumerated().map { number, name in
      let letters = Array(name.utf8)
      let same = zip(typed, letters).prefix { $0 == $1 }.count
      return (name: name, rank: (distance(typed, letters), -same, number))
    }
    return ranked.sorted { $0.rank < $1.rank }.prefix(count).map(\.name)
  }

  /// The optimal string alignment distance (Boytsov, "Indexing Methods for Approximate Dictionary
  /// Searching", JEA 16, 2011, section 2.1).
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in 1..<(left.count + 1) {
      var next = [row]
      for column in 1..<(right.count + 1) {
        let isSame = left[row - 1] == right[column - 1]
        var cost = min(last[column] + 1, next[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, left[row - 1] == right[column - 2],
          left[row - 2] == right[column - 1]
        {
          cost = min(cost, before[column - 2] + 1)
        }
        next.append(cost)
      }
      (before, last) = (last, next)
    }
    return last[right.count]
  }
}
