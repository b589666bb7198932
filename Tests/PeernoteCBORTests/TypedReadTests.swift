import PeernoteCBOR
import Testing

/// Reading what the caller expects: the right item is read, any other is refused in place.
@Suite struct TypedReadTests {
  /// One encoded item of each kind.
  static let samples: [CBORKind: [UInt8]] = [
    .unsigned: [0x05], .negative: [0x25], .bytes: [0x41, 0x00], .text: [0x61, 0x61],
    .array: [0x80], .map: [0xa0], .tag: [0xd8, 0x25], .bool: [0xf5], .null: [0xf6],
    .double: [0xf9, 0x3c, 0x00],
  ]

  @Test("each method reads the kinds it is for, and refuses all others where they stand")
  func kinds() throws {
    typealias Read = (inout CBORReader) throws(CBORError) -> Void
    let methods: [(Set<CBORKind>, Read)] = [
      ([.unsigned], { reader throws(CBORError) in _ = try reader.readUnsigned() }),
      ([.unsigned, .negative], { reader throws(CBORError) in _ = try reader.readInteger() }),
      ([.bytes], { reader throws(CBORError) in _ = try reader.readBytes() }),
      ([.bytes], { reader throws(CBORError) in _ = try reader.readBytes(count: 1) }),
      ([.text], { reader throws(CBORError) in _ = try reader.readText() }),
      ([.text], { reader throws(CBORError) in _ = try reader.readString() }),
      ([.array], { reader throws(CBORError) in _ = try reader.readArrayHeader() }),
      ([.array], { reader throws(CBORError) in try reader.readArrayHeader(count: 0) }),
      ([.map], { reader throws(CBORError) in _ = try reader.readMapHeader() }),
      ([.tag], { reader throws(CBORError) in try reader.readTag(37) }),
      ([.bool], { reader throws(CBORError) in _ = try reader.readBool() }),
    ]
    #expect(Self.samples.count == CBORKind.allCases.count)
    for (accepted, read) in methods {
      for (kind, sample) in Self.samples {
        var reader = CBORReader([0xff, 0xff] + sample, range: 2..<2 + sample.count)
        #expect(try reader.peekKind() == kind)
        do throws(CBORError) {
          try read(&reader)
          #expect(accepted.contains(kind))
          #expect(reader.isAtEnd)
        } catch {
          #expect(!accepted.contains(kind))
          #expect(reader.offset == 2 && error.offset == 2)
          #expect(error.reason.hasPrefix("\(kind.rawValue) where "), "\(error)")
          #expect(error.reason.hasSuffix(" should stand"), "\(error)")
        }
      }
    }
  }

