import ArgumentParser
import PeernoteJSON

/// What the argument parser says of wrong arguments, in this program's words.
struct UsageText {
  /// One line, without the hint where to look.
  private var text: String

  /// Takes over what the parser says, maybe on several lines.
  init(_ message: String) {
    let line = message.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    text = line.hasSuffix(".") ? String(line.dropLast()) : line
    explainValue()
    text = Self.uncapitalized(text[...])
      .replacing(". Did you mean", with: "; did you mean", maxReplacements: 1)
  }

  /// The line for people, which ends with `hint`.
  func line(hint: String) -> String {
    let shown = visibleText(of: ArgumentText.bytes(for: text))
    return shown.hasSuffix("?") ? "\(shown) See \(hint)" : "\(shown); see \(hint)"
  }

  /// Says why a value is invalid, as far as that can be told.
  private mutating func explainValue() {
    let start = "The value '"
    // The last place, since the value may hold anything.
    guard text.hasPrefix(start), let label = text.ranges(of: "' is invalid for '").last,
      let end = text[label.upperBound...].firstRange(of: "'")?.upperBound
    else { return }
    let value = text.dropFirst(start.count).prefix(upTo: label.lowerBound)
    guard let reason = Self.reason(text[end...], for: value) else { return }
    text = "\(text[..<end]): \(reason)"
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
