import PeernoteJSON
import PeernoteTestSupport
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  private func read(_ text: String) throws -> JSON {
    try JSONReader.value(in: Array(text.utf8))
  }

  private func written(_ text: String) throws -> String {
    String(decoding: try read(text).bytes(), as: UTF8.self)
  }

  private func fault(_ bytes: [UInt8]) -> String? {
    do {
      _ = try JSONReader.value(in: bytes)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(
    "a text in canonical form is written as it was read",
    arguments: [
      "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "0.1",
      "-0.0", "5e-324", "1.7976931348623157e+308", "1e+21", #""""#, #""é🎉 \"\\\n\t/""#, "[]", "{}",
      #"[1,[2,[]],{"a":{}}]"#, #"{"b":1,"a":[null],"":"x"}"#, #""\u0000\u001f\u007f""#,
      "{\"\u{E9}\":1,\"e\u{301}\":2}",
    ])
  func canonical(text: String) throws {
    #expect(try written(text).utf8.elementsEqual(text.utf8))
  }

  @Test("a name that stands twice is found in objects of any size", arguments: 1...20)
  func repeatedNames(count: Int) {
    let members = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(fault(Array("{\(members)}".utf8)) == nil)
    for name in (0..<count).map({ "k\($0)" }) {
      #expect(
        fault(Array("{\(members),\"\(name)\":1}".utf8))
          == "line 1, column \(members.utf8.count + 3): "
          + "the name \"\(name)\" stands twice in one object")
    }
    #expect(fault(Array("{\(members),\"k\(count)\":1}".utf8)) == nil)
  }

  @Test(
    "other forms are read as what they mean",
    arguments: [
      (" \r\n\t[ 1 , 2 ] \n", "[1,2]"),
      (#""\u00e9\u0041\ud83c\udf89\/\b\f""#, "\"éA🎉/\\u0008\\u000c\""),
      ("1.0", "1.0"), ("1E2", "100.0"), ("1e+2", "100.0"), ("-0", "-0.0"), ("0e99", "0.0"),
      ("9223372036854775808", "9.223372036854776e+18"), ("1000000000000000000000", "1e+21"),
      ("0.10000000000000000555", "0.1"), ("\u{FEFF}1", "1"),
      ("-18446744073709551616", "-1.8446744073709552e+19"),
    ])
  func forms(text: String, expected: String) throws {
    #expect(try written(text) == expected)
  }

  @Test(
    "a number with more digits than a double keeps is told with its place",
    arguments: [
      ("0.1", nil), ("0.10000000000000001", nil), ("0.12345678901234566", nil),
      ("5.684341886080801e-14", nil), ("5.684341886080802e-14", nil),
      ("0.1000000000000000055511151231257827021181583404541015625", nil),
      ("1.50000000000000000000000", nil), ("5e-324", nil),
      ("0.10000000000000000001", 0.1), ("0.12345678901234567", 0.12345678901234566),
      ("123456789012345678e-3", 123_456_789_012_345.67),
      ("-9007199254740993.0", -9_007_199_254_740_992),
      ("3.14159265358979323846", Double.pi),
      ("1." + String(repeating: "0", count: 800) + "1", 1),
    ])
  func rounding(text: String, value: Double?) throws {
    let (_, rounding) = try JSONReader.read(Array("[1,\n \(text), \(text)]".utf8))
    #expect(rounding?.value == value)
    guard let rounding else { return }
    #expect(rounding.count == 2 && rounding.first == text)
    #expect(rounding.line == 2 && rounding.column == 2)
  }

  @Test(
    "what is no JSON, or cannot be kept exactly, is refused with its place",
    arguments: [
      ("", "line 1, column 1: a value is missing"),
      ("[1,\n  2,]", "line 2, column 5: a value is expected here"),
      (
        "{\"a\": 1,\n \"é\": 2, \"a\": 3}",
        "line 2, column 10: the name \"a\" stands twice in one object"
      ),
      (#"{"a":1,"\u0061":2}"#, "line 1, column 8: the name \"a\" stands twice in one object"),
      (
        "9223372036854775809",
        "line 1, column 1: the integer is too large to be kept exactly; put it in quotation marks"
      ),
      ("[1e400]", "line 1, column 2: the number is too large"),
      ("[1e-400]", "line 1, column 2: the number is too small"),
      ("01", "line 1, column 1: a number does not begin with a zero"),
      ("-", "line 1, column 2: a digit is expected here"),
      ("1.", "line 1, column 3: a digit is expected here"),
      (".5", "line 1, column 1: a value is expected here"),
      ("+1", "line 1, column 1: a value is expected here"),
      ("1e", "line 1, column 3: a digit is expected here"),
      ("NaN", "line 1, column 1: a value is expected here"),
      ("nul", "line 1, column 1: a value is expected here"),
      ("1 2", "line 1, column 3: nothing may follow the value"),
      ("\"a", "line 1, column 3: the string does not end"),
      ("\"\n\"", "line 1, column 2: a control character must be written as an escape, such as \\n"),
      (#""\x""#, "line 1, column 2: there is no such escape"),
      (#""\u12g4""#, "line 1, column 6: four hexadecimal digits are expected here"),
      (#""\ud800""#, "line 1, column 2: half a surrogate pair stands for no character"),
      (#""\udc00\ud800""#, "line 1, column 2: half a surrogate pair stands for no character"),
      (#""\ud800\u0041""#, "line 1, column 2: half a surrogate pair stands for no character"),
      ("{1:2}", "line 1, column 2: a name in quotation marks is expected here"),
      ("{\"a\" 1}", "line 1, column 6: a colon is expected here"),
      ("{\"a\":1", "line 1, column 7: a comma or a closing brace is expected here"),
      ("[1", "line 1, column 3: a comma or a closing bracket is expected here"),
      ("{\"a\":1,}", "line 1, column 8: a name in quotation marks is expected here"),
      ("// no", "line 1, column 1: a value is expected here"),
    ])
  func faults(text: String, expected: String) {
    #expect(fault(Array(text.utf8)) == expected)
  }

  @Test("bytes that are not UTF-8 are refused with their place")
  func encoding() {
    #expect(fault([0x22, 0xC3, 0xA9, 0xFF, 0x22]) == "line 1, column 3: this is not UTF-8")
    #expect(fault([0x22, 0xED, 0xA0, 0x80, 0x22]) == "line 1, column 2: this is not UTF-8")
  }

  @Test("nesting is read up to the limit and refused beyond")
  func depth() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(fault(nested(JSONReader.depthLimit)) == nil)
    #expect(
      fault(nested(JSONReader.depthLimit + 1))
        == "line 1, column 129: nested deeper than 128 levels")
    #expect(fault(nested(100_000)) != nil)
  }

  @Test("every double is written and read back to the bit", arguments: [1, 2, 3, 4] as [UInt64])
  func doubles(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<2000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let text = JSON.double(value).bytes()
      guard case .double(let found) = try JSONReader.value(in: text) else {
        Issue.record("\(value) is read as something else, seed \(seed)")
        continue
      }
      #expect(found.bitPattern == value.bitPattern, "seed \(seed)")
    }
  }

  @Test("whole doubles beyond 64 bits are read exactly from all their digits")
  func wholeDoubles() throws {
    for exponent in [63, 64, 95, 96, 127, 128] {
      let value = Double(sign: .plus, exponent: exponent, significand: 1.25)
      // The digits by doubling a decimal number.
      var digits: [Int] = [5]
      for _ in 0..<exponent - 2 {
        var carry = 0
        for index in digits.indices {
          let doubled = digits[index] * 2 + carry
          digits[index] = doubled % 10
          carry = doubled / 10
        }
        if carry > 0 { digits.append(carry) }
      }
      let text = digits.reversed().map(String.init).joined()
      #expect(try read(text) == .double(value), "\(text)")
      let next = String(text.dropLast()) + (text.last == "1" ? "2" : "1")
      #expect(fault(Array(next.utf8)) != nil, "\(next)")
    }
  }

  @Test(
    "damaged texts are refused or read, and never end the program", arguments: [5, 6] as [UInt64])
  func damage(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let text = Array(#"{"a":[1,-2.5e+3,"x\u00e9\ud83c\udf89",null,true],"é":{"":[]}}"#.utf8)
    for _ in 0..<3000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: damaged.remove(at: place)
        default: damaged.insert(UInt8.random(in: 0x20...0x7E, using: &generator), at: place)
        }
      }
      guard let value = try? JSONReader.value(in: damaged) else { continue }
      let written = value.bytes()
      #expect((try? JSONReader.value(in: written))?.bytes() == written, "seed \(seed)")
    }
  }
}
