package import Peernote
import PeernoteTestSupport

/// Damaged and sound copies of a golden document, told in bytes of which any make sense.
///
/// The first byte chooses the document, the second what copies there are (``Choice``). Then come
/// parts, each ended by ``LogFrame/separator``: the damage to the first copy, that to the second
/// one, which is there only if this part is, and the columns, heads and view of a ``LogFrame``,
/// which replace those of the first copy, as far as they are there, and leave its checksum as it
/// was. Damage is a row of steps of five bytes; see ``damage(_:by:)``.
package struct RepairFrame {
  /// All copies, the sound ones last.
  package let files: [[UInt8]]
  /// What they are copies of.
  package let originals: [Document]
  /// The sound ones.
  package let sound: [Document]
  /// Whether nothing worse was done to the copies than to cut off their ends.
  package let isCut: Bool

  /// The bits of the second byte.
  private struct Choice: OptionSet {
    let rawValue: UInt8
    /// The first copy is of the middle of the history.
    static let oldFirst = Choice(rawValue: 1)
    /// The second copy is of the whole history.
    static let newSecond = Choice(rawValue: 2)
    /// There is a sound copy of the middle of the history.
    static let soundOld = Choice(rawValue: 4)
    /// There is a sound copy that went on from there apart.
    static let soundEdited = Choice(rawValue: 8)
    /// Nothing is left of the first copy's checksum, so that it proves nothing.
    static let noChecksum = Choice(rawValue: 16)
    /// The damage to the second copy is that to the first, too.
    static let sameDamage = Choice(rawValue: 32)
  }

  /// Documents that are repaired in little time: the search for flipped bits is quadratic.
  private static let bases = FuzzBase.all.filter {
    $0.file.bytes.count < 1000 && $0.goods.count == 3
  }

  /// The most steps of damage to one copy.
  private static let stepLimit = 8

  /// Takes any bytes for a frame.
  package init(_ bytes: [UInt8]) {
    let base = Self.bases[Int(bytes.first ?? 0) % Self.bases.count]
    let choice = Choice(rawValue: bytes.dropFirst().first ?? 0)
    var rest = bytes.dropFirst(2)
    var damages = [LogFrame.takePart(&rest)]
    if !rest.isEmpty { damages.append(LogFrame.takePart(&rest)) }
    let isForged = !rest.isEmpty
    let versions = [
      base.goods[choice.contains(.oldFirst) ? 1 : 0],
      base.goods[choice.contains(.newSecond) ? 0 : 2],
    ]
    var copies: [[UInt8]] = []
    var isCut = !isForged
    for (number, steps) in damages.enumerated() {
      var copy = versions[number].bytes()
      if number == 0, isForged, let parts = try? ForgedFile(copy) {
        copy = LogFrame.file(parts, with: rest).bytes.dropLast(32) + copy.suffix(32)
      }
      if number == 0, choice.contains(.noChecksum) {
        copy.removeLast(32)
        copy += [UInt8](repeating: 0, count: 32)
      }
      let all = number == 1 && choice.contains(.sameDamage) ? damages[0] + steps : steps
      copies.append(Self.damaged(copy, by: all, with: base.goods[1].bytes()))
      if !copy.starts(with: copies[number]) { isCut = false }
    }
    var sound: [Document] = []
    if choice.contains(.soundOld) { sound.append(base.goods[1]) }
    if choice.contains(.soundEdited) { sound.append(base.goods[2]) }
    files = copies + sound.map { $0.bytes() }
    originals = base.goods
    self.sound = sound
    self.isCut = isCut
  }

  /// A file with damage, of which ``stepLimit`` steps are taken.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - steps: the damage.
  ///   - other: another version, which stands in for what was in the same place before.
  /// - Returns: the damaged file.
  private static func damaged(
    _ file: [UInt8], by steps: [UInt8], with other: [UInt8]
  ) -> [UInt8] {
    var result = file
    var rest = steps[...]
    for _ in 0..<stepLimit where rest.count >= 5 {
      let step = Array(rest.prefix(5))
      rest = rest.dropFirst(5)
      let start = (Int(step[1]) << 8 | Int(step[2])) % (result.count + 1)
      let end = min(result.count, start + Int(step[3]))
      switch step[0] % 9 {
      case 0: result.removeLast(result.count - start)
      case 1:
        result.replaceSubrange(start..<end, with: repeatElement(step[4], count: end - start))
      case 2: result.removeSubrange(start..<end)
      case 3: result.insert(contentsOf: repeatElement(step[4], count: Int(step[3])), at: start)
      case 4: if start < result.count { result[start] ^= step[4] }
      case 5:
        // What an older version has in this place.
        let place = min(start, other.count)..<min(end, other.count)
        result.replaceSubrange(start..<start + place.count, with: other[place])
      case 6:
        // A block that stands somewhere else, too.
        let source = Int(step[4]) * 4 % (result.count + 1)
        let block = Array(result[source..<min(result.count, source + end - start)])
        result.replaceSubrange(start..<start + min(end - start, block.count), with: block)
      case 7: result.removeFirst(start)
      default: result += other.dropFirst(start)
      }
    }
    return result
  }

  /// A frame with some damage of each kind, of a document by its number.
  package static func bytes(ofBase index: Int) -> [UInt8] {
    let base = bases[index % bases.count]
    var random = SplitMix64(seed: UInt64(index))
    func steps(_ count: Int) -> [UInt8] {
      (0..<count).flatMap { _ in
        [
          UInt8(random.below(9)), UInt8(random.below(3)), UInt8(random.below(256)),
          UInt8(random.below(64)), UInt8(random.below(256)),
        ]
      }
    }
    var bytes = [UInt8(index % bases.count), UInt8(random.below(64))] + steps(1 + index % 2)
    if index % 3 > 0 { bytes += LogFrame.separator + steps(index % 3 - 1) }
    if index % 3 > 1 { bytes += LogFrame.separator + LogFrame.parts(of: base.file) }
    return bytes
  }
}
