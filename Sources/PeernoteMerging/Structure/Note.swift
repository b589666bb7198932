package import PeernoteEngine

/// A note: the profile of documents that people edit as Markdown with front matter.
///
/// Title, priority and creation time are registers, the body is a text, the tags are a set; further
/// fields are what they are.
package struct Note: Hashable, Sendable {
  package enum Priority: String, CaseIterable, Hashable, Sendable {
    case low
    case normal
    case high
  }

  package var title: String?
  package var body: String
  /// The tags, in the order of the file.
  package var tags: [String]
  package var priority: Priority?
  /// When the note was started.
  package var created: Timestamp?
  /// Anything further, by key.
  package var fields: NoteFields
  /// The front matter that the note came in with, if it says more than the note; `nil` if not.
  ///
  /// That is an order of keys, remarks, quotes, numbers and times in other forms. What of it still
  /// holds is written as it stands.
  package var frontMatter: String?

  package init(
    title: String? = nil, body: String = "", tags: [String] = [], priority: Priority? = nil,
    created: Timestamp? = nil, fields: NoteFields = [:], frontMatter: String? = nil
  ) {
    self.title = title
    self.body = body
    self.tags = tags
    self.priority = priority
    self.created = created
    self.fields = fields
    self.frontMatter = frontMatter
  }

  /// The note that a document holds; `nil` if it isn't one: a key of the profile holds something
  /// else than it should, or there is no body.
  package init?(root: DocumentNode) {
    guard case .map(let entries) = root, Self.fault({ root[$0] }) == nil else { return nil }
    self.init()
    for entry in entries {
      switch (entry.key, entry.node) {
      case (Key.body, .text(let body)): self.body = body
      case (Key.title, .value(.string(let title))): self.title = title
      case (Key.tags, .set): tags = entry.node.texts
      case (Key.priority, .value(.string(let name))): priority = Priority(rawValue: name)
      case (Key.created, .value(.timestamp(let time))): created = time
      case (Key.frontMatter, .text(let text)): frontMatter = text
      case (let key, let node): fields[key] = node
      }
    }
  }

  package static func isNote(_ root: DocumentNode) -> Bool { Note(root: root) != nil }

  /// The keys of the profile in a document's root.
  package enum Key {
    static let title = "title"
    static let body = "body"
    static let tags = "tags"
    static let priority = "priority"
    static let created = "created"
    package static let frontMatter = "$front-matter"
    package static let all = [title, body, tags, priority, created]
  }

  /// What stands in ``frontMatter`` for the lines of a key that are written as the note has them.
  package static let canonicalTag = "!canonical"
}

extension Note {
  /// What a document holds under a key for the note, the tags in their order; `nil` for nothing.
  package subscript(key: String) -> DocumentNode? {
    switch key {
    case Key.title: title.map { .value(.string($0)) }
    case Key.priority: priority.map { .value(.string($0.rawValue)) }
    case Key.created: created.map { .value(.timestamp($0)) }
    case Key.frontMatter: frontMatter.map { .text($0) } ?? fields[key]
    case Key.tags: .set(tags.map { .string($0) })
    case Key.body: .text(body)
    case _: fields[key]
    }
  }
}

extension Editor {
  /// Writes a note into an empty document; throws if that would grow over its limits.
  package mutating func create(_ note: Note) throws(EditError) {
    try putContainer(.text, at: JSONPointer([Note.Key.body]))
    try putContainer(.set, at: JSONPointer([Note.Key.tags]))
    try apply(note)
  }

  /// Turns the differences between the document's note and another one into edits: values that
  /// differ are written, tags added and discarded, the body changed where it differs.
  ///
  /// Throws if the document is no note, or would grow over its limits.
  package mutating func apply(_ note: Note) throws(EditError) {
    guard let root = node(at: JSONPointer()), let old = Note(root: root) else {
      throw .wrongKind(JSONPointer([Note.Key.body]), expected: .text)
    }
    try apply(note, to: old)
  }

