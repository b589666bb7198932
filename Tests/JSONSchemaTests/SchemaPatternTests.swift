import JSONSchema
import Testing

@Suite("Regular expressions of schemas")
struct SchemaPatternTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    var steps = 1 << 20
    let result = try SchemaPattern(pattern).matches(text, steps: &steps)
    #expect(steps >= 0)
    return result
  }

  @Test(
    "an expression matches what ECMA-262 says, anywhere in a text",
    arguments: [
      ("", ["", "a"], []), ("b", ["b", "abc"], ["", "ac"]), ("^a", ["ab"], ["ba", ""]),
      ("a$", ["ba"], ["ab", "a\n"]), ("^$", [""], ["a"]), ("a.c", ["abc", "a🎉c"], ["a\nc", "ac"]),
      ("a|b|", ["a", "c", ""], []), ("^(a|bc)$", ["a", "bc"], ["abc", "b"]),
      ("^a*$", ["", "aaa"], ["ab"]), ("^a+?$", ["a", "aa"], [""]), ("^ab?$", ["a", "ab"], ["abb"]),
      ("^a{2}$", ["aa"], ["a", "aaa"]), ("^a{2,}$", ["aa", "aaaa"], ["a"]),
      ("^a{1,3}$", ["a", "aaa"], ["", "aaaa"]), ("^a{0}b$", ["b"], ["ab"]),
      ("^(?:ab){2}$", ["abab"], ["ab"]), ("^(?<name>a)$", ["a"], ["b"]),
      ("^{a}$", ["{a}"], ["a"]), ("a{,2}", ["a{,2}"], ["aa"]),
      ("^[abc]$", ["a", "c"], ["d", "abc"]), ("^[a-c-]$", ["b", "-"], ["d"]),
      ("^[^a-c]$", ["d", "\n"], ["a", "dd"]), ("^[]$", [], ["", "a"]), ("^[^]$", ["a"], [""]),
      ("^[\\d\\s]+$", ["1 2"], ["1a"]), ("^[\\w-]+$", ["a_9-"], ["a b"]),
      ("^[a\\-z]$", ["-", "a", "z"], ["b"]), ("^[\\]\\b]$", ["]", "\u{8}"], ["b"]),
      ("^\\d\\D\\w\\W\\s\\S$", ["1a_- x"], ["11_- x", "٣a_- x"]),
      ("\\bcat\\b", ["a cat.", "cat"], ["concat", "cats"]), ("\\Bat", ["cat"], ["at"]),
      ("^\\t\\n\\r\\v\\f\\0$", ["\t\n\r\u{B}\u{C}\0"], ["tnrvf0"]),
      ("^\\x41\\u00e9\\u{1F389}$", ["Aé🎉"], ["Ae🎉"]), ("^\\ud83c\\udf89$", ["🎉"], ["x"]),
      ("^\\.\\/\\$\\(\\\\$", ["./$(\\"], ["a/$(\\"]),
      ("^\\p{L}+\\p{Nd}\\P{Letter}$", ["äЖ7!"], ["a7b", "77!"]),
      ("^\\p{Lu}", ["Ä"], ["ä", "1"]), ("^é$", ["é"], ["e\u{301}"]),
      ("^(a*)*$", ["", "aaa"], ["b"]), ("^(|a)+$", ["", "aa"], ["b"]),
      ("^(a|b(c|d{2})*)+e$", ["abcddcae", "be"], ["abde", "e"]),
    ] as [(String, [String], [String])])
  func syntax(pattern: String, yes: [String], no: [String]) throws {
    for text in yes { #expect(try matches(pattern, text), "\(pattern) and \(text)") }
    for text in no { #expect(try !matches(pattern, text), "\(pattern) and \(text)") }
  }

  @Test(
    "what is no expression, or needs what has no bounds, is refused",
    arguments: [
      "(", ")", "(?a)", "[a", "[b-a]", "*", "a**", "^*", "a{2,1}", "\\", "\\y", "\\x4", "\\u{}",
      "\\u{110000}", "\\ud800", "\\p", "\\p{", "\\p{Script=Latin}", "(a)\\1", "\\k<a>", "(?=a)",
      "(?!a)", "(?<=a)", "(?<!a)", "(?<>a)", "a{1000000}", "(a{100}){101}", "((a{99}){99}){99}",
      String(repeating: "(", count: 5000) + String(repeating: ")", count: 5000),
    ])
  func refused(pattern: String) {
    #expect(throws: SchemaPattern.Fault.self) { try SchemaPattern(pattern) }
  }

  @Test(
    "whatever the expression, a match takes steps in proportion to it and to the text",
    arguments: [
      "(a+)+$", "(a*)*b", "(a|a)*b", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)b", "(a?){99}a{99}b",
      "([a-z]+)*b", "((){99}){99}b",
    ])
  func bounded(pattern: String) throws {
    let program = try SchemaPattern(pattern)
    var taken: [Int] = []
    for count in [1000, 2000] {
      var steps = 1 << 30
      #expect(!program.matches(String(repeating: "a", count: count) + "!", steps: &steps))
      taken.append((1 << 30) - steps)
    }
    #expect(taken[1] < 3 * taken[0])
    var few = 100
    #expect(!program.matches(String(repeating: "a", count: 1000), steps: &few) && few < 0)
  }

  @Test("nothing that is repeated without end is read in no time", .timeLimit(.minutes(30)))
  func nothing() throws {
    #expect(try matches("^(((){9999}){9999}){9999}$", ""))
  }
}
