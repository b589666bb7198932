import PeernoteCBOR
import PeernoteDigest

/// Finds what a damaged file was before, where its checksum proves it.
///
/// What is tried is undone damage: bytes of something else around the file, a wrong checksum, one
/// flipped bit, and pieces that other copies have instead. Only what a checksum says is returned,
/// so nothing is guessed.
package enum Restoration {
  package enum Damage: Hashable, Sendable {
    /// So many bytes of something else stood after the end.
    case trailingBytes(Int)
    /// Some of the checksum's own bytes were wrong or missing, and the rest of it is right.
    case checksum
    /// One bit was flipped, in this byte.
    case bit(offset: Int)
    /// So many pieces were others than in another copy, which has them right.
    case pieces(Int)
    /// What follows from the rest: its heads, its content's structure and values, or text that
    /// other copies have. A repair finds this.
    case derived
  }

  /// How many bytes of a damaged checksum prove a file: so many never agree by chance.
  private static let provingBytes = 8
  /// The longest file of which every bit is tried: the work grows with the square of the length.
  private static let bitLimit = 32 << 10
  /// How many bytes are hashed to try the pieces of one other copy, at most.
  private static let pieceWork = 1 << 29
  /// How many bytes a repair may hash in all: some seconds' worth, enough to try every bit of two
  /// files of the greatest length.
  package static let workLimit = 1 << 33
  /// The most places of which all choices are tried; of more than these each, and each two.
  private static let choiceLimit = 10

  /// Undoes damage to one file, which begins where its bytes do, and says what was wrong; O(n), or
  /// O(n²) for files up to 32 KiB; `work` is how many bytes may still be hashed.
  package static func find(
    _ bytes: [UInt8], work: inout Int
  ) -> (bytes: [UInt8], damage: Damage)? {
    if let end = contentEnd(of: bytes, from: 0) {
      let whole = Envelope.sealed(Array(bytes[..<end]))
      if bytes.starts(with: whole) {
        return bytes.count > whole.count ? (whole, .trailingBytes(bytes.count - whole.count)) : nil
      }
      if proves(bytes[end...].dropFirst(2), whole[(end + 2)...]) { return (whole, .checksum) }
    }
    return flippedBit(bytes, work: &work)
  }

  /// Whether so many bytes of a checksum are right that it can only be that of the content.
  package static func proves(
    _ checksum: ArraySlice<UInt8>, _ digest: some Sequence<UInt8>
  ) -> Bool {
    zip(checksum, digest).count { $0 == $1 } >= provingBytes
  }

  /// Where a file ends that can be taken apart; `nil` if it cannot be told, as where one was cut
  /// off: it seems to go on into what follows it, and has no checksum there.
  package static func end(of bytes: [UInt8], from start: Int) -> Int? {
    guard let end = contentEnd(of: bytes, from: start), Envelope.isChecksum(at: end, in: bytes)
    else { return nil }
    return end + Envelope.checksumSize
  }

  /// Where a file's checksum begins; `nil` unless all before it can be taken apart.
  private static func contentEnd(of bytes: [UInt8], from start: Int) -> Int? {
    guard bytes[start...].starts(with: Format.magic) else { return nil }
    var reader = CBORReader(bytes, range: start + Format.magic.count..<bytes.count)
    guard (try? reader.readArrayHeader(count: 5)) != nil else { return nil }
    for _ in 0..<4 {
      guard (try? reader.skipItem(depthLimit: Envelope.greatestDepth)) != nil else { return nil }
    }
    return reader.offset
  }

  private static func flippedBit(
    _ bytes: [UInt8], work: inout Int
  ) -> (bytes: [UInt8], damage: Damage)? {
    let end = bytes.count - Envelope.checksumSize
    guard bytes.count <= bitLimit, end > 0, work >= 4 * end * end else { return nil }
    work -= 4 * end * end
    let wanted = Array(bytes[(end + 2)...])
    var before = SHA256()
    for offset in 0..<end {
      for bit in 0..<8 {
        var hash = before
        hash.update([bytes[offset] ^ 1 << UInt8(bit)])
        hash.update(bytes[(offset + 1)..<end])
        guard hash.finalize().elementsEqual(wanted) else { continue }
        var right = bytes
        right[offset] ^= 1 << UInt8(bit)
        right.replaceSubrange(end..<end + 2, with: [0x58, 0x20])
        return (right, .bit(offset: offset))
      }
      before.update([bytes[offset]])
    }
    return nil
  }

  // MARK: Pieces of another copy

  /// Puts a file together from a damaged one and pieces of another copy, damaged or not, of the
  /// same or another version.
  ///
  /// O(n) for each choice of pieces, of which at most about a thousand are tried. `work` is how
  /// many bytes may still be hashed. What comes out was written, is neither of the two, and comes
  /// with what was wrong with the first.
  package static func find(
    _ bytes: [UInt8], with other: [UInt8], limits: Limits = Limits(), work: inout Int
  ) -> (bytes: [UInt8], damage: Damage)? {
    guard bytes.count > Envelope.checksumSize, max(bytes.count, other.count) <= limits.fileSize
    else { return nil }
    // Comparing the two takes longer than hashing one.
    work -= 16 * (bytes.count + other.count)
    let places = work > 0 ? FileDifference.places(bytes, other) : []
    guard places.count > 1 else { return nil }
    let least = work - pieceWork
    for choice in choices(among: places.count) {
      work -= bytes.count
      if work < max(0, least) { break }
      var whole = bytes
      for place in choice.reversed().map({ places[$0] }) {
        whole.replaceSubrange(place.ours, with: other[place.theirs])
      }
      if Envelope.unsealed(whole) != nil { return (whole, .pieces(choice.count)) }
    }
    return nil
  }

  /// The choices of some places, but not of all, the smallest first; each ascends.
  private static func choices(among count: Int) -> [[Int]] {
    let all = 0..<count
    var result =
      all.map { [$0] } + all.flatMap { first in all[(first + 1)...].map { [first, $0] } }
    if count <= choiceLimit {
      for mask in 0..<1 << count where mask.nonzeroBitCount > 2 {
        result.append(all.filter { mask >> $0 & 1 == 1 })
      }
    }
    return result.filter { $0.count < count }
  }
}

