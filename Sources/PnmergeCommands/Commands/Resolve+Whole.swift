import Peernote
import PeernoteJSON

/// What settles all that is undecided in a document at one go.
extension Resolve {
  /// Asks at the terminal about all that is undecided.
  func ask(_ change: FileChange) throws -> ExitStatus {
    let invocation = change.invocation
    let dialog = TerminalReview(
      file: file, isPlain: input.reading.plain, isDryRun: options.dryRun, invocation: invocation)
    try dialog.checkTerminal(or: "without one: --take or --value, with a path")
    let document = try invocation.readDocument(file)
    let keys = identity.matching.identityKeys
    let found = try OpenConflicts(in: document, from: file, identityKeys: keys, invocation)
    var review: Review
    do throws(DocumentError) {
      review = try Review(
        of: found.conflicts, in: document,
        ours: try? SideOwners(of: file, document.id, invocation).beforeMerge(),
        identityKeys: keys)
    } catch {
      throw error.failure(in: file)
    }
    var end = ReviewEnd.write
    if !review.questions.isEmpty {
      let schema = try options.schema.schema(invocation)
      (end, review) = try dialog(review, of: document) { review in
        let result = try settled(review, in: document, change, keys)
        try schema?.check(result.root, replacing: document.root, in: file)
        return ReviewResult(of: result, since: document, invocation)
      }
    }
    let answers = review.decisions.answers()
    let isInterrupted = end == .interrupted
    if end == .leave || (isInterrupted && answers.settledCount == 0) {
      try invocation.console.report("\(file.shown.inputName): nothing was written")
      return isInterrupted ? .interrupted : .different
    }
    let ours = try settled(review, in: document, change, keys)
    if ours.heads != document.heads {
      _ = try change { document -> Bool? in
        do throws(MergeError) {
          _ = try document.merge(ours)
        } catch {
          throw error.failure(file, document, comparedWith: file, ours)
        }
        return true
      }
    }
    let status = try finish(answers, of: found.conflicts.count, found, of: document.id, invocation)
    return isInterrupted ? .interrupted : status
  }

  /// A document with what was decided of it.
  private func settled(
    _ review: Review, in document: Document, _ change: FileChange, _ keys: [String]
  ) throws -> Document {
    var document = document
    _ = try change.edit(&document, isResolution: true) { editor in
      try editor.settle(review.decisions.answers().resolutions, identityKeys: keys)
    }
    return document
  }

  /// Takes a side of all that is undecided, where there is such a side.
  func takeAll(_ name: String, _ change: FileChange) throws -> ExitStatus {
    var answers = Decisions.Answers()
    var found: (open: OpenConflicts, id: UniqueID)?
    _ = try change { document -> Bool? in
      let keys = identity.matching.identityKeys
      let open = try OpenConflicts(
        in: document, from: file, identityKeys: keys, change.invocation)
      if open.conflicts.isEmpty {
        found = (open, document.id)
        return nil
      }
      let ours =
        name == "mine" || name == "theirs"
        ? try SideOwners(of: file, document.id, change.invocation).beforeMerge() : nil
      var review: Review
      do throws(DocumentError) {
        review = try Review(
          undecided: open.conflicts, in: document, ours: ours, identityKeys: keys)
      } catch {
        throw error.failure(in: file)
      }
      let count = review.takeAll(named: name)
      found = (open, document.id)
      answers = review.decisions.answers()
      guard count > 0 else {
        // A word may fit none of what is there; a name that fits none is mistyped.
        let isWord = ["mine", "theirs", "both", "kept"].contains(name)
        let known = try? SideOwners(of: file, document.id, change.invocation).beforeMerge()
        let owned = try? Review(
          undecided: open.conflicts, in: document, ours: known, identityKeys: keys)
        throw Failure(
          isWord ? .different : .usage, file: file,
          "no conflict has a side \(quoted(name)); " + choices(owned ?? review))
      }
      let changed = try change.edit(&document, isResolution: true) { editor in
        try editor.settle(answers.resolutions, identityKeys: keys)
      }
      return changed ? true : nil
    }
    guard let found else { return .done }
    return try finish(
      answers, of: found.open.conflicts.count, found.open, of: found.id, change.invocation)
  }

  /// What `--take` can name where it is about all conflicts.
  private func choices(_ review: Review) -> String {
    let words = ["mine", "theirs", "both", "kept"].filter { word in
      var review = review
      return review.takeAll(named: word) > 0
    }
    var seen: Set<ChangeID> = []
    let sides = review.questions.flatMap(\.conflict.writtenSides)
      .filter { seen.insert($0.change).inserted }
    let named = sides.prefix(Self.namedSides).map { "\($0.change) (\(authorName($0.author)))" }
    let others = sides.count - named.count
    let end = others > 0 ? ["and \(others) more, which 'conflicts' lists"] : []
    return "--take can be \((words + named + end).joined(separator: ", "))"
  }

  /// Settles what was decided on the page of the merge that the file holds.
  func decide(as decisions: FileName, _ change: FileChange) throws -> ExitStatus {
    let invocation = change.invocation
    try invocation.checkStandardInput([file, decisions])
    let decided = try DecisionFile(reading: decisions, invocation)
    var answers = Decisions.Answers()
    var count = 0
    var found: (open: OpenConflicts, id: UniqueID)?
    _ = try change { document -> Bool? in
      let keys = identity.matching.identityKeys
      let (open, review) = try decided.applied(
        to: document, in: file, identityKeys: keys, invocation)
      found = (open, document.id)
      count = review.questions.count
      answers = review.decisions.answers()
      let changed = try change.edit(&document, isResolution: true) { editor in
        try editor.settle(answers.resolutions, identityKeys: keys)
      }
      return changed ? true : nil
    }
    guard let found else { return .done }
    return try finish(answers, of: count, found.open, of: found.id, invocation)
  }

  /// Keeps for later what was left, and says what was settled.
  private func finish(
    _ answers: Decisions.Answers, of count: Int, _ found: OpenConflicts, of id: UniqueID,
    _ invocation: Invocation
  ) throws -> ExitStatus {
    if !options.dryRun { try found.keep(answers.open, of: id, invocation) }
    let verb = options.dryRun ? "would resolve" : "resolved"
    let open = answers.open.isEmpty ? "" : "; \(answers.open.count) left unresolved"
    try invocation.console.report(
      count == 0
        ? "\(file.shown.inputName): no conflicts"
        : "\(file.shown.inputName): \(verb) \(answers.settledCount) of \(count)\(open)")
    try invocation.console.report(answers.resolutions.flatMap(\.dropped))
    return answers.open.isEmpty ? .done : .different
  }
}
