import PeernoteCBOR
import Testing

/// Diagnostic notation shows what is there, and never trusts it.
@Suite struct DiagnosticTests {
  @Test(
    "an item is shown as in RFC 8949, appendix A",
    arguments: [
      ("00", "0"), ("1bffffffffffffffff", "18446744073709551615"), ("20", "-1"),
      ("3bffffffffffffffff", "-18446744073709551616"), ("3903e7", "-1000"),
      ("3bfffffffffffffffe", "-18446744073709551615"),
      ("f90000", "0.0"), ("f98000", "-0.0"), ("fb3ff199999999999a", "1.1"), ("f9c400", "-4.0"),
      ("fa47c35000", "100000.0"), ("fb7e37e43c8800759c", "1.0e+300"),
      ("f97c00", "Infinity"), ("f9fc00", "-Infinity"), ("f97e00", "NaN"),
      ("f4", "false"), ("f5", "true"), ("f6", "null"), ("40", "h''"), ("4401020304", "h'01020304'"),
      ("60", "\"\""), ("6449455446", "\"IETF\""), ("62225c", #""\"\\""#), ("62c3bc", "\"ü\""),
      ("80", "[]"), ("8301820203820405", "[1, [2, 3], [4, 5]]"), ("a0", "{}"),
      ("a26161016162820203", #"{"a": 1, "b": [2, 3]}"#), ("c11a514b67b0", "1(1363896240)"),
      ("d818456449455446", "24(h'6449455446')"),
    ])
  func appendix(hexadecimal: String, notation: String) {
    #expect(CBORDiagnostic.describe(bytes(hexadecimal)) == notation + "\n")
  }

  @Test("what fits no line is broken into one element or pair a line")
  func layout() {
    let encoding = written { writer in
      writer.tag(24)
      writer.arrayHeader(3)
      writer.unsigned(0)
      writer.mapHeader(2)
      writer.unsigned(1)
      writer.text(String(repeating: "a", count: 30))
      writer.unsigned(2)
      writer.arrayHeader(2)
      writer.text(String(repeating: "b", count: 30))
      writer.null()
      writer.arrayHeader(0)
    }
    let (a, b) = (String(repeating: "a", count: 30), String(repeating: "b", count: 30))
    let expected = """
      24([
        0,
        {
          1: "\(a)",
          2: ["\(b)", null]
        },
        []
      ])

      """
    #expect(CBORDiagnostic.describe(encoding) == expected)
  }

  @Test("a long byte string is cut, and its size is told")
  func longBytes() {
    let shown = String(repeating: "01", count: 64)
    for (count, rest) in [(64, ""), (65, " / the first 64 of 65 bytes /")] {
      let encoding = written { $0.bytes([UInt8](repeating: 1, count: count)) }
      #expect(CBORDiagnostic.describe(encoding) == "h'\(shown)'\(rest)\n")
    }
  }

  @Test("no scalar that a terminal may obey reaches the output")
  func escapes() {
    let dangerous: [ClosedRange<UInt32>] = [
      0...0x1f, 0x7f...0x9f, 0x61c...0x61c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069,
      0xfeff...0xfeff, 0xfff9...0xfffb, 0xe0000...0xe007f,
    ]
    for value in dangerous.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let output = CBORDiagnostic.describe(written { $0.text(String(scalar)) })
      #expect(output.dropLast().unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 0x20 })
      #expect(output.contains("\\"))
    }
    #expect(CBORDiagnostic.describe(written { $0.text("\u{1b}[2J") }) == "\"\\u001b[2J\"\n")
    #expect(CBORDiagnostic.describe(written { $0.text("👩\u{200d}🚀 ü") }) == "\"👩\u{200d}🚀 ü\"\n")
  }

  @Test("several items stand on lines of their own")
  func sequence() {
    #expect(CBORDiagnostic.describe(bytes("01 6161 8102 f6")) == "1\n\"a\"\n[2]\nnull\n")
    #expect(CBORDiagnostic.describe([]) == "")
  }

  @Test("a fault ends the output with a comment that names it")
  func faults() {
    #expect(
      CBORDiagnostic.describe(bytes("83 01 02"))
        == "\n/ byte 0: an array of 3 elements where 2 are left /\n")
    #expect(
      CBORDiagnostic.describe(bytes("82 01 5f ff"))
        == "[\n  1,\n  \n/ byte 2: an item of indefinite length /\n")
  }

  @Test("a text that is not UTF-8 is shown in hexadecimal, and what follows it too")
  func invalidText() {
    #expect(
      CBORDiagnostic.describe(bytes("82 62 61ff 01"))
        == "[\n  h'61ff' / byte 3: a text that is not UTF-8 /,\n  1\n]\n")
  }

  @Test("nesting stops at the limit, however deep it goes on", arguments: [0x81, 0xc1])
  func depth(initial: UInt8) {
    let encoding = [UInt8](repeating: initial, count: 1_000_000) + [0]
    let output = CBORDiagnostic.describe(encoding)
    #expect(output.hasSuffix("\n/ byte 64: nested deeper than 64 levels /\n"))
    #expect(output.utf8.count < 10_000)
  }

  @Test("every flipped bit and every truncation of an item can be shown")
  func damage() {
    for bit in 0..<composite.count * 8 {
      var damaged = composite
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(CBORDiagnostic.describe(damaged).hasSuffix("\n"))
    }
    for count in 1..<composite.count {
      #expect(CBORDiagnostic.describe(Array(composite.prefix(count))).hasSuffix(" /\n"))
    }
  }
}
