import Peernote

/// A merge that is not written yet, with all that a person is told of it.
struct ReviewedMerge {
  /// The first copy, as it is.
  var ours: Document
  /// What it becomes.
  var merged: Document
  /// The copies in the order in which they are merged, this one first.
  var copies: [(file: FileName, heads: [ChangeID])]
  /// The agents whose changes are left out of every copy.
  var leftOut: [AgentID]
  /// What is to be decided, and what was left of earlier merges.
  var open: OpenConflicts
  /// What came in, and what is to be decided.
  var review: Review
}

extension CopyMerge {
  /// Merges for a review, without writing anything.
  ///
  /// Holds all copies at once, and walks the whole history of each.
  ///
  /// - Parameter invocation: the run of the program.
  /// - Returns: what the merge comes to.
  /// - Throws: ``Failure`` if a copy cannot be read or merged.
  mutating func reviewed(_ invocation: Invocation) throws -> ReviewedMerge {
    let others = try readCopies(invocation, &streams)
    let ours = try parse(
      streams.read(base, invocation), base, beside: others.first?.document, &streams, invocation)
    try checkLeftOut(streams)
    var merged = ours
    // What is to be settled yet may break the schema, and is no result.
    var unchecked = self
    unchecked.schema = nil
    _ = try unchecked.merge(&merged, others, invocation)
    let copies = [(base, ours.heads)] + others.map { ($0.file, $0.document.heads) }
    let versions = copies.map(\.1)
    invocation.console.progress("looking for what is to be decided")
    let open = try OpenConflicts(
      in: merged, from: output ?? base, after: OpenMerge(versions: versions), invocation)
    do {
      // Without an agent there may be one copy alone.
      var theirs = others.first?.document ?? ours
      try theirs.merge(others.dropFirst().map(\.document))
      let parting = try ours.parting(from: theirs)
      let review = Review(
        of: open.conflicts, in: merged, ours: ours, since: parting,
        Divergence(between: ours, and: theirs, since: parting))
      return ReviewedMerge(
        ours: ours, merged: merged, copies: copies, leftOut: leftOut.sorted(), open: open,
        review: review)
    } catch let error as DocumentError {
      throw error.failure(in: base)
    }
  }

  /// A merged document with what somebody settled in it.
  ///
  /// - Parameters:
  ///   - resolutions: what is to become of which place.
  ///   - document: the merged document.
  ///   - session: who settles it.
  ///   - message: an optional message.
  /// - Returns: the document; `nil` if nothing is to be done for it.
  /// - Throws: ``Failure`` if a place cannot be written so.
  func settled(
    _ resolutions: [Resolution], in document: Document, by session: Session, message: String?
  ) throws(Failure) -> Document? {
    var document = document
    do throws(EditError) {
      let change = try document.change(by: session, message: message) {
        (editor) throws(EditError) in
        try editor.settle(resolutions, identityKeys: ContentMatching.exact.identityKeys)
      }
      return change == nil ? nil : document
    } catch {
      throw Failure(.usage, file: output ?? base, "\(error); nothing was written")
    }
  }

  /// Asks a person at the terminal what is to be decided of a merge.
  ///
  /// - Parameters:
  ///   - reviewed: the merge.
  ///   - isPlain: whether it is asked line by line in any case.
  ///   - session: who decides.
  ///   - invocation: the run of the program.
  /// - Returns: how that ended, and the review with what was decided.
  /// - Throws: ``Failure`` if nothing can be read from the terminal.
  func ask(
    about reviewed: ReviewedMerge, isPlain: Bool, by session: Session, _ invocation: Invocation
  ) throws -> (end: ReviewEnd, review: Review) {
    let dialog = TerminalReview(
      file: output ?? base, isPlain: isPlain, isDryRun: isDryRun, invocation: invocation)
    return try dialog(reviewed.review, of: reviewed.merged) { review in
      let result =
        try settled(
          review.decisions.answers().resolutions, in: reviewed.merged, by: session, message: nil)
        ?? reviewed.merged
      try schema?.check(result.root, replacing: reviewed.ours.root, in: output ?? base)
      return ReviewResult(of: result, since: reviewed.ours, invocation)
    }
  }

  /// Writes a merge with what was decided of it, or not if it was left, and says so.
  ///
  /// - Parameters:
  ///   - reviewed: the merge.
  ///   - end: how its review ended.
  ///   - review: the review with what was decided.
  ///   - session: who decided it.
  ///   - message: an optional message.
  ///   - invocation: the run of the program.
  ///   - report: says what the merge came to.
  /// - Returns: the status: whether anything was written, and nothing is left open.
  /// - Throws: ``Failure`` if it cannot be written.
  mutating func finish(
    _ reviewed: ReviewedMerge, _ end: ReviewEnd, _ review: Review, by session: Session,
    message: String?, _ invocation: Invocation, report: (MergeOutcome) throws -> Void
  ) throws -> ExitStatus {
    let file = output ?? base
    let answers = review.decisions.answers()
    let isInterrupted = end == .interrupted
    if end == .leave || (isInterrupted && answers.settledCount == 0) {
      try invocation.console.report("\(file.inputName): nothing was written")
      return isInterrupted ? .interrupted : .different
    }
    settled = try settled(
      answers.resolutions, in: reviewed.merged, by: session, message: message)
    var outcome = try self(invocation)
    outcome.conflicts = answers.open
    if !isDryRun { try reviewed.open.keep(answers.open, of: outcome.document, invocation) }
    try report(outcome)
    let status = try answers.report(of: file, isDryRun: isDryRun, invocation.console)
    return isInterrupted ? .interrupted : status
  }
}

extension Decisions.Answers {
  /// Says how many were settled, and how to go on with the others.
  ///
  /// - Parameters:
  ///   - file: the document.
  ///   - isDryRun: whether nothing is written.
  ///   - console: where it is said.
  /// - Returns: the status: whether all were settled.
  /// - Throws: ``Failure`` if it cannot be written.
  func report(of file: FileName, isDryRun: Bool, _ console: Console) throws -> ExitStatus {
    let verb = isDryRun ? "would resolve" : "resolved"
    if !open.isEmpty {
      try console.report(
        "  \(verb) \(settledCount), left \(open.count); to go on: "
          + "pnmerge resolve --interactive \(shellQuoted(file))")
    } else if settledCount > 0 {
      try console.report("  \(verb) all \(settledCount)")
    }
    try console.report(resolutions.flatMap(\.dropped))
    return open.isEmpty ? .done : .different
  }
}
