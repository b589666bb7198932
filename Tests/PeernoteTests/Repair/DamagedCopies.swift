import Peernote
import PeernoteEngine
import PeernoteTestSupport
import Testing

/// A document in several versions to be damaged, and what must hold of every repair.
enum DamagedCopies {
  static let body = JSONPointer(["body"])

  /// A note that two people wrote, partly apart: its versions, each with all that the one before has.
  static let versions: [Document] = {
    var document = Document(id: UniqueID(high: 0x0102_0304_0506_4708, low: 0x890A_0B0C_0D0E_0F10))
    var versions = [document]
    for number in 0..<6 {
      var other = document
      edit(&document, number, by: "ann")
      if number == 3 {
        edit(&other, number, by: "bob")
        _ = try? document.merge(other)
      }
      versions.append(document)
    }
    return versions
  }()

  private static func edit(_ document: inout Document, _ number: Int, by author: String) {
    let seed: UInt64 = author == "ann" ? 0x9E37_79B9_7F4A_7C15 : 0xD1B5_4A32_D192_ED03
    let agent = UInt64(number + 1) &* seed
    let session = Session(
      agent: AgentID(rawValue: agent), author: author,
      time: Timestamp(milliseconds: 1_800_000_000_000 + Int64(number) * 60_000))
    document.change(by: session, message: number == 2 ? "why" : nil) { editor in
      if number == 0 {
        try? editor.putContainer(.text, at: body)
        try? editor.put(.string("Plan"), at: JSONPointer(["title"]))
        try? editor.putContainer(.list, at: JSONPointer(["list"]))
      }
      guard case .text(let text)? = editor.node(at: body) else { return }
      let end = text.unicodeScalars.count
      try? editor.spliceText(at: body, scalars: end..<end, with: "Grüße \(number) von \(author).\n")
      if number % 2 == 1 { try? editor.spliceText(at: body, scalars: 2..<6, with: "") }
      if number == 4 { try? editor.put(.string("Plan B"), at: JSONPointer(["title"])) }
      try? editor.insert(.value(.integer(Int64(number))), at: JSONPointer(["list", "0"]))
    }
  }

  /// The newest version.
  static var whole: Document { versions[6] }
  /// The one from before both wrote apart.
  static var old: Document { versions[3] }

  /// Repairs copies and checks what holds of every repair: the result is valid; it has all that
  /// sound copies have; what is said to be proven is what was written; what is said to be complete
  /// lacks nothing; neither the order of the copies nor repairing it again changes it.
  ///
  /// - Parameters:
  ///   - files: the copies.
  ///   - original: what they are copies of; `nil` if it is not one document.
  ///   - sound: what all sound copies hold together.
  ///   - comment: what is tried.
  ///   - sourceLocation: where.
  /// - Returns: the repair.
  /// - Throws: what taking the result apart throws.
  @discardableResult
  static func check(
    _ files: [[UInt8]], of original: Document? = whole, sound: Document? = nil,
    _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Repair {
    let repair = Document.repair(copies: files)
    #expect(
      Set(repair.copies.map(\.file)) == Set(files.indices), comment, sourceLocation: sourceLocation)
    guard let saved = repair.document else {
      #expect(sound == nil && !repair.isComplete, comment, sourceLocation: sourceLocation)
      return repair
    }
    let bytes = saved.encoded()
    #expect(Document.validate(bytes: bytes) == [], comment, sourceLocation: sourceLocation)
    if let sound {
      #expect(
        try saved.at(version: sound.heads).encoded() == sound.encoded(), comment,
        sourceLocation: sourceLocation)
    }
    let unproven = Set(repair.unproven.map(\.summary.id))
    var written: [ChangeID: Change] = [:]
    for change in try original?.exportedChanges ?? [] { written[change.id] = change }
    for change in try saved.exportedChanges
    where original != nil && !unproven.contains(change.id) {
      #expect(written[change.id] == change, comment, sourceLocation: sourceLocation)
    }
    if repair.isComplete {
      #expect(unproven.isEmpty && repair.lost.isEmpty, comment, sourceLocation: sourceLocation)
    }
    let names = Set(saved.changes.map(\.id))
    #expect(names.isDisjoint(with: repair.lost.map(\.id)), comment, sourceLocation: sourceLocation)
    if files.count > 1 {
      let other = Document.repair(copies: files.reversed())
      #expect(other.document?.encoded() == bytes, comment, sourceLocation: sourceLocation)
      #expect(other.lost == repair.lost, comment, sourceLocation: sourceLocation)
    }
    let again = Document.repair(copies: [bytes])
    #expect(
      again.isComplete && again.document?.encoded() == bytes, comment,
      sourceLocation: sourceLocation)
    return repair
  }

  /// Bytes with others over some of them.
  static func overwrite(
    _ bytes: [UInt8], at start: Int, with noise: some Sequence<UInt8>
  ) -> [UInt8] {
    var result = bytes
    for (offset, byte) in noise.enumerated() where start + offset < bytes.count {
      result[start + offset] = byte
    }
    return result
  }
}
