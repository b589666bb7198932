import PeernoteCBOR
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// SplitMix64: the numbers of a seed are the same on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}

/// The seeds that random tests run with: one fixed and one fresh.
///
/// A failed test prints its argument, which is the seed. To run with that one alone, set the
/// environment variable `PEERNOTE_SEED` to it.
let seeds: [UInt64] = {
  if let text = unsafe getenv("PEERNOTE_SEED"), let seed = unsafe UInt64(String(cString: text)) {
    return [seed]
  }
  let fresh = UInt64.random(in: 0...UInt64.max)
  print("PEERNOTE_SEED=\(fresh)")
  return [1, fresh]
}()

/// The bytes that hexadecimal digits stand for; spaces between them are left out.
func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { index in
    UInt8(digits[index] << 4 | digits[index + 1])
  }
}

/// Reads one item from bytes that must hold nothing else.
func readItem(_ bytes: [UInt8]) throws(CBORError) -> CBORItem {
  var reader = CBORReader(bytes)
  let item = try reader.nextItem()
  try reader.finish()
  return item
}

/// The error that reading the first item of `bytes` ends in.
func refusal(of bytes: [UInt8]) -> CBORError? {
  var reader = CBORReader(bytes)
  do throws(CBORError) {
    _ = try reader.nextItem()
    return nil
  } catch {
    return error
  }
}

/// The bytes that `body` writes.
func written(_ body: (inout CBORWriter) -> Void) -> [UInt8] {
  var writer = CBORWriter()
  body(&writer)
  return writer.bytes
}

/// An encoded item with every kind of item and every width of head in it.
let composite: [UInt8] = written { writer in
  writer.tag(55799)
  writer.arrayHeader(9)
  writer.integer(0)
  writer.mapHeader(3)
  writer.unsigned(1)
  writer.text("grüß dich")
  writer.negative(999)
  writer.bytes([0xff, 0x00])
  writer.text("key")
  writer.arrayHeader(0)
  writer.tag(37)
  writer.bytes([UInt8](repeating: 7, count: 16))
  writer.integer(.min)
  writer.bytes([UInt8](repeating: 1, count: 300))
  writer.double(1.5)
  writer.double(100_000)
  writer.double(1.1)
  writer.arrayHeader(5)
  writer.bool(true)
  writer.bool(false)
  writer.null()
  writer.unsigned(70_000)
  writer.unsigned(5_000_000_000)
}

/// The reasons for which items are refused, by the rules that they break.
extension String {
  static let missingItem = "ends where an item should stand"
  static let cutItem = "ends in the middle of an item"
  static let indefiniteLength = "an item of indefinite length"
  static let simpleValue = "a simple value other than false, true and null"
  static let reservedByte = "a byte that no item begins with"
  static let longArgument = "a number that is not in its shortest form"
  static let longDouble = "a floating-point number that is not in its shortest form"
  static let strangeNaN = "a NaN that is not in its only form"
  static let notUTF8 = "a text that is not UTF-8"
  static let duplicateKey = "a map's key that stands there twice"
  static let unsortedKey = "a map's key that is out of order"
  static let integerTooLarge = "an integer of more than 64 bits"
}
