import Peernote
import PeernoteTestSupport
import Testing

/// Overlaps of an earlier merge, where they stand later.
@Suite("Overlaps found later") struct LaterOverlapTests {
  private static let body = JSONPointer(["body"])

  private static func session(_ agent: UInt64) -> Session {
    Session(
      agent: AgentID(rawValue: agent), author: "author \(agent)",
      time: Timestamp(milliseconds: Int64(agent)))
  }

  /// A merge of two copies that overlap in so many lines, its versions, and what was reported.
  private static func merged(
    _ count: Int
  ) throws -> (document: Document, versions: [[ChangeID]], reported: [Conflict]) {
    func text(_ words: String) -> String {
      (0..<count).map { "in the \(words)\nbetween \($0)\n" }.joined()
    }
    var ours = Document(id: UniqueID(high: 3, low: 5))
    try ours.change(by: session(1)) { editor in
      try editor.putContainer(.text, at: body)
      try editor.spliceText(at: body, scalars: 0..<0, with: text("big venue"))
    }
    var theirs = ours
    try ours.change(by: session(2)) { try $0.replaceText(at: body, with: text("old venue")) }
    try theirs.change(by: session(3)) { try $0.replaceText(at: body, with: text("big barn")) }
    let versions = [ours.heads, theirs.heads]
    let reported = try ours.merge(theirs).conflicts.filter { $0.kind == .overlap }
    return (ours, versions, reported)
  }

  @Test("what was inserted before a passage moves it, what changes it ends it")
  func moved() throws {
    var (document, versions, reported) = try Self.merged(5)
    try #require(reported.count == 5)
    #expect(try document.overlaps(ofMerging: versions) == reported)
    try document.change(by: Self.session(4)) { editor in
      let third = try #require(reported[2].scalars)
      try editor.spliceText(
        at: Self.body, scalars: third.lowerBound..<third.lowerBound + 1, with: "")
      try editor.spliceText(at: Self.body, scalars: 0..<0, with: "a heading\n\n")
    }
    let left = try document.overlaps(ofMerging: versions)
    #expect(left.map(\.id) == [0, 1, 3, 4].map { reported[$0].id })
    #expect(left.map(\.line) == [0, 1, 3, 4].map { (reported[$0].line ?? 0) + 2 })
  }

  @Test("four times as many passages take no more than about four times as long")
  func linear() throws {
    let few = try Self.merged(60)
    let many = try Self.merged(240)
    try #require(few.reported.count == 60)
    try #require(many.reported.count == 240)
    // With a walk for each passage it is 16 times.
    let ratio = try ProcessorTime.ratio(
      of: { _ = try many.document.overlaps(ofMerging: many.versions) },
      to: { _ = try few.document.overlaps(ofMerging: few.versions) })
    #expect(ratio < 8, "\(ratio)")
  }
}
