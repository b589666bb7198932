import Peernote

/// What `pnmerge status` says of folders.
struct FolderStatus {
  private let folders: [OpenFolder]
  private let invocation: Invocation

  init(_ folders: [OpenFolder], _ invocation: Invocation) {
    self.folders = folders
    self.invocation = invocation
  }

  /// Says how the notes of the other folders relate to those of the first; of one folder, what
  /// there is to do in it.
  func report() throws -> ExitStatus {
    var status = ExitStatus.done
    for folder in folders {
      folder.save()
      for fault in folder.faults {
        try invocation.console.printError(fault.line)
        status = max(status, fault.status)
      }
    }
    if folders.count == 1 { return max(status, try reportWork(in: folders[0])) }
    for other in folders.dropFirst() { status = max(status, try compare(other, with: folders[0])) }
    return status
  }

  private func compare(_ other: OpenFolder, with first: OpenFolder) throws -> ExitStatus {
    let console = invocation.console
    let pairs = FolderPairs(first, other)
    var status = ExitStatus.done
    for pair in pairs.pairs where !pair.isSame {
      do {
        let base = try invocation.readDocument(pair.files.0)
        let copy = try invocation.readDocument(pair.files.1, beside: base)
        let relation: Relation
        do throws(MergeError) {
          relation = try copy.relation(to: base)
        } catch {
          throw error.failure(pair.files.1, copy, comparedWith: pair.files.0, base)
        }
        try console.report(relation.sentence(pair.files.1, copy, comparedWith: pair.files.0, base))
        // Equal changes may come with different redactions.
        status = max(status, max(relation.status, .different))
      } catch let failure as Failure where failure.status != .interrupted {
        try console.printError(failure.line)
        status = max(status, failure.status)
      }
    }
    for (files, folder) in [(pairs.onlyInFirst, other), (pairs.onlyInSecond, first)] {
      for file in files {
        try console.report("\(file.visible): not in \(folder.name.visible)")
        status = max(status, .different)
      }
    }
    var same = pairs.pairs.count(where: \.isSame)
    for unit in [first, other].trackedUnits() {
      let histories = unit.places.map { place in
        (place.folder == 0 ? first : other).tracked[place.path.history]?.checksum
      }
      let names = unit.places.map { ($0.folder == 0 ? first : other).shownFile($0.path).visible }
      if unit.places.count == 1 {
        let lacking = unit.places[0].folder == 0 ? other : first
        try console.report("\(names[0]): not tracked in \(lacking.name.visible)")
      } else if histories[0] == histories[1] {
        same += 1
        continue
      } else {
        try console.report("\(names[1]): has another history than \(names[0])")
      }
      status = max(status, .different)
    }
    try console.report("\(counted(same, "note")) the same in \(other.name.visible)")
    return status
  }

  private func reportWork(in folder: OpenFolder) throws -> ExitStatus {
    let console = invocation.console
    var count = 0
    for path in folder.documents.paths {
      guard let summary = folder.documents[path] else { continue }
      let file = folder.shownFile(path)
      var words: [String] = []
      if summary.deletion?.isCurrent ?? false { words.append("marked as deleted") }
      if folder.role(of: path, summary.id, matchingByID: false) == .conflictCopy {
        words.append("a conflict copy")
      }
      if summary.conflictCount > 0 {
        words.append("\(counted(summary.conflictCount, "conflict")) to resolve")
      }
      guard !words.isEmpty else { continue }
      count += 1
      try console.report("\(file.visible): \(enumerated(words))")
    }
    let tracked = folder.trackedPlaces(0).map(\.place)
    for place in tracked {
      let words = try work(at: place, in: folder)
      guard !words.isEmpty else { continue }
      count += 1
      try console.report("\(folder.shown(place.path)): \(enumerated(words))")
    }
    let files = tracked.isEmpty ? "" : ", \(counted(tracked.count, "tracked file"))"
    try console.report(
      "\(counted(folder.documents.count, "document"))\(files), \(count) with something to do")
    return count == 0 ? .done : .different
  }

  /// What there is to do for a tracked plain file.
  private func work(at place: TrackedPlace, in folder: OpenFolder) throws -> [String] {
    let name = folder.shownFile(place.path)
    var words: [String] = []
    do throws(Failure) {
      let file = folder.root.appending(place.path)
      if var contents = try PlainContents(file, shown: name, invocation.host) {
        let state = PlainFileStates(invocation.host).state(of: file)
        if let history = state?.history { contents.takeMarker(of: history) }
        let isKnown = state?.memory?.text.utf8.elementsEqual(contents.file.text.utf8) ?? false
        if !isKnown { words.append("saved since it was recorded") }
      } else {
        words.append("missing; to have it back: pnmerge track \(shellQuoted(name))")
      }
    } catch {
      words.append(error.message)
    }
    let copies = place.fileCopies.count + place.historyCopies.count
    if copies > 0 { words.append(copies == 1 ? "a conflict copy" : "\(copies) conflict copies") }
    let conflicts = folder.tracked[place.path.history]?.conflictCount ?? 0
    if conflicts > 0 { words.append("\(counted(conflicts, "conflict")) to resolve") }
    return words
  }
}
