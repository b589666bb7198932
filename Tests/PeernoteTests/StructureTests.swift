import Peernote
import PeernoteTestSupport
import Testing

/// Content that is replaced by the difference.
@Suite struct StructureTests {
  @Test("content that is replaced reads as what was wanted, and replacing it again is no edit")
  func random() throws {
    for seed in LawBudget(histories: 250).seeds {
      var random = SplitMix64(seed: seed)
      var document = Document(id: UniqueID(high: 5, low: seed))
      var wanted = RandomNodes.map(depth: 3, &random)
      for round in 1...4 {
        try document.change(by: .person(UInt64(round))) {
          try $0.replaceContent(at: [], with: wanted)
        }
        #expect(try OracleNode(document.root) == OracleNode(wanted), "seed \(seed)")
        let again = try document.change(by: .person(9)) {
          try $0.replaceContent(at: [], with: wanted)
        }
        #expect(again == nil, "seed \(seed)")
        let changed = RandomNodes.changed(wanted, &random)
        if case .map = changed { wanted = changed }
      }
    }
  }

  @Test("strings, arrays and integers stand for texts, sets and counters where these are")
  func kinds() throws {
    func node(_ json: String) throws -> DocumentNode { try DocumentNode(json: json, as: .exact) }
    var document = try Document(
      holding: #"{"k":{"n":{"$counter":4},"s":{"$set":["a","b"]},"t":{"$text":"hello world"}}}"#)
    let plain = try node(#"{"n":7,"s":["b","c"],"t":"hello, world"}"#)
    try document.change(by: .person(2)) {
      try $0.replaceContent(at: ["k"], with: plain, matching: .keepingKinds)
    }
    let wanted = #"{"n":{"$counter":7},"s":{"$set":["b","c"]},"t":{"$text":"hello, world"}}"#
    #expect(try document.node(at: ["k"]) == node(wanted))
  }

  @Test("content that can't stand where it should is refused")
  func refusals() throws {
    var document = try Document(holding: #"{"l":[{"id":1,"title":"a"}]}"#)
    document.change(by: .person(2)) { editor in
      #expect(throws: EditError.wrongKind([], expected: .map)) {
        try editor.replaceContent(at: [], with: .list([]))
      }
      #expect(throws: EditError.noSuchPlace(["l", "3"])) {
        try editor.replaceContent(at: ["l", "3"], with: .value(.null))
      }
    }
  }
}
