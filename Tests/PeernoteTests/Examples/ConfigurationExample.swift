import Peernote
import Testing

/// A part of a user interface: its type, its parameters, and the parts in it.
struct InterfaceElement: Codable, Equatable {
  var id: String
  var type: String
  var parameters: [String: String] = [:]
  var elements: [InterfaceElement] = []
}

/// An interface that is configured from afar, by several people.
@Suite struct ConfigurationExample {
  private func configuration() throws -> Document {
    let screen = InterfaceElement(
      id: "screen", type: "stack", parameters: ["spacing": "8"],
      elements: [
        InterfaceElement(id: "title", type: "label", parameters: ["text": "Welcome"]),
        InterfaceElement(id: "enter", type: "button", parameters: ["text": "Go on"]),
      ])
    var document = Document(id: exampleID(400))
    try document.encode(screen, session: session("desk"))
    return document
  }

  @Test("two people's changes of different parameters and elements are both in the result")
  func merging() throws {
    let base = try configuration()
    var desk = try base.edited(InterfaceElement.self, by: "desk") {
      $0.parameters["background"] = "white"
      $0.elements[1].parameters["text"] = "Enter"
    }
    let phone = try base.edited(InterfaceElement.self, by: "phone") {
      $0.parameters["spacing"] = nil
      $0.elements.insert(
        InterfaceElement(id: "logo", type: "image", parameters: ["name": "logo"]), at: 0)
    }
    let report = try desk.merge(phone)
    let merged = try desk.decode(InterfaceElement.self)
    #expect(merged.parameters == ["background": "white"])
    #expect(merged.elements.map(\.id) == ["logo", "title", "enter"])
    #expect(merged.elements[2].parameters == ["text": "Enter"])
    #expect(report.conflicts.isEmpty)
  }

  /// What this app's interface allows: a button says something.
  private func problems(in element: InterfaceElement) -> [String] {
    let own = element.type == "button" && element.parameters["text"] == nil
    return (own ? ["\(element.id): a button without a text"] : [])
      + element.elements.flatMap { problems(in: $0) }
  }

  @Test("a merge that would break the rules is found before it is published")
  func checking() throws {
    let published = try configuration()
    let desk = try published.edited(InterfaceElement.self, by: "desk") {
      $0.elements[0].parameters = [:]
    }
    let phone = try published.edited(InterfaceElement.self, by: "phone") {
      $0.elements[0].type = "button"
    }
    #expect(problems(in: try desk.decode(InterfaceElement.self)).isEmpty)
    #expect(problems(in: try phone.decode(InterfaceElement.self)).isEmpty)

    var candidate = desk
    _ = try candidate.merge(phone)
    let problems = problems(in: try candidate.decode(InterfaceElement.self))
    #expect(problems == ["title: a button without a text"])
  }

  @Test("a newer version's keys stay when an older one, which doesn't know them, writes")
  func unknownKeys() throws {
    var document = try configuration()
    let tooltip = JSONPointer(["elements", "0", "tooltip"])
    try document.change(by: session("newer", at: 1)) { (editor: inout Editor) throws(EditError) in
      try editor.put("Hello", at: tooltip)
    }
    document = try document.edited(InterfaceElement.self, by: "older", at: 2) {
      $0.elements[0].type = "heading"
      $0.elements.swapAt(0, 1)
    }
    #expect(
      document.node(at: ["elements", "1", "tooltip"]) == .value(.string("Hello")))
    #expect(
      document.node(at: ["elements", "1", "type"]) == .value(.string("heading")))
  }
}
