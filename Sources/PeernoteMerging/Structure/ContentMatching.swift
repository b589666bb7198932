package import PeernoteEngine

/// How wanted content is compared with what a document holds; see
/// ``Editor/replaceContent(at:with:matching:)``.
package struct ContentMatching: Sendable {
  /// What is known of maps, by their paths.
  package struct Maps {
    /// Of each map that belongs to a structure, the keys that it knows.
    package var knownKeys: [JSONPointer: KnownKeys] = [:]
    /// Those that are enumerations, whose cases are keys.
    package var enumerations: Set<JSONPointer> = []

    package init() {}
  }

  /// The keys that tell list elements apart which are maps, in order of preference.
  ///
  /// An element of the wanted list is the one of the document that has an equal value under the
  /// first of these keys that it has, if no other element of either list has.
  package var identityKeys: [String]

  /// Whether a string stands for a text, a list of values for a set, and an integer for a counter,
  /// where these are in the document.
  var keepsKinds = false

  /// Of which maps only some keys are compared, and which are replaced whole where keys differ, by
  /// the path of the wanted content.
  package var maps = Maps()

  /// Which elements the wanted ones of a list were in an earlier version, by the path of the wanted
  /// list.
  var earlierElements: [JSONPointer: [EventID]] = [:]

  /// Whether a counter with another count is replaced, so that two who do this apart write the same;
  /// else the difference is added.
  var replacesCounters = false

  package init(identityKeys: [String] = ["id"]) {
    self.identityKeys = identityKeys
  }

  /// Takes wanted content as it stands; elements are told apart by `id`.
  package static let exact = ContentMatching()

  /// Lets a string stand for a text, a list of values for a set, and an integer for a counter,
  /// where these are in the document; elements are told apart by `id`.
  ///
  /// For content that comes from JSON.
  package static let keepingKinds = {
    var matching = ContentMatching()
    matching.keepsKinds = true
    return matching
  }()

  /// Wanted content as the kind that stands in its place, if that is to stay and it can stand for it.
  func adapted(_ wanted: DocumentNode, to present: Content) -> DocumentNode {
    switch (wanted, present) {
    case (.value, .container(let kind)), (.list, .container(let kind)):
      keepsKinds ? wanted.converted(to: kind) ?? wanted : wanted
    case (_, _): wanted
    }
  }
}

/// The keys of a map that a structure knows, whether it has something under them or not.
///
/// Those that it coded, and all that are its coding keys if these are few, as those that the compiler
/// makes: a property that codes itself only at times, and the cases of an enumeration.
package struct KnownKeys: Sendable {

  package init() {}
  /// A key that nothing but a type for any key at all takes for one of its own.
  private static let anyKey = "\u{10FFFF} any key"

  private var coded: Set<Value> = []
  private var areKeys: [@Sendable (String) -> Bool] = []

  /// Notes the coding keys of a type.
  package mutating func note<Key: CodingKey>(_ type: Key.Type) {
    if Key(stringValue: Self.anyKey) == nil { areKeys.append { Key(stringValue: $0) != nil } }
  }

  /// Notes a key that was coded.
  package mutating func note(_ key: String) {
    coded.insert(.string(key))
  }

  /// Whether a structure knows a key.
  func contains(_ key: String) -> Bool {
    coded.contains(.string(key)) || areKeys.contains { $0(key) }
  }
}
