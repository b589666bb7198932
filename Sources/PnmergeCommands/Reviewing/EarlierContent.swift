package import Peernote

/// What stood at a contested place when those who contest it parted.
package enum EarlierContent {
  /// It is not known, or there is no such thing.
  case unknown
  /// This did; `nil` if nothing stood there.
  case known(Node?)

  /// The content, if it is known and there was one.
  package var node: Node? {
    switch self {
    case .unknown: nil
    case .known(let node): node
    }
  }

  /// What stood there on one line, cut.
  var preview: String {
    guard let node, !node.readableText.isEmpty else { return "nothing" }
    return node.preview
  }

  /// Whether it is known, be it that nothing stood there.
  package var isKnown: Bool {
    switch self {
    case .unknown: false
    case .known: true
    }
  }

  /// The most versions in which somebody parted that are looked at.
  static let versionLimit = 32

  /// Looks for what stood at contested places of one document.
  ///
  /// One walk over the whole history for each version in which somebody parted, which is one for
  /// all places of one merge; after ``versionLimit`` of them the rest is unknown. Holds the document
  /// once more.
  ///
  /// - Parameters:
  ///   - conflicts: the places.
  ///   - document: the document, of which they are told.
  ///   - identityKeys: what tells elements of lists apart.
  ///   - isWanted: for which of them to look; for the others it is unknown.
  /// - Returns: what stood at each.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  static func find(
    _ conflicts: [Conflict], in document: Document, identityKeys: [String],
    where isWanted: (Conflict) -> Bool = { _ in true }
  ) throws(DocumentError) -> [EarlierContent] {
    var result = [EarlierContent](repeating: .unknown, count: conflicts.count)
    var versions: [[ChangeID]] = []
    var places: [[ChangeID]: [Int]] = [:]
    for (index, conflict) in conflicts.enumerated()
    where isWanted(conflict) && conflict.mayHaveEarlierContent {
      let version = document.parting(of: conflict)
      if places[version] == nil {
        if versions.count == versionLimit { continue }
        versions.append(version)
      }
      places[version, default: []].append(index)
    }
    for version in versions {
      // Those who had nothing in common had nothing there.
      let parting = version.isEmpty ? nil : try document.at(version: version)
      var reader = PassageReader(of: document, since: parting, identityKeys: identityKeys)
      for index in places[version] ?? [] { result[index] = reader.before(conflicts[index]) }
    }
    return result
  }
}

extension Conflict {
  /// Whether something may have stood there before: elements that were inserted were nowhere.
  fileprivate var mayHaveEarlierContent: Bool { !kind.isOfSeveralElements || kind == .movedApart }
}

extension Document {
  /// The version from which those parted who contest a place.
  ///
  /// Whoever edited what was removed, or moved, may have seen that since: then it is the version that
  /// was there when it was removed.
  fileprivate func parting(of conflict: Conflict) -> [ChangeID] {
    let version = commonVersion(of: conflict.ownSides.map(\.change))
    let removals = conflict.sides.filter { $0.node == nil || conflict.kind == .movedApart }
    guard let removal = removals.first(where: { version == [$0.change] })?.change else {
      return version
    }
    return changes.first { $0.id == removal }?.parents ?? version
  }
}
