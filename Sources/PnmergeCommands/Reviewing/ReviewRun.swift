import JSONSchema
import Peernote

/// What a command does with a review: it asks, or takes decisions from files; then it writes each
/// document with what was decided.
struct ReviewRun {
  var review: Review
  let schema: Schema?
  let invocation: Invocation
  /// Writes the document of a number with what was decided of it, if that is anything, and says so.
  let write: (Int, Document?, Review.Answers) throws -> Void

  /// Asks somebody at the terminal, if anything is to be decided or that is always wanted; the status is
  /// that of ``ReviewDialog``.
  mutating func ask(isPlain: Bool, isAlways: Bool = false) throws -> ExitStatus {
    if isPlain { invocation.console.color = .never }
    if review.contested.isEmpty, !isAlways { return .done }
    // Nothing is to be decided in vain.
    let host = invocation.host
    for file in review.documents.map(\.file)
    where !invocation.isTrial && !host.isWritable(file) {
      if (try? host.identity(of: file, followingLinks: true)) == nil { continue }
      throw Failure(
        .cannotCreate, file: file, "is write-protected; with --dry-run it can be looked at")
    }
    let count = takeAnswers()
    if count > 0 {
      try invocation.console.printError(
        "\(counted(count, "answer")) of last time \(count == 1 ? "is" : "are") taken up; undo takes "
          + "\(count == 1 ? "it" : "them") back.")
    }
    var dialog = ReviewDialog(
      review: review, schema: schema, isPlain: isPlain, invocation: invocation)
    let end = try dialog()
    review = dialog.review
    try keepAnswers(end == .interrupted)
    return end
  }

  /// Makes the decisions of files about the documents, since the versions since which they were decided;
  /// what several people decided otherwise is said, and left open.
  mutating func apply(_ files: [FileName]) throws {
    let decisions = try files.map { try DecisionFile(invocation.readBytes($0), from: $0) }
    let parts = decisions.flatMap(\.parts)
    var documents = review.documents
    var isOther = false
    for (number, document) in documents.enumerated() {
      let id = document.merged.id.description
      let named = parts.first { $0.document == id && $0.since != nil }
      guard let since = named?.since?.compactMap({ ChangeID($0) }),
        since.allSatisfy(document.merged.contains),
        Set(since) != Set(document.parting?.heads ?? [])
      else { continue }
      documents[number].parting = try document.file.parsing(document.merged.at(version: since))
      // What was decided on a page is nobody's.
      documents[number].mine = nil
      isOther = true
    }
    if isOther { review = try Review(of: documents, checkedBy: schema) }
    for sentence in try DecisionFile.apply(decisions, to: &review) {
      try invocation.console.report("  left open: \(sentence)")
    }
  }

  /// Writes what was decided, all or nothing as far as it can be told before; the status tells whether
  /// anything was written, and nothing is left open.
  func finish(_ end: ExitStatus, _ authorship: Authorship) throws -> ExitStatus {
    let names = enumerated(review.documents.map(\.file.shown.inputName))
    if end != .done {
      let kept =
        end == .interrupted && !review.chosen.isEmpty && !invocation.isTrial
        ? "; \(counted(review.chosen.count, "answer")) kept for the next time" : ""
      try invocation.console.report("\(names): nothing was written\(kept)")
      return end
    }
    var settled: [(document: Document?, answers: Review.Answers)] = []
    for (number, document) in review.documents.enumerated() {
      let session = try invocation.session(authorship, for: document.file)
      let result = try review.settled(number, by: session, message: authorship.message?.text)
      try schema?.check(
        (result.document ?? document.merged).root, replacing: document.ours.root, in: document.file)
      settled.append(result)
    }
    for (number, result) in settled.enumerated() {
      try write(number, result.document, result.answers)
    }
    return settled.allSatisfy(\.answers.open.isEmpty) ? .done : .different
  }
}

