import Peernote
import PeernoteTestSupport
import Testing

/// One session that edits several copies of a document.
///
/// `PEERNOTE_ROUNDS` sets how many histories are tried, `PEERNOTE_SEED` the first one's seed.
@Suite("Laws of sessions") struct SessionLawTests {
  private struct Refusal: Error {}

  @Test("copies that one session edits can be merged in any order, and hold all edits")
  func copies() throws {
    for seed in TestSetting.seeds(60) {
      var random = SplitMix64(seed: seed)
      let session = DocumentSession.person(random.next(), "a", at: 1)
      var start = Document(id: UniqueID(high: 1, low: 2))
      try start.change(by: session) { try $0.put(.integer(0), at: ["0"]) }
      var copies = [start, start, start]
      var keys: Set<String> = ["0"]
      var versions = [start.heads]
      for step in 1...24 {
        let copy = random.below(copies.count)
        let key = "\(step)"
        switch random.below(8) {
        case 0..<3:
          try copies[copy].change(by: session) {
            try $0.put(.integer(Int64(step)), at: [key])
          }
          keys.insert(key)
          versions.append(copies[copy].heads)
        case 3:
          // At a version that the copy has.
          guard let version = versions.last(where: { (try? copies[copy].at(version: $0)) != nil })
          else {
            continue
          }
          _ = try copies[copy].change(at: version, by: session) {
            try $0.put(.integer(Int64(step)), at: [key])
          }
          keys.insert(key)
        case 4:
          // A copy that is edited and left, an edit that is given up, and one that edits nothing.
          var left = copies[copy]
          try left.change(by: session) { try $0.put(.integer(1), at: ["left"]) }
          #expect(throws: Refusal.self) {
            try copies[copy].change(by: session) { editor in
              try editor.put(.integer(1), at: ["left"])
              throw Refusal()
            }
          }
          #expect(copies[copy].change(by: session) { _ in } == nil)
        default: _ = try copies[copy].merge(copies[random.below(copies.count)])
        }
      }
      var merged = copies[0]
      for other in copies.dropFirst() { _ = try merged.merge(other) }
      var turned = copies[2]
      for other in copies.dropLast().reversed() { _ = try turned.merge(other) }
      #expect(merged.bytes() == turned.bytes(), "seed \(seed)")
      guard case .map(let shown) = merged.root else {
        Issue.record("seed \(seed): \(merged.root)")
        continue
      }
      #expect(Set(shown.map(\.key)) == keys, "seed \(seed)")
      // Copies in turn make no agent each; one that was left makes one more.
      let agents = Set(merged.changes.map(\.id.agent))
      #expect(agents.count <= 16, "seed \(seed): \(agents.count)")
    }
  }
}
