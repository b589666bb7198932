package import Peernote
import PeernoteJSON

/// A number and a noun in the right form: `1 change`, `3 changes`, `2 copies`.
func counted(_ count: Int, _ noun: String) -> String {
  guard count != 1 else { return "1 \(noun)" }
  return noun.hasSuffix("y") ? "\(count) \(noun.dropLast())ies" : "\(count) \(noun)s"
}

/// Parts of a sentence in a row: `a`, `a and b`, `a, b and c`.
func enumerated(_ parts: [String], _ word: String = "and") -> String {
  guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
  return parts.dropLast().joined(separator: ", ") + " \(word) " + last
}

/// How an author is named; of changes that have none a device is known.
func authorName(_ author: String) -> String {
  author.isEmpty ? "a device" : visibleText(author)
}

/// How several authors are named, in a row.
func authorNames(_ authors: [String]) -> String { enumerated(authors.map(authorName)) }

/// How many of some changes are whose.
struct ChangeTally {
  /// How many there are.
  private(set) var count = 0
  private var countsByName: [[UInt8]: Int] = [:]

  /// Counts changes.
  init(_ changes: ChangeList = ChangeList()) { self.init(authors: changes.lazy.map(\.author)) }

  /// Counts the changes by these authors, one each.
  init(authors: some Sequence<String>) {
    for author in authors {
      count += 1
      countsByName[Array(author.utf8), default: 0] += 1
    }
  }

  /// Adds what was counted of other changes.
  mutating func add(_ other: ChangeTally) {
    count += other.count
    countsByName.merge(other.countsByName, uniquingKeysWith: +)
  }

  /// The authors, who has most first, then by name.
  var authors: [(name: String, count: Int)] {
    countsByName.sorted { left, right in
      left.value != right.value
        ? left.value > right.value : left.key.lexicographicallyPrecedes(right.key)
    }.map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
  }

  /// How many changes by whom: `14 changes by 2 authors (phone 11, desk 3)`.
  var summary: String {
    let authors = authors
    let changes = counted(count, "change")
    if authors.count == 1 { return "\(changes) by \(authorName(authors[0].name))" }
    let shown = authors.prefix(5).map { "\(authorName($0.name)) \($0.count)" }
    let rest = authors.count > shown.count ? ", …" : ""
    return "\(changes) by \(authors.count) authors (\(shown.joined(separator: ", "))\(rest))"
  }
}

/// A word to paste into a shell.
func shellQuoted(_ word: String) -> String { shellQuoted(FileName(word)) }

/// A file name to paste into a shell, as people are shown it.
func shellQuoted(_ file: FileName) -> String {
  // So that no program takes it for an option.
  let prefix = file.bytes.first == UInt8(ascii: "-") ? "./" : ""
  let word = FileName(prefix + file.visible).shellWord
  return String(decoding: word, as: UTF8.self)
}

extension FileName {
  private static let plainBytes = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+:,./@%".utf8)

  /// Whether a byte stands for itself outside of quotation marks in sh(1) and its kin, at the
  /// beginning of a word, too.
  static func standsForItself(_ byte: UInt8) -> Bool { plainBytes.contains(byte) || byte >= 0x80 }

  /// A name for a shell: plain, or between quotation marks.
  var shellWord: [UInt8] {
    if !bytes.isEmpty, bytes.allSatisfy(Self.standsForItself) { return bytes }
    let quote = UInt8(ascii: "'")
    return [quote] + bytes.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }
}

extension CivilTime {
  /// As people read it here: `20 Nov 14:02`, with the year if it is not `currentYear`.
  package func shortText(currentYear: Int) -> String {
    let date = "\(day) \(Self.monthNames[month - 1])" + (year == currentYear ? "" : " \(year)")
    return "\(date) \(Self.padded(hour, 2)):\(Self.padded(minute, 2))"
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
