import Peernote
import PeernoteJSON

extension PlaceName {
  /// The name in a sentence: `agenda, "Venue", minutes`.
  var words: String {
    if parts.isEmpty { return "the whole document" }
    return parts.map { part in
      switch part {
      case .key(let key): key.isPlainKey ? key : quoted(key)
      case .titled(let title): quoted(title, limit: 40)
      case .element(let number): "element \(number)"
      }
    }.joined(separator: ", ")
  }
}

extension [ChangedPlace] {
  private static var namedPlaces: Int { 4 }

  /// What was edited, in a row: `title; body: 2 lines`.
  var words: String {
    let named = prefix(Self.namedPlaces).map { place in
      switch place.extent {
      case .whole: place.name.words
      case .lines(let count): "\(place.name.words): \(counted(count, "line"))"
      case .elements(let count): "\(place.name.words): \(counted(count, "element"))"
      }
    }
    let rest = count > named.count ? ["\(count - named.count) more"] : []
    return (named + rest).joined(separator: "; ")
  }
}

extension PlaceChanges {
  /// What differs, in a row.
  var words: String {
    places.map { place in
      let lines = place.changedLines
        .reduce(0) { $0 + Swift.max($1.oldLines.count, $1.newLines.count) }
      return ChangedPlace(name: place.name, extent: place.kind == .text ? .lines(lines) : .whole)
    }.words
  }
}

extension String {
  /// Whether a key of a map needs no quotation marks in a sentence.
  fileprivate var isPlainKey: Bool {
    !isEmpty && count <= 40
      && unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "_-$.@".unicodeScalars.contains(scalar)
      }
  }

  /// The text without the end of its last line.
  fileprivate var trimmedEnd: String {
    utf8.last == UInt8(ascii: "\n") ? String(decoding: utf8.dropLast(), as: UTF8.self) : self
  }
}

extension PlaceChange {
  /// What was done, a line for each thing: the place in the document, and what happened there.
  ///
  /// Of a text one line for each passage that reads otherwise. The outer place has been named.
  func lines(inside outer: PlaceName = PlaceName(), _ invocation: Invocation) -> [String] {
    let inner = PlaceName(Array(name.parts.dropFirst(outer.parts.count)))
    let name = inner.parts.isEmpty && !outer.parts.isEmpty ? nil : inner.words
    return sentences.map { sentence in
      let place = [name, sentence.place].compactMap(\.self).joined(separator: ", ")
      return "\(place)\(place.isEmpty ? "" : ": ")\(signed(sentence.what, invocation))"
    }
  }

  /// What was done, without the place, and who did it; of a text what was done first.
  func words(_ invocation: Invocation) -> String {
    signed(sentences.first?.what ?? "", invocation)
  }

  private func signed(_ words: String, _ invocation: Invocation) -> String {
    words + (signature(invocation).map { " (\($0))" } ?? "")
  }

  func signature(_ invocation: Invocation) -> String? {
    authors.isEmpty ? nil : invocation.signature(authorNames(authors), time)
  }

  /// Where an element was moved from and to, for what was moved.
  var moveWords: String {
    "moved from place \((origin ?? 0) + 1) to place \(path.lastIndex + 1)"
  }

  /// The most passages of a text that are told one by one.
  private static let passageLimit = 20

  private typealias Sentence = (place: String?, what: String)

  private var sentences: [Sentence] {
    switch kind {
    case .added, .memberAdded: return [(nil, "added \(new.preview)")]
    case .removed: return [(nil, "removed; it was \(old.preview)")]
    case .memberRemoved: return [(nil, "removed \(old.preview)")]
    case .replaced, .counted: return [(nil, "\(old.preview) became \(new.preview)")]
    case .moved: return [(nil, moveWords)]
    case .text:
      let passages = changedLines.flatMap(\.singleLines)
      var sentences = passages.prefix(Self.passageLimit).map { $0.sentence }
      if passages.count > sentences.count {
        sentences.append(
          (nil, "\(counted(passages.count - sentences.count, "more passage")) read otherwise"))
      }
      return sentences
    }
  }
}

extension ChangedLines {
  /// Where the lines are in the new text, and what became of them.
  fileprivate var sentence: (place: String?, what: String) {
    let number = newLines.lowerBound + 1
    let place =
      newLines.count < 2
      ? "line \(number)" : "lines \(number) to \(newLines.upperBound)"
    if oldLines.isEmpty { return (place, "added \(quoted(new.trimmedEnd))") }
    if newLines.isEmpty { return (place, "removed \(quoted(old.trimmedEnd))") }
    return (place, "\(quoted(window.old)) became \(quoted(window.new))")
  }

  /// How much of what is common is shown on either side, in characters.
  private static let context = 16
  /// What is no longer than that is shown as a whole.
  private static let shortLine = 56

  /// The part of both versions that differs, with a little of what is around it.
  fileprivate var window: (old: String, new: String) {
    let (old, new) = (Array(self.old.trimmedEnd), Array(self.new.trimmedEnd))
    if max(old.count, new.count) <= Self.shortLine { return (String(old), String(new)) }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
    let (head, tail) = (max(0, start - Self.context), max(0, end - Self.context))
    func window(_ text: [Character]) -> String {
      (head > 0 ? "…" : "") + String(text[head..<text.count - tail]) + (tail > 0 ? "…" : "")
    }
    return (window(old), window(new))
  }
}
