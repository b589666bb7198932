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
    var desk = try configuration()
    var phone = desk

    var screen = try desk.decode(InterfaceElement.self)
    screen.parameters["background"] = "white"
    screen.elements[1].parameters["text"] = "Enter"
    try desk.encode(screen, session: session("desk", at: 1))

    screen = try phone.decode(InterfaceElement.self)
    screen.parameters["spacing"] = nil
    screen.elements.insert(
      InterfaceElement(id: "logo", type: "image", parameters: ["name": "logo"]), at: 0)
    try phone.encode(screen, session: session("phone", at: 2))

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
    var desk = published
    var phone = published
    var screen = try desk.decode(InterfaceElement.self)
    screen.elements[0].parameters = [:]
    try desk.encode(screen, session: session("desk", at: 1))
    screen = try phone.decode(InterfaceElement.self)
    screen.elements[0].type = "button"
    try phone.encode(screen, session: session("phone", at: 2))
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
      try editor.put(.string("Hello"), at: tooltip)
    }
    var screen = try document.decode(InterfaceElement.self)
    screen.elements[0].type = "heading"
    screen.elements.swapAt(0, 1)
    try document.encode(screen, session: session("older", at: 2))
    #expect(
      document.node(at: JSONPointer(["elements", "1", "tooltip"])) == .value(.string("Hello")))
    #expect(
      document.node(at: JSONPointer(["elements", "1", "type"])) == .value(.string("heading")))
  }
}
