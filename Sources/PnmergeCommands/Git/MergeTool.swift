import Peernote
import PeernoteJSON

/// `pnmerge git mergetool`: what `git mergetool --tool=peernote` runs for a file in conflict.
struct MergeTool {
  var ancestor: FileName
  var current: FileName
  var incoming: FileName
  /// The file to replace.
  var merged: FileName

  /// Merges, with status 0 or 1; at a terminal it asks what is to be decided, before anything is written.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    do {
      // There is no ancestor if both sides added the file.
      let versions = GitVersions(
        ancestor: try invocation.bytesIfPresent(ancestor) ?? [],
        current: try invocation.readBytes(current), incoming: try invocation.readBytes(incoming))
      var result = try GitMerge(
        versions, path: merged,
        isMerge: { () throws(Failure) in
          try GitRepository(host: invocation.host).isMergingBranches
        })
      let edited = try? invocation.host.read(merged, limit: Invocation.inputLimit).bytes
      try result.merge(edited: edited, besides: versions)
      if case .peernote(var outcome, isHistory: false) = result,
        ReviewDialog.isPossible(invocation.host)
      {
        guard try ask(about: &outcome, versions, invocation) == .done else {
          try invocation.console.report("\(merged.visible): nothing was written")
          return .different
        }
        result = .peernote(outcome, isHistory: false)
      }
      let outcome = try Replacement(of: merged, expecting: .any, invocation)(
        compute: { contents in
          var outcome = result
          // What was written meanwhile.
          if contents?.bytes != edited {
            try outcome.merge(edited: contents?.bytes, besides: versions)
          }
          return .init(try outcome.verifiedBytes(merged), report: outcome)
        }
      ).report
      try invocation.console.report("\(merged.visible): \(outcome.sentence ?? "merged")")
      return .done
    } catch var failure as Failure {
      failure.file = failure.file ?? merged
      try? invocation.console.printError(failure.line)
    } catch {
      try? invocation.console.printError("pnmerge: \(error)")
    }
    return .different
  }

  /// Asks about what the merge decides and what was open before, if there is anything; it is settled
  /// in the outcome.
  private func ask(
    about outcome: inout ThreeWayMerge, _ versions: GitVersions, _ invocation: Invocation
  ) throws -> ExitStatus {
    let ours = try invocation.parseDocument(versions.current, from: current)
    let theirs = try invocation.parseDocument(versions.incoming, from: incoming, beside: ours)
    let reviewed = try ReviewedDocument(
      merged, ours: ours, with: [theirs], merged: outcome.document)
    if let hint = try GitRepository(host: invocation.host).sidesOfRebase {
      try invocation.console.report(hint)
    }
    var run = ReviewRun(
      review: try Review(of: [reviewed], checkedBy: nil), schema: nil, invocation: invocation
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
}
