import Peernote

/// Taking in what was saved of tracked plain files.
extension FolderSync {
  /// Takes in what was saved at a place.
  mutating func record(
    _ open: inout OpenPlace, into history: inout PlainHistory
  ) throws {
    guard open.contents != nil else { return }
    open.before = open.state
    open.contents?.takeMarker(of: history)
    open.contents?.takeLineEnds(of: history, isCopy: false)
    for index in open.copies.indices {
      open.copies[index].contents.takeMarker(of: history)
      open.copies[index].contents.takeLineEnds(of: history, isCopy: true)
    }
    guard let contents = open.contents else { return }
    let name = named(open.place.path, open.place.folder)
    // What is known already may have been written a moment ago, by another machine.
    let isKnown = open.memory.map {
      $0.modified == contents.file.modified && $0.text.utf8.elementsEqual(contents.file.text.utf8)
    }
    let rest =
      ((isKnown == true ? [] : [contents]) + open.copies.map(\.contents))
      .map { $0.restlessness(at: host.now) }
      .max() ?? 0
    // A dry run says what would be done once the file has been left alone for so long.
    if rest > 0, !isDryRun {
      open.isBusy = true
      return runAgain(in: rest)
    }
    let wasEmpty = open.memory?.text.isEmpty == true
    if let words = contents.fault(after: wasEmpty ? "" : history.text) {
      throw Failure(.unreadable, file: name, words)
    }
    do {
      let before = history.document.changeCount
      let recording = try history.record(
        contents.file, memory: open.memory, copies: open.copies.map(\.contents.file),
        after: open.state?.guesses ?? [])
      var recordings = [recording]
      var isEarly = recording.finding == .early
      let copies = open.copies
      open.copies = []
      for copy in copies {
        let others = copies.filter { $0.path != copy.path }.map(\.contents.file)
        do {
          let recording = try history.record(
            copy: copy.contents.file, of: contents.file, beside: others,
            cameUnderOtherName: !NumberedName.isDelivered(copy.path, of: open.place.path))
          recordings.append(recording)
          if recording.finding == .early { isEarly = true }
          open.copies.append(copy)
        } catch EditError.redacted(_, let line) {
          let name = named(copy.path, open.place.folder)
          try attempt(nil) { _ in
            throw Failure(
              .unreadable, file: name,
              "line \(line) of this conflict copy cannot be told from text that was redacted since, so "
                + "it was left alone; take over by hand what is to stay, and delete it")
          }
        }
      }
      if isEarly {
        open.isBusy = true
        open.news.append(.early(name))
      }
      open.state = PlainFileState(
        history: history,
        memory: PlainMemory(after: recording.finding, contents.file, open.memory, now: host.now),
        guesses: open.state?.guesses ?? [])
      // Whoever saved the file as it stands has seen what was kept in it.
      if recording.finding == .shows(history.document.heads), contents.file.isSavedHere,
        open.copies.isEmpty, let known = open.before?.memory?.modified,
        contents.file.modified > known
      {
        open.state?.forgetGuesses(before: contents.file.modified)
      }
      for recording in recordings { open.state?.remember(recording) }
      open.isUndone = recording.undone != nil
      var isRecorded = false
      if case .recorded = recording.finding { isRecorded = true }
      open.isGuessed =
        recording.guess != nil
        && (contents.file.isSavedHere
          ? isRecorded : open.before?.memory?.wasSeen(before: contents.file) ?? false)
      let count = history.document.changeCount - before
      if count > 0 {
        open.news.append(.recorded(name, count))
      } else if recording.guess != nil, recording.finding != .shows(history.document.heads),
        contents.file.isSavedHere,
        let shown = open.before?.memory?.text, !shown.utf8.elementsEqual(contents.file.text.utf8)
      {
        open.news.append(.putBack(name))
      }
    } catch let error as DocumentError {
      throw error.failure(in: name)
    } catch let error as EditError {
      throw Failure(.damaged, file: name, "cannot be recorded: \(error)")
    } catch let error as MergeError {
      throw error.failure(name, history.document, comparedWith: name, history.document)
    }
  }

  /// Makes lines count once that came in twice.
  func countTwinsOnce(in history: inout PlainHistory, _ unit: TrackedUnit) throws {
    let name = shown(unit)
    do {
      try history.countTwinsOnce()
    } catch let error as DocumentError {
      throw error.failure(in: name)
    } catch let error as EditError {
      throw Failure(.damaged, file: name, "cannot be recorded: \(error)")
    }
  }
}