  /// Turns the differences between what was read of the document's note and another one into edits;
  /// throws if the document would grow over its limits.
  package mutating func apply(_ note: Note, to old: Note) throws(EditError) {
    let (first, last) = (
      [Note.Key.title, Note.Key.priority, Note.Key.created],
      [Note.Key.frontMatter, Note.Key.tags, Note.Key.body]
    )
    let fields = note.fields.keys(differingFrom: old.fields)
      .filter { !(first + last).contains($0) }
    for key in first + fields + last where note[key] != old[key] {
      let path = JSONPointer([key])
      if let new = note[key] {
        try replaceContent(at: path, with: new, matching: .keepingKinds)
      } else {
        try remove(at: path)
      }
    }
  }
}

/// What a note holds besides the keys of the profile, by key.
///
/// Keys are told apart by their bytes, so that two which only look the same are two.
package struct NoteFields: Hashable, Sendable {
  private var nodes: [ExactString: DocumentNode] = [:]

  package init() {}

  /// What stands under a key; `nil` if nothing does.
  package subscript(key: String) -> DocumentNode? {
    get { nodes[ExactString(key)] }
    set { nodes[ExactString(key)] = newValue }
  }

  package var isEmpty: Bool { nodes.isEmpty }

  package var count: Int { nodes.count }

  /// The entries, in the order of maps; O(n log n).
  package var entries: [DocumentNode.MapEntry] {
    nodes.map { .init(key: $0.key.string, node: $0.value) }
      .sorted(by: DocumentNode.MapEntry.precedes)
  }

  /// The keys that differ from those of other fields, or hold something else there.
  package func keys(differingFrom other: NoteFields) -> [String] {
    entries.filter { other[$0.key] != $0.node }.map(\.key)
      + other.entries.filter { self[$0.key] == nil }.map(\.key)
  }
}

extension NoteFields: ExpressibleByDictionaryLiteral {
  /// Fields, the last of those with one key.
  package init(dictionaryLiteral elements: (String, DocumentNode)...) {
    for (key, node) in elements { self[key] = node }
  }
}

extension DocumentNode {
  /// The texts that a set holds.
  package var texts: [String] {
    guard case .set(let members) = self else { return [] }
    return members.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}

extension Note {
  /// The key that keeps content, given by key, from being a note; `nil` if it is one.
  static func fault(_ content: (String) -> DocumentNode?) -> String? {
    func isRight(_ key: String) -> Bool {
      switch (key, content(key)) {
      case (Key.body, .text?), (Key.title, .value(.string)?), (Key.created, .value(.timestamp)?):
        true
      case (Key.priority, .value(.string(let name))?): Priority(rawValue: name) != nil
      case (Key.tags, .set(let members)?):
        members.allSatisfy { if case .string = $0 { true } else { false } }
      case (let key, let node): node == nil && key != Key.body
      }
    }
    return [Key.body, Key.title, Key.priority, Key.created, Key.tags].first { !isRight($0) }
  }
}

extension Objects {
  /// The key that keeps the content from being a note; `nil` if it is one;
  /// O(keys of the document + members of the set of tags); reads no text.
  func noteFault() -> String? {
    Note.fault { key in
      guard let shown = child(key, ofMap: .root)?.resolved.shown else { return nil }
      switch log.contents[shown.content] {
      case .value(let value): return .value(value)
      case .container(.text): return .text("")
      case .container(.set):
        return container(createdBy: shown.event).map { .set(members(ofSet: $0)) }
      case .container: return .map([])
      }
    }
  }
}

extension Document {
  /// The key that keeps the document from being a note; `nil` if it is one.
  package var noteFault: String? { file.objects.noteFault() }
}

extension Editor {
  /// The key that keeps the document from being a note, as it is now; `nil` if it is one.
  package var noteFault: String? { editor.objects.noteFault() }
}
