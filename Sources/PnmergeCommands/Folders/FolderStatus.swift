import Peernote
import PeernoteJSON

/// What `pnmerge status` says of a folder: what there is to do in it.
struct FolderStatus {
  private let folder: OpenFolder
  private let isJSON: Bool
  private let invocation: Invocation

  init(_ folder: OpenFolder, isJSON: Bool, _ invocation: Invocation) {
    (self.folder, self.isJSON, self.invocation) = (folder, isJSON, invocation)
  }

  /// Says what there is to do.
  func report() throws -> ExitStatus {
    folder.save()
    let failures = folder.faults
    let (work, counts) = work()
    if isJSON {
      try invocation.console.printResult([
        "schema": 1, "folder": .string(folder.name.visible), "documents": .count(counts.documents),
        "tracked": .count(counts.tracked), "work": .array(work.map(\.json)),
        "untracked": .array(folder.untrackedTexts.map { .string(folder.shown($0)) }),
        "failures": .array(failures.map(\.json)),
      ])
    } else {
      for failure in failures + folder.trashFaults {
        try invocation.console.printError(failure.line)
      }
      try say(work, counts)
    }
    return max(work.isEmpty ? .done : .different, failures.map(\.status).max() ?? .done)
  }

  private typealias Counts = (documents: Int, tracked: Int)

  private func say(_ work: [FolderWork], _ counts: Counts) throws {
    for item in work { try invocation.console.report(item.sentence) }
    for words in [folder.untrackedWords, folder.automergeWords].compactMap(\.self) {
      try invocation.console.report(words)
    }
    let files = counts.tracked == 0 ? "" : ", \(counted(counts.tracked, "tracked file"))"
    try invocation.console.report(
      "\(counted(counts.documents, "document"))\(files), \(work.count) with something to do")
  }

  // MARK: What there is to do

  private func work() -> ([FolderWork], Counts) {
    var result: [FolderWork] = []
    for path in folder.documents.paths {
      guard let summary = folder.documents[path] else { continue }
      var work = FolderWork(file: folder.shownFile(path))
      if summary.deletion?.isCurrent ?? false { work.tasks.append(.deleted) }
      if folder.role(of: path, summary.id, matchingByID: false) == .conflictCopy {
        work.tasks.append(.isCopy)
      } else if work.tasks.isEmpty, let other = folder.firstCopy(of: path, summary) {
        work.tasks.append(.isOtherCopy(of: folder.shownFile(other), folder: folder.name))
      }
      if summary.conflictCount > 0 { work.tasks.append(.conflicts(summary.conflictCount)) }
      if !work.tasks.isEmpty { result.append(work) }
    }
    let tracked = folder.trackedPlaces(0).map(\.place)
    for place in tracked {
      let work = work(at: place)
      if !work.tasks.isEmpty { result.append(work) }
    }
    for path in folder.lostPaths {
      result.append(FolderWork(file: folder.shownFile(path), tasks: [.withoutHistory]))
    }
    for path in folder.leftCopies {
      result.append(FolderWork(file: folder.shownFile(path), tasks: [.isCopy]))
    }
    return (result, (folder.documents.count, tracked.count))
  }

  /// What there is to do for a tracked plain file.
  private func work(at place: TrackedPlace) -> FolderWork {
    var work = FolderWork(file: folder.shownFile(place.path))
    var takenOut = 0
    let summary = folder.tracked[place.history]
    if summary?.deletion?.isCurrent ?? false {
      work.tasks.append(.deleted)
      return work
    }
    do throws(Failure) {
      let file = folder.root.appending(place.path)
      if var contents = try PlainContents(file, shown: work.file, invocation.host) {
        var state = PlainFileStates(invocation.host).state(of: file)
        if let state { contents.takeMarker(of: state.history) }
        if place.hasHistory, !isSettled(place, contents, state) {
          let beside = folder.root.appending(place.history)
          let history = try PlainHistory(invocation.readDocument(beside), from: beside)
          if let known = state?.history.document, !history.document.has(known.heads),
            invocation.host.isInsideRepository(file.directory)
          {
            // What git checks out counts.
            state = nil
          }
          contents.takeMarker(of: history)
          let (text, known) = (contents.file.text, state?.memory?.text ?? history.text)
          if text.utf8.elementsEqual(history.text.utf8) {
            // Nobody has saved it since.
          } else if text.utf8.elementsEqual(known.utf8) {
            work.tasks.append(.behind)
          } else {
            work.tasks.append(contents.fault(after: known).map { .unreadable($0) } ?? .saved)
          }
        }
        takenOut = state?.missingLines.reduce(0) { $0 + $1.lines.count } ?? 0
      } else {
        work.tasks.append(.missing)
      }
    } catch {
      work.tasks.append(.unreadable(error.message))
    }
    let copies = place.fileCopies.count + place.historyCopies.count
    if copies > 0 { work.tasks.append(.copies(copies)) }
    let listed = folder.listing.others
    let others = summary.map { folder.tracked.paths(of: $0.id) } ?? []
    if let first = others.compactMap(\.plainFile).filter({ listed[$0] != nil }).min(),
      first < place.path
    {
      work.tasks.append(.isAlso(folder.shownFile(first), folder: folder.name))
    }
    let conflicts = summary?.conflictCount ?? 0
    if conflicts > 0 { work.tasks.append(.conflicts(conflicts)) }
    if takenOut > 0 { work.tasks.append(.takenOut(takenOut, work.file)) }
    return work
  }
}