extension Review.Answers {
  /// Says how many were settled and left out, for the report of a merge or by itself.
  func report(
    of file: FileName, isMerge: Bool = false, _ invocation: Invocation
  ) throws {
    let (console, isDryRun) = (invocation.console, invocation.isTrial)
    let start = isMerge ? "  " : "\(file.shown.inputName): "
    var parts = open.isEmpty ? [] : ["\(open.count) left unresolved"]
    if contestedCount > 0 {
      let verb = isDryRun ? "would resolve" : "resolved"
      parts.insert("\(verb) \(resolvedCount) of \(contestedCount)", at: 0)
    }
    if !isMerge || !parts.isEmpty {
      try console.report(start + (parts.isEmpty ? "no conflicts" : parts.joined(separator: "; ")))
    }
    if leftOutCount > 0 {
      try console.report(
        "  \(isDryRun ? "would leave" : "left") out \(counted(leftOutCount, "change"))")
    }
    try console.report(dropped)
  }
}

extension CopyMerge {
  /// Merges for a review, without writing anything; holds all copies at once, and walks the whole
  /// history of each.
  mutating func reviewed(_ invocation: Invocation) throws -> ReviewedDocument {
    let others = try readCopies(invocation, &streams)
    let ours = try parse(
      streams.read(base, invocation), base, beside: others.first?.document, &streams, invocation)
    try checkLeftOut(streams)
    // What is to be settled yet may break the schema, and is no result.
    var unchecked = self
    unchecked.schema = nil
    unchecked.tellsPlaces = false
    var merged = ours
    _ = try unchecked.merge(&merged, others, invocation)
    invocation.console.progress("looking for conflicts")
    var reviewed = try ReviewedDocument(
      base, ours: ours, with: others.map(\.document), merged: merged)
    reviewed.file = target
    return reviewed
  }

  /// The review of merges, which are written with what was decided; on a page nobody's copy is the
  /// reader's own.
  static func review(
    _ merges: [CopyMerge], onPage: Bool = false, _ invocation: Invocation
  ) throws -> ReviewRun {
    var merges = merges
    var documents = try merges.indices.map { try merges[$0].reviewed(invocation) }
    if onPage { for number in documents.indices { documents[number].mine = nil } }
    let schema = merges[0].schema
    return ReviewRun(
      review: try Review(of: documents, checkedBy: schema), schema: schema, invocation: invocation
    ) { [merges] number, document, answers in
      var merge = merges[number]
      merge.settled = document
      merge.tellsPlaces = false
      var outcome = try merge(invocation)
      outcome.conflicts = answers.open
      // People know a history by its file.
      (outcome.base, outcome.output) = (outcome.base.shown, outcome.output.shown)
      try outcome.report(invocation)
      try answers.report(of: outcome.output, isMerge: true, invocation)
    }
  }
}

extension FileChange {
  /// The review of what is open in some documents, each of which is changed by what was decided.
  static func review(
    _ changes: [(change: FileChange, document: Document)], identityKeys keys: [String]
  ) throws -> ReviewRun {
    let first = changes[0].change
    let documents = try changes.map { change, document in
      var reviewed = ReviewedDocument(change.file, ours: document, merged: document)
      (reviewed.identityKeys, reviewed.isForced) = (keys, change.options.force)
      let owners = SideOwners(
        file: change.file, id: document.id, invocation: change.invocation)
      reviewed.mine = try? owners.beforeMerge()
      if let hint = owners.hint { try change.invocation.console.report(hint) }
      return reviewed
    }
    let schema = try first.schema?.schema(first.invocation)
    return ReviewRun(
      review: try Review(of: documents, checkedBy: schema), schema: schema,
      invocation: first.invocation
    ) { number, settled, answers in
      let change = changes[number].change
      if let settled {
        _ = try change { document -> Bool? in
          do throws(MergeError) {
            _ = try document.merge(settled)
          } catch {
            throw error.failure(change.file, document, comparedWith: change.file, settled)
          }
          return true
        }
      }
      try answers.report(of: change.file, change.invocation)
    }
  }
}
