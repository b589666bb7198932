/// One place where a later state of a document differs from an earlier one.
///
/// Places are told apart by identity, so that an element of a list that moved, or whose neighbours
/// did, is still the same place.
package struct PlaceChange: Hashable, Sendable {
  /// What happened at the place.
  package enum Action: Hashable, Sendable {
    /// A key or an element is there that was not.
    case added(DocumentNode)
    /// A key or an element is there no more.
    case removed(DocumentNode)
    /// Something else stands there.
    case replaced(DocumentNode, by: DocumentNode)
    /// The element stands elsewhere in its list; the index is the earlier one.
    case moved(from: Int)
    /// The text at the place reads otherwise.
    case text(String, becoming: String)
    /// The set at the place holds a value that it did not hold.
    case memberAdded(Value)
    /// The set at the place holds a value no more.
    case memberRemoved(Value)
    /// The counter at the place counts otherwise.
    case counted(Int64, becoming: Int64)
  }

  /// A key or an element on the way from the root to a place.
  package enum Step: Hashable, Sendable {
    /// A key of a map.
    case key(String)
    /// An element of a list, by its insertion.
    case element(EventID)

    /// Whether two steps are the same, to the byte.
    package static func == (left: Step, right: Step) -> Bool {
      switch (left, right) {
      case (.key(let left), .key(let right)): left.utf8.elementsEqual(right.utf8)
      case (.element(let left), .element(let right)): left == right
      case (.key, .element), (.element, .key): false
      }
    }

    /// Feeds the bytes of a key, or the element's name.
    package func hash(into hasher: inout Hasher) {
      switch self {
      case .key(let key): hasher.combine(ExactString(key))
      case .element(let event): hasher.combine(event)
      }
    }
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
  package var action: Action
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
