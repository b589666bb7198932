import AutomergeFormat
import Peernote
import PeernoteJSON

/// `repair` for Automerge documents: merges the copies that are sound, and puts back what
/// MeetingNotes mixed up.
struct AutomergeRepair {
  var files: [FileName]
  var output: FileName
  var isDryRun: Bool

  /// Repairs what the files hold, and says what was done; the status is 1 if some were damaged.
  func callAsFunction(_ contents: [[UInt8]], _ invocation: Invocation) throws -> ExitStatus {
    var copies: [AutomergeCopy] = []
    var failures: [Failure] = []
    for (file, bytes) in zip(files, contents) {
      do throws(Failure) {
        let copy = try AutomergeCopy(required: bytes, from: file, addition: "; left out")
        _ = try AutomergeDocument(copy, addition: "; left out")
        copies.append(copy)
      } catch {
        failures.append(error)
      }
    }
    for failure in failures { try invocation.console.printError(failure.line) }
    guard !copies.isEmpty else {
      throw Failure(
        .damaged, "no copy is sound, so that nothing could be saved; give further copies")
    }
    let all = try AutomergeCopies(copies)
    let history: AutomergeHistory
    var repair = AgendaRepair(AutomergeState(all.history))
    do throws(AutomergeError) {
      history = try repair.repaired() ?? all.history
    } catch {
      throw error.failure(in: output, "; nothing was written")
    }
    _ = try DocumentFile(output, invocation, isDryRun: isDryRun)(expecting: .absent) { _ in
      let bytes = AutomergeMerge.encoded(all, AutomergeState(history))
      return DocumentFile.Proposal(bytes, report: ()) { bytes, file in
        try AutomergeMerge.check(bytes, Set(history.numbers.keys), file)
      }
    }
    try report(repair.fixes, all.history.order.count, invocation)
    return failures.isEmpty ? .done : .different
  }

  private func report(
    _ fixes: [AgendaRepair.Fix], _ count: Int, _ invocation: Invocation
  ) throws {
    let verb = isDryRun ? "would save" : "saved"
    let what = fixes.isEmpty ? "; no agenda item was mixed up" : ""
    try invocation.console.report(
      "\(output.outputName): \(verb) \(counted(count, "change"))\(what)")
    for fix in fixes {
      let title = quoted(fix.title)
      let sentence =
        switch fix.kind {
        case .text: "\(title) has its own text again; it showed \(quoted(fix.before))"
        case .title: "\(title) has its own title again; it was called \(quoted(fix.before))"
        case .item: "\(title) is back: it was deleted by one and changed by another"
        }
      try invocation.console.report("  \(fix.path.visible): \(sentence)")
    }
  }
}
