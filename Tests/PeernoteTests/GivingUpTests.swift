import Peernote
import PeernoteTestSupport
import Testing

/// Changes that are given up half-way, on documents with all kinds of content.
@Suite struct GivingUpTests {
  private struct GivenUp: Error {}

  private func session(_ agent: AgentID) -> DocumentSession {
    DocumentSession(agent: agent, author: "who gives up", time: Timestamp(milliseconds: 9))
  }

  /// Edits of every kind, at the root, in a list, a text, a set and a counter.
  private func editAll(_ editor: inout Editor, _ round: Int) throws(EditError) {
    let list = JSONPointer(["given up"])
    try editor.put(
      node: .list([.value(.integer(1)), .text("abc"), .set([.null]), .map([])]), at: list)
    try editor.spliceText(at: list.appending("1"), scalars: 1..<2, with: "\(round)")
    try editor.add(.bool(true), toSetAt: list.appending("2"))
    try editor.move(from: list.appending("0"), to: list.appending("2"))
    try editor.remove(at: list.appending("1"))
    try editor.putContainer(.counter, at: JSONPointer(["counter"]))
    try editor.increment(by: 3, at: JSONPointer(["counter"]))
    if case .text(let text) = editor.node(at: JSONPointer(["body"])) {
      let count = text.unicodeScalars.count
      try editor.spliceText(at: JSONPointer(["body"]), scalars: 0..<(count + 1) / 2, with: "xy")
    }
    if case .list(let elements) = editor.node(at: JSONPointer(["list"])), !elements.isEmpty {
      try editor.insert(.value(.null), at: JSONPointer(["list", "0"]))
      try editor.move(from: JSONPointer(["list", "1"]), to: JSONPointer(["list", "0"]))
      try editor.remove(at: JSONPointer(["list", "1"]))
    }
    if editor.node(at: JSONPointer(["map"])) != nil { try editor.remove(at: JSONPointer(["map"])) }
  }

  @Test("a change that is given up leaves no trace", arguments: 1...40)
  func givenUp(seed: UInt64) throws {
    let profile = HistoryProfile.all[Int(seed) % HistoryProfile.all.count]
    let history = History(script: Script(seed: seed, profile: profile), profile: profile)
    var document = try Document(id: history.id, changes: history.oracle.changes)
    // The last agent's change would go on with its chain, a new one begins another.
    let agents = [document.changes.last?.id.agent, AgentID(rawValue: 99)].compactMap(\.self)
    for agent in agents {
      let (bytes, root) = (document.bytes(), document.root)
      #expect(throws: GivenUp.self) {
        try document.change(by: session(agent)) { editor in
          try editAll(&editor, 1)
          throw GivenUp()
        }
      }
      #expect(document.bytes() == bytes)
      #expect(document.root == root)
      // What follows is as if nothing had been tried.
      var other = try Document(bytes: bytes)
      try document.change(by: session(agent)) { editor in try editAll(&editor, 2) }
      try other.change(by: session(agent)) { editor in try editAll(&editor, 2) }
      #expect(document.bytes() == other.bytes())
      #expect(try Document(bytes: document.bytes()).root == document.root)
    }
  }

  @Test("many small changes lead where one reading of the file leads")
  func manyChanges() throws {
    var document = Document(id: UniqueID(high: 5, low: 5))
    let list = JSONPointer(["list"])
    try document.change(by: session(AgentID(rawValue: 1))) { editor in
      try editor.putContainer(.list, at: list)
    }
    var random = SplitMix64(seed: 1)
    var wanted: [Int64] = []
    for number in 0..<300 {
      let agent = AgentID(rawValue: UInt64(1 + random.below(2)))
      try document.change(by: session(agent)) { (editor: inout Editor) throws(EditError) in
        func path(_ index: Int) -> JSONPointer { list.appending(String(index)) }
        switch wanted.isEmpty ? 0 : random.below(4) {
        case 2:
          let (from, to) = (random.below(wanted.count), random.below(wanted.count))
          try editor.move(from: path(from), to: path(to))
          wanted.insert(wanted.remove(at: from), at: to)
        case 3:
          let index = random.below(wanted.count)
          try editor.remove(at: path(index))
          wanted.remove(at: index)
        default:
          let index = random.within(0...wanted.count)
          try editor.insert(.value(.integer(Int64(number))), at: path(index))
          wanted.insert(Int64(number), at: index)
        }
      }
      #expect(document.node(at: list) == .list(wanted.map { .value(.integer($0)) }))
    }
    let read = try Document(bytes: document.bytes())
    #expect(read.root == document.root)
    #expect(read.bytes() == document.bytes())
  }
}
