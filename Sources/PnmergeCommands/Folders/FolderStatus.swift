import Peernote
import PeernoteJSON

/// What `pnmerge status` says of a folder: what there is to do in it.
struct FolderStatus {
  let folder: OpenFolder
  let invocation: Invocation

  /// Says what there is to do.
  func report(isJSON: Bool) throws -> ExitStatus {
    folder.save()
    let places = folder.trackedPlaces(0)
    let copies = folder.leftCopies.map { path in
      FolderWork(folder.shownFile(path)) { $0.add("conflict-copy", "a conflict copy") }
    }
    let all =
      folder.documents.paths.map(work(of:)) + places.map(work(at:))
      + folder.lostPaths.map(work(ofLost:))
      + copies
    let (work, failures) = (all.filter { !$0.tasks.isEmpty }, folder.faults)
    if isJSON {
      try invocation.console.printResult([
        "folder": .string(folder.name.visible), "documents": .count(folder.documents.count),
        "tracked": .count(places.count), "work": .array(work.map(\.json)),
        "untracked": .array(folder.untrackedTexts.map { .string(folder.shown($0)) }),
        "failures": .array(failures.map(\.json)),
      ])
    } else {
      _ = try invocation.say(failures + folder.trashFaults)
      let words =
        work.map(\.sentence) + [folder.untrackedWords, folder.automergeWords].compactMap(\.self)
      for words in words { try invocation.console.report(words) }
      let files = places.isEmpty ? "" : ", \(counted(places.count, "tracked file"))"
      try invocation.console.report(
        "\(counted(folder.documents.count, "document"))\(files), \(work.count) with something to do"
      )
    }
    return max(work.isEmpty ? .done : .different, failures.map(\.status).max() ?? .done)
  }

  // MARK: What there is to do

  /// What there is to do for a document.
  private func work(of path: RelativePath) -> FolderWork {
    FolderWork(folder.shownFile(path)) { work in
      guard let summary = folder.documents[path] else { return }
      if summary.isDeleted { work.add("deleted", "marked as deleted") }
      if folder.role(of: path, summary.id, matchingByID: false) == .conflictCopy {
        work.add("conflict-copy", "a conflict copy")
      } else if let other = folder.firstCopy(of: path, summary).map(folder.shownFile) {
        work.add(
          "other-copy", otherCopyWords(of: other, in: folder.name),
          with: ["with": .string(other.visible)])
      }
      work.addConflicts(summary.conflictCount)
    }
  }

  private func work(ofLost path: RelativePath) -> FolderWork {
    FolderWork(folder.shownFile(path)) { work in
      work.add(
        "untracked",
        "was tracked, and its history is gone; to track it: pnmerge track \(shellQuoted(work.file))"
      )
    }
  }

  /// What there is to do for a tracked plain file.
  private func work(at place: NoteCopy) -> FolderWork {
    FolderWork(folder.shownFile(place.path)) { work in
      let summary = folder.tracked[place.history]
      if summary?.isDeleted ?? false { return work.add("deleted", "marked as deleted") }
      var takenOut = 0
      do throws(Failure) {
        takenOut = try addSaves(at: place, to: &work)
      } catch {
        work.addFault(error.message)
      }
      let copies = place.fileCopies.count + place.historyCopies.count
      if copies > 0 {
        work.add(
          "conflict-copies", copies == 1 ? "a conflict copy" : "\(copies) conflict copies",
          with: ["count": .count(copies)])
      }
      let files = (summary.map { folder.tracked.paths(of: $0.id) } ?? []).compactMap(\.plainFile)
      let first = files.filter { folder.listing.others[$0] != nil }.min()
      if let first, first < place.path {
        work.add(
          "same-history",
          "has the same history as \(folder.shown(first)); to make them one: pnmerge tidy "
            + "--match=id \(shellQuoted(folder.name))",
          with: ["with": .string(folder.shown(first))])
      }
      work.addConflicts(summary?.conflictCount ?? 0)
      if takenOut > 0 {
        work.add(
          "taken-out",
          "\(counted(takenOut, "line")) taken out; to see \(takenOut == 1 ? "it" : "them"): "
            + "pnmerge conflicts \(shellQuoted(work.file))",
          with: ["count": .count(takenOut)])
      }
    }
  }

  /// Adds what a tracked plain file is to its history, and tells how many lines were taken out of it.
  private func addSaves(at place: NoteCopy, to work: inout FolderWork) throws(Failure) -> Int {
    let host = invocation.host
    let (file, beside) = (folder.root.appending(place.path), folder.root.appending(place.history))
    guard var contents = try PlainContents(file, shown: work.file, host) else {
      work.add(
        "missing",
        "missing, unless it was renamed, which 'tidy' sees; to have it back: pnmerge track "
          + shellQuoted(work.file))
      return 0
    }
    var state = PlainFileStates(host).state(of: file)
    if let state { contents.takeMarker(of: state.history) }
    // It shows what this machine last had it show, and its history is the same still.
    let isSettled =
      folder.isSettled(place.path)
      && state?.memory?.text.utf8.elementsEqual(contents.file.text.utf8) ?? false
    if place.hasHistory, !isSettled {
      let history = try PlainHistory(invocation.readDocument(beside), from: beside)
      if let known = state?.history.document, !history.document.has(known.heads),
        host.isInsideRepository(file.directory)
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
    return state?.missingLines.reduce(0) { $0 + $1.lines.count } ?? 0
  }
}

/// What there is to do for a note, in words and for programs.
private struct FolderWork {
  let file: FileName
  private(set) var tasks: [(words: String, json: JSON)] = []

  var sentence: String { "\(file.visible): \(enumerated(tasks.map(\.words)))" }
  var json: JSON { ["file": .string(file.visible), "tasks": .array(tasks.map(\.json))] }

  init(_ file: FileName, _ add: (inout FolderWork) -> Void) {
    self.file = file
    add(&self)
  }

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
    let files = untrackedTexts.map(shownFile)
    if files.isEmpty { return nil }
    let (verb, them) = files.count == 1 ? ("is", "it") : ("are", "them")
    return "\(name.visible): \(counted(files.count, "text file")) \(verb) not tracked: "
      + "\(firstNames(untrackedTexts.map { FileName(bytes: $0.bytes) })); to track \(them): pnmerge track "
      + shellQuoted(files.count == 1 ? files[0] : name)
  }
}
