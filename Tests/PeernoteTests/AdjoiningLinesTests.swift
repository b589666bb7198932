import Peernote
import PeernoteTestSupport
import Testing

@Suite("Lines that both sides of a merge changed")
struct AdjoiningLinesTests {
  /// The lines of the merged text where lines that both changed adjoin; the same in both orders.
  private func adjoining(_ base: String, _ ours: String, _ theirs: String) throws -> [Int?] {
    var copies = try TwoCopies(ofText: base, ours, theirs)
    let start = copies.ours
    let found = try copies.ours.merge(copies.theirs).adjoining.map(\.line)
    #expect(try copies.theirs.merge(start).adjoining.map(\.line) == found)
    return found
  }

  @Test("Edits of lines with no untouched line between adjoin, as for git")
  func adjoining() throws {
    let base = "one\ntwo\nthree\nfour\nfive\n"
    func with(_ old: String, _ new: String) -> String { base.replacing(old, with: new) }
    #expect(try adjoining(base, with("two", "dos"), with("three", "tres")) == [2])
    #expect(try adjoining(base, with("two", "dos"), with("four", "cuatro")) == [])
    // Lines that come or go.
    #expect(try adjoining(base, with("two\n", "two\nmore\n"), with("three", "tres")) == [3])
    #expect(try adjoining(base, with("two\n", "two\nmore\n"), with("four", "cuatro")) == [])
    #expect(try adjoining(base, with("two\n", ""), with("three", "tres")) == [2])
    #expect(try adjoining(base, with("two\n", ""), with("four", "cuatro")) == [])
    // One line.
    #expect(
      try adjoining(
        "It rains. It is late.\n", "It snows. It is late.\n", "It rains. It is early.\n") == [1])
    // One side alone.
    #expect(try adjoining(base, with("two\nthree", "dos\ntres"), base) == [])
    // At the ends of the text, and without a last line feed.
    #expect(try adjoining("a\nb", "A\nb", "a\nB") == [1])
    #expect(try adjoining("a\nb\nc", "A\nb\nc", "a\nb\nC") == [])
  }

  @Test("A place holds whole lines, as merged and as either side has them")
  func lines() throws {
    var copies = try TwoCopies(
      ofText: "a\none two\nthree\nz\n", "a\nuno two\nthree\nz\n", "a\none due\nthree\nz\n")
    let places = try copies.ours.merge(copies.theirs).adjoining
    #expect(
      places.map { $0.sides.map(\.node) }
        == [[.text("uno due"), .text("uno two"), .text("one due")]])
    #expect(places.map(\.scalars) == [2..<9])
  }
}
