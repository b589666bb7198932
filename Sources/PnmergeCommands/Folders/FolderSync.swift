import Peernote

/// Brings folders of documents together: the same notes in all, each with every change.
///
/// Three steps, each of which leaves things so that another run finishes what a killed one began:
/// 1. Copies of a document are merged, wherever they are; what changed is written to each.
/// 2. Deleted notes go to the trash, renamed ones are renamed everywhere, and those that a folder
///    lacks are copied to it.
/// 3. Conflict copies whose changes are in their note go to the trash.
///
/// Of MeetingNotes' files and other Automerge documents only the conflict copies in one folder are
/// folded.
/// Tracked plain files follow.
///
/// A file that is missing is never taken for a deletion. A file that stayed as it was is not
/// opened. With one folder this folds its conflict copies.
struct FolderSync {
  var folders: [OpenFolder]
  /// The folders that may be written to.
  var isWritable: [Bool]
  /// Whether all copies of a document in one folder are made one.
  var matchesByID = false
  var backups = BackupPolicy()
  /// After how many days what lies in the trash is removed; 0 for never.
  var trashDays = 30
  let invocation: Invocation
  private(set) var outcome = SyncOutcome()
  /// How many notes there are that are not deleted.
  private(set) var noteCount = 0
  /// How many tracked plain files there are.
  var trackedCount = 0
  /// What git says of directories, as far as that was asked for.
  var gitFolders: [FileName: GitFolder?] = [:]
  /// New files that are no text.
  var unreadable: [FileName] = []
  /// Folders to which nothing more is written, since writing failed.
  private var failedFolders: Set<Int> = []

  init(_ folders: [OpenFolder], _ invocation: Invocation) {
    self.folders = folders
    self.invocation = invocation
    isWritable = folders.map { _ in true }
  }

  var host: any Host { invocation.host }

  /// Does it all.
  ///
  /// What fails for one note does not stop the others, but for an interrupt; see
  /// ``SyncOutcome/failures``.
  mutating func callAsFunction() throws -> SyncOutcome {
    defer { for folder in folders where folder.isStillThere { folder.save() } }
    for folder in folders.indices where mayWrite(to: folder) { try restoreHistories(in: folder) }
    for (number, folder) in folders.enumerated() {
      if !folder.faults.isEmpty, isGone(number) { continue }
      for fault in folder.faults { outcome.fail(fault) }
      for fault in folder.trashFaults { outcome.warn(fault) }
    }
    clearAbandoned()
    let found = folders.units(matchingByID: matchesByID)
    var units: [NoteUnit] = []
    for (index, unit) in found.enumerated() {
      invocation.console.progress("looking at note \(index + 1) of \(found.count)")
      try attempt(nil) { sync in units.append(try sync.mergeCopies(of: unit)) }
    }
    // Deleted notes make room for the names of others.
    for unit in units where unit.isDeleted { try clearAway(unit) }
    let live = units.filter { !$0.isDeleted }
    try applyDocumentNames(to: live)
    for unit in live { try clearAway(unit) }
    try bringTrackedTogether()
    for folder in folders.indices where mayWrite(to: folder) { emptyTrash(of: folder) }
    sayLost()
    sayLeftOut()
    sayOthers()
    noteCount = live.count + trackedCount
    if folders.count == 1 { noteCount += try foldAutomergeCopies(in: 0) }
    return outcome
  }

  /// Says which files are other copies of notes, and which are notes of another kind.
  private mutating func sayOthers() {
    for folder in folders {
      for path in folder.documents.paths where !matchesByID {
        guard let summary = folder.documents[path], let first = folder.firstCopy(of: path, summary)
        else { continue }
        report(.otherCopy(folder.shownFile(path), of: folder.shownFile(first), folder: folder.name))
      }
      let files = folder.listing.automergeFiles.keys.sorted().map { folder.shownFile($0) }
      if !files.isEmpty, folders.count > 1 { report(.automerge(folder.name, files)) }
    }
  }

  /// Removes what killed runs have left; what a living one writes stays.
  private func clearAbandoned() {
    for (folder, open) in zip(folders.indices, folders) where mayWrite(to: folder) {
      for path in open.listing.temporaries { _ = host.removeAbandoned(open.root.appending(path)) }
    }
  }

  /// Whether a folder may be written to.
  func mayWrite(to folder: Int) -> Bool {
    isWritable[folder] && !failedFolders.contains(folder)
  }

  /// Does something for one note, and keeps a failure without stopping the others.
  ///
  /// The folder that is written to has to be there still. Throws if the run was interrupted.
  mutating func attempt(
    _ folder: Int?, _ body: (inout FolderSync) throws -> Void
  ) throws {
    if let folder, isGone(folder) { return }
    do {
      try body(&self)
    } catch let failure as Failure {
      if failure.status == .interrupted { throw failure }
      // A disk that is full is so for all that would follow.
      if let folder, failure.status == .ioError { failedFolders.insert(folder) }
      let gone = folders.indices.filter { isGone($0) }
      if let file = failure.file, gone.contains(where: { folders[$0].holds(file) }) { return }
      outcome.fail(failure)
    }
  }

  /// Whether a folder is gone since it was looked at, as a stick that was pulled out, which is said
  /// once.
  private mutating func isGone(_ folder: Int) -> Bool {
    if folders[folder].isStillThere { return false }
    failedFolders.insert(folder)
    outcome.fail(
      Failure(
        .ioError, file: folders[folder].name,
        "cannot be reached any more; run it again once it is back"))
    return true
  }

  /// Asks for another run after so many milliseconds.
  mutating func runAgain(in milliseconds: Int64) { outcome.wait(milliseconds) }

  mutating func report(_ event: SyncOutcome.Event) { outcome.events.append(event) }
}
