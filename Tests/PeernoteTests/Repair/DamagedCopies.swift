import Peernote
import PeernoteTestSupport
import Testing

/// A document in several versions to be damaged, and what must hold of every repair.
enum DamagedCopies {
  static let body = JSONPointer(["body"])

  /// A note that two people wrote, partly apart: its versions, each with all that the one before
  /// has.
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
    let session = DocumentSession.person(
      agent, author, at: 1_800_000_000_000 + Int64(number) * 60_000)
    document.change(by: session, message: number == 2 ? "why" : nil) { editor in
      if number == 0 {
        try? editor.putContainer(.text, at: body)
        try? editor.put(.string("Plan"), at: ["title"])
        try? editor.putContainer(.list, at: ["list"])
      }
      guard case .text(let text)? = editor.node(at: body) else { return }
      let end = text.unicodeScalars.count
      try? editor.spliceText(at: body, scalars: end..<end, with: "Grüße \(number) von \(author).\n")
      if number % 2 == 1 { try? editor.spliceText(at: body, scalars: 2..<6, with: "") }
      if number == 4 { try? editor.put(.string("Plan B"), at: ["title"]) }
      try? editor.insert(node: .value(.integer(Int64(number))), at: ["list", "0"])
    }
  }

  /// The newest version.
  static var whole: Document { versions[6] }
  /// The one from before both wrote apart.
  static var old: Document { versions[3] }

  /// Repairs copies and checks what holds of every repair; see ``RepairLaw``.
  ///
  /// - Parameters:
  ///   - files: the copies.
  ///   - original: what they are copies of; `nil` if it is not one document.
  ///   - sound: what all sound copies hold together.
  ///   - isCut: whether only ends were cut off.
  ///   - comment: what is tried.
  ///   - sourceLocation: where.
  /// - Returns: the repair.
  /// - Throws: what taking the result apart throws.
  @discardableResult
  static func check(
    _ files: [[UInt8]], of original: Document? = whole, sound: Document? = nil,
    isCut: Bool = false, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Repair {
    let law = try RepairLaw(
      repairing: files, of: original.map { [$0] }, sound: sound.map { [$0] } ?? [], isCut: isCut)
    #expect(law.faults == [], comment, sourceLocation: sourceLocation)
    if let saved = law.repair.document, let sound {
      // None of these copies has redacted what another one shows.
      #expect(
        try saved.at(version: sound.heads).bytes() == sound.bytes(), comment,
        sourceLocation: sourceLocation)
    }
    return law.repair
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
