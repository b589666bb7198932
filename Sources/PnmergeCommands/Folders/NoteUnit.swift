import Peernote

/// A file that holds a copy of a document, or a tracked plain file, in one of the folders that are
/// brought together.
struct NoteCopy {
  /// What a copy is to its folder.
  enum Role {
    /// The note itself.
    case note
    /// A copy that a program put beside the note because it was changed in two places.
    case conflictCopy
    /// The note after it was deleted, in the trash.
    case tombstone
  }

  /// The folder, by its number among those that are brought together.
  var folder: Int
  var path: RelativePath
  var role: Role
  /// Of a tracked file that of its history.
  var summary: DocumentSummary
  /// Whether the history of a tracked file is where it belongs.
  var hasHistory = true
  /// The conflict copies of the history of a tracked file, ascending.
  var historyCopies: [RelativePath] = []
  /// The conflict copies of a tracked file, ascending.
  var fileCopies: [RelativePath] = []

  /// Where the history of a tracked file belongs.
  var history: RelativePath { path.history }
  /// The histories of a tracked file that there are, ascending.
  var histories: [RelativePath] { (hasHistory ? [history] : []) + historyCopies }

  /// Where a deleted note was.
  var home: RelativePath { (path.plainFile ?? path).outOfTrash }
}

/// The copies that are to become one note, with at most one file in each folder.
///
/// Those of a tracked plain file are the files, each with its history and the conflict copies of both,
/// and the histories in the trash.
struct NoteUnit {
  var id: UniqueID
  var copies: [NoteCopy]
  /// Whether the folder holds further copies of the document, so that the path tells which belong
  /// together, and no renaming can be told from a copy.
  var isOneOfSeveral: Bool

  /// What the note says once all copies are merged; until then what the first one says.
  var summary: DocumentSummary
  /// The merged note, if a folder lacks it and no file that may be written holds all of it.
  var document: Document?

  init(id: UniqueID, copies: [NoteCopy], isOneOfSeveral: Bool = false) {
    self.id = id
    self.copies = copies
    self.isOneOfSeveral = isOneOfSeveral
    summary = copies[0].summary
  }

  var isDeleted: Bool { summary.isDeleted }

  /// The files that are the note.
  var places: [NoteCopy] { copies.filter { $0.role == .note } }
  var tombstones: [NoteCopy] { copies.filter { $0.role == .tombstone } }

  func place(in folder: Int) -> NoteCopy? {
    copies.first { $0.folder == folder && $0.role == .note }
  }

  /// The path of the note, or that of which its conflict copies are, or at which it was before it was
  /// deleted.
  var path: RelativePath {
    let copy =
      copies.first { $0.role == .note } ?? copies.first { $0.role == .conflictCopy } ?? copies[0]
    return switch copy.role {
    case .note: copy.path
    case .conflictCopy: copy.path.original ?? copy.path
    case .tombstone: copy.home
    }
  }

  /// Two tracked files of the same name in folders that hold one of them each; `nil` if they are not
  /// such.
  func joined(with other: NoteUnit) -> NoteUnit? {
    let all = (places + other.places).sorted { $0.folder < $1.folder }
    guard !places.isEmpty, !other.places.isEmpty,
      all.allSatisfy({ $0.path == all[0].path }),
      zip(all, all.dropFirst()).allSatisfy({ $0.folder != $1.folder })
    else { return nil }
    return NoteUnit(id: min(id, other.id), copies: all + tombstones + other.tombstones)
  }

  /// Orders units so that the older document comes first, alike on all machines.
  static func isOlder(_ left: NoteUnit, than right: NoteUnit) -> Bool {
    let (first, second) = ((left.summary.created, left.id), (right.summary.created, right.id))
    if first != second { return first < second }
    let none = RelativePath("")
    return (left.copies.map(\.path).min() ?? none) < (right.copies.map(\.path).min() ?? none)
  }
}

extension [OpenFolder] {
  /// The copies in all folders, by the notes that they are to become, the oldest note first; every file
  /// with the identity of another one in its folder may count as a conflict copy of it.
  func units(matchingByID: Bool) -> [NoteUnit] {
    var copies: [UniqueID: [NoteCopy]] = [:]
    for (number, folder) in enumerated() {
      for path in folder.documents.paths {
        guard let summary = folder.documents[path] else { continue }
        let role = folder.role(of: path, summary.id, matchingByID: matchingByID)
        copies[summary.id, default: []].append(
          NoteCopy(folder: number, path: path, role: role, summary: summary))
      }
      for copy in folder.tombstones(number, .trash) {
        copies[copy.summary.id, default: []].append(copy)
      }
    }
    return copies.flatMap { id, copies in Self.units(of: id, Self.folded(copies, matchingByID)) }
      .sorted { NoteUnit.isOlder($0, than: $1) }
  }

