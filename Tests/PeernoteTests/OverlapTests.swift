import Peernote
import Testing

@Suite("Overlaps of a merge")
struct OverlapTests {
  /// What is reported when these two copies of `base` are merged, but for lines that adjoin.
  private func overlaps(_ base: String, _ ours: String, _ theirs: String) throws -> [Overlap] {
    try MergeSimulation(base: base, ours: ours, theirs: theirs).overlaps
      .filter { $0.reason != .adjacent }
  }

  /// The lines of the merged text where lines that both changed adjoin; the same in both orders.
  private func adjoining(_ base: String, _ ours: String, _ theirs: String) throws -> [Int] {
    func find(_ ours: String, _ theirs: String) throws -> [Int] {
      try MergeSimulation(base: base, ours: ours, theirs: theirs).overlaps
        .filter { $0.reason == .adjacent }.map(\.line)
    }
    let found = try find(ours, theirs)
    #expect(try find(theirs, ours) == found)
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
    // Different sentences of one line.
    #expect(
      try adjoining(
        "It rains. It is late.\n", "It snows. It is late.\n", "It rains. It is early.\n") == [1])
    // The same on both sides, one side alone, and what is reported anyway.
    #expect(try adjoining(base, with("two\n", ""), with("two\n", "")) == [])
    #expect(try adjoining(base, with("two\nthree", "dos\ntres"), base) == [])
    #expect(try adjoining(base, with("two", "two a"), with("two", "two b")) == [])
    // At the ends of the text, and without a last line feed.
    #expect(try adjoining("a\nb", "A\nb", "a\nB") == [1])
    #expect(try adjoining("a\nb\nc", "A\nb\nc", "a\nb\nC") == [])
  }

  private func kinds(_ base: String, _ ours: String, _ theirs: String) throws -> [Conflict.Reason] {
    let found = try overlaps(base, ours, theirs).map(\.reason)
    let mirrored = try overlaps(base, theirs, ours).map(\.reason)
    #expect(found == mirrored, "the report does not depend on who is called ours")
    return found
  }

  @Test("Changes by one side only are not reported")
  func oneSided() throws {
    #expect(try kinds("a b c\n", "a x c\n", "a b c\n") == [])
    #expect(try kinds("", "x", "") == [])
  }

  @Test("Changes in different lines, paragraphs or sentences are not reported")
  func apart() throws {
    #expect(try kinds("one\ntwo\nthree\n", "uno\ntwo\nthree\n", "one\ntwo\ntres\n") == [])
    #expect(try kinds("one\ntwo\n", "uno\ntwo\n", "one\ndos\n") == [])
    #expect(
      try kinds(
        "We met today. It was late.\n", "We met yesterday. It was late.\n",
        "We met today. It was early.\n") == [])
    #expect(
      try kinds("会议在今天。地点不变。\n", "会议在明天。地点不变。\n", "会议在今天。地点已变。\n") == [])
  }

  @Test("Changes by both sides in one sentence are reported")
  func oneSentence() throws {
    #expect(
      try kinds(
        "We will ship on monday\n", "We will not ship on monday\n", "We will ship on tuesday\n")
        == [.changes])
  }

  @Test("Different new texts for the same words are reported")
  func sameWords() throws {
    let found = try overlaps(
      "in the big venue today\n", "in the old hall today\n", "in the small barn today\n")
    #expect(found.map(\.reason) == [.changes])
    #expect(found.map(\.oursPassage) == ["old hall"])
    #expect(found.map(\.theirsPassage) == ["small barn"])
  }

  @Test("A sentence wrapped by hand goes on in the next line, a list does not")
  func wrapped() throws {
    let start = "This long line of an old paragraph was wrapped by"
    #expect(
      try kinds(
        "\(start) hand\nand goes on here.\n", "\(start) someone\nand goes on here.\n",
        "\(start) hand\nyet goes on here.\n") == [.changes])
    #expect(try kinds("- ham\n- egg\n", "- ham, cold\n- egg\n", "- ham\n- eggs\n") == [])
  }

  @Test("Insertions by both sides at one place are reported")
  func onePlace() throws {
    let found = try overlaps("- a\n- b\n", "- a\n- x\n- b\n", "- a\n- y\n- b\n")
    #expect(
      found == [
        Overlap(
          reason: .insertions, merged: 4..<12, line: 2, mergedPassage: "- x\n- y\n",
          oursPassage: "- x\n", theirsPassage: "- y\n", oursBytes: 4..<8, theirsBytes: 4..<8)
      ])
    #expect(try kinds("", "x", "y") == [.insertions])
    #expect(try kinds("a cat", "a big cat", "a black cat") == [.insertions])
  }

  @Test("The same insertion by both sides is reported as a duplicate")
  func duplicate() throws {
    #expect(try kinds("a\n", "a\nx\n", "a\nx\n") == [.duplicate])
    #expect(try kinds("in 2026.", "in 2027.", "in 2027.") == [.duplicate])
  }

  @Test("A whole line that both sides inserted at different places is reported once")
  func duplicateElsewhere() throws {
    let line = "- call the caterer again\n"
    let found = try overlaps(
      "one\ntwo\nthree\n", "one\n\(line)two\nthree\n", "one\ntwo\n\(line)three\n")
    #expect(found.map(\.reason) == [.duplicate])
    #expect(found.map(\.line) == [4])
    #expect(found.map(\.mergedPassage) == ["- call the caterer again"])
    #expect(
      try kinds("one\ntwo\nthree\n", "one\n---\ntwo\nthree\n", "one\ntwo\n---\nthree\n") == [])
  }

  @Test("An insertion inside a deleted passage is reported")
  func insideDeletion() throws {
    let found = try overlaps("a\nb\nc\nd\n", "a\nd\n", "a\nb\nx\nc\nd\n")
    #expect(found.map(\.reason) == [.deletion])
    #expect(found.map(\.mergedPassage) == ["x\n"])
    #expect(found.map(\.oursPassage) == [""])
    #expect(found.map(\.theirsPassage) == ["b\nx\nc\n"])
  }

  @Test("A change inside a deleted line is reported")
  func changeInsideDeletion() throws {
    #expect(
      try kinds("a\nthe old hall is big\nc\n", "a\nc\n", "a\nthe new hall is big\nc\n") == [
        .deletion
      ])
  }

  @Test("A replacement of what the other side deleted is reported")
  func replacementOfDeletion() throws {
    #expect(
      try kinds("see the big hall\n", "see the hall\n", "see the small hall\n") == [.deletion])
  }

  @Test("The same deletion by both sides, or one inside the other, is not reported")
  func commonDeletion() throws {
    #expect(try kinds("a\nb\nc\n", "a\nc\n", "a\nc\n") == [])
    #expect(try kinds("a\nb\nc\nd\n", "a\nd\n", "a\nc\nd\n") == [])
    #expect(try kinds("a very big cat", "a big cat", "a cat") == [])
  }

  @Test("A line inserted next to a line that the other side changed or deleted is not reported")
  func beside() throws {
    #expect(try kinds("- ham\n- egg\n", "- ham\n- jam\n- egg\n", "- ham\n- two eggs\n") == [])
    #expect(try kinds("- ham\n- egg\n", "- ham\n- jam\n- egg\n", "- smoked ham\n- egg\n") == [])
    #expect(try kinds("a\nb\nc\n", "a\nc\n", "a\nb\nx\nc\n") == [])
  }

  @Test("Passages are widened to whole words")
  func wholeWords() throws {
    // A letter put in by us, another one replaced by them, as an app may do key by key.
    let history = try MergedTextHistory(
      container: .root,
      segments: [
        TextSegment(count: 4, insertedBy: .both, deletedBy: []),
        TextSegment(count: 1, insertedBy: .both, deletedBy: .theirs),
        TextSegment(count: 1, insertedBy: .theirs, deletedBy: []),
        TextSegment(count: 7, insertedBy: .both, deletedBy: []),
        TextSegment(count: 1, insertedBy: .ours, deletedBy: []),
        TextSegment(count: 9, insertedBy: .both, deletedBy: []),
      ], ours: TextBuffer("the notebooks lay open"), theirs: TextBuffer("the rotebook lay open"))
    let found = Overlap.find(in: history)
    #expect(found.map(\.mergedPassage) == ["rotebooks"])
    #expect(found.map(\.merged) == [4..<13])
  }

  @Test("The text of what both sides deleted may be unknown")
  func unknownText() throws {
    let history = try MergedTextHistory(
      container: .root,
      segments: [
        TextSegment(count: 2, insertedBy: .both, deletedBy: []),
        TextSegment(count: 3, insertedBy: .both, deletedBy: [.ours, .theirs]),
        TextSegment(count: 1, insertedBy: .ours, deletedBy: []),
        TextSegment(count: 1, insertedBy: .both, deletedBy: []),
      ], ours: TextBuffer("a xz"), theirs: TextBuffer("a z"))
    let found = Overlap.find(in: history)
    #expect(found.map(\.reason) == [.deletion])
    #expect(found.map(\.oursPassage) == ["xz"])
  }

  @Test("Every passage reported is what stands at its place, on its line, for random texts")
  func places() throws {
    let seed = DifferenceRandomness.seed(for: "places of overlaps")
    for round in 0..<3_000 {
      var random = DifferenceRandomness(seed: seed &+ UInt64(round))
      let alphabet = round % 2 == 0 ? DifferenceRandomness.plain : DifferenceRandomness.everything
      let base = random.text(pieces: 40, alphabet: alphabet)
      let ours = random.edited(base, alphabet: alphabet)
      let theirs = random.edited(base, alphabet: alphabet)
      let merge = try MergeSimulation(base: base, ours: ours, theirs: theirs)
      let scalars = Array(merge.merged.unicodeScalars)
      for overlap in merge.overlaps {
        let place = scalars[overlap.merged]
        let line = 1 + scalars[..<overlap.merged.lowerBound].count { $0 == "\n" }
        #expect(
          place.elementsEqual(overlap.mergedPassage.unicodeScalars) && overlap.line == line,
          "seed \(seed &+ UInt64(round))")
      }
    }
  }

  @Test("Merging with an unchanged copy, or with itself changed elsewhere, keeps both texts")
  func simulationKeepsText() throws {
    let seed = DifferenceRandomness.seed(for: "merge simulation")
    for round in 0..<1_000 {
      var random = DifferenceRandomness(seed: seed &+ UInt64(round))
      let base = random.text(pieces: 40, alphabet: DifferenceRandomness.everything)
      let ours = random.edited(base, alphabet: DifferenceRandomness.everything)
      let merge = try MergeSimulation(base: base, ours: ours, theirs: base)
      #expect(
        merge.merged.utf8.elementsEqual(ours.utf8) && merge.overlaps.isEmpty,
        "seed \(seed &+ UInt64(round))")
    }
  }
}
