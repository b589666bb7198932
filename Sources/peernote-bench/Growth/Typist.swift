import Peernote
import PeernoteTestSupport

/// Someone who types into a text: runs of words at a cursor, a quarter of the time the last few
/// characters are taken back, now and then a passage is cut or the cursor jumps, mostly not far.
///
/// About ten events an edit, as in recorded histories of single authors.
struct Typist {
  private var random: SplitMix64
  private var cursor = 0
  /// A lower bound on the length of the text that the typist sees, in scalars.
  ///
  /// What two people delete at once counts twice, so the text may be longer.
  private(set) var length = 0

  /// Words to type, as ASCII.
  private static let words: [UInt8] = {
    var random = SplitMix64(seed: 7)
    let syllables = ["a", "be", "cor", "di", "en", "fa", "go", "hu", "il", "jo", "ka", "lun"]
    var words = ""
    while words.utf8.count < 1 << 16 {
      for _ in 0..<random.within(1...4) { words += random.pick(syllables) }
      words += random.chance(6) ? ".\n" : " "
    }
    return Array(words.utf8)
  }()

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Takes note of what others added to the text, less what they deleted.
  mutating func see(growth: Int) {
    length += growth
  }

  /// Goes anywhere in the text.
  mutating func jump() {
    cursor = random.below(length + 1)
  }

  /// Types.
  ///
  /// O(events).
  ///
  /// - Parameters:
  ///   - count: how many events to make.
  ///   - text: the text.
  /// - Returns: the edits, and by how much the text is longer after them.
  mutating func type(events count: Int, into text: ContainerID) -> (edits: [Edit], growth: Int) {
    let before = length
    var edits: [Edit] = []
    var left = count
    while left > 0 {
      moveCursor()
      let choice = random.below(100)
      if choice < 25, cursor > 0 {
        let count = min(random.within(1...10), left, cursor)
        cursor -= count
        edits.append(
          .deleteText(from: text, at: cursor, count: count, backward: count > 1, text: nil))
        length -= count
        left -= count
      } else if choice < 28, cursor < length {
        let count = min(random.within(1...60), left, length - cursor)
        edits.append(.deleteText(from: text, at: cursor, count: count, backward: false, text: nil))
        length -= count
        left -= count
      } else {
        let count = min(random.within(1...24), left)
        let start = random.below(Self.words.count - count)
        let typed = String(decoding: Self.words[start..<start + count], as: UTF8.self)
        edits.append(.insertText(into: text, at: cursor, text: typed))
        cursor += count
        length += count
        left -= count
      }
    }
    return (edits, length - before)
  }

  private mutating func moveCursor() {
    if random.chance(15) {
      if random.chance(80) { cursor += random.within(-200...200) } else { jump() }
    }
    cursor = min(max(cursor, 0), length)
  }
}