  /// The tracked plain files of all folders, ascending by path, also those that are in the trash alone;
  /// all files of a folder with one history may count as one.
  func trackedUnits(matchingByID: Bool = false) -> [NoteUnit] {
    let copies = enumerated().flatMap { number, folder in
      folder.trackedPlaces(number, matchingByID: matchingByID)
        + folder.tombstones(number, .trackedTrash)
    }
    return Dictionary(grouping: copies, by: \.summary.id)
      .flatMap { id, copies in Self.units(of: id, copies, buriedAtPath: true) }
      .sorted { ($0.path, $0.id) < ($1.path, $1.id) }
  }

  /// The copies of one document, of which those with the name of a conflict copy are none where any
  /// folder has the note under a name of its own: a folder may have lost it since.
  private static func folded(_ copies: [NoteCopy], _ matchingByID: Bool) -> [NoteCopy] {
    let isNamed = copies.contains { $0.role == .note && $0.path.original == nil }
    guard isNamed, !matchingByID else { return copies }
    return copies.map { copy in
      var copy = copy
      if copy.role == .note, copy.path.original != nil { copy.role = .conflictCopy }
      return copy
    }
  }

  /// The notes that copies of one document are to become; of several each gets what is in the trash,
  /// or only what was at its path.
  private static func units(
    of id: UniqueID, _ copies: [NoteCopy], buriedAtPath: Bool = false
  ) -> [NoteUnit] {
    let unit = NoteUnit(id: id, copies: copies)
    let notes = unit.places
    if Set(notes.map(\.folder)).count == notes.count { return [unit] }
    return Dictionary(grouping: notes, by: \.path).map { path, notes in
      let folded = copies.filter { $0.role == .conflictCopy && $0.path.original == path }
      let tombstones = unit.tombstones.filter { !buriedAtPath || $0.home == path }
      return NoteUnit(id: id, copies: notes + folded + tombstones, isOneOfSeveral: true)
    }
  }
}

extension DocumentSummary {
  var isDeleted: Bool { deletion?.isCurrent ?? false }
}

extension OpenFolder {
  /// The deleted notes in the trash of the folder, by its number, ascending.
  func tombstones(_ number: Int, _ kind: Kind) -> [NoteCopy] {
    self[kind].paths.compactMap { path in
      // What lies there and is not deleted was folded into its note.
      guard let summary = self[kind][path], summary.isDeleted else { return nil }
      return NoteCopy(folder: number, path: path, role: .tombstone, summary: summary)
    }
  }

  /// What a document's file is to the folder.
  func role(of path: RelativePath, _ id: UniqueID, matchingByID: Bool) -> NoteCopy.Role {
    let others = documents.paths(of: id)
    guard others.count > 1 else { return .note }
    if matchingByID { return path == note(of: id) ? .note : .conflictCopy }
    guard let original = path.original else { return .note }
    // The note may have been renamed since. But if all have such names, one of them is the note.
    let isFolded = others.contains { $0 == original || $0.original == nil }
    return isFolded || path != others.first ? .conflictCopy : .note
  }

  /// The file that is the note where all copies count as one: the plain name, as copies made by hand
  /// have longer ones as a rule: "Note 2", "Note (1)"; no conflict copy's, if there is another.
  private func note(of id: UniqueID) -> RelativePath? {
    let paths = documents.paths(of: id)
    let known = documents.place(of: id)?.path
    if let known, paths.contains(known) { return known }
    let notes = paths.filter { $0.original == nil }
    return (notes.isEmpty ? paths : notes).min { $0.isPlainer(than: $1) }
  }

  /// The file with the plainest name that is the same document as a note, if it differs from that;
  /// conflict copies and what is deleted aside.
  func firstCopy(of path: RelativePath, _ summary: DocumentSummary) -> RelativePath? {
    let paths = documents.paths(of: summary.id)
    if paths.count == 1 || summary.isDeleted { return nil }
    let notes = paths.filter {
      !documents.isDeleted($0) && role(of: $0, summary.id, matchingByID: false) == .note
    }
    let first = notes.min { $0.isPlainer(than: $1) }
    guard notes.contains(path), let first, documents.checksum(at: first) != summary.checksum
    else { return nil }
    return first
  }

  /// Its Automerge documents, as people are told of them, ascending.
  var automergeFiles: [FileName] { listing.automergeFiles.keys.sorted().map(shownFile) }

  /// What is said of them; `nil` if it has none.
  var automergeWords: String? {
    let files = automergeFiles
    return files.isEmpty ? nil : "\(name.visible): \(PnmergeCommands.automergeWords(files))"
  }
}

extension RelativePath {
  /// Whether this is rather a note's name than a copy's.
  func isPlainer(than other: RelativePath) -> Bool {
    (bytes.count, self) < (other.bytes.count, other)
  }
}
