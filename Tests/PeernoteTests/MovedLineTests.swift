import Peernote
import PeernoteTestSupport
import Testing

/// A line of a text that one side moved whole, and of which the other side deleted some.
@Suite("Lines that were moved")
struct MovedLineTests {
  private static let place = JSONPointer(["body"])
  private static let line = "titobo bimoga lutizo noviza"

  /// The text with some line as the third one, and as the last one.
  private static func text(third: String? = nil, last: String? = nil) -> String {
    let lines = ["one one", "ranuto fehimo", third, "dacice penuma", "kaliko kaliko", last]
    return lines.compactMap { $0.map { $0 + "\n" } }.joined()
  }

  /// A copy in which the line is what several steps leave, one in which it was moved to the end, and what
  /// they become together.
  private static func copies(_ steps: [String?]) throws -> (
    edited: Document, moved: Document, merged: Document
  ) {
    var edited = Document(id: UniqueID(high: 3, low: 1))
    try edited.change(by: .person(1)) { editor in
      try editor.put(node: .text(text(third: line)), at: place)
    }
    var moved = edited
    for step in steps {
      try edited.change(by: .person(2)) { editor in
        try editor.replaceText(at: place, with: text(third: step))
      }
    }
    try moved.change(by: .person(3)) { editor in
      try editor.replaceText(at: place, with: text(last: line))
    }
    let both = try merged(edited, moved)
    let other = try merged(moved, edited)
    #expect(both.bytes() == other.bytes() && both.conflicts == other.conflicts)
    return (edited, moved, both)
  }

  @Test(
    "are listed with what the other side left of them, in however many steps",
    arguments: [
      ["titobo lutizo noviza"], ["titobo YYYY lutizo noviza", "titobo lutizo noviza"],
      ["titobo lutizo noviza", "titobo noviza"], [nil], ["titobo YYYY lutizo noviza", nil],
      ["titobo lutizo noviza", nil],
    ] as [[String?]])
  func deleted(steps: [String?]) throws {
    let rest = try #require(steps.last)
    let (edited, moved, merged) = try Self.copies(steps)
    let conflict = try #require(merged.conflicts.first)
    #expect(merged.conflicts.map(\.kind) == [.moved])
    #expect(conflict.kept.node == .text(Self.line) && conflict.kept.line == 5)
    #expect(conflict.others.map(\.node) == [rest.map { .text($0) }])
    #expect(!conflict.allows(.all))
    for (side, last) in [(conflict.kept, Self.line), (conflict.others[0], rest)] {
      var settled = merged
      try settled.change(by: .person(4)) { try $0.resolve(conflict, taking: .side(side)) }
      #expect(settled.node(at: Self.place) == .text(Self.text(last: last)))
      #expect(settled.conflicts.isEmpty)
      for copy in [edited, moved] {
        #expect(try PeernoteTestSupport.merged(settled, copy).conflicts.isEmpty)
      }
    }
  }

  @Test("are told by the passage where the other side wrote something that is left")
  func written() throws {
    let merged = try Self.copies(["titobo YYYY lutizo noviza"]).merged
    #expect(merged.conflicts.map(\.kind) == [.passage])
  }
}
