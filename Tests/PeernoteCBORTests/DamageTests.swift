import PeernoteCBOR
import Testing

/// Damaged and hostile bytes end in an error, never in a crash, and cost no more than their size.
@Suite struct DamageTests {
  private static let limit = 16

  /// Reads all that is there by every reading method; returns the count of items.
  private static func readEverything(_ bytes: [UInt8]) -> Int {
    var reader = CBORReader(bytes)
    var items = 0
    while let item = try? reader.nextItem() {
      items += 1
      if case .text(let range) = item { try? reader.checkText(range) }
    }
    for start in 0...bytes.count {
      let reader = CBORReader(bytes, range: start..<bytes.count)
      func attempt(_ read: (inout CBORReader) throws(CBORError) -> Void) {
        var copy = reader
        do throws(CBORError) {
          try read(&copy)
          #expect(copy.offset > start && copy.offset <= bytes.count)
        } catch {
          #expect(copy.offset == start)
          #expect(error.offset >= start && error.offset <= bytes.count)
        }
      }
      attempt { reader throws(CBORError) in _ = try reader.readUnsigned() }
      attempt { reader throws(CBORError) in _ = try reader.readInteger() }
      attempt { reader throws(CBORError) in _ = try reader.readBytes() }
      attempt { reader throws(CBORError) in _ = try reader.readText() }
      attempt { reader throws(CBORError) in _ = try reader.readString() }
      attempt { reader throws(CBORError) in _ = try reader.readArrayHeader() }
      attempt { reader throws(CBORError) in _ = try reader.readMapHeader() }
      attempt { reader throws(CBORError) in try reader.readTag(37) }
      attempt { reader throws(CBORError) in _ = try reader.readBool() }
      attempt { reader throws(CBORError) in _ = try reader.skipItem(depthLimit: limit) }
    }
    return items
  }

  @Test("a reader of a part of an item stops at its end, whatever stands after it")
  func partialRange() throws {
    var whole = CBORReader(composite)
    #expect(try whole.skipItem(depthLimit: Self.limit) == composite.indices)
    for count in 0..<composite.count {
      for var reader in [
        CBORReader(composite, range: 0..<count), CBORReader(Array(composite.prefix(count))),
      ] {
        #expect(throws: CBORError.self) { try reader.skipItem(depthLimit: Self.limit) }
        #expect(reader.offset == 0)
      }
    }
  }

  @Test("bytes read from the middle of an array are the same, at offsets further on")
  func shifted() throws {
    let shift = 1000
    let shifted = [UInt8](repeating: 0xff, count: shift) + composite + [0xff]
    var near = CBORReader(composite)
    var far = CBORReader(shifted, range: shift..<shift + composite.count)
    while !near.isAtEnd {
      switch (try near.nextItem(), try far.nextItem()) {
      case (.bytes(let left), .bytes(let right)), (.text(let left), .text(let right)):
        #expect(right == left.lowerBound + shift..<left.upperBound + shift)
      case (let left, let right):
        #expect(left == right)
      }
      #expect(far.offset == near.offset + shift)
    }
    #expect(far.isAtEnd)
  }

  @Test("a flipped bit crashes no method, and what is read is the only encoding of its value")
  func bitFlips() throws {
    for bit in 0..<composite.count * 8 {
      var damaged = composite
      damaged[bit / 8] ^= 1 << (bit % 8)
      var reader = CBORReader(damaged)
      guard let range = try? reader.skipItem(depthLimit: Self.limit) else { continue }
      reader = CBORReader(damaged)
      guard let tree = try? ItemTree(from: &reader) else { continue }
      #expect(tree.encoded == Array(damaged[range]), "bit \(bit)")
    }
  }

