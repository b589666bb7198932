import Peernote
import PeernoteTestSupport
import Testing

@Suite("Passages of many texts")
struct ManyTextsTests {
  /// A map of texts, each with an amount.
  private static func texts(_ count: Int, amount: String) -> DocumentNode {
    .map((0..<count).map { .init(key: "k\($0)", node: .text("Pay \(amount) for \($0)")) })
  }

  /// Two copies that were edited apart, in every text.
  private static func merged(_ count: Int) throws -> (document: Document, report: MergeReport) {
    var ours = Document(id: UniqueID(high: 1, low: 2))
    try ours.change(by: .person(1)) {
      try $0.replaceContent(at: [], with: texts(count, amount: "12,000"))
    }
    var theirs = ours
    try ours.change(by: .person(2)) {
      try $0.replaceContent(at: [], with: texts(count, amount: "11,000"))
    }
    try theirs.change(by: .person(3)) {
      try $0.replaceContent(at: [], with: texts(count, amount: "9,500"))
    }
    let report = try ours.merge(theirs)
    return (ours, report)
  }

  @Test("All of them are found and listed, and the file is sound", arguments: [1, 2, 7, 60])
  func allAreFound(count: Int) throws {
    let (document, report) = try Self.merged(count)
    #expect(report.conflicts.count { $0.kind == .passage } == count)
    #expect(document.conflicts.count { $0.kind == .passage } == count)
    #expect(Document.validate(bytes: document.bytes()).isEmpty)
  }

  @Test("They are walked in a few groups, however many they are", arguments: [1, 10, 100, 1000])
  func fewWalks(count: Int) throws {
    let log = try Self.merged(count).document.log
    let texts = log.containers.indices.filter { log.containers[$0].kind == .text }.map {
      ContainerIndex($0)
    }
    let groups = log.walkedTogether(texts)
    #expect(groups.flatMap { $0 } == texts)
    #expect(groups.count <= 17)
  }
}
