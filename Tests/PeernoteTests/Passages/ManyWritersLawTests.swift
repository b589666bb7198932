import Foundation
import Peernote
import PeernoteTestSupport
import Testing

/// Several people append lines to one text, and merge by way of one copy.
///
/// `PEERNOTE_ROUNDS` sets how many histories are tried, `PEERNOTE_SEED` the first one's seed.
@Suite("Laws of many writers") struct ManyWritersLawTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test("each line that anybody appended is shown or listed, once", arguments: [3, 5, 8])
  func appending(writers: Int) throws {
    let first = Self.number("PEERNOTE_SEED") ?? 1
    for seed in first..<first + (Self.number("PEERNOTE_ROUNDS") ?? 12) {
      var random = SplitMix64(seed: UInt64(seed))
      let body = JSONPointer(["body"])
      var start = Document(id: UniqueID(high: 1, low: 2))
      try start.change(by: Self.session(&random, 0)) { try $0.put(node: .text(""), at: body) }
      var copies = [Document](repeating: start, count: writers + 1)
      var lines: Set<String> = []
      var log: [String] = []
      for step in 1...12 * writers {
        let writer = random.below(writers)
        switch random.below(10) {
        case 0..<4:
          let line = "L\(step)"
          lines.insert(line)
          log.append("\(writer) \(line)")
          try copies[writer].change(by: Self.session(&random, step)) { editor in
            guard case .text(let text)? = editor.node(at: body) else { return }
            try editor.replaceText(at: body, with: text + line + "\n")
          }
        case 4..<7:
          log.append("hub<-\(writer)")
          _ = try copies[writers].merge(copies[writer])
        default:
          log.append("\(writer)<-hub")
          _ = try copies[writer].merge(copies[writers])
        }
      }
      for writer in 0..<writers { _ = try copies[writers].merge(copies[writer]) }
      let merged = copies[writers]
      guard case .text(let text)? = merged.node(at: body) else { continue }
      let shown = text.split(separator: "\n").map { String($0) }
      #expect(Set(shown).count == shown.count, "seed \(seed), \(writers): \(shown)")
      let readings = merged.conflicts.flatMap { [$0.kept] + $0.others }.compactMap(\.node?.string)
      let listed = Set(readings.flatMap { $0.split(separator: "\n").map { String($0) } })
      let lost = lines.subtracting(shown).subtracting(listed)
      #expect(lost.isEmpty, "seed \(seed), \(writers): \(lost.sorted()), \(shown), \(log)")
      #expect(Document.validate(bytes: merged.encoded()).isEmpty, "seed \(seed)")
    }
  }

  private static func session(_ random: inout SplitMix64, _ time: Int) -> Session {
    Session(
      agent: AgentID(rawValue: random.next()), author: "a",
      time: Timestamp(milliseconds: Int64(time) * 1000))
  }
}

extension Node {
  /// A text or a string.
  fileprivate var string: String? {
    switch self {
    case .text(let text), .value(.string(let text)): text
    default: nil
    }
  }
}