  @Test("a known text has its size where it stands in its shortest form, and nothing else has")
  func knownTexts() {
    for length in [0, 1, 23, 24, 255, 256, 65_535, 65_536] {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: length)
      var writer = CBORWriter()
      writer.text(utf8: text.span)
      let item = writer.bytes
      #expect(size(of: text, in: item + [0xff]) == item.count)
      #expect(size(of: text, in: item.dropLast()) == 0)
      #expect(size(of: text + text + [0x78], in: item) == 0)
      var other = item
      // The last letter, or the kind where there are none.
      other[item.count - 1] ^= 0x20
      #expect(size(of: text, in: other) == 0)
    }
    #expect(size(of: [0x61], in: [0x78, 0x01, 0x61]) == 0)
    #expect(size(of: [0x61], in: [0x41, 0x61]) == 0)
    #expect(size(of: [], in: []) == 0)
  }

  private func size(of text: [UInt8], in bytes: [UInt8]) -> Int {
    CBORReader(bytes).size(ofText: text.span)
  }

  @Test("a known head has its size; what has content of its own is not looked for")
  func knownHeads() throws {
    let known: [CBORItem] = [.unsigned(5), .array(count: 0), .map(count: 0), .tag(37)]
    for sample in Self.samples.values {
      let found = try readItem(sample)
      let reader = CBORReader([0xff] + sample, range: 1..<1 + sample.count)
      for item in known {
        #expect(reader.size(of: item) == (item == found ? sample.count : 0), "\(item) \(found)")
      }
      if !known.contains(found) { #expect(reader.size(of: found) == 0) }
    }
    #expect(CBORReader([0x18, 0x05]).size(of: .unsigned(5)) == 0)
    #expect(CBORReader([0x84]).size(of: .array(count: 5)) == 0)
    #expect(CBORReader([0x19, 0x01]).size(of: .unsigned(256)) == 0)
  }

  @Test("the kind seen ahead is the kind read, and what cannot be read has none or fails later")
  func peeking() {
    for initial in UInt8(0)...255 {
      let reader = CBORReader([initial] + [UInt8](repeating: 0xff, count: 600))
      let kind = try? reader.peekKind()
      var copy = reader
      if let item = try? copy.nextItem() { #expect(item.kind == kind, "\(initial)") }
      if initial >= 0xe0, kind == nil {
        let error = #expect(throws: CBORError.self) { try reader.peekKind() }
        #expect(error == refusal(of: reader.bytes), "\(initial)")
      }
    }
    #expect(throws: CBORError(.missingItem, at: 0)) { try CBORReader([]).peekKind() }
  }

  @Test("an unsigned integer of the limit is read, one more is refused")
  func limit() throws {
    for limit: UInt64 in [0, 23, 24, 255, 65_536, .max - 1] {
      var reader = CBORReader(written { $0.unsigned(limit) })
      #expect(try reader.readUnsigned(limit: limit) == limit)
      var beyond = CBORReader(written { $0.unsigned(limit + 1) })
      let error = CBORError("the number \(limit + 1) where at most \(limit) is allowed", at: 0)
      #expect(throws: error) { try beyond.readUnsigned(limit: limit) }
      #expect(beyond.offset == 0)
    }
  }

  @Test("integers of 64 bits with sign are written and read back; larger ones are refused")
  func integers() throws {
    for value: Int64 in [0, 1, -1, 23, 24, -24, -25, 255, -256, -257, 65_535, .max, .min, .min + 1]
    {
      var reader = CBORReader(written { $0.integer(value) })
      #expect(try reader.readInteger() == value)
      #expect(reader.isAtEnd)
    }
    for encoding in ["1b8000000000000000", "3b8000000000000000", "3bffffffffffffffff"] {
      var reader = CBORReader(bytes(encoding))
      #expect(throws: CBORError(.integerTooLarge, at: 0)) { try reader.readInteger() }
    }
  }

  @Test("a byte string, array or tag of another size or number is refused")
  func expectations() {
    var reader = CBORReader(bytes("4100"))
    #expect(throws: CBORError("a byte string of 1 byte where 16 should stand", at: 0)) {
      try reader.readBytes(count: 16)
    }
    reader = CBORReader(bytes("820000"))
    #expect(throws: CBORError("an array of 2 elements where 3 should stand", at: 0)) {
      try reader.readArrayHeader(count: 3)
    }
    reader = CBORReader(bytes("d82600"))
    #expect(throws: CBORError("tag 38 where tag 37 should stand", at: 0)) {
      try reader.readTag(37)
    }
  }

  @Test("bytes after the last item are refused and counted")
  func trailing() throws {
    var reader = CBORReader([0, 1, 2])
    _ = try reader.nextItem()
    #expect(throws: CBORError("2 bytes after the last item", at: 1)) { try reader.finish() }
    reader = CBORReader([0])
    #expect(throws: CBORError("1 byte after the last item", at: 0)) { try reader.finish() }
  }

  @Test("a text that is not UTF-8 is refused at its first bad byte; skipping it does not look")
  func invalidText() throws {
    for (hexadecimal, offset) in [
      ("61ff", 1), ("6361c328", 2), ("64f0908561", 1), ("63eda080", 1), ("62c080", 1),
      ("64f4908080", 1), ("6461e6b0c3", 2), ("62c3bc", nil), ("64f48fbfbf", nil),
    ] as [(String, Int?)] {
      let encoding = bytes(hexadecimal)
      var reader = CBORReader(encoding)
      if let offset {
        let error = CBORError(.notUTF8, at: offset)
        #expect(throws: error, "\(hexadecimal)") { try reader.readText() }
        #expect(throws: error, "\(hexadecimal)") { try reader.readString() }
        #expect(throws: error, "\(hexadecimal)") { try reader.checkText(1..<encoding.count) }
        #expect(reader.offset == 0)
      } else {
        #expect(try reader.readText() == 1..<encoding.count)
        reader = CBORReader(encoding)
      }
      #expect(try reader.nextItem() == .text(1..<encoding.count))
      reader = CBORReader(encoding)
      #expect(try reader.skipItem(depthLimit: 0) == encoding.indices)
    }
  }

  @Test("an error says its place and reason in words")
  func words() {
    #expect("\(CBORError(.cutItem, at: 17))" == "byte 17: ends in the middle of an item")
  }
}
