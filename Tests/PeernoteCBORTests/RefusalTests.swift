import PeernoteCBOR
import Testing

/// Every rule of the profile refuses what breaks it, and says where and why.
@Suite struct RefusalTests {
  @Test("an initial byte with reserved additional information begins no item")
  func reserved() {
    for major in UInt8(0)..<8 {
      for information in UInt8(28)...30 {
        let initial = major << 5 | information
        #expect(refusal(of: [initial, 0, 0, 0, 0])?.reason == .reservedByte, "\(initial)")
      }
    }
    for initial: UInt8 in [0x1f, 0x3f, 0xdf] {
      #expect(refusal(of: [initial, 0, 0, 0, 0])?.reason == .reservedByte, "\(initial)")
    }
  }

  @Test("an indefinite length is refused", arguments: [0x5f, 0x7f, 0x9f, 0xbf, 0xff] as [UInt8])
  func indefinite(initial: UInt8) {
    #expect(refusal(of: [initial, 0xff])?.reason == .indefiniteLength)
  }

  @Test("a simple value other than false, true and null is refused")
  func simple() {
    for initial in (0xe0...0xf3 as ClosedRange<UInt8>) + [0xf7, 0xf8] {
      #expect(refusal(of: [initial])?.reason == .simpleValue, "\(initial)")
      #expect(refusal(of: [initial, 0xff])?.reason == .simpleValue, "\(initial)")
    }
  }

  @Test("an argument that a shorter head holds is refused, and the next greater one is not")
  func argument() throws {
    for major in UInt8(0)..<7 {
      for (information, width, least) in [
        (24, 1, 24), (25, 2, 256), (26, 4, 65_536), (27, 8, 4_294_967_296),
      ] as [(UInt8, Int, UInt64)] {
        // Enough payload for the strings and containers that are small enough to test.
        let payload = [UInt8](repeating: 0, count: least > 65_536 ? 0 : Int(2 * least))
        func item(_ argument: UInt64) -> [UInt8] {
          let digits = (0..<width).reversed().map {
            UInt8(truncatingIfNeeded: argument >> (8 * $0))
          }
          return [major << 5 | information] + digits + payload
        }
        for argument in [0, 1, least - 1] where !(2...5 ~= major) || argument <= payload.count / 2 {
          #expect(refusal(of: item(argument))?.reason == .longArgument, "\(major) \(argument)")
        }
        if !(2...5 ~= major) || !payload.isEmpty {
          #expect(refusal(of: item(least)) == nil, "\(major) \(least)")
        }
      }
    }
  }

  @Test("every tag number is accepted in its shortest form only, 6 to 20 too")
  func tags() throws {
    for number in 0..<UInt64(300) {
      let encoding = written { $0.tag(number) }
      #expect(try readItem(encoding) == .tag(number))
    }
    #expect(refusal(of: [0xd8, 6])?.reason == .longArgument)
  }

