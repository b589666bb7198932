import Foundation
import Peernote
import PeernoteFoundation
import Testing

/// The code of the guide on content as JSON, which a test compares with it.
@Suite struct JSONExample {
  private let session = DocumentSession(
    agent: AgentID(rawValue: 6), author: "Ada", time: Timestamp(milliseconds: 1_795_000_000_000))

  private func plan() throws -> Document {
    var document = Document(id: exampleID(701))
    try document.change(by: session) { editor in
      try editor.put("Plans", at: ["title"])
      try editor.put(node: .text("Rest.\nSwim.\n"), at: ["body"])
      try editor.put(node: .counter(14), at: ["days"])
    }
    return document
  }

  @Test("content is written as JSON")
  func writing() throws {
    let document = try plan()
    #expect(document.json(as: .plain) == #"{"title":"Plans","body":"Rest.\nSwim.\n","days":14}"#)
    #expect(
      document.json(as: .exact)
        == #"{"title":"Plans","body":{"$text":"Rest.\nSwim.\n"},"days":{"$counter":14}}"#)
  }

  @Test("exact JSON comes back as it was")
  func exactly() throws {
    let document = try plan()

    let text = document.root.json(as: .exact)
    let root = try DocumentNode(json: text, as: .exact)
    #expect(root == document.root)

    var copy = Document()
    try copy.change(by: session) { editor in
      try editor.replaceContent(at: JSONPointer(), with: root)
    }
    #expect(copy.root == document.root)
  }

  @Test("plain JSON that was edited comes back as edits of what is there")
  func edited() throws {
    var document = try plan()

    let edited = document.json(as: .plain, indented: true)
      .replacing("Swim.", with: "Swim twice.").replacing("14", with: "15")
    let content = try document.node(fromJSON: edited, as: .plain)
    try document.change(by: session) { editor in
      try editor.replaceContent(at: JSONPointer(), with: content)
    }
    #expect(document.node(at: ["body"]) == .text("Rest.\nSwim twice.\n"))
    #expect(document.node(at: ["days"]) == .counter(15))

    let days = try document.node(fromJSON: "16", as: .plain, at: ["days"])
    #expect(days == .counter(16))
  }

  @Test("what cannot be read is told with its place")
  func faults() {
    do throws(JSONError) {
      _ = try DocumentNode(json: #"{"days": {"$counter": "two"}}"#, as: .exact)
    } catch {
      print(error)  // at /days: "$counter" must be followed by an integer of 64 bits
    }
    #expect(
      throws: JSONError.noContent(
        JSONPointer(["days"]), reason: "\"$counter\" must be followed by an integer of 64 bits")
    ) {
      try DocumentNode(json: #"{"days": {"$counter": "two"}}"#, as: .exact)
    }
  }
}
