import PeernoteTestSupport
import Peernote

/// Notes of all shapes.
enum RandomNotes {
  static func note(using generator: inout SplitMix64) -> Note {
    var fields: NoteFields = [:]
    for _ in 0..<Int.random(in: 0..<6, using: &generator) {
      let key = text(using: &generator)
      if !["title", "body", "tags", "priority", "created"].contains(key) {
        fields[key] = .value(value(using: &generator))
      }
    }
    var tags: Set<String> = []
    for _ in 0..<Int.random(in: 0..<4, using: &generator) { tags.insert(text(using: &generator)) }
    return Note(
      title: Bool.random(using: &generator) ? text(using: &generator) : nil,
      body: text(using: &generator), tags: Array(tags),
      priority: Bool.random(using: &generator)
        ? Note.Priority.allCases.randomElement(using: &generator) : nil,
      created: Bool.random(using: &generator) ? time(using: &generator) : nil, fields: fields)
  }

  private static let pieces = [
    "a", "B", " ", "  ", "\n", "\t", "\r", ":", ": ", " #", "-", "- ", "\"", "'", "\\", "1", "0",
    ".",
    "e", "+", "null", "true", "no", "é", "🎉", "日", "\u{0}", "\u{1B}", "\u{85}", "\u{2028}",
    "\u{FEFF}",
    "\u{FFFF}", "\u{301}", "[", "]", "{", "}", ",", "&", "*", "!", "|", ">", "%", "@", "`", "?",
    "---",
    "~", "\u{10FFFF}", "\u{A0}", "\u{202E}",
  ]

  static func text(using generator: inout SplitMix64) -> String {
    (0..<Int.random(in: 0..<7, using: &generator)).map { _ in
      pieces.randomElement(using: &generator) ?? ""
    }.joined()
  }

  private static func time(using generator: inout SplitMix64) -> Timestamp {
    let bits = Int64(bitPattern: generator.next())
    return Timestamp(milliseconds: bits >> Int64.random(in: 0..<50, using: &generator))
  }

  static func value(using generator: inout SplitMix64) -> Value {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: .null
    case 1: .bool(Bool.random(using: &generator))
    case 2: .integer(Int64(bitPattern: generator.next()))
    case 3: .double(Double(bitPattern: generator.next()))
    case 4:
      .double(
        [0, -0.0, 1, 1.5, .infinity, -.infinity, .nan, 1e300][
          Int.random(in: 0..<8, using: &generator)])
    case 5: .bytes((0..<Int.random(in: 0..<9, using: &generator)).map { UInt8($0) })
    case 6: .timestamp(time(using: &generator))
    case 7: .uuid(UniqueID(randomBits: generator.next(), generator.next()))
    default: .string(text(using: &generator))
    }
  }
}
