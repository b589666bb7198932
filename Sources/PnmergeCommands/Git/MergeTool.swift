import Peernote

/// `pnmerge git mergetool`: what `git mergetool --tool=peernote` runs for a file in conflict.
struct MergeTool {
  var ancestor: FileName
  var current: FileName
  var incoming: FileName
  /// The file to replace.
  var merged: FileName

  /// Merges; the status is 0 or 1.
  ///
  /// At a terminal it is asked what is to be decided, before anything is written.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    do {
      let versions = (
        ancestor: try ancestorBytes(invocation), current: try invocation.readBytes(current),
        incoming: try invocation.readBytes(incoming)
      )
      var result = try GitMerge(
        ancestor: versions.ancestor, current: versions.current, incoming: versions.incoming,
        path: merged,
        isMerge: { () throws(Failure) in
          let repository = GitRepository(host: invocation.host)
          return try GitOccasion(
            repository: repository, path: merged, incoming: repository.object(incoming),
            isMerge: repository.isMergingBranches
          ).isMergeOfBranches()
        })
      let left = [versions.ancestor, versions.current, versions.incoming]
      let edited = try? invocation.host.read(merged, limit: Invocation.inputLimit).bytes
      try result.merge(edited: edited, besides: left)
      var end = ExitStatus.done
      if case .peernote(var outcome) = result, ReviewDialog.isPossible(invocation.host) {
        end = try ask(about: &outcome, versions.current, versions.incoming, invocation)
        result = .peernote(outcome)
      }
      if end != .done {
        try invocation.console.report("\(merged.visible): nothing was written")
        return .different
      }
      let outcome = try Replacement(of: merged, expecting: .any, invocation)(
        compute: { contents in
          var outcome = result
          // What was written meanwhile.
          try outcome.merge(edited: contents?.bytes, besides: left + [edited].compactMap(\.self))
          return .init(bytes: try outcome.verifiedBytes(merged), report: outcome)
        }
      ).report
      try invocation.console.report("\(merged.visible): \(outcome.sentence ?? "merged")")
      return .done
    } catch let failure as Failure {
      try? invocation.console.printError(failure.line)
    } catch {
      try? invocation.console.printError("pnmerge: \(error)")
    }
    return .different
  }

  /// Asks about what the merge decides and what was open before, if there is anything; it is settled
  /// in the outcome.
  private func ask(
    about outcome: inout ThreeWayMerge, _ current: [UInt8], _ incoming: [UInt8],
    _ invocation: Invocation
  ) throws -> ExitStatus {
    let ours = try invocation.parseDocument(current, from: self.current)
    let theirs = try invocation.parseDocument(incoming, from: self.incoming, beside: ours)
    let reviewed = try ReviewedDocument(
      merged, ours: ours, with: [theirs], merged: outcome.document)
    var run = ReviewRun(
      review: try Review(of: [reviewed], checkedBy: nil), schema: nil, isDryRun: false,
      invocation: invocation
    ) { _, _, _ in }
    let end = try run.ask(isPlain: false)
    guard end == .done else { return end }
    let session = try invocation.session(for: merged)
    let (settled, answers) = try run.review.settled(0, by: session)
    if let settled { outcome.document = settled }
    outcome.conflicts = answers.open
    try invocation.console.report(answers.dropped)
    return end
  }

  /// Empty if both sides added the file.
  private func ancestorBytes(_ invocation: Invocation) throws(Failure) -> [UInt8] {
    do throws(HostError) {
      return try invocation.host.read(ancestor, limit: Invocation.inputLimit).bytes
    } catch {
      if error.kind == .notFound { return [] }
      throw error.whileReading(ancestor)
    }
  }
}
