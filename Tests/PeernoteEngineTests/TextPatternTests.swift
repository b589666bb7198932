import Peernote
import PeernoteTestSupport
import Testing

/// Patterns of text to look for.
@Suite struct TextPatternTests {
  @Test(
    "a pattern matches the characters that it spells, and what its wildcards stand for",
    arguments: [
      ("abc", "xabcx", true), ("abc", "abxc", false), ("a?c", "abc", true), ("a?c", "ac", false),
      ("a?c", "a\nc", false), ("a*c", "ac", true), ("a*c", "a bbb c", true),
      ("a*c", "a\nc", false), ("a*b*c", "axxbyyc", true), ("a*b*c", "acb", false),
      ("a*a", "a", false), ("a*", "ba", true), ("*a", "ab", true), ("*a*", "b", false),
      (#"a\*c"#, "a*c", true), (#"a\*c"#, "abc", false), (#"a\?c"#, "abc", false),
      (#"\\"#, #"\"#, true), (#"\a"#, "a", true), ("é", "e\u{301}", false), ("a", "A", false),
      ("a\nb", "xa\nby", true), ("a**b", "ab", true),
    ])
  func matching(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try #require(TextPattern(pattern)).matches(in: text) == isMatch)
  }

  @Test(
    "a pattern without a character of its own is none",
    arguments: ["", "*", "?", "?*?", "a\\", "\\"])
  func nothing(pattern: String) {
    #expect(TextPattern(pattern) == nil)
  }

  @Test("redacting ranges one after the other is redacting them at once", arguments: 1...40)
  func ranges(seed: UInt64) {
    let text = TextBuffer("aé🧑bcd€fg")
    var random = SplitMix64(seed: seed)
    var whole = DeletedText()
    whole.append(text, from: TextPlace(), to: text.end)
    var step = whole
    var ranges: [Range<Int32>] = []
    for _ in 0..<random.below(5) {
      let start = Int32(random.below(9))
      let range = start..<start + 1 + Int32(random.below(Int(9 - start)))
      ranges.append(range)
      step = step.redacting([range])
    }
    let united = ranges.united()
    #expect(whole.redacting(united) == step)
    #expect(step.count == 9)
    #expect(step.redactedCount == united.reduce(0) { $0 + $1.count })
    #expect(step.redacted == united)
  }
}
