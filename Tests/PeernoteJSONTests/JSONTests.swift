import PeernoteJSON
import Testing

@Suite("JSON output")
struct JSONTests {
  private func text(_ value: JSON, indented: Bool = false) -> String {
    String(decoding: value.bytes(indented: indented), as: UTF8.self)
  }

  @Test("members keep their order and nothing is added")
  func compact() {
    let value: JSON = ["z": 1, "a": [true, .null, "x"], "e": .object([]), "f": []]
    #expect(text(value) == #"{"z":1,"a":[true,null,"x"],"e":{},"f":[]}"#)
  }

  @Test("the indented form has a line for each member and element")
  func indented() {
    let value: JSON = ["a": [1, ["b": 2]], "c": []]
    let expected = """
      {
        "a": [
          1,
          {
            "b": 2
          }
        ],
        "c": []
      }
      """
    #expect(text(value, indented: true) == expected)
  }

  @Test("strings escape quotes, backslashes and whatever misleads a reader, and nothing else")
  func strings() {
    #expect(
      text("a\"\\/\n\r\t\u{0}\u{1F}\u{7F}\u{85}é\u{2028}\u{202E}\u{E0041}🎉")
        == #""a\"\\/\n\r\t\u0000\u001f\u007f\u0085é\u2028\u202e\udb40\udc41🎉""#)
  }

  @Test("numbers are shortest and always valid")
  func numbers() {
    #expect(text(.integer(.min)) == "-9223372036854775808")
    #expect(text(.double(0.1)) == "0.1")
    #expect(text(.double(1e21)) == "1e+21")
    #expect(text(.double(-0.0)) == "-0.0")
    #expect(text(.double(.leastNonzeroMagnitude)) == "5e-324")
    #expect(text(.double(.infinity)) == "\"Infinity\"")
    #expect(text(.double(.nan)) == "\"NaN\"")
  }
}