  @Test("random bytes and mutations of an item crash no method", arguments: seeds)
  func randomBytes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<400 {
      var damaged: [UInt8]
      if round.isMultiple(of: 2) {
        let count = Int.random(in: 0...60, using: &generator)
        damaged = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      } else {
        damaged = Array(composite.prefix(60))
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<damaged.count, using: &generator)
          damaged[place] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      _ = Self.readEverything(damaged)
      _ = CBORDiagnostic.describe(damaged)
    }
  }

  /// Where the first item of `bytes` ends, from reading each item inside; its first fault.
  private static func endByItems(_ bytes: [UInt8]) -> Result<Int, CBORError> {
    var reader = CBORReader(bytes)
    var left = 1
    do throws(CBORError) {
      while left > 0 {
        left -= 1
        switch try reader.nextItem() {
        case .array(let count): left += count
        case .map(let count): left += 2 * count
        case .tag: left += 1
        case .unsigned, .negative, .bytes, .text, .bool, .null, .double: break
        }
      }
      return .success(reader.offset)
    } catch {
      return .failure(error)
    }
  }

  @Test("skipping ends where reading each item ends, or with the same fault", arguments: seeds)
  func skippingIsReading(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      // Much of it short items, which are skipped in runs.
      let most: UInt8 = .random(in: 0...1, using: &generator) == 0 ? 0x9f : 0xff
      var bytes: [UInt8] = [0x80 + .random(in: 0...20, using: &generator)]
      for _ in 0..<Int.random(in: 0...60, using: &generator) {
        bytes.append(.random(in: 0...most, using: &generator))
      }
      var reader = CBORReader(bytes)
      let skipped: Result<Int, CBORError>
      do throws(CBORError) {
        skipped = .success(try reader.skipItem(depthLimit: bytes.count).upperBound)
      } catch {
        skipped = .failure(error)
      }
      #expect(skipped == Self.endByItems(bytes), "\(bytes)")
    }
  }

  @Test("a million nested arrays, maps or tags are refused at the limit, not further on")
  func depth() {
    for level: [UInt8] in [[0x81], [0xc1], [0xa1, 0x00]] {
      var reader = CBORReader(
        Array([[UInt8]](repeating: level, count: 1_000_000).joined()) + [0])
      let error = #expect(throws: CBORError.self) { try reader.skipItem(depthLimit: 64) }
      #expect(error == CBORError("nested deeper than 64 levels", at: 64 * level.count))
      #expect(reader.offset == 0)
    }
  }

  @Test("the depth limit counts what is open at once: as many levels pass, one more does not")
  func depthLimit() throws {
    for limit in 0...5 {
      for levels in 0...6 {
        for initial: UInt8 in [0x81, 0xc1] {
          let bytes = (0...levels).map { $0 < levels ? initial : 0 }
          var reader = CBORReader(bytes)
          if levels <= limit {
            #expect(try reader.skipItem(depthLimit: limit) == bytes.indices)
          } else {
            let error = #expect(throws: CBORError.self) {
              try reader.skipItem(depthLimit: limit)
            }
            #expect(error == CBORError("nested deeper than \(limit) levels", at: limit))
          }
        }
      }
    }
    // Containers beside each other, empty and full, are one level.
    let wide =
      [0x98, 60] + [UInt8](repeating: 0x80, count: 20)
      + Array([[UInt8]](repeating: [0x81, 0x00], count: 20).joined())
      + Array([[UInt8]](repeating: [0xa1, 0x00, 0xf6], count: 20).joined())
    var reader = CBORReader(wide)
    #expect(try reader.skipItem(depthLimit: 2) == wide.indices)
  }

  @Test("counts that each fit but together do not are refused where the bytes end")
  func nestedCounts() {
    let bytes =
      (0..<500).flatMap { _ in [0x98, 200] as [UInt8] } + [UInt8](repeating: 0, count: 300)
    var reader = CBORReader(bytes)
    #expect(throws: CBORError(.missingItem, at: bytes.count)) {
      try reader.skipItem(depthLimit: 1000)
    }
  }

  @Test("hostile counts and lengths are refused where they stand, before anything is counted off")
  func hostileCounts() {
    for hexadecimal in [
      "9a10000000", "9b7fffffffffffffff", "bb7fffffffffffffff", "5bffffffffffffffff",
      "7b7fffffffffffffff", "bbffffffffffffffff", "9bffffffffffffffff",
    ] {
      var reader = CBORReader(bytes(hexadecimal))
      let error = #expect(throws: CBORError.self) {
        try reader.skipItem(depthLimit: Self.limit)
      }
      #expect(error?.offset == 0, "\(hexadecimal)")
    }
  }
}
