import Peernote
import PeernoteTestSupport
import Testing

@Suite("Reversals that everybody makes in the same way")
struct SharedReversalTests {
  private let note = Note(title: "T", body: "one two three", tags: ["a"])

  private func session(_ agent: UInt64, time: Int64 = 1000) -> Session {
    Session(
      agent: AgentID(rawValue: agent), author: "ann", time: Timestamp(milliseconds: time))
  }

  /// A note, and the change that then edited it.
  private func edited() throws -> (document: Document, before: Node, change: ChangeID) {
    var document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: session(1)) { try $0.create(note) }
    let before = document.root
    let change = try #require(
      try document.change(by: session(2, time: 2000)) { editor in
        try editor.replaceText(at: JSONPointer(["body"]), with: "one TWO 3")
        try editor.put(.string("U"), at: JSONPointer(["title"]))
        try editor.add(.string("b"), toSetAt: JSONPointer(["tags"]))
      })
    return (document, before, change)
  }

  @Test("the same reversal of the same document is the same change, to the byte")
  func deterministic() throws {
    var (one, before, change) = try edited()
    var other = try Document(bytes: one.encoded())
    #expect(try one.revertTogether([change]))
    #expect(try other.revertTogether([change]))
    #expect(one.root == before)
    #expect(one.encoded() == other.encoded())
    #expect(try one.merge(other).result == .identical)
    let reversal = try #require(one.changes.last)
    #expect(reversal.author == "pnmerge")
    #expect(reversal.message == "takes back \(change)")
    #expect(reversal.time == Timestamp(milliseconds: 2000))
  }

  @Test("on different versions they are different changes, and merge")
  func differentParents() throws {
    var (one, _, change) = try edited()
    var other = one
    try other.change(by: session(3)) { try $0.add(.string("c"), toSetAt: JSONPointer(["tags"])) }
    #expect(try one.revertTogether([change]))
    #expect(try other.revertTogether([change]))
    #expect(one.heads != other.heads)
    _ = try one.merge(other)
    #expect(one.node(at: JSONPointer(["title"])) == .value(.string("T")))
    #expect(one.node(at: JSONPointer(["tags"])) == .set([.string("a"), .string("c")]))
  }

  @Test("what was taken back is not taken back twice")
  func idempotent() throws {
    var (document, before, change) = try edited()
    #expect(try document.revertTogether([change]))
    let bytes = document.encoded()
    #expect(try !document.revertTogether([change]))
    #expect(document.encoded() == bytes)
    #expect(document.root == before)
  }

  @Test("taken back and brought back in turn, the content alternates")
  func alternates() throws {
    var (document, before, change) = try edited()
    let after = document.root
    for round in 0..<4 {
      // The commit's own change is named each time it is to go, the reversal to bring it back.
      #expect(try document.revertTogether([change]), "round \(round)")
      #expect(document.root == before, "round \(round)")
      let reversal = try #require(document.changes.last).id
      #expect(try document.revertTogether([reversal]), "round \(round)")
      #expect(document.root == after, "round \(round)")
    }
  }

  @Test("what was taken back one by one is not taken back again together")
  func oneByOne() throws {
    var (document, before, first) = try edited()
    let second = try #require(
      try document.change(by: session(4, time: 3000)) {
        try $0.replaceText(at: JSONPointer(["body"]), with: "two TWO 3")
      })
    #expect(try document.revertTogether([second]))
    #expect(try document.revertTogether([first]))
    #expect(document.root == before)
    #expect(try !document.revertTogether([first, second]))
    #expect(document.root == before)
  }

  @Test("a change that is not there is refused, and nothing is done")
  func unknown() throws {
    var (document, _, _) = try edited()
    let bytes = document.encoded()
    let stranger = ChangeID(agent: AgentID(rawValue: 9), sequence: 1)
    #expect(throws: RevertError.noSuchChange(stranger)) {
      try document.revertTogether([stranger])
    }
    #expect(document.encoded() == bytes)
  }
}
