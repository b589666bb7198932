import Peernote

/// Tracked plain files that a folder lacks.
extension FolderSync {
  /// Copies a tracked file, with its history, to the folders that lack it.
  ///
  /// A file that a folder holds under the same name counts as a copy if it is a version of this one.
  mutating func copyTracked(
    _ unit: TrackedUnit, _ history: PlainHistory, _ bytes: [UInt8]
  ) throws {
    guard folders.count > 1 else { return }
    let isThere = unit.places.map { folders[$0.folder].listing.others[$0.path] != nil }
    // Nobody has it: all removed it, or it was not delivered yet.
    guard let source = zip(unit.places, isThere).first(where: \.1)?.0 else { return }
    for folder in folders.indices where mayWrite(to: folder) {
      if let index = unit.places.firstIndex(where: { $0.folder == folder }) {
        if isThere[index] { continue }
        try attempt(folder) { sync in
          try sync.copy(history, bytes, to: unit.places[index].path, folder)
        }
      } else {
        try attempt(folder) { sync in try sync.copy(history, bytes, to: source.path, folder) }
      }
    }
  }

  private mutating func copy(
    _ history: PlainHistory, _ bytes: [UInt8], to path: RelativePath, _ folder: Int
  ) throws {
    let open = folders[folder]
    let name = named(path, folder)
    let file = open.root.appending(path)
    if let other = open.tracked[path.history], other.id != history.document.id {
      throw Failure(
        .notSameDocument, file: name,
        "another file is tracked under this name in the other folder; rename one of them")
    }
    var present = try PlainContents(file, shown: name, host)
    present?.takeMarker(of: history)
    if let present, try !history.hasShown(present.file.text) {
      throw Failure(
        .notSameDocument, file: name,
        "is no version of the file that is tracked under this name in the other folder; rename one "
          + "of them")
    }
    if isDryRun { return report(.copied(name)) }
    try makeDirectories(above: path.history, folder)
    let replacement = Replacement(
      of: open.root.appending(path.history), expecting: .any, host: host)
    let state = history.document.state
    _ = try replacement(
      verify: { try state.check($0, name) },
      compute: { present in
        // Another copy that came meanwhile is merged by the next run.
        Replacement.Proposal(bytes: present == nil ? bytes : nil, report: ())
      })
    let summary = TrackedSummary.summary(of: history, checksum: Array(bytes.suffix(32)))
    folders[folder].record(summary, at: path.history, .tracked)
    report(.copied(name))
    // What is there already is brought up to date by the next run.
    if present != nil { return runAgain(in: 1) }
    let text = history.fileText
    let creation = Replacement(of: file, expecting: .absent, host: host)
    _ = try creation { _ in Replacement.Proposal(bytes: Array(text.utf8), report: ()) }
    // What somebody has saved since then is for the next run.
    guard let written = try PlainContents(file, shown: name, host, holding: text) else {
      return runAgain(in: 1)
    }
    try PlainFileStates(host).keepShown(history, at: file, written.identity)
    folders[folder].record(summary, at: path, written.identity, .settled)
  }
}
