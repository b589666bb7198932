import PeernoteCBOR
import PeernoteJSON

/// Where the sections of a damaged file seem to stand.
package struct DamagedSections {
  /// The document's identity, if the beginning of the file is whole.
  package private(set) var id: UniqueID?
  /// The heads that the file names, if they can be read.
  package private(set) var heads: [ChangeID] = []
  /// Where the log may stand; the likeliest place first.
  package private(set) var logs: [Range<Int>] = []
  /// The sections that this version doesn't know, if all sections can be told apart.
  package private(set) var unknownSections: [Envelope.UnknownSection] = []
  /// The 32 bytes of the checksum, or what is left of them; empty if they cannot be found.
  package private(set) var checksum: ArraySlice<UInt8> = []
  /// Where the view begins, if that is known.
  private var viewStart: Int?

  private let bytes: [UInt8]
  /// The length of what stands before the sections.
  private static let headerSize = 30
  /// How many places are tried that look as if the log began there.
  private static let placeLimit = 8

  /// Looks for the sections; finds none in what is longer than a file may be; O(n).
  package init(_ bytes: [UInt8], limits: Limits = Limits()) {
    self.bytes = bytes
    guard bytes.count > Self.headerSize, bytes.count <= limits.fileSize else { return }
    if bytes.starts(with: Format.magic + [0x85, 0x00, 0x01, 0xD8, 0x25, 0x50]) {
      id = UniqueID(bytes: bytes[14..<Self.headerSize])
    }
    let end = bytes.count - Envelope.checksumSize
    if end > Self.headerSize, Envelope.isChecksum(at: end, in: bytes) {
      checksum = bytes[(end + 2)...]
    }
    readSections(limits)
    if !logs.isEmpty { return }
    // What a log begins with: its number, an array of eleven and a byte string.
    logs = places(of: 0x03, 0x8B, major: 2, from: viewStart ?? Self.headerSize)
      .prefix(Self.placeLimit).map { $0 + 1..<bytes.count }
  }

  /// Goes through the sections while they can be told apart; those beyond the limit are left out.
  private mutating func readSections(_ limits: Limits) {
    var reader = CBORReader(bytes, range: Self.headerSize..<bytes.count)
    guard let count = try? reader.readMapHeader() else { return }
    var previous: UInt64 = 0
    for _ in 0..<count {
      guard let number = try? reader.readUnsigned(), number > previous else { return }
      previous = number
      let start = reader.offset
      if number == Envelope.SectionNumber.view { viewStart = start }
      let depth = Envelope.depthLimit(of: number)
      guard let content = try? reader.skipItem(depthLimit: depth) else {
        if number == Envelope.SectionNumber.log { logs = [start..<bytes.count] }
        return
      }
      switch number {
      case Envelope.SectionNumber.heads:
        heads = (try? Envelope.readHeads(bytes, content)) ?? []
      case Envelope.SectionNumber.log: logs = [content]
      case Format.firstOptionalSection...:
        if unknownSections.size + content.count > limits.optionalSections { continue }
        unknownSections.append(.init(number: number, content: Array(bytes[content])))
      default: break
      }
    }
    checksum = bytes[min(reader.offset + 2, bytes.count)...].prefix(32)
  }

  /// Where two bytes stand before an item of a major type, from a place on.
  private func places(
    of first: UInt8, _ second: UInt8, major: UInt8, from start: Int
  ) -> some Sequence<Int> {
    (start..<max(start, bytes.count - 2)).lazy.filter { [bytes] in
      bytes[$0] == first && bytes[$0 + 1] == second && bytes[$0 + 2] >> 5 == major
    }
  }

  /// Where the view seems to begin; `nil` if nothing looks like one.
  var likelyView: Int? {
    if let viewStart { return viewStart }
    // Its number, and a pair whose first item is a map.
    return places(of: 0x02, 0x82, major: 5, from: Self.headerSize).first { _ in true }.map {
      $0 + 1
    }
  }

  /// Where the view stands if the log begins at a place.
  package func view(before log: Range<Int>) -> Range<Int> {
    min(likelyView ?? log.lowerBound, log.lowerBound)..<log.lowerBound
  }
}

/// A text whose length is known and of whose bytes some may be damaged.
///
/// What stands before the first fault keeps its place from the start, what stands after the last
/// one from the end. Damage that leaves UTF-8 of the same length does not show.
package struct DamagedText {
  /// The text, U+FFFD where a scalar is lost.
  package private(set) var buffer = TextBuffer()
  /// The scalars that are lost.
  package private(set) var lost = 0..<0
  /// The bytes that cannot be what was written; empty if they are not known, or not there.
  package private(set) var damage = 0..<0

  /// Zero bytes in a row from this number on are taken for a hole.
  static let holeSize = 8

  /// Reads a text of `length` scalars from a file.
  ///
  /// O(bytes + length). If it `mayBeCut`, its end may be missing. If it `mayGoOn`, more text may
  /// follow that is not asked for, so that its end has no known place.
  package init(
    _ bytes: [UInt8], _ place: Range<Int>, length: Int, mayBeCut: Bool, mayGoOn: Bool = false
  ) {
    let hole = Self.damage(in: bytes[place])
    var first = TextBuffer(validated: Array(bytes[place.lowerBound..<hole.lowerBound]))
    var last = TextBuffer(validated: Array(bytes[hole.upperBound..<place.upperBound]))
    if mayGoOn {
      last = TextBuffer()
      let end = first.place(ofScalar: min(length, first.scalarCount))
      first.replace(from: end, to: first.end, with: TextBuffer())
    }
    let isWhole = first.scalarCount == length && (hole.isEmpty || mayGoOn)
    if !isWhole, !hole.isEmpty { damage = hole }
    // Of a text that has another length without a visible fault nobody knows where it is wrong.
    let isPlaced = isWhole || !hole.isEmpty || mayBeCut || mayGoOn
    if !isPlaced || first.scalarCount + last.scalarCount > length {
      (first, last) = (TextBuffer(), TextBuffer())
      if hole.isEmpty { damage = place }
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
      var (size, isDamaged) = (1, false)
      if bytes[offset] == 0 {
        size = bytes[offset...].prefix { $0 == 0 }.count
        isDamaged = size >= holeSize
      } else if bytes[offset] >= 0x80 {
        let scalar = leadingScalarLength(bytes[offset...])
        size = max(scalar, 1)
        isDamaged = scalar == 0
      }
      if isDamaged {
        first = first ?? offset
        end = offset + size
      }
      offset += size
    }
    return (first ?? end)..<end
  }
}
