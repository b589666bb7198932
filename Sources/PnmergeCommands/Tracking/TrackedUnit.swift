import Peernote

/// A tracked plain file in one of the folders that are brought together.
struct TrackedPlace {
  /// The folder, by its number.
  var folder: Int
  /// The plain file.
  var path: RelativePath
  /// Whether its history is where it belongs.
  var hasHistory: Bool
  /// The conflict copies of the history, ascending.
  var historyCopies: [RelativePath] = []
  /// The conflict copies of the plain file, ascending.
  var fileCopies: [RelativePath] = []

  /// The histories that there are, ascending.
  var histories: [RelativePath] { (hasHistory ? [path.history] : []) + historyCopies }
}

/// A tracked plain file in all folders: file, history and conflict copies of both, which are taken
/// together.
struct TrackedUnit {
  var id: UniqueID
  /// One at most for each folder, ascending.
  var places: [TrackedPlace]

  /// Two files of the same name in folders that hold one of them each; `nil` if they are not such.
  func joined(with other: TrackedUnit) -> TrackedUnit? {
    let all = (places + other.places).sorted { $0.folder < $1.folder }
    guard all.allSatisfy({ $0.path == places[0].path }),
      zip(all, all.dropFirst()).allSatisfy({ $0.folder != $1.folder })
    else { return nil }
    return TrackedUnit(id: min(id, other.id), places: all)
  }
}

extension OpenFolder {
  /// The tracked plain files that are there, ascending.
  var trackedFiles: [(path: RelativePath, summary: DocumentSummary)] {
    tracked.paths.compactMap { history in
      guard history.original == nil, let path = history.plainFile, listing.others[path] != nil,
        let summary = tracked[history]
      else { return nil }
      return (path, summary)
    }.sorted { $0.path < $1.path }
  }

  /// The tracked plain files of the folder, with all that belongs to them, ascending.
  ///
  /// - Parameter number: the folder's number.
  /// - Returns: the files, each with the identity of its history.
  func trackedPlaces(_ number: Int) -> [(id: UniqueID, place: TrackedPlace)] {
    var places: [RelativePath: (id: UniqueID, place: TrackedPlace)] = [:]
    for path in tracked.paths {
      guard let summary = tracked[path] else { continue }
      let original = path.original
      guard let file = (original ?? path).plainFile else { continue }
      var (id, place) =
        places[file]
        ?? (summary.id, TrackedPlace(folder: number, path: file, hasHistory: false))
      if original == nil {
        (id, place.hasHistory) = (summary.id, true)
      } else {
        place.historyCopies.append(path)
      }
      places[file] = (id, place)
    }
    for path in listing.others.keys.sorted() where tracked[path.history] == nil {
      let original = ConflictCopyName.deliveredOriginal(of: Array(path.lastComponent))
      if let original = original.map({ path.sibling($0) }) {
        places[original]?.place.fileCopies.append(path)
      }
    }
    return places.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension [OpenFolder] {
  /// The tracked plain files of all folders, by their identities, ascending by path.
  func trackedUnits() -> [TrackedUnit] {
    let places = enumerated().flatMap { $1.trackedPlaces($0) }
    return Dictionary(grouping: places, by: \.id).flatMap { id, found -> [TrackedUnit] in
      let places = found.map(\.place)
      let counts = Dictionary(grouping: places, by: \.folder).values.map(\.count)
      if counts.max() == 1 { return [TrackedUnit(id: id, places: places)] }
      // A file that was copied with its history goes its own way.
      return Dictionary(grouping: places, by: \.path).values.map { TrackedUnit(id: id, places: $0) }
    }.sorted { ($0.places[0].path, $0.id) < ($1.places[0].path, $1.id) }
  }
}
