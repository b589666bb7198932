import Foundation
import Peernote
import PeernoteFoundation
import PeernoteTestSupport
import Testing

/// Drafts that are refreshed while somebody types, saved while somebody types, or of one element.
@Suite("Drafts that go on") struct DraftRefreshTests {
  private struct Item: Codable, Equatable {
    var id: Int
    var name: String
  }

  private struct Plan: Codable, Equatable {
    var title = ""
    @MergeableText var body = ""
    @MergeableCounter var count = 0
    var items: [Item] = []
  }

  private func document() throws -> Document {
    var document = Document(id: UniqueID(randomBits: 1, 9))
    try document.encode(
      Plan(
        title: "Trip", body: "Meet at 10.\n",
        items: [Item(id: 0, name: "zero"), Item(id: 1, name: "one")]),
      session: .person(1, at: 1))
    return document
  }

  @Test("what was edited before a refresh is contested as it would be without it")
  func refreshed() throws {
    var document = try document()
    var draft = try document.draft(Plan.self)
    draft.title = "Summer"
    draft.body = "Meet at 11.\n"
    try document.change(by: .person(2, at: 5)) { editor in
      try editor.put(.string("Winter"), at: ["title"])
      try editor.replaceText(at: ["body"], with: "Meet at 9.\n")
    }
    try document.refresh(&draft)
    #expect(try draft.isEdited && draft.version == document.heads)
    draft.body += "Bring cups.\n"
    let report = try document.commit(&draft, by: .person(3, at: 9))
    #expect(draft.title == "Summer" && draft.body.hasSuffix("Bring cups.\n"))
    #expect(document.conflicts.map(\.path.description).sorted() == ["/body", "/title"])
    #expect(report.merge?.conflicts.isEmpty == false)
    #expect(try !draft.isEdited && document.decode(Plan.self) == draft.model)
    // Nothing is left to be saved.
    let heads = document.heads
    let again = try document.commit(&draft, by: .person(3, at: 10))
    #expect(again.changes.isEmpty && again.merge == nil && document.heads == heads)
  }

  @Test(
    "a draft that is typed in while a copy of it is saved counts nothing twice", arguments: 0..<4)
  func resumed(_ order: Int) throws {
    var document = try document()
    var screen = try document.draft(Plan.self)
    var taps = 0
    for round in 0..<6 {
      let time = Int64(100 * round + 10)
      func tap() {
        taps += 1
        screen.count += 1
        screen.body += "word\(taps)\n"
        screen.items.append(Item(id: 10 + taps, name: "new \(taps)"))
      }
      tap()
      var copy = screen
      if order & 1 == 1 {
        try document.change(by: .person(2, at: time)) { editor in
          try editor.put(.string("Title \(round)"), at: ["title"])
        }
      }
      if order & 2 == 2, round % 2 == 0 {
        // Somebody else's change is shown while the copy is on its way.
        try document.refresh(&screen)
      }
      try document.commit(&copy, by: .person(3, at: time + 1))
      if round % 3 != 2 { tap() }
      let isResumed = screen.resume(after: copy)
      try document.refresh(&screen)
      let isResumedAgain = screen.resume(after: copy)
      #expect(isResumed && !isResumedAgain)
      for draft in [screen, copy] { draft.checkInvariants() }
    }
    try document.commit(&screen, by: .person(3, at: 1000))
    #expect(screen.count == taps && screen.items.count == 2 + taps)
    #expect(Set(screen.body.split(separator: "\n")).count == taps + 1)
    #expect(screen.body.split(separator: "\n").count == taps + 1)
    #expect(try document.conflicts.isEmpty && !screen.isEdited)
    #expect(try document.decode(Plan.self) == screen.model)
  }

  @Test("a draft of an element of a list stays with it")
  func element() throws {
    var document = try document()
    let path = JSONPointer(["items", "1"])
    var draft = try document.draft(Item.self, at: path)
    var other = draft
    draft.name = "one, edited"
    try document.change(by: .person(2, at: 5)) { editor in
      try editor.insert(
        node: .map([
          .init(key: "id", node: .value(.integer(7))),
          .init(key: "name", node: .value(.string("new"))),
        ]),
        at: ["items", "0"])
    }
    try document.refresh(&draft)
    #expect(draft.model == Item(id: 1, name: "one, edited") && draft.path.tokens == ["items", "2"])
    draft.name += "!"
    try document.commit(&draft, by: .person(3, at: 9))
    let plan = try document.decode(Plan.self)
    #expect(plan.items.map(\.name) == ["new", "zero", "one, edited!"])
    try document.commit(&other, by: .person(3, at: 10))
    #expect(other.name == "one, edited!" && other.path.tokens == ["items", "2"])
    // One that was removed does not become its neighbour.
    try document.change(by: .person(2, at: 20)) { try $0.remove(at: ["items", "2"]) }
    let before = document.bytes()
    #expect(throws: ModelError.self) { try document.refresh(&draft) }
    #expect(throws: ModelError.self) { try document.commit(&draft, by: .person(3, at: 21)) }
    #expect(document.bytes() == before && draft.name == "one, edited!")
  }
}
