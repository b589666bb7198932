import Peernote

/// `pnmerge git mergetool`: what `git mergetool --tool=peernote` runs for a file in conflict.
struct MergeTool {
  var ancestor: FileName
  var current: FileName
  var incoming: FileName
  /// The file to replace.
  var merged: FileName

  /// Merges; the status is 0 or 1.
  func callAsFunction(_ invocation: Invocation) -> ExitStatus {
    do {
      let versions = (
        ancestor: try ancestorBytes(invocation), current: try invocation.readBytes(current),
        incoming: try invocation.readBytes(incoming)
      )
      let result = try GitMerge(
        ancestor: versions.ancestor, current: versions.current, incoming: versions.incoming,
        on: ThreeWayMerge.Occasion { () throws(Failure) in
          let repository = GitRepository(host: invocation.host)
          return try GitOccasion(
            repository: repository, history: BranchHistory(repository, of: [merged]), path: merged,
            ancestor: repository.object(ancestor), current: repository.object(current),
            incoming: repository.object(incoming), isMerge: repository.isMergingBranches)
        })
      let outcome = try Replacement(of: merged, expecting: .any, host: invocation.host)(
        compute: { contents in
          var outcome = result
          try outcome.merge(
            edited: contents?.bytes,
            besides: [versions.ancestor, versions.current, versions.incoming])
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
