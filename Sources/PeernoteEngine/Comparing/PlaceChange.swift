/// One place where a later state of a document differs from an earlier one, known by identity, so
/// that an element that moved in its list, or whose neighbours did, is still the same place.
package struct PlaceChange: Hashable, Sendable {
  /// What happened at the place, by what programs are told of it.
  package enum Kind: String, Hashable, Sendable {
    /// A key or an element is there that was not.
    case added
    /// A key or an element is there no more.
    case removed
    /// Something else stands there.
    case replaced
    /// The element stands elsewhere in its list.
    case moved
    /// The text at the place reads otherwise.
    case text
    /// The set at the place holds a value that it did not hold.
    case memberAdded = "member-added"
    /// The set at the place holds a value no more.
    case memberRemoved = "member-removed"
    /// The counter at the place counts otherwise.
    case counted
  }

  /// A key or an element on the way from the root to a place.
  package enum Step: Hashable, Sendable {
    /// A key of a map.
    case key(ExactString)
    /// An element of a list, by its insertion.
    case element(EventID)
  }

  /// The way to the place: the same in all states of the document.
  package var steps: [Step]
  /// Where it stands in the later state, or in the earlier one if it is there no more.
  package var path: JSONPointer
  /// Where in the later state it would stand if the change had not been: of what is there no more, or
  /// was moved; in a list before the element of that index.
  package var home: JSONPointer?
  /// The place as a person would name it: keys, and elements by what they say of themselves.
  package var name: PlaceName
  /// What happened there.
  package var kind: Kind
  /// What stood there, be it the value in a set; `nil` if nothing did, or it was only moved.
  package var old: DocumentNode?
  /// What stands there, likewise.
  package var new: DocumentNode?
  /// The earlier index of an element that was moved.
  package var origin: Int?
  /// Who did it, the last one first.
  package var authors: [String] = []
  /// When it was done last; `nil` if no change since the earlier state says.
  package var time: Timestamp?
}

/// What differs between two states of a document.
package struct PlaceChanges: Hashable, Sendable {
  /// The most places that are kept; the rest is only counted, so that a history that was made to be
  /// dear takes no more memory than others.
  package static let limit = 10_000

  /// The places in the order of the content, as many as are kept.
  package internal(set) var places: [PlaceChange] = []
  /// How many there are.
  package internal(set) var count = 0
}

/// A place in a document as a person would name it.
package struct PlaceName: Hashable, Sendable {
  /// A part of the name, from the outside in.
  package enum Part: Hashable, Sendable {
    /// A key of a map.
    case key(String)
    /// An element by its title, or by what else names it.
    case titled(String)
    /// An element that says nothing of itself, counted from 1.
    case element(Int)
  }

  /// The parts; none for the whole document.
  package var parts: [Part]

  package init(_ parts: [Part] = []) {
    self.parts = parts
  }

  /// The name of a place of some content; what lies beyond that is named by its keys; O(depth)
  /// steps, each O(children).
  package init(of path: JSONPointer, in root: DocumentNode) {
    var node: DocumentNode? = root
    parts = path.tokens.map { token in
      let parent = node
      node = parent?[JSONPointer([token])]
      guard case .list = parent, let index = JSONPointer.index(token) else { return .key(token) }
      return Self.part(node, at: index)
    }
  }

  /// The keys whose value names the map that has it, in order of preference.
  static let namingKeys = ["title", "name", "label", "heading", "subject", "summary", "key", "id"]

  /// How an element of a list is named.
  package static func part(_ element: DocumentNode?, at index: Int) -> Part {
    for key in namingKeys {
      let value = element?[key]
      if let name = value?.string, !name.isEmpty { return .titled(name) }
      if case .value(.integer(let number)) = value { return .titled(String(number)) }
    }
    return .element(index + 1)
  }
}

extension PlaceChange {
  /// What the text at the place read, and reads now; `nil` if something else happened.
  package var texts: (old: String, new: String)? {
    guard kind == .text, case .text(let old)? = old, case .text(let new)? = new else { return nil }
    return (old, new)
  }

  /// Whether two copies did the same at one place, to the byte.
  package func isSame(as other: PlaceChange) -> Bool {
    guard steps == other.steps, kind == other.kind else { return false }
    if kind == .moved { return path == other.path }
    // What two count adds up.
    guard kind != .counted, let mine = new ?? old, let theirs = other.new ?? other.old else {
      return false
    }
    return mine == theirs
  }
}

extension Objects {
  /// The way to a place, which is the same in all states of the document; `nil` if nothing is
  /// there; O(depth) steps, each O(children).
  package func steps(to path: JSONPointer) -> [PlaceChange.Step]? {
    var steps: [PlaceChange.Step] = []
    let target = Target(path.tokens, in: self) { token, parent in
      guard let child = child(token, of: parent) else { return nil }
      steps.append(
        child.isElement ? .element(log.eventID(of: child.element)) : .key(ExactString(token)))
      return child
    }
    return target == nil ? nil : steps
  }
}

extension Document {
  /// The way to a place, which is the same in all states of the document; `nil` if nothing is there.
  package func steps(to path: JSONPointer) -> [PlaceChange.Step]? { file.objects.steps(to: path) }

  /// The elements of a list, in order; none if no list is there; O(depth) steps, each O(children).
  package func elements(ofListAt path: JSONPointer) -> [EventID] {
    let objects = file.objects
    guard let list = Target(path, in: objects)?.container(in: objects),
      log.containers[list].kind == .list
    else { return [] }
    return objects.children(ofList: list).map { log.eventID(of: $0.element) }
  }

  /// The places where this state differs from an earlier one, whose changes it has all.
  package func places(changedSince earlier: Document) -> PlaceChanges {
    StateChanges(from: earlier.file, to: file).changes
  }
}
