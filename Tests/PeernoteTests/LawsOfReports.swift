import Peernote
import PeernoteTestSupport
import Testing

/// Merge reports, case by case; the laws that hold for all are tried on random histories.
@Suite struct LawsOfReports {
  private let id = UniqueID(high: 1, low: 2)

  @Test("a conflict is reported though the same two changes are in conflict elsewhere already")
  func secondConflictOfTwoChanges() throws {
    var story = Story()
    let start = story.change(
      0, .put(map: .root, key: "a", content: .container(.counter)),
      .put(map: .root, key: "b", content: .container(.counter)))
    let writes = story.change(
      1, after: [start], .put(map: .root, key: "a", content: .value(.null)),
      .put(map: .root, key: "b", content: .value(.null)))
    let one = story.change(2, after: [start], .increment(counter: start.container(0), by: 1))
    let other = story.change(3, after: [start], .increment(counter: start.container(1), by: 1))
    func document(_ changes: ChangeID...) throws -> Document {
      let version = story.oracle.version(of: changes)
      return try Document(
        id: id, changes: version.changes.map { story.oracle.changes[$0] })
    }
    var merged = try document(writes, one)
    #expect(merged.conflicts.map(\.path) == [JSONPointer(["a"])])
    let report = try merged.merge(document(other))
    #expect(report.conflicts.map(\.path) == [JSONPointer(["b"])])
    #expect(merged.conflicts.map(\.path) == [JSONPointer(["a"]), JSONPointer(["b"])])
  }

  @Test("equal elements that one copy knows of are news to nobody, whoever merges")
  func knownEqualElements() throws {
    var story = Story()
    let start = story.change(
      1, .put(map: .root, key: "list", content: .container(.list)))
    func insert(_ agent: UInt64) -> ChangeID {
      story.change(
        agent, after: [start],
        .insertElements(
          list: start.container(0), at: ListPlace(left: nil, right: nil),
          contents: [.value(.string("high"))]))
    }
    let (one, other) = (insert(1), insert(2))
    let further = story.change(
      2, after: [other], .put(map: .root, key: "x", content: .value(.null)))
    func document(_ changes: ChangeID...) throws -> Document {
      let version = story.oracle.version(of: changes)
      return try Document(
        id: id, changes: version.changes.map { story.oracle.changes[$0] })
    }
    let (both, alone) = (try document(one, other), try document(further))
    #expect(both.conflicts.map(\.kind) == [.sameContent])
    for (into, from) in [(both, alone), (alone, both)] {
      var merged = into
      #expect(try merged.merge(from).conflicts.isEmpty)
      #expect(merged.conflicts.map(\.kind) == [.sameContent])
    }
  }
}
