import Peernote
import PeernoteTestSupport
import Testing

/// How many scalars a difference deletes and inserts.
private func eventCount(_ old: String, _ new: String) -> Int {
  TextDifference(from: old, to: new).edits.reduce(0) {
    $0 + $1.deleted.count + $1.inserted.scalarCount
  }
}

/// The most scalars of whole tokens that two texts have in common, by trying all ways to keep some.
///
/// From the definition, without any short cut: the oracle.
private func keptScalars(_ old: ArraySlice<String>, _ new: ArraySlice<String>) -> Int {
  var known: [[Int]: Int] = [:]
  func kept(_ old: ArraySlice<String>, _ new: ArraySlice<String>) -> Int {
    guard let left = old.first, let right = new.first else { return 0 }
    let key = [old.count, new.count]
    if let kept = known[key] { return kept }
    var best = max(kept(old.dropFirst(), new), kept(old, new.dropFirst()))
    if left == right {
      best = max(best, left.unicodeScalars.count + kept(old.dropFirst(), new.dropFirst()))
    }
    known[key] = best
    return best
  }
  return kept(old, new)
}

private func scalarCount(_ tokens: [String]) -> Int {
  tokens.reduce(0) { $0 + $1.unicodeScalars.count }
}

@Suite("Smallest text edits")
struct DifferenceMinimumTests {
  @Test("In versions of a line no choice of whole words, signs and spaces edits less")
  func words() {
    let seed = RandomTexts.seed(for: "smallest edits of lines")
    let alphabet = ["a", "b", "alpha", "beta", "ab", "be", "c1", "d2"]
    for round in 0..<4_000 {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      // Three words in a row make the lines versions of each other.
      let start = ["one", " ", "two", " ", "three"]
      func line() -> [String] {
        (0..<Int.random(in: 0...12, using: &random)).reduce(into: start) { tokens, _ in
          tokens.append([" ", ",", "."].randomElement(using: &random) ?? " ")
          tokens.append(alphabet.randomElement(using: &random) ?? "a")
        }
      }
      let (old, new) = (line(), line())
      let fewest = scalarCount(old) + scalarCount(new) - 2 * keptScalars(old[...], new[...])
      let found = eventCount(old.joined(), new.joined())
      guard found <= fewest else {
        Issue.record(
          "seed \(seed &+ UInt64(round)): \(found) instead of \(fewest): \(old), \(new)")
        return
      }
    }
  }

  @Test("Without spaces no choice of signs edits less; what shares too little is replaced whole")
  func signs() {
    let seed = RandomTexts.seed(for: "smallest edits without spaces")
    var pairs: [(String, String)] = [("กขคงจฉชซ", "ขXคงจฉชซ")]
    var random = SplitMix64(seed: seed)
    func word() -> String {
      (0..<Int.random(in: 1...10, using: &random)).map { _ in
        ["ก", "ข", "ค", "ง"].randomElement(using: &random) ?? "ก"
      }.joined()
    }
    for _ in 0..<3_000 { pairs.append((word(), word())) }
    var longest = [""]
    var short: [String] = []
    for _ in 0..<5 {
      longest = longest.flatMap { [$0 + "ก", $0 + "ข"] }
      short += longest
    }
    for old in short { pairs += short.map { (old, $0) } }
    for (old, new) in pairs {
      let (left, right) = (old.map(String.init), new.map(String.init))
      let kept = keptScalars(left[...], right[...])
      let (shorter, longer) = (min(left.count, right.count), max(left.count, right.count))
      let areVersions = 3 * kept >= 2 * longer || kept == shorter && 2 * kept >= longer
      let fewest = left.count + right.count - (areVersions ? 2 * kept : 0)
      let found = eventCount(old, new)
      guard found == fewest else {
        Issue.record("seed \(seed): \(found) instead of \(fewest): \(old), \(new)")
        return
      }
    }
  }
}
