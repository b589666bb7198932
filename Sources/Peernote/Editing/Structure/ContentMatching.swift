/// How wanted content is compared with what a document holds; see
/// ``Editor/replaceContent(at:with:matching:)``.
package struct ContentMatching: Sendable {
  /// What is known of maps, by their paths.
  struct Maps {
    /// Of each map that belongs to a structure, the keys that it knows.
    var knownKeys: [JSONPointer: KnownKeys] = [:]
    /// Those that are enumerations, whose cases are keys.
    var enumerations: Set<JSONPointer> = []
  }

  /// The keys that tell list elements apart which are maps, in order of preference.
  ///
  /// An element of the wanted list is the one of the document that has an equal value under the
  /// first of these keys that it has, if no other element of either list has.
  package var identityKeys: [String]

  /// Turns wanted content into the kind that stands in its place, if it can stand for that.
  ///
  /// Called with the wanted content and what is there: a value, or the kind of a container.
  package var adapting: @Sendable (_ wanted: DocumentNode, _ present: Content) -> DocumentNode

  /// Of which maps only some keys are compared, and which are replaced whole where keys differ, by
  /// the path of the wanted content.
  var maps = Maps()

  /// Which elements the wanted ones of a list were in an earlier version, by the path of the wanted
  /// list.
  var earlierElements: [JSONPointer: [EventID]] = [:]

  /// Whether a counter with another count is replaced, so that two who do this apart write the same;
  /// else the difference is added.
  var replacesCounters = false

  /// Rules for comparing.
  package init(
    identityKeys: [String] = ["id"],
    adapting: @escaping @Sendable (_ wanted: DocumentNode, _ present: Content) -> DocumentNode = {
      wanted, _ in
      wanted
    }
  ) {
    self.identityKeys = identityKeys
    self.adapting = adapting
  }

  /// Takes wanted content as it stands; elements are told apart by `id`.
  package static let exact = ContentMatching()

  /// Lets a string stand for a text, a list of values for a set, and an integer for a counter,
  /// where these are in the document; elements are told apart by `id`.
  ///
  /// For content that comes from JSON.
  package static let keepingKinds = ContentMatching { wanted, present in
    switch (wanted, present) {
    case (.value, .container(let kind)), (.list, .container(let kind)):
      wanted.converted(to: kind) ?? wanted
    case (_, _): wanted
    }
  }
}
