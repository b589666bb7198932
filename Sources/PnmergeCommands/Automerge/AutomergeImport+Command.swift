import AutomergeFormat
import Peernote
import PeernoteJSON

extension AutomergeDocument {
  /// Imports the document into a file, which is started, or brought up to date if it holds a copy.
  func importDocument(
    to file: FileName, _ options: ChangeOptions, _ schema: SchemaOption, _ invocation: Invocation
  ) throws {
    let imported = try AutomergeImport.document(of: self)
    try schema.schema(invocation)?.check(imported.root, replacing: nil, in: file)
    let isNew = invocation.kind(of: file) == nil
    var target = DocumentFile(file, from: isNew ? [copy.file] : [], invocation)
    (target.backups, target.action) = (options.backups, .merge)
    var isUpdate = false
    let outcome = try target(expecting: .any) { old in
      guard let old else {
        return DocumentFile.Proposal(imported, report: imported.changeCount)
      }
      isUpdate = true
      var document = try invocation.parseDocument(old, from: file)
      let before = document.changeCount
      do throws(MergeError) {
        _ = try document.merge(imported)
      } catch {
        throw error.failure(copy.file, imported, comparedWith: file, document)
      }
      return DocumentFile.Proposal(document, report: document.changeCount - before)
    }
    if file.isStandardStream { return try sayLosses(imported, file, invocation) }
    let would = options.dryRun ? "would " : ""
    let changes = counted(outcome.report, "change")
    let what =
      !outcome.hasChanged
      ? "already has everything in \(copy.file.inputName)"
      : isUpdate
        ? "\(would)take over \(changes) from \(copy.file.inputName)"
        : "\(would.isEmpty ? "started" : "would start") document \(imported.id) with \(changes)"
    try invocation.console.report("\(file.outputName): \(what)")
    try sayLosses(imported, file, invocation)
  }

  /// Says what was left behind, and what the document shows otherwise than Automerge does.
  private func sayLosses(
    _ imported: Document, _ file: FileName, _ invocation: Invocation
  ) throws {
    let console = invocation.console
    let counts = history.store.countOfForeignValues
    for (count, noun, words) in [
      (counts.marks, "mark", "of texts are dropped: documents have no such thing"),
      (counts.integers, "integer", "beyond 64 bits became text"),
      (counts.unknown, "value", "of unknown types became bytes"),
      (history.pending.count, "change", "that wait for others stay behind"),
    ] where count > 0 {
      try console.warn("\(counted(count, noun)) \(words)")
    }
    let starts = history.order.count { history.parents[$0].isEmpty }
    if envelope == nil, starts > 1 {
      try console.warn(
        "the document was begun \(starts) times; merge its copies before they are imported, or "
          + "they may become different documents")
    }
    var places = 0
    var first: JSONPointer?
    ContentDifference.forEachPlace(from: state.root, to: imported.root) { place in
      places += 1
      if first == nil { first = place.path }
    }
    guard let first else { return }
    let more = places > 1 ? " and \(places - 1) more" : ""
    try console.report(
      "  shown differently than by Automerge, since changes met there: \(first.visible)\(more)"
        + (file.isStandardStream ? "" : "; see 'pnmerge conflicts \(shellQuoted(file))'"))
  }
}
