import Peernote
import PeernoteTestSupport

/// Contested passages, of which a file says what its history makes anyway.
extension FuzzTarget {
  /// Documents with such a section.
  private static let contested: [FuzzBase] =
    FuzzBase.all.filter { !$0.file.sections.isEmpty }
    + (0..<6).compactMap { try? FuzzBase(contestedDocument(seed: $0).bytes()) }
    .filter { !$0.file.sections.isEmpty }

  /// A text that three people changed at once, in places that are often the same.
  private static func contestedDocument(seed: UInt64) throws -> Document {
    var random = SplitMix64(seed: seed)
    let words = ["the", "meeting", "starts", "at", "ten", "in", "room", "four", "on", "monday"]
    let path = JSONPointer(["body"])
    func session(_ agent: UInt64) -> DocumentSession {
      DocumentSession.person(agent, "", at: 0)
    }
    var start = Document(id: UniqueID(high: 0x4000, low: 0x8000 << 48 | seed))
    try start.change(by: session(1)) { editor in
      let text = (0..<3).map { _ in words.joined(separator: " ") }.joined(separator: ".\n")
      try editor.put(node: .text(text), at: path)
    }
    var result = start
    for agent in 2..<5 as Range<UInt64> {
      var copy = start
      for _ in 0..<2 {
        try copy.change(by: session(agent)) { editor in
          guard case .text(var text)? = editor.node(at: path) else { return }
          let word = random.pick(words)
          text = text.replacing(word, with: random.pick(words) + "\(agent)", maxReplacements: 1)
          try editor.replaceText(at: path, with: text)
        }
      }
      _ = try result.merge(copy)
    }
    return result
  }

  /// The number of a document, and what its further section says instead.
  static func passageFaults(_ bytes: [UInt8]) -> [String] {
    guard let number = bytes.first, !contested.isEmpty else { return [] }
    let base = contested[Int(number) % contested.count]
    var file = base.file
    file.sections[0].content = Array(bytes.dropFirst())
    let forged = file.bytes
    return Probe.faults(forged, goods: base.goods) + editFaults(forged, base.goods)
  }

  /// An edit of a file that may be edited has to come along with a merge.
  ///
  /// A section holds inserted text as well, which stands nowhere else: what replaces that is told by
  /// another copy alone.
  private static func editFaults(_ bytes: [UInt8], _ goods: [Document]) -> [String] {
    guard var document = try? Document(bytes: bytes), (try? document.checkTexts()) != nil,
      document.rawRoot == goods.first?.rawRoot
    else { return [] }
    let session = DocumentSession.person(0xED17, "", at: 1)
    let texts = document.root.textPaths
    let change = document.change(by: session) { editor in
      for path in texts { try? editor.spliceText(at: path, scalars: 0..<1, with: "+") }
    }
    guard let change else { return [] }
    return goods.flatMap { good -> [String] in
      var merged = good
      do {
        _ = try merged.merge(document)
        return merged.contains(change) ? [] : ["an edit is not in the merge"]
      } catch {
        return ["a file is edited, and the edit cannot be merged: \(error)"]
      }
    }
  }

  /// The sections as they are.
  static var passageSeeds: [[UInt8]] {
    contested.enumerated().map { [UInt8($0)] + $1.file.sections[0].content }
  }
}

extension DocumentNode {
  /// Where texts stand in a map.
  fileprivate var textPaths: [JSONPointer] {
    guard case .map(let entries) = self else { return [] }
    return entries.compactMap { entry in
      guard case .text(let text) = entry.node, !text.isEmpty else { return nil }
      return JSONPointer([entry.key])
    }
  }
}
