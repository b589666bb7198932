import Peernote

/// Merging the copies of a note.
extension FolderSync {
  /// Merges the copies of a note if they differ, writes each that lacks something, and gives the note
  /// as it is then.
  ///
  /// A document that was deleted by someone who did not know of all edits is brought back.
  mutating func mergeCopies(of unit: NoteUnit) throws -> NoteUnit {
    var unit = unit
    let isOutdated: Bool =
      if case .outdated = unit.summary.deletion { true } else { false }
    let differs = unit.copies.contains { $0.summary.checksum != unit.summary.checksum }
    guard differs || isOutdated else { return unit }
    var (document, conflicts) = try union(of: unit)
    // The others may be folded into it.
    let name = shown(unit.copies.first { $0.role == .note } ?? unit.copies[0])
    let deleted = unit.copies.first { $0.summary.deletion?.isCurrent ?? false }
    try withdrawDeletion(
      in: &document, name, deleted: deleted, isNews: deleted != nil || isOutdated)
    let merged = DocumentSummary(of: document, checksum: Array(document.bytes().suffix(32)))
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
    if !conflicts.isEmpty { report(.conflicts(name, conflicts)) }
    return unit
  }

  /// All changes of all copies.
  private func union(of unit: NoteUnit) throws -> (document: Document, conflicts: [Conflict]) {
    var seen: Set<[UInt8]> = []
    let files = unit.copies.filter { seen.insert($0.summary.checksum).inserted }.map(file)
    return try union(of: files) { try read(files[$0], of: unit, beside: $1) }
  }

  /// All changes of copies of a document, of which there is at least one, and what was decided.
  ///
  /// People are told of the copies by the names of `files`. `read` reads one by its number, beside
  /// another copy, which is faster; it may read each twice.
  func union(
    of files: [FileName], read: (Int, Document?) throws -> Document
  ) throws -> (document: Document, conflicts: [Conflict]) {
    do {
      var merge = MergeByHalves(try read(0, nil))
      for number in files.indices.dropFirst() { try merge.add(try read(number, merge.first)) }
      let (document, reports) = try merge.finish()
      return (document, reports.last?.conflicts ?? [])
    } catch is MergeError {
      // One after the other, which tells which one is at fault.
      var document = try read(0, nil)
      var conflicts: [Conflict] = []
      for (number, file) in files.enumerated().dropFirst() {
        let next = try read(number, document)
        do throws(MergeError) {
          conflicts = try document.merge(next, after: conflicts).conflicts
        } catch {
          throw error.failure(file, next, comparedWith: files[0], document)
        }
      }
      return (document, conflicts)
    }
  }

  private func read(
    _ file: FileName, of unit: NoteUnit, beside other: Document? = nil
  ) throws(Failure) -> Document {
    let document = try invocation.readDocument(file, beside: other)
    guard document.id == unit.id else {
      throw Failure(.tryAgain, file: file, "became another document meanwhile; try again")
    }
    return document
  }

  /// Brings all changes of a document into a copy's file, whatever it holds by now, and gives what
  /// it holds then.
  private mutating func write(
    _ document: Document, to copy: NoteCopy
  ) throws -> DocumentSummary {
    let file = file(copy)
    var target = DocumentFile(file, invocation)
    (target.backups, target.action) = (backups, .merge)
    let written = try target { bytes in
      var own = try invocation.parseDocument(bytes ?? [], from: file)
      let report: MergeReport
      do throws(MergeError) {
        report = try own.merge(document)
      } catch {
        throw error.failure(file, own, comparedWith: file, document)
      }
      let bytes = own.bytes()
      let summary = DocumentSummary(of: own, checksum: Array(bytes.suffix(32)))
      return DocumentFile.Proposal(bytes, own.state, report: (merge: report, summary: summary))
    }
    let (merge, summary) = written.report
    if written.hasChanged {
      folders[copy.folder].record(
        summary, at: copy.path, copy.role == .tombstone ? .trash : .documents)
      if copy.role == .note {
        report(.merged(shown(copy), ChangeTally(merge.newChanges)))
        if !merge.takenOut.isEmpty {
          report(.redacted(shown(copy), merge.takenOut))
        }
      }
    }
    return summary
  }

  // MARK: Names

  /// The file of a copy.
  func file(_ copy: NoteCopy) -> FileName { folders[copy.folder].root.appending(copy.path) }

  /// The file of a copy, as people are told of it.
  func shown(_ copy: NoteCopy) -> FileName { folders[copy.folder].shownFile(copy.path) }
}
