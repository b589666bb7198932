import Foundation
import Peernote
import PeernoteCBOR
import PeernoteFuzzing
import PeernoteTestSupport
import Testing

/// Files whose passages no history gives.
@Suite("Forged passages")
struct ForgedPassageTests {
  /// The section as an array of texts, each its container and its passages.
  private typealias Section = [CBORTree]

  private static let sectionNumber: UInt64 = 4

  private let sound: [UInt8]
  private let file: ForgedFile
  private let section: Section

  init() throws {
    sound = try Array(
      Data(contentsOf: Repository.path("Fixtures/documents/v1/passages.peernote")))
    file = try ForgedFile(sound)
    let content = try #require(file.sections.first { $0.number == Self.sectionNumber }).content
    guard case .array(let texts) = try CBORTree(content) else {
      throw DocumentError("no array", in: .passages, at: 0)
    }
    section = texts
  }

  private func forged(_ section: CBORTree) -> [UInt8] {
    var file = file
    for index in file.sections.indices where file.sections[index].number == Self.sectionNumber {
      file.sections[index].content = section.encoded
    }
    return file.bytes
  }

  /// The section with one part of its first passage replaced.
  private func replacing(_ part: Int, with new: CBORTree) throws -> [UInt8] {
    var section = section
    guard case .array(var text) = section[0], case .array(var passages) = text[1],
      case .array(var passage) = passages[0]
    else { throw DocumentError("no passage", in: .passages, at: 0) }
    passage[part] = new
    passages[0] = .array(passage)
    text[1] = .array(passages)
    section[0] = .array(text)
    return forged(.array(section))
  }

  @Test("the file that is forged is sound")
  func soundFile() throws {
    #expect(forged(.array(section)) == sound)
    #expect(Document.validate(bytes: sound).isEmpty)
  }

  @Test(
    "a section that cannot be is refused where a file is opened, with its place",
    arguments: [
      (0, CBORTree.unsigned(1 << 40)), (0, .unsigned(.max)), (1, .unsigned(1 << 40)),
      (1, .unsigned(.max)), (1, .negative(0)), (2, .string("")), (2, .bytes([0x61])),
      (2, .text([0xFF])), (3, .array([])), (3, .array([.unsigned(1 << 40)])),
      (3, .array([.unsigned(1), .unsigned(1)])), (3, .array([.unsigned(2), .unsigned(1)])),
      (3, .null), (4, .array([.array([.string("x"), .array([])])])),
      (4, .array([.array([.string("x")])])), (4, .unsigned(1)),
    ])
  func refused(part: Int, new: CBORTree) throws {
    let bytes = try replacing(part, with: new)
    let error = try #require(refusal(of: bytes))
    #expect(error.section == .passages, "\(error)")
    #expect(error.offset.map { bytes.indices.contains($0) } == true)
    #expect(Document.validate(bytes: bytes).map(\.section) == ["passages"])
  }

  @Test("so are texts that are none, in disorder, twice, or without passages")
  func texts() throws {
    guard case .array(let text) = section[0] else { return }
    let passages = text[1]
    for texts: [CBORTree] in [
      [], section + section, [.array([.unsigned(0), passages])],
      [.array([.unsigned(1 << 40), passages])], [.array([text[0], .array([])])],
      [.array([text[0]])], [.array(text + text)],
    ] {
      let bytes = forged(.array(texts))
      #expect(refusal(of: bytes)?.section == .passages, "\(texts)")
      #expect(!Document.validate(bytes: bytes).isEmpty)
    }
  }

  @Test(
    "ranges that lie and readings that no history gives are found out, and no merge takes them over",
    arguments: [
      (0, CBORTree.unsigned(0)), (1, .unsigned(0)), (1, .unsigned(1)), (2, .string("forged")),
      (3, .array([.unsigned(0)])), (4, .array([])),
      (4, .array([.array([.string("forged"), .array([.unsigned(0)])])])),
    ])
  func lies(part: Int, new: CBORTree) throws {
    let bytes = try replacing(part, with: new)
    #expect(bytes != sound)
    #expect(!Document.validate(bytes: bytes).isEmpty)
    guard let forged = try? Document(bytes: bytes) else { return }
    let whole = try Document(bytes: sound)
    let first = try #require(whole.changes.last?.id)
    for copy in [whole, try whole.at(version: [first]), try whole.at(version: [whole.heads[0]])] {
      var merged = copy
      do {
        _ = try merged.merge(forged)
      } catch {
        #expect(merged.bytes() == copy.bytes())
        continue
      }
      #expect(merged.bytes() == sound, "part \(part)")
    }
  }
}
