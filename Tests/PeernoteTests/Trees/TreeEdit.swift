import Peernote
import PeernoteTestSupport
import Testing

/// Something that somebody does to a tree, at places that are JSON Pointers, with content in JSON.
enum TreeEdit: Sendable {
  /// Makes a place read so, as all commands do that take whole content.
  case set(String, String)
  case insert(String, String)
  case remove(String)
  /// From one list or map to another one, what is moved is removed and inserted.
  case move(String, String)
}

extension Document {
  /// A document that holds an object.
  init(holding json: String) throws {
    self.init(id: UniqueID(high: 5, low: 5))
    try edit([.set("", json)], by: 1)
  }

  /// A document that holds a text, its body.
  init(ofText text: String) throws {
    self.init(id: UniqueID(high: 5, low: 5))
    try change(by: .person(1)) { try $0.put(node: .text(text), at: ["body"]) }
  }

  /// What the body reads.
  var body: String { node(at: ["body"])?.string ?? "" }

  /// Makes the body read so.
  @discardableResult
  mutating func write(_ text: String, by person: UInt64) throws -> ChangeID? {
    try change(by: .person(person)) { try $0.replaceText(at: ["body"], with: text) }
  }

  /// Makes edits, each a change of a person.
  ///
  /// - Returns: the places of elements that may have been meant for others.
  @discardableResult
  mutating func edit(_ edits: [TreeEdit], by person: UInt64) throws -> [String] {
    var doubts: [String] = []
    for edit in edits {
      try change(by: .person(person)) { editor in
        try editor.make(edit)
        doubts += editor.doubts.map(\.path.description)
      }
    }
    return doubts
  }

  /// What stands at a place, in JSON; `nil` if nothing does.
  func json(_ path: String) -> String? { node(at: Self.place(path))?.json(as: .plain) }

  /// The kinds of what is undecided.
  var kinds: [Conflict.Kind] { conflicts.map(\.kind) }

  fileprivate static func place(_ path: String) -> JSONPointer {
    JSONPointer(path) ?? JSONPointer()
  }
}

extension Editor {
  fileprivate mutating func make(_ edit: TreeEdit) throws {
    func content(_ json: String) throws -> DocumentNode { try DocumentNode(json: json, as: .exact) }
    switch edit {
    case .set(let path, let json):
      try replaceContent(at: Document.place(path), with: content(json))
    case .insert(let path, let json):
      try insert(node: content(json), at: Document.place(path))
    case .remove(let path):
      try remove(at: Document.place(path))
    case .move(let from, let to):
      let (source, target) = (Document.place(from), Document.place(to))
      guard let node = node(at: source) else { throw EditError.noSuchPlace(source) }
      let isList = if case .list? = self.node(at: target.parent) { true } else { false }
      if isList, source.parent == target.parent { return try move(from: source, to: target) }
      try remove(at: source)
      try isList ? insert(node: node, at: target) : put(node: node, at: target)
    }
  }
}

/// Two copies of a document that people 2 and 3 edit apart.
struct TwoCopies {
  var ours: Document
  var theirs: Document

  init(of start: String, _ ours: [TreeEdit], _ theirs: [TreeEdit]) throws {
    var (left, right) = (try Document(holding: start), try Document(holding: start))
    try left.edit(ours, by: 2)
    try right.edit(theirs, by: 3)
    (self.ours, self.theirs) = (left, right)
  }

  /// Copies of a text that both write anew.
  init(ofText start: String, _ ours: String, _ theirs: String) throws {
    let start = try Document(ofText: start)
    self.init(start, start)
    try self.ours.write(ours, by: 2)
    try self.theirs.write(theirs, by: 3)
  }

  init(_ ours: Document, _ theirs: Document) { (self.ours, self.theirs) = (ours, theirs) }

  /// Both together, which is the same in either order, and sound, and the same read from a file.
  func merged() throws -> Document {
    let document = try PeernoteTestSupport.merged(ours, theirs)
    let other = try PeernoteTestSupport.merged(theirs, ours)
    let bytes = document.bytes()
    try #require(bytes == other.bytes())
    #expect(Document.validate(bytes: bytes).isEmpty)
    let read = try Document(bytes: bytes)
    #expect(read.bytes() == bytes && read.conflicts == document.conflicts)
    return document
  }

  /// Both together with a conflict settled, the first one, which leaves none and brings none up again
  /// in a copy that does not know of that.
  func settled(
    _ choose: (Conflict) throws -> Conflict.Choice
  ) throws -> (document: Document, dropped: [DroppedValue]) {
    var document = try merged()
    let conflict = try #require(document.conflicts.first)
    let choice = try choose(conflict)
    #expect(conflict.allows(choice))
    let earlier = try document.earlierContent(of: [conflict])[0].node
    var dropped: [DroppedValue] = []
    let change = try document.change(by: .person(4)) { editor in
      dropped = try editor.resolve(conflict, taking: choice, since: earlier)
    }
    #expect(change != nil && document.conflicts.isEmpty, "\(choice): \(document.conflicts)")
    for copy in [ours, theirs] {
      let late = try TwoCopies(copy, document).merged()
      #expect(late.conflicts.isEmpty && late.bytes() == document.bytes(), "\(choice)")
    }
    return (document, dropped)
  }
}