extension FolderStatus {
  /// Whether a file shows what this machine last had it show, and its history is the same still.
  private func isSettled(
    _ place: TrackedPlace, _ contents: PlainContents, _ state: PlainFileState?
  ) -> Bool {
    guard folder.isSettled(place.path), let text = state?.memory?.text else { return false }
    return text.utf8.elementsEqual(contents.file.text.utf8)
  }
}

/// What there is to do for a note.
private struct FolderWork {
  enum Task {
    case deleted
    case isCopy
    case conflicts(Int)
    case saved
    /// Its history was changed by a command.
    case behind
    case missing
    case unreadable(String)
    case copies(Int)
    /// It has one history with another file of the folder.
    case isAlso(FileName, folder: FileName)
    /// It is the same document as another file of the folder, and differs from it.
    case isOtherCopy(of: FileName, folder: FileName)
    /// Its history is gone.
    case withoutHistory
    /// Lines left it, and nobody was asked.
    case takenOut(Int, FileName)
  }

  var file: FileName
  var tasks: [Task] = []

  var sentence: String { "\(file.visible): \(enumerated(tasks.map(words)))" }

  private func words(_ task: Task) -> String {
    switch task {
    case .deleted: "marked as deleted"
    case .isCopy: "a conflict copy"
    case .conflicts(let count): "\(counted(count, "conflict")) to resolve"
    case .saved: "saved since it was recorded"
    case .behind: "lacks changes of its history, which 'tidy' writes into it"
    case .missing:
      "missing, unless it was renamed, which 'tidy' sees; to have it back: pnmerge track "
        + shellQuoted(file)
    case .unreadable(let message): message
    case .isAlso(let other, let folder):
      "has the same history as \(other.visible); to make them one: pnmerge tidy --match=id "
        + shellQuoted(folder)
    case .isOtherCopy(let other, let folder):
      otherCopyWords(of: other, in: folder)
    case .copies(let count): count == 1 ? "a conflict copy" : "\(count) conflict copies"
    case .takenOut(let count, let file):
      "\(counted(count, "line")) taken out; to see \(count == 1 ? "it" : "them"): "
        + "pnmerge conflicts \(shellQuoted(file))"
    case .withoutHistory:
      "was tracked, and its history is gone; to track it: pnmerge track \(shellQuoted(file))"
    }
  }

  var json: JSON {
    ["file": .string(file.visible), "tasks": .array(tasks.map(Self.json))]
  }

  private static func json(_ task: Task) -> JSON {
    switch task {
    case .deleted: ["what": "deleted"]
    case .isCopy: ["what": "conflict-copy"]
    case .conflicts(let count): ["what": "conflicts", "count": .count(count)]
    case .saved: ["what": "saved"]
    case .behind: ["what": "behind"]
    case .missing: ["what": "missing"]
    case .unreadable(let message): ["what": "unreadable", "message": .string(message)]
    case .isAlso(let other, _): ["what": "same-history", "with": .string(other.visible)]
    case .isOtherCopy(let other, _): ["what": "other-copy", "with": .string(other.visible)]
    case .copies(let count): ["what": "conflict-copies", "count": .count(count)]
    case .withoutHistory: ["what": "untracked"]
    case .takenOut(let count, _): ["what": "taken-out", "count": .count(count)]
    }
  }
}

extension OpenFolder {
  /// Which text files are not tracked, though others are; `nil` if none.
  fileprivate var untrackedWords: String? {
    let files = untrackedTexts
    if files.isEmpty { return nil }
    var names = files.prefix(3).map { FileName(bytes: $0.bytes).visible }
    if files.count > names.count { names.append("\(files.count - names.count) more") }
    let verb = files.count == 1 ? "is" : "are"
    let all = files.count == 1 ? shellQuoted(shownFile(files[0])) : shellQuoted(name)
    return "\(name.visible): \(counted(files.count, "text file")) \(verb) not tracked: "
      + "\(enumerated(names)); to track \(files.count == 1 ? "it" : "them"): pnmerge track \(all)"
  }
}
