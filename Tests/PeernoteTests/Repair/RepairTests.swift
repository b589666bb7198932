import Peernote
import PeernoteTestSupport
import Testing

/// Whether all damage is tried instead of a part: `PEERNOTE_REPAIR=1`.
private let triesAll = TestSetting.isSet("REPAIR")

/// Damage of every kind that disks, cables and memory know, one copy at a time or several.
@Suite struct RepairTests {
  private let whole = DamagedCopies.whole
  private let old = DamagedCopies.old
  private let bytes = DamagedCopies.whole.bytes()

  /// Offsets up to an end, all or some.
  private func offsets(_ end: Int, by step: Int, from start: Int = 0) -> StrideTo<Int> {
    stride(from: start, to: end, by: triesAll ? 1 : step)
  }

  @Test("sound copies are merged, and nothing is lost")
  func soundCopies() throws {
    let repair = try DamagedCopies.check(
      [old.bytes(), bytes, DamagedCopies.versions[5].bytes()], sound: whole, "sound")
    #expect(repair.isComplete && repair.document?.bytes() == bytes)
    #expect(repair.copies.allSatisfy { $0.reading == .sound })
  }

  @Test("a flipped bit anywhere is undone, and the checksum proves it")
  func flippedBits() throws {
    for bit in offsets(bytes.count * 8, by: 331) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let repair = try DamagedCopies.check([damaged], "bit \(bit)")
      #expect(repair.isComplete && repair.document?.bytes() == bytes, "bit \(bit)")
    }
  }

  @Test("a damaged or cut checksum, and other bytes after the end, lose nothing")
  func checksums() throws {
    let zeros = [UInt8](repeating: 0, count: 20)
    let cases = [
      DamagedCopies.overwrite(bytes, at: bytes.count - 20, with: zeros),
      Array(bytes.dropLast(20)), bytes + [0, 0, 0], bytes + bytes, bytes + old.bytes(),
    ]
    for damaged in cases {
      let repair = try DamagedCopies.check([damaged], "checksum")
      #expect(repair.isComplete && repair.document?.bytes() == bytes)
    }
  }

  @Test("copies that stand one after the other in one file are all found")
  func severalInOneFile() throws {
    let parts = [Array("junk".utf8), old.bytes(), Array(bytes.dropLast(40)), bytes]
    let repair = try DamagedCopies.check([Array(parts.joined())], sound: whole, "several")
    #expect(
      repair.copies.map(\.bytes.lowerBound) == [
        0, 4, 4 + old.bytes().count,
        4 + old.bytes().count + bytes.count - 40,
      ])
    #expect(repair.document?.bytes() == bytes)
  }

  @Test("a file cut off anywhere: what is saved is what was written, and a second copy is safe")
  func truncation() throws {
    var saved = 0
    for count in offsets(bytes.count - 26, by: 53) {
      let cut = Array(bytes[..<count])
      let alone = try DamagedCopies.check([cut], isCut: true, "cut to \(count)")
      #expect(!alone.isComplete)
      if let document = alone.document {
        let original = try whole.at(version: document.heads)
        #expect(document.root == original.root && document.changes == original.changes)
        saved = max(saved, document.changeCount)
      }
      try DamagedCopies.check(
        [cut, old.bytes()], sound: old, isCut: true, "cut to \(count), with old")
      let both = try DamagedCopies.check([cut, bytes], sound: whole, "cut to \(count), with whole")
      #expect(both.document?.bytes() == bytes)
    }
    // What is cut off first is deleted text only.
    #expect(saved == whole.changeCount)
  }

  @Test("two copies damaged in different places make one whole")
  func twoCopies() throws {
    let half = bytes.count / 2
    for one in offsets(half - 64, by: 61) {
      let other = half + one
      let repair = try DamagedCopies.check(
        [
          DamagedCopies.overwrite(bytes, at: one, with: repeatElement(0, count: 48)),
          DamagedCopies.overwrite(bytes, at: other, with: repeatElement(0xFF, count: 48)),
        ], "holes at \(one) and \(other)")
      #expect(repair.isComplete && repair.document?.bytes() == bytes, "hole at \(one)")
    }
  }

  @Test(
    "a block of something else anywhere costs nothing that another copy has",
    arguments: ["zeros", "ones", "text", "another version"])
  func blocks(kind: String) throws {
    let noise: [UInt8] =
      switch kind {
      case "zeros": [UInt8](repeating: 0, count: 64)
      case "ones": [UInt8](repeating: 0xFF, count: 64)
      case "text": Array("What a program wrote here stands here now, sixty-four bytes long".utf8)
      default: Array(DamagedCopies.versions[4].bytes()[100..<164])
      }
    for start in offsets(bytes.count, by: 149) {
      let damaged = DamagedCopies.overwrite(bytes, at: start, with: noise)
      let comment: Comment = "\(kind) at \(start)"
      try DamagedCopies.check([damaged], comment)
      try DamagedCopies.check([damaged, old.bytes()], sound: old, comment)
    }
  }

  @Test("two blocks that changed places, or a missing one, cost nothing that another copy has")
  func swappedBlocks() throws {
    for start in offsets(bytes.count - 128, by: 167) {
      let first = bytes[start..<start + 64]
      let second = bytes[start + 64..<start + 128]
      let swapped = bytes[..<start] + second + first + bytes[(start + 128)...]
      let missing = bytes[..<start] + bytes[(start + 64)...]
      for damaged in [Array(swapped), Array(missing)] {
        try DamagedCopies.check([damaged, old.bytes()], sound: old, "from \(start)")
      }
    }
  }

  @Test("a file with the end of an older or newer version costs nothing that another copy has")
  func tornWrites() throws {
    let newer = DamagedCopies.versions[6].bytes()
    let older = DamagedCopies.versions[4].bytes()
    for end in offsets(min(newer.count, older.count), by: 157) {
      for torn in [newer[..<end] + older[end...], older[..<end] + newer[end...]] {
        try DamagedCopies.check([Array(torn)], "torn at \(end)")
        try DamagedCopies.check([Array(torn), old.bytes()], sound: old, "torn at \(end)")
      }
    }
  }

  @Test(
    "a document made to be dear can be damaged anywhere: what is saved of it is valid",
    arguments: HostileFile.all)
  func hostile(file: HostileFile) throws {
    let bytes = try file.document(size: triesAll ? 4000 : 800).bytes()
    for place in stride(from: 40, to: bytes.count, by: triesAll ? 31 : bytes.count / 7) {
      var damaged = bytes
      damaged[place] ^= 0x11
      for copy in [damaged, Array(damaged[...place])] {
        let repair = Document.repair(copies: [copy])
        guard let saved = repair.document else { continue }
        #expect(Document.validate(bytes: saved.bytes()) == [], "byte \(place)")
      }
    }
  }
}
