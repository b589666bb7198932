import Peernote

/// Reading tracked plain files and their histories.
extension FolderSync {
  /// All changes of all histories.
  func union(of unit: TrackedUnit) throws -> PlainHistory {
    var histories: [UniqueID: [(file: FileName, document: Document)]] = [:]
    let files =
      unit.places.flatMap { place in place.histories.map { (place.folder, $0) } }
      + unit.tombstones.map { ($0.folder, $0.path) }
    for (folder, path) in files {
      let document = try readHistory(path, folder).document
      histories[document.id, default: []].append((named(path, folder), document))
    }
    // The same file was tracked on two machines that did not know of each other.
    let found = try histories.sorted { $0.key < $1.key }.map { _, copies in
      let files = copies.map(\.file)
      let all = try union(of: files) { number, _ in copies[number].document }.document
      return (file: files[0], history: try PlainHistory(all, from: files[0]))
    }
    guard let first = found.first else { preconditionFailure("a unit has a history") }
    var result = first.history
    for (other, history) in found.dropFirst() {
      do {
        try result.adopt(history)
      } catch let error as MergeError {
        throw error.failure(other, history.document, comparedWith: first.file, result.document)
      } catch let error as DocumentError {
        throw error.failure(in: other)
      } catch let error as EditError {
        throw Failure(.damaged, file: other, "\(error)")
      }
    }
    return result
  }

  /// What a place has of the history of a file; `nil` if that has another identity, or none.
  func history(at place: TrackedPlace, _ id: UniqueID) throws -> PlainHistory? {
    if place.histories.isEmpty { return nil }
    let history = try union(of: TrackedUnit(id: id, places: [place]))
    return history.document.id == id ? history : nil
  }

  /// Reads a history.
  func readHistory(_ path: RelativePath, _ folder: Int) throws(Failure) -> PlainHistory {
    let shown = named(path, folder)
    let contents = try shown.reading(
      host.read(
        folders[folder].root.appending(path), limit: Invocation.inputLimit, beginning: .document))
    return try PlainHistory(invocation.parseDocument(contents.bytes, from: shown), from: shown)
  }

  /// Reads the plain files of a place, and brings in what this machine knows of the history.
  ///
  /// Conflict copies that are no text, or empty though the file was not, are left alone, which is said.
  mutating func open(
    _ place: TrackedPlace, _ history: inout PlainHistory
  ) throws -> OpenPlace {
    let folder = folders[place.folder]
    let file = folder.root.appending(place.path)
    var result = OpenPlace(place: place, contents: nil)
    let state = PlainFileStates(host).state(of: file)
    if state?.history.document.heads != history.document.heads,
      isPutByGit(place, history, instead: state)
    {
      result.isPutByGit = true
      result.state = PlainFileState(history: history, memory: PlainMemory(showing: history))
      result.state?.savers = state?.savers ?? []
    } else if let state {
      if state.history.document.id != history.document.id {
        result.state = state.adopted(by: history)
      } else {
        let isKnown = state.history.document.has(history.document.heads)
        var merged = state.history
        if let found = try? merged.merge(history) {
          result.state = state
          result.state?.compare(with: history)
          history = merged
          if !found.takenOut.isEmpty {
            result.news.append(.redacted(named(place.path, place.folder), found.takenOut))
          }
          if !isKnown {
            result.isNews = true
            result.state?.isShared = true
          }
        }
      }
    }
    result.contents = try PlainContents(file, shown: named(place.path, place.folder), host)
    for path in place.fileCopies {
      let name = named(path, place.folder)
      try attempt(nil) { sync in
        let copy = try PlainContents(folder.root.appending(path), shown: name, sync.host)
        guard let copy else { return }
        if copy.wasEmptied(from: history.text) {
          throw Failure(
            .unreadable, file: name,
            "is an empty conflict copy, and was left alone; if nothing was to be deleted, delete it"
          )
        }
        result.copies.append((path, copy))
      }
    }
    return result
  }

  /// Whether git put the history there, of whatever branch and in whatever conflict: it holds just
  /// that, or tracks it and it lacks what this machine knew, as after `git stash pop`.
  ///
  /// Then what this machine knew of the file before does not count. Nothing is lost: what the history
  /// lacks is in git's commits, or was given up.
  private mutating func isPutByGit(
    _ place: TrackedPlace, _ history: PlainHistory, instead state: PlainFileState?
  ) -> Bool {
    guard place.hasHistory, place.historyCopies.isEmpty else { return false }
    switch gitFolder(of: place)?[FileName(bytes: place.path.lastComponent).history] {
    case .held?: return true
    case .changed?:
      guard let known = state?.history.document, known.id == history.document.id else {
        return false
      }
      return !history.document.has(known.heads)
    case .inConflict?, nil: return false
    }
  }

  /// Refuses a file that git left in conflict, or whose history it did.
  mutating func checkConflict(at place: TrackedPlace) throws(Failure) {
    guard let git = gitFolder(of: place) else { return }
    let (name, file) = (named(place.path, place.folder), FileName(bytes: place.path.lastComponent))
    if git[file.history] == .inConflict {
      throw Failure(.unreadable, file: name, TrackedConflict.history)
    }
    if git[file] == .inConflict {
      throw Failure(.unreadable, file: name, TrackedConflict.file)
    }
  }

  /// What git says of the directory of a file; `nil` outside of its work trees.
  private mutating func gitFolder(of place: TrackedPlace) -> GitFolder? {
    let directory = folders[place.folder].root.appending(place.path).directory
    if let known = gitFolders[directory] { return known }
    let found = GitFolder(directory, host)
    gitFolders.updateValue(found, forKey: directory)
    return found
  }
}
