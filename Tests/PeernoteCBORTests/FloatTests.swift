import PeernoteCBOR
import Testing

/// Floating-point numbers keep their value and take the fewest bytes.
@Suite struct FloatTests {
  /// The value of a half, straight from IEEE 754's definition.
  private static func value(ofHalf bits: UInt16) -> Double {
    let sign: Double = bits >> 15 == 0 ? 1 : -1
    let exponent = Int(bits >> 10 & 0x1f)
    let fraction = Double(bits & 0x3ff) / 1024
    switch exponent {
    case 0: return sign * fraction * 0x1p-14
    case 31: return fraction == 0 ? sign * .infinity : .nan
    default:
      return sign * (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
    }
  }

  private static func roundTrip(_ value: Double) throws -> (value: Double, size: Int) {
    let encoding = written { $0.double(value) }
    var reader = CBORReader(encoding)
    guard case .double(let result) = try reader.nextItem() else { preconditionFailure() }
    try reader.finish()
    return (result, encoding.count)
  }

  @Test("each of the 65,536 halves is read as its value and written back as itself")
  func halves() throws {
    for bits in UInt16.min...UInt16.max {
      let encoding = [0xf9, UInt8(bits >> 8), UInt8(bits & 0xff)]
      let expected = Self.value(ofHalf: bits)
      if expected.isNaN && bits != 0x7e00 {
        #expect(refusal(of: encoding)?.reason == .strangeNaN)
        continue
      }
      var reader = CBORReader(encoding)
      guard case .double(let value) = try reader.nextItem() else { preconditionFailure() }
      if expected.isNaN {
        #expect(value.isNaN)
      } else {
        #expect(value.bitPattern == expected.bitPattern, "\(bits)")
      }
      #expect(written { $0.double(value) } == encoding, "\(bits)")
    }
  }

  @Test("the neighbours of a half are no halves")
  func neighboursOfHalves() throws {
    for bits in UInt16(0)..<0x7c00 {
      let half = Self.value(ofHalf: bits)
      let (above, aboveSize) = try Self.roundTrip(half.nextUp)
      #expect(above == half.nextUp && aboveSize == 9)
      let single = Float(half)
      let (next, size) = try Self.roundTrip(Double(single.nextUp))
      #expect(next == Double(single.nextUp) && size == 5)
    }
  }

  @Test("the ends of each form's range keep their value in the form that holds them")
  func limits() throws {
    let cases: [(Double, Int)] = [
      (65504, 3), (65505, 5), (65520, 5), (65536, 5), (0x1p-24, 3), (0x1p-25, 5), (0x3p-25, 5),
      (0x1p-14, 3), (0x1.ffcp-15, 5), (0x1.ff8p-15, 3), (Double(Float.greatestFiniteMagnitude), 5),
      (0x1p128, 9), (0x1p-149, 5), (0x1p-150, 9), (0x1.8p-149, 9), (0x1p-126, 5),
      (.greatestFiniteMagnitude, 9), (.leastNonzeroMagnitude, 9), (.leastNormalMagnitude, 9),
      (.infinity, 3), (0, 3), (1 / 3, 9), (16_777_217, 9), (16_777_215, 5), (2049, 5), (2048, 3),
    ]
    for (value, size) in cases {
      for signed in [value, -value] {
        let (result, found) = try Self.roundTrip(signed)
        #expect(result.bitPattern == signed.bitPattern, "\(signed)")
        #expect(found == size, "\(signed)")
      }
    }
  }

  @Test(
    "random singles and doubles keep their value; no shorter form is accepted", arguments: seeds)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let single = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      let double = Double(bitPattern: generator.next())
      for value in [Double(single), double] {
        let (result, size) = try Self.roundTrip(value)
        guard !value.isNaN else {
          #expect(result.isNaN && size == 3)
          continue
        }
        #expect(result.bitPattern == value.bitPattern)
        let fitsSingle = Double(Float(value)) == value
        #expect(fitsSingle ? size <= 5 : size == 9)
        if size < 9 {
          let digits = (0..<8).reversed().map {
            UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0))
          }
          #expect(refusal(of: [0xfb] + digits)?.reason == .longDouble)
        }
      }
    }
  }

  @Test("NaNs of every sign and payload are written as f97e00")
  func nans() {
    for value in [
      Double.nan, -Double.nan, .signalingNaN, Double(bitPattern: 0xfff0_0000_0000_0001),
      Double(Float.nan),
    ] {
      #expect(written { $0.double(value) } == [0xf9, 0x7e, 0x00])
    }
  }
}
