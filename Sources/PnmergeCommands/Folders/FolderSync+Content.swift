import Peernote

/// Merging the copies of a note.
extension FolderSync {
  /// Merges the copies of a note if they differ, and writes each that lacks something.
  ///
  /// A document that was deleted by someone who did not know of all edits is brought back.
  mutating func mergeCopies(of unit: inout NoteUnit) throws {
    let isOutdated: Bool =
      if case .outdated = unit.summary.deletion { true } else { false }
    let differs = unit.copies.contains { $0.summary.checksum != unit.summary.checksum }
    guard differs || isOutdated else { return }
    var (document, conflicts) = try union(of: unit)
    let wasDeleted = unit.copies.contains { $0.summary.deletion?.isCurrent ?? false }
    let deletion = document.deletion
    if case .outdated(let author, _) = deletion {
      do throws(EditError) {
        try document.withdrawOutdatedDeletion()
      } catch {
        throw Failure(.damaged, file: file(unit.copies[0]), error.explanation(in: document.root))
      }
      if wasDeleted || isOutdated {
        report(.broughtBack(shown(unit.copies[0]), by: author))
      }
    }
    let merged = DocumentSummary(of: document, checksum: Array(document.encoded().suffix(32)))
    unit.summary = merged
    unit.document = document
    for index in unit.copies.indices {
      let copy = unit.copies[index]
      // What is folded is read no more, and a note that came back does not stay in the trash.
      let isKept = copy.role == .note || copy.role == .tombstone && unit.isDeleted
      guard isKept, copy.summary.checksum != merged.checksum, mayWrite(to: copy.folder) else {
        continue
      }
      try attempt(copy.folder) { sync in
        unit.copies[index].summary = try sync.write(document, to: copy)
      }
      if unit.copies[index].summary.checksum == merged.checksum { unit.document = nil }
    }
    if !conflicts.isEmpty { report(.conflicts(shown(unit.copies[0]), conflicts)) }
  }

  /// All changes of all copies.
  private func union(of unit: NoteUnit) throws -> (document: Document, conflicts: [Conflict]) {
    var seen: Set<[UInt8]> = []
    var result: (file: FileName, document: Document)?
    var conflicts: [Conflict] = []
    for copy in unit.copies where seen.insert(copy.summary.checksum).inserted {
      let file = file(copy)
      let next = try invocation.readDocument(file, beside: result?.document)
      guard let base = result?.file, var document = result?.document else {
        result = (file, next)
        continue
      }
      guard next.id == unit.id, document.id == unit.id else {
        throw Failure(.tryAgain, file: file, "became another document meanwhile; try again")
      }
      do throws(MergeError) {
        conflicts = try document.merge(next, after: conflicts).conflicts
      } catch {
        throw error.failure(file, next, comparedWith: base, document)
      }
      result = (base, document)
    }
    guard let result else { preconditionFailure("a note has a copy") }
    return (result.document, conflicts)
  }

  /// Brings all changes of a document into a copy's file, whatever it holds by now.
  ///
  /// - Returns: what the file holds then.
  private mutating func write(
    _ document: Document, to copy: NoteCopy
  ) throws -> DocumentSummary {
    let file = file(copy)
    var merged: (state: DocumentState, summary: DocumentSummary)?
    let replacement = Replacement(of: file, expecting: .existing, host: host)
    let written: Replacement.Outcome<ChangeTally> = try replacement(
      dryRun: isDryRun,
      verify: { bytes in try merged?.state.check(bytes, file) },
      prepare: { old in
        guard let merged else { return }
        try backups.keep(old, before: .merge, of: file, becoming: merged.state, invocation)
      },
      compute: { contents in
        var own = try invocation.parseDocument(contents?.bytes ?? [], from: file)
        let report: MergeReport
        do throws(MergeError) {
          report = try own.merge(document)
        } catch {
          throw error.failure(file, own, comparedWith: file, document)
        }
        let bytes = own.encoded()
        merged = (own.state, DocumentSummary(of: own, checksum: Array(bytes.suffix(32))))
        return Replacement.Proposal(bytes: bytes, report: ChangeTally(report.newChanges))
      })
    guard let summary = merged?.summary else { preconditionFailure("the bytes were computed") }
    if written.hasChanged {
      if !isDryRun {
        folders[copy.folder].record(
          summary, at: copy.path, copy.role == .tombstone ? .trash : .documents)
      }
      if copy.role == .note { report(.merged(shown(copy), written.report)) }
    }
    return summary
  }

  // MARK: Names

  /// The file of a copy.
  func file(_ copy: NoteCopy) -> FileName { folders[copy.folder].root.appending(copy.path) }

  /// The file of a copy, as people are told of it.
  func shown(_ copy: NoteCopy) -> FileName { folders[copy.folder].shownFile(copy.path) }
}
