import Foundation
import Peernote
import PeernoteFoundation
import PeernoteTestSupport
import Testing

/// Models whose keys come and go: enumerations, structures that code themselves, dictionaries.
@Suite("Keys of models") struct ModelKeyTests {
  private enum Status: Codable, Equatable {
    case open
    case due(Date)
    case done(by: String, at: Int)
  }

  private struct Task: Codable, Equatable {
    var id = 1
    var status = Status.open
    var marks: [String: Status] = [:]
  }

  private struct List: Codable, Equatable {
    var tasks: [Task] = [Task()]
    var state: Status?
  }

  /// Writes only what is worth it.
  private struct Sparse: Codable, Equatable {
    var name = ""
    var due: Int?
    var kids: [String: Int] = [:]

    enum CodingKeys: CodingKey { case name, due, kids }

    init(name: String = "", due: Int? = nil, kids: [String: Int] = [:]) {
      (self.name, self.due, self.kids) = (name, due, kids)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      due = try container.decodeIfPresent(Int.self, forKey: .due)
      kids = try container.decodeIfPresent([String: Int].self, forKey: .kids) ?? [:]
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      if let due { try container.encode(due, forKey: .due) }
      if !kids.isEmpty { try container.encode(kids, forKey: .kids) }
    }
  }

  /// Takes any string for a key.
  private struct Loose: Codable, Equatable {
    var fields: [String: Int] = [:]

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(_ fields: [String: Int]) { self.fields = fields }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for key in container.allKeys {
        fields[key.stringValue] = try container.decode(Int.self, forKey: key)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      for (key, value) in fields { try container.encode(value, forKey: Key(stringValue: key)) }
    }
  }

  private enum Colour: String, Codable { case red, blue }

  private struct Tables: Codable, Equatable {
    var names: [UUID: String] = [:]
    var counts: [Colour: Int] = [:]
    var numbers: [Int: String] = [:]
    var price = Decimal(12.5)
  }

  private func document<Model: Codable & Sendable>(_ model: Model) throws -> Document {
    var document = Document(id: UniqueID(randomBits: 3, 3))
    try document.encode(model, session: .person(1, at: 1))
    return document
  }

  @Test("an enumeration with values says its last case, wherever it stands")
  func cases() throws {
    var document = try document(List(state: .open))
    var draft = try document.draft(List.self)
    draft.tasks[0].status = .done(by: "me", at: 3)
    draft.tasks[0].marks["a"] = .due(Date(timeIntervalSince1970: 5))
    draft.state = .due(Date(timeIntervalSince1970: 7))
    try document.commit(&draft, by: .person(2, at: 2))
    #expect(try document.decode(List.self) == draft.model)
    draft.tasks[0].status = .done(by: "you", at: 3)
    draft.tasks[0].marks["a"] = .open
    draft.state = nil
    try document.commit(&draft, by: .person(2, at: 3))
    #expect(try document.decode(List.self) == draft.model)
    var model = draft.model
    model.tasks[0].status = .open
    try document.encode(model, session: .person(2, at: 4))
    #expect(try document.decode(List.self) == model)
    #expect(document.conflicts.isEmpty)
  }

