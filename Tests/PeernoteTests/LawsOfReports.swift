import Peernote
import PeernoteTestSupport
import Testing

/// Merge reports, case by case; the laws that hold for all are tried on random histories.
@Suite struct LawsOfReports {
  @Test("equal elements that one copy knows of are news to nobody, whoever merges")
  func knownEqualElements() throws {
    let copies = try TwoCopies(
      of: #"{"l":[]}"#, [.insert("/l/-", #""high""#)], [.insert("/l/-", #""high""#)])
    let both = try copies.merged()
    var alone = copies.theirs
    try alone.edit([.set("/x", "null")], by: 3)
    #expect(both.conflicts.map(\.kind) == [.sameContent])
    for (into, from) in [(both, alone), (alone, both)] {
      var merged = into
      #expect(try merged.merge(from).conflicts.isEmpty)
      #expect(merged.conflicts.map(\.kind) == [.sameContent])
    }
  }
}