  @Test("a string longer than what is left is refused with both sizes, however long")
  func length() {
    let cases: [(String, String, String, Int)] = [
      ("43 0102", "3 bytes", "2 are left", 2), ("63 6162", "3 bytes", "2 are left", 2),
      ("41", "1 byte", "none is left", 0), ("58 20 00", "32 bytes", "1 is left", 1),
      ("59 0100", "256 bytes", "none is left", 0),
      ("7a 00010000 00", "65536 bytes", "1 is left", 1),
      ("5b 7fffffffffffffff 00", "9223372036854775807 bytes", "1 is left", 1),
      ("5b 8000000000000000", "9223372036854775808 bytes", "none is left", 0),
      ("7b ffffffffffffffff 6161", "18446744073709551615 bytes", "2 are left", 2),
    ]
    for (hexadecimal, length, words, left) in cases {
      let error = refusal(of: bytes(hexadecimal))
      #expect(
        error == CBORError("a length of \(length) where \(words)", at: 0, left: left),
        "\(hexadecimal)")
    }
  }

  @Test("an array of more elements than bytes left is refused, one of as many is not")
  func arrayCount() {
    #expect(refusal(of: bytes("82 0000")) == nil)
    #expect(
      refusal(of: bytes("83 0000"))
        == CBORError("an array of 3 elements where 2 are left", at: 0))
    for hexadecimal in ["9a 10000000", "9b 7fffffffffffffff", "9b ffffffffffffffff 00"] {
      let reason = refusal(of: bytes(hexadecimal))?.reason ?? "none"
      #expect(reason.hasPrefix("an array of ") && reason.hasSuffix(" left"), "\(hexadecimal)")
    }
  }

  @Test("a map of more pairs than half the bytes left is refused, one of as many is not")
  func mapCount() {
    #expect(refusal(of: bytes("a2 00000100")) == nil)
    #expect(
      refusal(of: bytes("a2 000001")) == CBORError("a map of 2 pairs where 3 are left", at: 0))
    for hexadecimal in ["ba 10000000", "bb 7fffffffffffffff", "bb 8000000000000001 00"] {
      let reason = refusal(of: bytes(hexadecimal))?.reason ?? "none"
      #expect(reason.hasPrefix("a map of ") && reason.hasSuffix(" left"), "\(hexadecimal)")
    }
  }

  @Test("a head that is cut anywhere is an item cut in the middle")
  func cutHead() {
    for major in UInt8(0)..<7 {
      for (information, width) in [(24, 1), (25, 2), (26, 4), (27, 8)] as [(UInt8, Int)] {
        for present in 0..<width {
          let cut = [major << 5 | information] + [UInt8](repeating: 0xff, count: present)
          #expect(refusal(of: cut)?.reason == .cutItem, "\(cut)")
        }
      }
    }
    for cut in ["f9", "f93c", "fa47c350", "fb3ff199999999"] {
      #expect(refusal(of: bytes(cut))?.reason == .cutItem, "\(cut)")
    }
    #expect(refusal(of: []) == CBORError(.missingItem, at: 0))
  }

  @Test("a number in more bytes than its shortest form is refused")
  func longDouble() {
    for hexadecimal in [
      "fa00000000", "fa80000000", "fa3f800000", "fa7f800000", "faff800000", "fa33800000",
      "fb0000000000000000", "fb3ff8000000000000", "fb40f86a0000000000", "fb7ff0000000000000",
      "fbfff0000000000000", "fb36a0000000000000",
    ] {
      #expect(refusal(of: bytes(hexadecimal))?.reason == .longDouble, "\(hexadecimal)")
    }
  }

  @Test("every NaN but f97e00 is refused")
  func nan() {
    for bits in 0x7c01...0x7fff where bits != 0x7e00 {
      let low = UInt8(bits & 0xff)
      #expect(refusal(of: [0xf9, UInt8(bits >> 8), low])?.reason == .strangeNaN)
      #expect(refusal(of: [0xf9, UInt8(bits >> 8) | 0x80, low])?.reason == .strangeNaN)
    }
    for hexadecimal in [
      "f9fe00", "fa7fc00000", "fa7f800001", "faffc00000", "fb7ff8000000000000",
      "fb7ff0000000000001", "fbffffffffffffffff",
    ] {
      #expect(refusal(of: bytes(hexadecimal))?.reason == .strangeNaN, "\(hexadecimal)")
    }
  }

  @Test("each first byte with zeros after it is read or refused in a way its table entry says")
  func everyInitialByte() {
    for initial in UInt8(0)...255 {
      let encoding = [initial] + [UInt8](repeating: 0, count: 600)
      let information = initial & 0x1f
      switch (initial >> 5, information) {
      case (0...6, 0..<24), (7, 20...22), (7, 25):
        #expect(refusal(of: encoding) == nil, "\(initial)")
      case (0...6, 24...27):
        #expect(refusal(of: encoding)?.reason == .longArgument, "\(initial)")
      case (7, 26), (7, 27):
        #expect(refusal(of: encoding)?.reason == .longDouble, "\(initial)")
      case (2...5, 31), (7, 31):
        #expect(refusal(of: encoding)?.reason == .indefiniteLength, "\(initial)")
      case (7, 0..<25):
        #expect(refusal(of: encoding)?.reason == .simpleValue, "\(initial)")
      default:
        #expect(refusal(of: encoding)?.reason == .reservedByte, "\(initial)")
      }
    }
  }
}
