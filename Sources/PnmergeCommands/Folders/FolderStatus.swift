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
        "folder": .string(folder.name.visible), "documents": .count(counts.documents),
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
      var work = FolderWork(folder.shownFile(path))
      if summary.deletion?.isCurrent ?? false { work.add("deleted", "marked as deleted") }
      if folder.role(of: path, summary.id, matchingByID: false) == .conflictCopy {
        work.add("conflict-copy", "a conflict copy")
      } else if work.tasks.isEmpty, let other = folder.firstCopy(of: path, summary) {
        let other = folder.shownFile(other)
        work.add(
          "other-copy", otherCopyWords(of: other, in: folder.name),
          with: ["with": .string(other.visible)])
      }
      work.addConflicts(summary.conflictCount)
      if !work.tasks.isEmpty { result.append(work) }
    }
    let tracked = folder.trackedPlaces(0)
    for place in tracked {
      let work = work(at: place)
      if !work.tasks.isEmpty { result.append(work) }
    }
    for path in folder.lostPaths {
      var work = FolderWork(folder.shownFile(path))
      work.add(
        "untracked",
        "was tracked, and its history is gone; to track it: pnmerge track \(shellQuoted(work.file))"
      )
      result.append(work)
    }
    for path in folder.leftCopies {
      var work = FolderWork(folder.shownFile(path))
      work.add("conflict-copy", "a conflict copy")
      result.append(work)
    }
    return (result, (folder.documents.count, tracked.count))
  }

  /// What there is to do for a tracked plain file.
  private func work(at place: TrackedPlace) -> FolderWork {
    var work = FolderWork(folder.shownFile(place.path))
    var takenOut = 0
    let summary = folder.tracked[place.history]
    if summary?.deletion?.isCurrent ?? false {
      work.add("deleted", "marked as deleted")
      return work
    }
    do throws(Failure) {
      let file = folder.root.appending(place.path)
      if var contents = try PlainContents(file, shown: work.file, invocation.host) {
        var state = PlainFileStates(invocation.host).state(of: file)
        if let state { contents.takeMarker(of: state.history) }
        // It shows what this machine last had it show, and its history is the same still.
        let isSettled =
          folder.isSettled(place.path)
          && state?.memory?.text.utf8.elementsEqual(contents.file.text.utf8) ?? false
        if place.hasHistory, !isSettled {
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
            work.add("behind", "lacks changes of its history, which 'tidy' writes into it")
          } else if let fault = contents.fault(after: known) {
            work.addFault(fault)
          } else {
            work.add("saved", "saved since it was recorded")
          }
        }
        takenOut = state?.missingLines.reduce(0) { $0 + $1.lines.count } ?? 0
      } else {
        work.add(
          "missing",
          "missing, unless it was renamed, which 'tidy' sees; to have it back: pnmerge track "
            + shellQuoted(work.file))
      }
    } catch {
      work.addFault(error.message)
    }
    let copies = place.fileCopies.count + place.historyCopies.count
    if copies > 0 {
      work.add(
        "conflict-copies", copies == 1 ? "a conflict copy" : "\(copies) conflict copies",
        with: ["count": .count(copies)])
    }
    let listed = folder.listing.others
    let others = summary.map { folder.tracked.paths(of: $0.id) } ?? []
    if let first = others.compactMap(\.plainFile).filter({ listed[$0] != nil }).min(),
      first < place.path
    {
      work.add(
        "same-history",
        "has the same history as \(folder.shown(first)); to make them one: pnmerge tidy --match=id "
          + shellQuoted(folder.name), with: ["with": .string(folder.shown(first))])
    }
    work.addConflicts(summary?.conflictCount ?? 0)
    if takenOut > 0 {
      work.add(
        "taken-out",
        "\(counted(takenOut, "line")) taken out; to see \(takenOut == 1 ? "it" : "them"): "
          + "pnmerge conflicts \(shellQuoted(work.file))",
        with: ["count": .count(takenOut)])
    }
    return work
  }
}

/// What there is to do for a note.
private struct FolderWork {
  var file: FileName
  /// In words, and for programs.
  private(set) var tasks: [(words: String, json: JSON)] = []

  var sentence: String { "\(file.visible): \(enumerated(tasks.map(\.words)))" }
  var json: JSON { ["file": .string(file.visible), "tasks": .array(tasks.map(\.json))] }

  init(_ file: FileName) { self.file = file }

  mutating func add(
    _ what: String, _ words: String, with members: KeyValuePairs<String, JSON> = [:]
  ) {
    let members = members.map { JSON.Member(name: $0.key, value: $0.value) }
    tasks.append((words, .object([JSON.Member(name: "what", value: .string(what))] + members)))
  }

  mutating func addConflicts(_ count: Int) {
    if count == 0 { return }
    add("conflicts", "\(counted(count, "conflict")) to resolve", with: ["count": .count(count)])
  }

  mutating func addFault(_ message: String) {
    add("unreadable", message, with: ["message": .string(message)])
  }
}

extension OpenFolder {
  /// Which text files are not tracked, though others are; `nil` if none.
  fileprivate var untrackedWords: String? {
    let files = untrackedTexts
    if files.isEmpty { return nil }
    let names = firstNames(files.map { FileName(bytes: $0.bytes) })
    let verb = files.count == 1 ? "is" : "are"
    let all = files.count == 1 ? shellQuoted(shownFile(files[0])) : shellQuoted(name)
    return "\(name.visible): \(counted(files.count, "text file")) \(verb) not tracked: "
      + "\(names); to track \(files.count == 1 ? "it" : "them"): pnmerge track \(all)"
  }
}
