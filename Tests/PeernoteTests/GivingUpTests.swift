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
    try editor.putContainer(.counter, at: ["counter"])
    try editor.increment(by: 3, at: ["counter"])
    if case .text(let text) = editor.node(at: ["body"]) {
      let count = text.unicodeScalars.count
      try editor.spliceText(at: ["body"], scalars: 0..<(count + 1) / 2, with: "xy")
    }
    if case .list(let elements) = editor.node(at: ["list"]), !elements.isEmpty {
      try editor.insert(node: .value(.null), at: ["list", "0"])
      try editor.move(from: ["list", "1"], to: ["list", "0"])
      try editor.remove(at: ["list", "1"])
    }
    if editor.node(at: ["map"]) != nil { try editor.remove(at: ["map"]) }
  }

  @Test("a change that is given up leaves no trace", arguments: 1...40)
  func givenUp(seed: UInt64) throws {
    let profile = HistoryProfile.all[Int(seed) % HistoryProfile.all.count]
    var document = try History(script: Script(seed: seed, profile: profile), profile: profile)
      .document
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
}
