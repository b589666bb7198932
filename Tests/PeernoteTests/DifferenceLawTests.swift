import Peernote
import PeernoteTestSupport
import Testing

/// Applies edits to a text by Unicode scalars.
func applied(_ edits: [TextEdit], to text: String) -> String {
  let scalars = Array(text.unicodeScalars)
  var result = String.UnicodeScalarView()
  var position = 0
  for edit in edits {
    result.append(contentsOf: scalars[position..<edit.deleted.lowerBound])
    result.append(contentsOf: edit.inserted.string.unicodeScalars)
    position = edit.deleted.upperBound
  }
  result.append(contentsOf: scalars[position...])
  return String(result)
}

/// The places between grapheme clusters, in scalars, by segmenting the whole text.
private func graphemeBoundaries(_ text: String) -> Set<Int> {
  var result: Set<Int> = [0]
  var position = 0
  for character in text {
    position += character.unicodeScalars.count
    result.insert(position)
  }
  return result
}

/// Names the first law that a difference breaks.
private func brokenLaw(_ old: String, _ new: String) -> String? {
  let difference = TextDifference(from: old, to: new)
  guard applied(difference.edits, to: old).utf8.elementsEqual(new.utf8) else {
    return "gives another text"
  }
  guard difference.edits.isEmpty == old.utf8.elementsEqual(new.utf8) else {
    return "edits equal texts"
  }
  let oldBoundaries = graphemeBoundaries(old)
  let newBoundaries = graphemeBoundaries(new)
  var end = -1
  var shift = 0
  for edit in difference.edits {
    let (start, inserted) = (edit.deleted.lowerBound, edit.inserted.string.unicodeScalars.count)
    guard start > end else { return "touches" }
    guard edit.deleted.count + inserted > 0 else { return "has an empty edit" }
    end = edit.deleted.upperBound
    guard oldBoundaries.contains(start), oldBoundaries.contains(end) else {
      return "splits a cluster of the old text"
    }
    guard newBoundaries.contains(start + shift), newBoundaries.contains(start + shift + inserted)
    else { return "splits a cluster of the new text" }
    shift += inserted - edit.deleted.count
  }
  return nil
}

@Suite("Laws of the text difference")
struct DifferenceLawTests {
  @Test("Every difference of random texts keeps the laws")
  func randomTexts() {
    let seed = RandomTexts.seed(for: "difference of random texts")
    for round in 0..<12_000 {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let alphabet =
        round % 3 == 0 ? RandomTexts.plain : RandomTexts.everything
      let old = random.text(pieces: round % 7 == 0 ? 120 : 25, alphabet: alphabet)
      let new =
        round % 4 == 0
        ? random.text(pieces: 25, alphabet: alphabet) : random.edited(old, alphabet: alphabet)
      if let law = brokenLaw(old, new) {
        Issue.record(
          "seed \(seed &+ UInt64(round)): \(law): \(old.debugDescription) \(new.debugDescription)")
        return
      }
    }
  }

  @Test("Every difference of two texts over two letters, up to six long, keeps the laws")
  func smallTexts() {
    var texts = [""]
    var longest = [""]
    for _ in 0..<6 {
      longest = longest.flatMap { [$0 + "a", $0 + "\n"] }
      texts += longest
    }
    for old in texts {
      for new in texts {
        if let law = brokenLaw(old, new) {
          Issue.record("\(law): \(old.debugDescription) \(new.debugDescription)")
          return
        }
      }
    }
  }

  @Test("Canonically equivalent texts that differ in bytes have a difference")
  func canonicalEquivalence() {
    #expect(TextDifference(from: "caf\u{E9}", to: "cafe\u{301}").edits.count == 1)
  }

  @Test("A difference is the same every time")
  func determinism() {
    var random = SplitMix64(seed: 1)
    let old = random.text(pieces: 2_000, alphabet: RandomTexts.everything)
    let new = random.edited(old, alphabet: RandomTexts.everything)
    let first = TextDifference(from: old, to: new).edits
    for _ in 0..<5 { #expect(TextDifference(from: old, to: new).edits == first) }
  }

  @Test("Where a paragraph is wrapped anew white space alone changes")
  func wrapping() {
    let seed = RandomTexts.seed(for: "difference of wrapped paragraphs")
    for round in 0..<1_000 {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let words = (0..<random.within(3...40)).map { number in
        "w\(number)" + random.pick(["", "abc", "longer", "x", ","])
      }
      func wrapped(_ width: Int) -> String {
        words.reduce(into: [""]) { lines, word in
          if lines[lines.count - 1].count + word.count < width {
            lines[lines.count - 1] += " " + word
          } else {
            lines.append(word)
          }
        }.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.joined(separator: "\n")
      }
      let (first, second) = (random.within(8...70), random.within(8...70))
      let old = "Head\n\n" + wrapped(first) + "\n\nTail\n"
      let new = "Head\n\n" + wrapped(second) + "\n\nTail\n"
      let edits = TextDifference(from: old, to: new).edits
      #expect(
        edits.allSatisfy { $0.deleted.count == 1 && ["\n", " "].contains($0.inserted.string) },
        "seed \(seed &+ UInt64(round)): \(old.debugDescription) \(new.debugDescription)")
    }
  }
}
