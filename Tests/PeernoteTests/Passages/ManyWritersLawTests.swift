import Peernote
import PeernoteTestSupport
import Testing

/// Several people add lines to one text, and merge by way of one copy.
///
/// `PEERNOTE_ROUNDS` sets how many histories are tried, `PEERNOTE_SEED` the first one's seed.
@Suite("Laws of many writers") struct ManyWritersLawTests {
  /// Where people write.
  enum Place: CaseIterable {
    case atTheEnd, anywhere
  }

  @Test(
    "each line that anybody wrote is shown, once", arguments: [3, 5, 8], Place.allCases)
  func writing(writers: Int, place: Place) throws {
    seeds: for seed in TestSetting.seeds(12) {
      var random = SplitMix64(seed: seed)
      let body = JSONPointer(["body"])
      var start = Document(id: UniqueID(high: 1, low: 2))
      try start.change(by: Self.session(&random, 0)) { try $0.put(node: .text(""), at: body) }
      var copies = [Document](repeating: start, count: writers + 1)
      // The lines that each copy has seen.
      var lines = [Set<String>](repeating: [], count: writers + 1)
      var log: [String] = []
      func isComplete(_ copy: Int) -> Bool {
        guard case .text(let text)? = copies[copy].node(at: body) else { return false }
        let shown = text.split(separator: "\n").map { String($0) }
        let conflicts = copies[copy].conflicts
        // Lines that stand whole beside each other contest nothing.
        let isWhole = Set(shown) == lines[copy] && shown.count == lines[copy].count
        #expect(isWhole && conflicts.isEmpty, "seed \(seed), \(writers): \(shown), \(log)")
        return isWhole
      }
      func merge(_ source: Int, into copy: Int) throws -> Bool {
        log.append("\(copy)<-\(source)")
        _ = try copies[copy].merge(copies[source])
        lines[copy].formUnion(lines[source])
        return isComplete(copy)
      }
      for step in 1...12 * writers {
        let writer = random.below(writers)
        switch random.below(10) {
        case 0..<4:
          let line = "L\(step)"
          lines[writer].insert(line)
          log.append("\(writer) \(line)")
          try copies[writer].change(by: Self.session(&random, step)) { editor in
            guard case .text(let text)? = editor.node(at: body) else { return }
            var old = text.split(separator: "\n").map { String($0) }
            old.insert(line, at: place == .atTheEnd ? old.count : random.below(old.count + 1))
            try editor.replaceText(at: body, with: old.joined(separator: "\n") + "\n")
          }
          guard isComplete(writer) else { continue seeds }
        case 4..<7: guard try merge(writer, into: writers) else { continue seeds }
        default: guard try merge(writers, into: writer) else { continue seeds }
        }
      }
      for writer in 0..<writers {
        guard try merge(writer, into: writers) else { continue seeds }
      }
      #expect(Document.validate(bytes: copies[writers].bytes()).isEmpty, "seed \(seed)")
    }
  }

  private static func session(_ random: inout SplitMix64, _ time: Int) -> DocumentSession {
    DocumentSession.person(random.next(), "a", at: Int64(time) * 1000)
  }
}
