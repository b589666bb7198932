import PeernoteCBOR
import Testing

/// RFC 8949, appendix A: the examples that the profile allows, to be written and read, byte for
/// byte.
@Suite struct AppendixATests {
  static let scalars: [(CBORItem, String)] = [
    (.unsigned(0), "00"), (.unsigned(1), "01"), (.unsigned(10), "0a"), (.unsigned(23), "17"),
    (.unsigned(24), "1818"), (.unsigned(25), "1819"), (.unsigned(100), "1864"),
    (.unsigned(1000), "1903e8"), (.unsigned(1_000_000), "1a000f4240"),
    (.unsigned(1_000_000_000_000), "1b000000e8d4a51000"), (.unsigned(.max), "1bffffffffffffffff"),
    (.negative(.max), "3bffffffffffffffff"), (.negative(0), "20"), (.negative(9), "29"),
    (.negative(99), "3863"), (.negative(999), "3903e7"), (.double(0), "f90000"),
    (.double(-0.0), "f98000"), (.double(1), "f93c00"), (.double(1.1), "fb3ff199999999999a"),
    (.double(1.5), "f93e00"), (.double(65504), "f97bff"), (.double(100_000), "fa47c35000"),
    (.double(3.4028234663852886e+38), "fa7f7fffff"), (.double(1.0e+300), "fb7e37e43c8800759c"),
    (.double(5.960464477539063e-8), "f90001"), (.double(0.00006103515625), "f90400"),
    (.double(-4), "f9c400"), (.double(-4.1), "fbc010666666666666"), (.double(.infinity), "f97c00"),
    (.double(-.infinity), "f9fc00"), (.bool(false), "f4"), (.bool(true), "f5"), (.null, "f6"),
  ]

  @Test(
    "a number, boolean or null of the appendix is written and read as there", arguments: scalars)
  func scalar(expected: CBORItem, hexadecimal: String) throws {
    let encoding = bytes(hexadecimal)
    let item = try readItem(encoding)
    #expect(item == expected)
    if case .double(let found) = item, case .double(let number) = expected {
      #expect(found.sign == number.sign)
    }
    let output = written { writer in
      switch expected {
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
}