/// The places in which two versions of a file differ, between runs of bytes that both have.
enum FileDifference {
  /// Bytes of one file and those that the other one has instead.
  struct Place: Hashable {
    var ours: Range<Int>
    var theirs: Range<Int>
  }

  /// How many bytes that both have end a difference.
  private static let window = 8
  /// The most windows of a file that are looked for in the other.
  private static let windowLimit = 1 << 16
  /// The most places that are told apart.
  private static let limit = 64

  /// Finds the places, ascending; none if there are too many; which runs are taken to be the same
  /// is a guess: the one that follows in the same place, or else the next one; O(n log n).
  static func places(_ ours: [UInt8], _ theirs: [UInt8]) -> [Place] {
    let windows = windows(of: theirs)
    var result: [Place] = []
    var left = 0
    var right = 0
    while true {
      let same = ours.span.extracting(left...).commonPrefixLength(theirs.span.extracting(right...))
      (left, right) = (left + same, right + same)
      if left == ours.count, right == theirs.count { return result }
      if result.count == limit { return [] }
      var place = Place(ours: left..<ours.count, theirs: right..<theirs.count)
      if var (end, otherEnd) = nextShared(ours, left, theirs, right, windows) {
        while end > left, otherEnd > right, ours[end - 1] == theirs[otherEnd - 1] {
          end -= 1
          otherEnd -= 1
        }
        place = Place(ours: left..<end, theirs: right..<otherEnd)
      }
      result.append(place)
      (left, right) = (place.ours.upperBound, place.theirs.upperBound)
    }
  }

  /// Where the next window that both files have begins in them.
  private static func nextShared(
    _ ours: [UInt8], _ left: Int, _ theirs: [UInt8], _ right: Int, _ windows: [UInt64: [Int32]]
  ) -> (Int, Int)? {
    for start in left..<max(left, ours.count - window + 1) {
      let wanted = word(ours, at: start)
      let opposite = right + (start - left)
      if opposite + window <= theirs.count, word(theirs, at: opposite) == wanted {
        return (start, opposite)
      }
      guard let places = windows[wanted] else { continue }
      let next = places.partitionPoint { Int($0) >= right }
      if next < places.count { return (start, Int(places[next])) }
    }
    return nil
  }

  /// Where some windows of a file stand, ascending: evenly spread, side by side in short files.
  private static func windows(of bytes: [UInt8]) -> [UInt64: [Int32]] {
    var result: [UInt64: [Int32]] = [:]
    let step = max(window, bytes.count / windowLimit)
    for start in stride(from: 0, through: bytes.count - window, by: step) {
      result[word(bytes, at: start), default: []].append(Int32(start))
    }
    return result
  }

  private static func word(_ bytes: [UInt8], at start: Int) -> UInt64 {
    UInt64(bigEndianBytes: bytes[start..<start + window])
  }
}
