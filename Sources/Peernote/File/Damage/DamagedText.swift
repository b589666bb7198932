import PeernoteJSON

/// A text whose length is known and of whose bytes some may be damaged.
///
/// What stands before the first fault keeps its place from the start, what stands after the last
/// one from the end. Damage that leaves UTF-8 of the same length does not show.
struct DamagedText {
  /// The text, U+FFFD where a scalar is lost.
  private(set) var buffer = TextBuffer()
  /// The scalars that are lost.
  private(set) var lost = 0..<0
  /// The bytes that cannot be what was written; empty if they are not known, or not there.
  private(set) var damage = 0..<0

  /// Zero bytes in a row from this number on are taken for a hole.
  static let holeSize = 8

  /// Reads a text of `length` scalars from a file.
  ///
  /// O(bytes + length). If it `mayBeCut`, its end may be missing. If it `mayGoOn`, more text may
  /// follow that is not asked for, so that its end has no known place.
  init(_ bytes: [UInt8], _ place: Range<Int>, length: Int, mayBeCut: Bool, mayGoOn: Bool = false) {
    let hole = Self.damage(in: bytes[place])
    damage = hole.isEmpty ? 0..<0 : hole
    var first = TextBuffer(validated: Array(bytes[place.lowerBound..<hole.lowerBound]))
    var last = TextBuffer(validated: Array(bytes[hole.upperBound..<place.upperBound]))
    if mayGoOn {
      last = TextBuffer()
      let end = first.place(ofScalar: min(length, first.scalarCount))
      first.replace(from: end, to: first.end, with: TextBuffer())
    }
    if first.scalarCount == length, hole.isEmpty || mayGoOn {
      buffer = first
      if mayGoOn { damage = 0..<0 }
      return
    }
    // Of a text that has another length without a visible fault nobody knows where it is wrong.
    let isPlaced = !hole.isEmpty || mayBeCut || mayGoOn
    guard isPlaced, first.scalarCount + last.scalarCount <= length else {
      lost = 0..<length
      if damage.isEmpty { damage = place }
      buffer = TextBuffer(String(repeating: "\u{FFFD}", count: length))
      return
    }
    lost = first.scalarCount..<length - last.scalarCount
    buffer = first
    buffer.append(TextBuffer(String(repeating: "\u{FFFD}", count: lost.count)))
    buffer.append(last)
  }

  /// From the first to the last byte that cannot be text: what is no UTF-8, and runs of zeros.
  private static func damage(in bytes: ArraySlice<UInt8>) -> Range<Int> {
    var first: Int?
    var end = bytes.endIndex
    var offset = bytes.startIndex
    while offset < bytes.endIndex {
      var size = 1
      if bytes[offset] == 0 {
        size = bytes[offset...].prefix { $0 == 0 }.count
        if size >= holeSize {
          first = first ?? offset
          end = offset + size
        }
      } else if bytes[offset] >= 0x80 {
        let scalar = leadingScalarLength(bytes[offset...])
        size = max(scalar, 1)
        if scalar == 0 {
          first = first ?? offset
          end = offset + size
        }
      }
      offset += size
    }
    return (first ?? end)..<end
  }
}
