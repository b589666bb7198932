import Peernote
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

extension [String] {
  /// Each of the strings once, where it stands first.
  var distinct: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}

/// How an author is named; of changes that have none a device is known.
func authorName(_ author: String) -> String {
  author.isEmpty ? "a device" : visibleText(author)
}

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
