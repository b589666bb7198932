import Peernote
import PeernoteTestSupport
import Testing

@Suite("Effort of the text difference")
struct DifferenceEffortTests {
  /// Steps for each byte of both texts.
  private func effort(_ old: String, _ new: String) -> Double {
    let difference = TextDifference(from: old, to: new)
    #expect(applied(difference.edits, to: old) == new)
    return Double(difference.steps) / Double(old.utf8.count + new.utf8.count)
  }

  private func lines(_ count: Int, kinds: Int, seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in "line \(Int.random(in: 0..<kinds, using: &random))\n" }.joined()
  }

  private func words(_ count: Int, kinds: Int, separator: String, seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in "w\(Int.random(in: 0..<kinds, using: &random))" }
      .joined(separator: separator)
  }

  @Test(
    "Steps for each byte do not grow with the length, whatever the texts hold",
    arguments: [
      "unrelated lines", "few kinds of lines", "reversed lines", "few kinds of words",
      "many kinds of words", "one long word", "alternating letters", "blank lines",
    ])
  func nearLinear(_ kind: String) {
    func texts(_ size: Int) -> (String, String) {
      switch kind {
      case "unrelated lines":
        return (lines(size, kinds: 1 << 40, seed: 1), lines(size, kinds: 1 << 40, seed: 2))
      case "few kinds of lines":
        return (lines(size, kinds: 5, seed: 1), lines(size, kinds: 5, seed: 2))
      case "reversed lines":
        let all = (0..<size).map { "line \($0)\n" }
        return (all.joined(), all.reversed().joined())
      case "few kinds of words":
        return (
          words(size, kinds: 3, separator: " ", seed: 1),
          words(size, kinds: 3, separator: " ", seed: 2)
        )
      case "many kinds of words":
        return (
          words(size, kinds: 5_000, separator: " ", seed: 1),
          words(size, kinds: 5_000, separator: " ", seed: 2)
        )
      case "one long word":
        var random = SplitMix64(seed: 3)
        let letters = ["a", "b", "c", "d"]
        func word() -> String {
          (0..<size).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
        }
        return (word(), word())
      case "alternating letters":
        return (
          String(repeating: "ab", count: size), String(repeating: "ba", count: size * 3 / 4) + "c"
        )
      default:
        return (
          String(repeating: "\n", count: size) + "a",
          "b" + String(repeating: "\n", count: size / 2)
        )
      }
    }
    let (smallOld, smallNew) = texts(4_000)
    let (largeOld, largeNew) = texts(32_000)
    let small = effort(smallOld, smallNew)
    let large = effort(largeOld, largeNew)
    #expect(large <= 2 * small + 8, "\(kind): \(small) steps a byte, then \(large)")
    #expect(large <= 300, "\(kind)")
  }

  @Test("A single edit in a long text takes a constant number of steps")
  func singleEdit() {
    let text = words(50_000, kinds: 50_000, separator: "\n", seed: 4)
    #expect(TextDifference(from: text, to: text + "x").steps < 100)
    #expect(TextDifference(from: text, to: "x" + text).steps < 100)
  }
}
