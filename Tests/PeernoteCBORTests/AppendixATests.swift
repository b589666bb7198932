import PeernoteCBOR
import Testing

/// RFC 8949, appendix A: the examples that the profile allows, to be written and read, byte for
/// byte.
@Suite struct AppendixATests {
  struct Example: Sendable, CustomTestStringConvertible {
    var item: CBORItem
    var hexadecimal: String
    var testDescription: String { hexadecimal }
  }

  static let scalars: [Example] = [
    Example(item: .unsigned(0), hexadecimal: "00"),
    Example(item: .unsigned(1), hexadecimal: "01"),
    Example(item: .unsigned(10), hexadecimal: "0a"),
    Example(item: .unsigned(23), hexadecimal: "17"),
    Example(item: .unsigned(24), hexadecimal: "1818"),
    Example(item: .unsigned(25), hexadecimal: "1819"),
    Example(item: .unsigned(100), hexadecimal: "1864"),
    Example(item: .unsigned(1000), hexadecimal: "1903e8"),
    Example(item: .unsigned(1_000_000), hexadecimal: "1a000f4240"),
    Example(item: .unsigned(1_000_000_000_000), hexadecimal: "1b000000e8d4a51000"),
    Example(item: .unsigned(.max), hexadecimal: "1bffffffffffffffff"),
    Example(item: .negative(.max), hexadecimal: "3bffffffffffffffff"),
    Example(item: .negative(0), hexadecimal: "20"),
    Example(item: .negative(9), hexadecimal: "29"),
    Example(item: .negative(99), hexadecimal: "3863"),
    Example(item: .negative(999), hexadecimal: "3903e7"),
    Example(item: .double(0), hexadecimal: "f90000"),
    Example(item: .double(-0.0), hexadecimal: "f98000"),
    Example(item: .double(1), hexadecimal: "f93c00"),
    Example(item: .double(1.1), hexadecimal: "fb3ff199999999999a"),
    Example(item: .double(1.5), hexadecimal: "f93e00"),
    Example(item: .double(65504), hexadecimal: "f97bff"),
    Example(item: .double(100_000), hexadecimal: "fa47c35000"),
    Example(item: .double(3.4028234663852886e+38), hexadecimal: "fa7f7fffff"),
    Example(item: .double(1.0e+300), hexadecimal: "fb7e37e43c8800759c"),
    Example(item: .double(5.960464477539063e-8), hexadecimal: "f90001"),
    Example(item: .double(0.00006103515625), hexadecimal: "f90400"),
    Example(item: .double(-4), hexadecimal: "f9c400"),
    Example(item: .double(-4.1), hexadecimal: "fbc010666666666666"),
    Example(item: .double(.infinity), hexadecimal: "f97c00"),
    Example(item: .double(-.infinity), hexadecimal: "f9fc00"),
    Example(item: .bool(false), hexadecimal: "f4"),
    Example(item: .bool(true), hexadecimal: "f5"),
    Example(item: .null, hexadecimal: "f6"),
  ]

  @Test(
    "a number, boolean or null of the appendix is written and read as there", arguments: scalars)
  func scalar(example: Example) throws {
    let encoding = bytes(example.hexadecimal)
    let item = try readItem(encoding)
    #expect(item == example.item)
    if case .double(let found) = item, case .double(let expected) = example.item {
      #expect(found.sign == expected.sign)
    }
    let output = written { writer in
      switch example.item {
      case .unsigned(let value): writer.unsigned(value)
      case .negative(let argument): writer.negative(argument)
      case .double(let value): writer.double(value)
      case .bool(let value): writer.bool(value)
      case .null: writer.null()
      case .bytes, .text, .array, .map, .tag: break
      }
    }
    #expect(output == encoding)
  }

  @Test("NaN is written and read as f97e00")
  func nan() throws {
    #expect(written { $0.double(.nan) } == bytes("f97e00"))
    guard case .double(let value) = try readItem(bytes("f97e00")) else {
      Issue.record("not a floating-point number")
      return
    }
    #expect(value.isNaN)
  }

  static let trees: [(ItemTree, String)] = [
    (.bytes([]), "40"),
    (.bytes([1, 2, 3, 4]), "4401020304"),
    (.text(""), "60"),
    (.text("a"), "6161"),
    (.text("IETF"), "6449455446"),
    (.text("\"\\"), "62225c"),
    (.text("\u{fc}"), "62c3bc"),
    (.text("\u{6c34}"), "63e6b0b4"),
    (.text("\u{10151}"), "64f0908591"),
    (.array([]), "80"),
    (.array([.unsigned(1), .unsigned(2), .unsigned(3)]), "83010203"),
    (
      .array([
        .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
      ]), "8301820203820405"
    ),
    (
      .array((1...25).map { .unsigned($0) }),
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
    ),
    (.map([]), "a0"),
    (
      .map([
        .init(key: .unsigned(1), value: .unsigned(2)),
        .init(key: .unsigned(3), value: .unsigned(4)),
      ]), "a201020304"
    ),
    (
      .map([
        .init(key: .text("a"), value: .unsigned(1)),
        .init(key: .text("b"), value: .array([.unsigned(2), .unsigned(3)])),
      ]), "a26161016162820203"
    ),
    (
      .array([.text("a"), .map([.init(key: .text("b"), value: .text("c"))])]),
      "826161a161626163"
    ),
    (
      .map(["a", "b", "c", "d", "e"].map { .init(key: .text($0), value: .text($0.uppercased())) }),
      "a56161614161626142616361436164614461656145"
    ),
    (.tag(0, .text("2013-03-21T20:04:00Z")), "c074323031332d30332d32315432303a30343a30305a"),
    (.tag(1, .unsigned(1_363_896_240)), "c11a514b67b0"),
    (.tag(1, .double(1_363_896_240.5.bitPattern)), "c1fb41d452d9ec200000"),
    (.tag(23, .bytes([1, 2, 3, 4])), "d74401020304"),
    (.tag(24, .bytes(bytes("6449455446"))), "d818456449455446"),
    (
      .tag(32, .text("http://www.example.com")),
      "d82076687474703a2f2f7777772e6578616d706c652e636f6d"
    ),
  ]

  @Test("a string, container or tag of the appendix is written and read as there", arguments: trees)
  func tree(tree: ItemTree, hexadecimal: String) throws {
    let encoding = bytes(hexadecimal)
    #expect(tree.encoded == encoding)
    var reader = CBORReader(encoding)
    #expect(try ItemTree(from: &reader) == tree)
    #expect(reader.isAtEnd)
  }

  @Test(
    "an example of the appendix outside of the profile is refused",
    arguments: [
      "f7", "f0", "f8ff", "fa7f800000", "fa7fc00000", "faff800000", "fb7ff0000000000000",
      "fb7ff8000000000000", "fbfff0000000000000", "5f42010243030405ff",
      "7f657374726561646d696e67ff",
      "9fff", "9f018202039f0405ffff", "bf61610161629f0203ffff",
    ])
  func outside(hexadecimal: String) {
    #expect(refusal(of: bytes(hexadecimal)) != nil)
  }
}