  @Test(
    "two cases chosen apart are a conflict, and the model is still one", arguments: [false, true])
  func apart(_ isSwapped: Bool) throws {
    let base = try document(List())
    var (one, other) = (base, base)
    var (left, right) = (try one.draft(List.self), try other.draft(List.self))
    left.tasks[0].status = .done(by: "me", at: 3)
    left.state = .open
    right.tasks[0].status = .due(Date(timeIntervalSince1970: 5))
    right.state = .done(by: "you", at: 4)
    try one.commit(&left, by: .person(2, at: 2))
    try other.commit(&right, by: .person(3, at: 3))
    var merged = isSwapped ? other : one
    _ = try merged.merge(isSwapped ? one : other)
    let model = try merged.decode(List.self)
    #expect(model == right.model)
    #expect(
      merged.conflicts.map(\.path.description).sorted() == ["/state", "/tasks/0/status"])
  }

  @Test("a property that codes itself only at times goes when it does not")
  func sparse() throws {
    var document = try document(Sparse(name: "a", due: 3, kids: ["b": 1]))
    try document.change(by: .person(4, at: 2)) { try $0.put(.integer(5), at: ["later"]) }
    var draft = try document.draft(Sparse.self)
    draft.due = nil
    draft.kids = [:]
    try document.commit(&draft, by: .person(2, at: 3))
    #expect(try document.decode(Sparse.self) == Sparse(name: "a"))
    try document.encode(Sparse(name: "a", due: 4), session: .person(2, at: 4))
    try document.encode(Sparse(name: "b"), session: .person(2, at: 5))
    #expect(try document.decode(Sparse.self) == Sparse(name: "b"))
    // What a newer version of the app wrote stays.
    #expect(document.node(at: ["later"]) == .value(.integer(5)))
  }

  @Test("a structure that takes any key loses those that its draft lost, and no other")
  func loose() throws {
    var document = try document(Loose(["a": 1, "b": 2]))
    var draft = try document.draft(Loose.self)
    try document.change(by: .person(4, at: 2)) { try $0.put(.integer(5), at: ["c"]) }
    draft.fields["a"] = nil
    try document.commit(&draft, by: .person(2, at: 3))
    #expect(draft.fields == ["b": 2, "c": 5])
    // Nobody knows whether this one has seen the others.
    try document.encode(Loose(["d": 1]), session: .person(2, at: 4))
    #expect(try document.decode(Loose.self).fields == ["b": 2, "c": 5, "d": 1])
  }

  @Test("dictionaries by UUIDs and enumerations are maps, and decimal numbers stay whole")
  func tables() throws {
    let ids = [UUID(), UUID(), UUID(), UUID()]
    let model = Tables(names: [ids[0]: "a", ids[1]: "b"], counts: [.red: 1], numbers: [7: "x"])
    let base = try document(model)
    #expect(try base.decode(Tables.self) == model)
    var (one, other) = (base, base)
    var (left, right) = (try one.draft(Tables.self), try other.draft(Tables.self))
    left.names[ids[2]] = "c"
    left.names[ids[0]] = nil
    left.price = 125
    right.names[ids[3]] = "d"
    right.counts[.blue] = 2
    right.price = Decimal(string: "-12.6") ?? 0
    try one.commit(&left, by: .person(2, at: 2))
    try other.commit(&right, by: .person(3, at: 3))
    _ = try one.merge(other)
    let merged = try one.decode(Tables.self)
    #expect(merged.names == [ids[1]: "b", ids[2]: "c", ids[3]: "d"])
    #expect(merged.counts == [.red: 1, .blue: 2] && merged.price == right.price)
    #expect(one.conflicts.map(\.path.description) == ["/price"])
    struct Key: Codable, Hashable { var a = 1 }
    #expect(throws: ModelError.self) {
      _ = try PeernoteEncoder().node(for: [Key(): 1])
    }
  }

  @Test("undoing what added a structure or an entry takes all of it away, but for others' work")
  func undone() throws {
    struct Hotel: Codable, Equatable {
      var name: String
      @MergeableText var notes: String
    }
    struct Trip: Codable, Equatable {
      var title = "Trip"
      var hotel: Hotel?
      var rooms: [String: Hotel] = [:]
    }
    var document = try document(Trip())
    var history = UndoHistory()
    func add(_ edit: (inout Trip) -> Void, at time: Int64) throws {
      var model = try document.decode(Trip.self)
      edit(&model)
      if let change = try document.encode(model, session: .person(2, at: time)) {
        history.note(change)
      }
    }
    try add({ $0.hotel = Hotel(name: "Ritz", notes: "nice") }, at: 2)
    try add({ $0.rooms["a"] = Hotel(name: "A", notes: "small") }, at: 3)
    let full = try document.decode(Trip.self)
    try history.undo(in: &document, by: .person(2, at: 4))
    #expect(try document.decode(Trip.self).rooms == [:])
    try history.undo(in: &document, by: .person(2, at: 5))
    #expect(try document.decode(Trip.self) == Trip())
    try history.redo(in: &document, by: .person(2, at: 6))
    try history.redo(in: &document, by: .person(2, at: 7))
    #expect(try document.decode(Trip.self) == full)
    // An edit of it later is undone alone.
    try add({ $0.hotel?.name = "Savoy" }, at: 8)
    try history.undo(in: &document, by: .person(2, at: 9))
    #expect(try document.decode(Trip.self) == full)
  }

  @Test("undoing it leaves what somebody else wrote in it")
  func undoneBesideOthers() throws {
    struct Trip: Codable, Equatable {
      var title = "Trip"
      var hotel: [String: String]?
    }
    var document = try document(Trip())
    var model = Trip()
    model.hotel = ["name": "Ritz"]
    let change = try document.encode(model, session: .person(2, at: 2))
    try document.change(by: .person(3, at: 3)) { editor in
      try editor.put(.string("late"), at: ["hotel", "arrival"])
    }
    try document.revert([#require(change)], by: .person(2, at: 4))
    #expect(try document.decode(Trip.self).hotel == ["arrival": "late"])
  }
}
