import Peernote
import PeernoteTestSupport
import Testing

@Suite("Unified difference")
struct UnifiedDifferenceTests {
  private func unified(_ old: String, _ new: String) -> String {
    unifiedDifference(from: old, to: new, oldName: "a", newName: "b")
  }

  @Test(
    "Rows are those that diff prints",
    arguments: [
      ("x\n", "x\n", ""),
      // A changed line shows three lines of context.
      (
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
      ),
      // An empty side is numbered as diff numbers it.
      ("", "x\n", "@@ -0,0 +1 @@\n+x\n"), ("x\n", "", "@@ -1 +0,0 @@\n-x\n"),
      // A missing line feed at the end is marked.
      ("x", "x\n", "@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"),
    ])
  func rows(old: String, new: String, wanted: String) {
    #expect(unified(old, new) == (wanted.isEmpty ? "" : "--- a\n+++ b\n" + wanted))
  }

  @Test("Distant changes stand in groups of their own, near ones in one")
  func groups() {
    let old = (1...30).map { "\($0)\n" }.joined()
    let far = old.replacing("3\n4\n", with: "3\nx\n4\n").replacing("\n28\n", with: "\n")
    #expect(unified(old, far).split(separator: "\n").filter { $0.hasPrefix("@@") }.count == 2)
    let near = old.replacing("\n14\n", with: "\n").replacing("\n20\n", with: "\n")
    #expect(unified(old, near).split(separator: "\n").filter { $0.hasPrefix("@@") }.count == 1)
  }

  @Test("Following the format's rows leads from the old text to the new one")
  func roundTrip() {
    let seed = RandomTexts.seed(for: "unified difference")
    for round in 0..<300 {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let alphabet = RandomTexts.plain
      let old = random.text(pieces: 60, alphabet: alphabet)
      let new = random.edited(old, alphabet: alphabet)
      let rows = unifiedDifference(
        from: old, to: new, oldName: "a", newName: "b", context: 1_000)
      guard !rows.isEmpty else {
        #expect(old == new)
        continue
      }
      #expect(side("-", rows) == old && side("+", rows) == new, "seed \(seed &+ UInt64(round))")
    }
  }

  /// The text of one side, from a difference whose context is the whole text.
  private func side(_ mark: Character, _ rows: String) -> String {
    var result = ""
    var isOurs = false
    for row in rows.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3).dropLast()
    {
      guard let first = row.first else { continue }
      if first == "\\" {
        if isOurs { result.removeLast() }
        continue
      }
      isOurs = first == " " || first == mark
      if isOurs { result += row.dropFirst() + "\n" }
    }
    return result
  }
}
