import Peernote
import PeernoteTestSupport
import Testing

/// Edits of one list, against the same edits of an array.
@Suite struct ListEditingTests {
  private let list = JSONPointer(["list"])

  @Test(
    "random edits of a list do what they do to an array, in few large changes and many small ones",
    arguments: 1...12, [(4, 120), (300, 1)])
  func randomEdits(seed: UInt64, size: (changes: Int, edits: Int)) throws {
    var random = SplitMix64(seed: seed)
    var document = Document(id: UniqueID(high: 1, low: seed))
    var wanted: [Int64] = []
    var next: Int64 = 0
    for round in 0..<size.changes {
      try document.change(by: .person(UInt64(1 + round % 2))) { editor in
        if round == 0 { try editor.putContainer(.list, at: list) }
        for _ in 0..<size.edits {
          try edit(&editor, &wanted, next: &next, &random)
          if random.chance(10) { #expect(editor.node(at: list) == Self.node(wanted)) }
          let place = random.below(wanted.count + 2)
          let node = editor.node(at: list.appending("\(place)"))
          #expect(
            node == (wanted.indices.contains(place) ? .value(.integer(wanted[place])) : nil))
        }
      }
      #expect(document.node(at: list) == Self.node(wanted))
      // Many small changes lead where one reading of the file leads.
      if size.edits > 1, random.chance(50) { document = try Document(bytes: document.bytes()) }
    }
    #expect(try Document(bytes: document.bytes()).root == document.root)
    let rebuilt = try Document(id: document.id, changes: document.exportedChanges)
    #expect(rebuilt.bytes() == document.bytes())
    #expect(rebuilt.node(at: list) == Self.node(wanted))
  }

  @Test("two sides' edits of one list merge into the list of all their changes", arguments: 1...6)
  func merges(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var base = Document(id: UniqueID(high: 2, low: seed))
    var start: [Int64] = []
    var next: Int64 = 0
    try base.change(by: .person(1)) { editor in
      try editor.putContainer(.list, at: list)
      for _ in 0..<40 { try edit(&editor, &start, next: &next, &random) }
    }
    var sides = [base, base]
    for index in sides.indices {
      for round in 0..<3 {
        var elements = try #require(Self.integers(sides[index].node(at: list)))
        try sides[index].change(by: .person(UInt64(10 * (index + 1) + round))) { editor in
          for _ in 0..<20 { try edit(&editor, &elements, next: &next, &random) }
        }
        #expect(sides[index].node(at: list) == Self.node(elements))
      }
    }
    let merged = try PeernoteTestSupport.merged(sides[0], sides[1])
    let view = try Oracle(changes: merged.exportedChanges).view
    #expect(try OracleNode(merged.root) == view.root)
    let other = try PeernoteTestSupport.merged(sides[1], sides[0])
    #expect(other.bytes() == merged.bytes())
  }

  @Test(
    "what several sides insert at one place, backward and forward, is ordered as by the oracle",
    arguments: 1...8)
  func onePlace(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var base = Document(id: UniqueID(high: 8, low: seed))
    try base.change(by: .person(1)) { editor in
      try editor.putContainer(.list, at: list)
      try editor.insert(
        nodes: [.value(.integer(-1)), .value(.integer(-2))], at: list.appending("-"))
    }
    var sides = [base, base, base]
    var next: Int64 = 0
    for step in 0..<12 {
      let side = random.below(3)
      if random.chance(20) { _ = try sides[side].merge(sides[(side + 1) % 3]) }
      try sides[side].change(by: .person(random.next(), at: 0)) { editor in
        let place = step % 2 == 0 ? random.below(2) : 1
        for offset in 0..<4 {
          next += 1
          let index = random.chance(70) ? place : place + offset
          try editor.insert(node: .value(.integer(next)), at: list.appending("\(index)"))
        }
      }
    }
    let merged = try sides.dropFirst().reduce(sides[0]) { try PeernoteTestSupport.merged($0, $1) }
    let view = try Oracle(changes: merged.exportedChanges).view
    #expect(try OracleNode(merged.root) == view.root)
    let other = try sides.reversed().dropFirst().reduce(sides[2]) {
      try PeernoteTestSupport.merged($0, $1)
    }
    #expect(other.bytes() == merged.bytes())
  }

  @Test("an element that was removed and is written again by who knows it is in no conflict")
  func settledRemoval() throws {
    var ours = Document(id: UniqueID(high: 3, low: 1))
    try ours.change(by: .person(1)) { editor in
      try editor.putContainer(.list, at: list)
      try editor.insert(node: .value(.integer(1)), at: list.appending("-"))
    }
    var theirs = ours
    let element = list.appending("0")
    try ours.change(by: .person(2)) { try $0.remove(at: element) }
    try theirs.change(by: .person(3)) { try $0.put(.integer(2), at: element) }
    _ = try ours.merge(theirs)
    #expect(ours.conflicts.map(\.kind) == [.deleteEdit])
    try ours.change(by: .person(4)) { try $0.put(.integer(2), at: element) }
    #expect(ours.conflicts.isEmpty)
    #expect(ours.node(at: list) == Self.node([2]))
  }

  private func edit(
    _ editor: inout Editor, _ elements: inout [Int64], next: inout Int64,
    _ random: inout SplitMix64
  ) throws(EditError) {
    switch elements.isEmpty ? 0 : random.weighted([4, 2, 3, 2]) {
    case 0:
      let place = random.within(0...elements.count)
      let new = (0..<random.within(1...3)).map { _ in
        next += 1
        return next
      }
      try editor.insert(
        nodes: new.map { .value(.integer($0)) },
        at: list.appending(place == elements.count && random.chance(50) ? "-" : "\(place)"))
      elements.insert(contentsOf: new, at: place)
    case 1:
      let place = random.below(elements.count)
      next += 1
      try editor.put(.integer(next), at: list.appending("\(place)"))
      elements[place] = next
    case 2:
      let (from, to) = (random.below(elements.count), random.below(elements.count))
      try editor.move(from: list.appending("\(from)"), to: list.appending("\(to)"))
      elements.insert(elements.remove(at: from), at: to)
    default:
      let place = random.below(elements.count)
      try editor.remove(at: list.appending("\(place)"))
      elements.remove(at: place)
    }
  }

  private static func node(_ elements: [Int64]) -> DocumentNode {
    .list(elements.map { .value(.integer($0)) })
  }

  private static func integers(_ node: DocumentNode?) -> [Int64]? {
    guard case .list(let elements) = node else { return nil }
    return elements.compactMap { if case .value(.integer(let number)) = $0 { number } else { nil } }
  }
}
