import Peernote

/// What became of an edit that was made on some version of a document.
struct EditOutcome<Report> {
  /// What the edit says that it did; `nil` if that is nothing.
  var report: Report?
  /// What the merge with later changes decided.
  var conflicts: [Conflict]
}

extension FileChange {
  /// Edits a document as it was at a version, and merges that with what came since.
  ///
  /// Without `base` that is the present one. `edit` says what it did; `nil` if that is nothing.
  func edit<Report>(
    _ document: inout Document, at base: [ChangeID]?,
    _ edit: (inout Document) throws -> Report?
  ) throws -> EditOutcome<Report> {
    guard let base else { return EditOutcome(report: try edit(&document), conflicts: []) }
    do {
      let made = try document.changing(at: base, edit)
      return EditOutcome(report: made.result, conflicts: made.report.conflicts)
    } catch EditError.redacted(let path, let line) {
      let present = document.heads.map { " --base \($0)" }.joined()
      throw Failure(
        .usage, file: file,
        "\(path.visible): line \(line) of what comes in cannot be told from text that was redacted "
          + "since; nothing was written; to make it an edit of the present version, take out of it "
          + "what was redacted, and give\(present)")
    } catch let error as DocumentError {
      throw error.failure(in: file)
    } catch let error as MergeError {
      throw Failure(.damaged, file: file, "\(error); nothing was written")
    }
  }

  /// Changes the document on the version that an option names, and says what changed.
  func reportChanges(
    at base: BaseOption, _ edit: (inout Document) throws -> [String]?
  ) throws {
    let changed = try self(at: base, edit)
    try reportChanges(changed.report)
    try report(changed.conflicts)
  }

  /// Changes the document on the version that an option names; the present one by default.
  func callAsFunction<Report>(
    at base: BaseOption, _ edit: (inout Document) throws -> Report?
  ) throws -> EditOutcome<Report> {
    var outcome = EditOutcome<Report>(report: nil, conflicts: [])
    _ = try self { document in
      outcome = try self.edit(&document, at: base.heads(in: document, file), edit)
      return outcome.report
    }
    return outcome
  }

  /// Changes what stands at a path of the version that an option names, and says where that stands
  /// now; `nil` if nothing changed.
  func callAsFunction(
    at base: BaseOption, path: JSONPointer, _ edit: (inout Document) throws -> Bool
  ) throws -> EditOutcome<JSONPointer> {
    var outcome = EditOutcome<JSONPointer>(report: nil, conflicts: [])
    _ = try self { document in
      var edited: Document?
      outcome = try self.edit(&document, at: base.heads(in: document, file)) { version in
        guard try edit(&version) else { return nil }
        edited = version
        return path
      }
      if !base.names.isEmpty, let edited { outcome.report = document.place(of: path, in: edited) }
      return outcome.report
    }
    return outcome
  }

  /// Says what the merge of an edit with later changes decided.
  func report(_ conflicts: [Conflict]) throws {
    if let words = conflictWords(conflicts) {
      try invocation.console.report("\(file.shown.inputName): \(words)")
      try invocation.report(conflicts)
    }
  }
}

extension Document {
  /// Where what stands at a path of another version stands in this one; the same path if that cannot be
  /// told.
  fileprivate func place(of path: JSONPointer, in other: Document) -> JSONPointer {
    if let place = self.path(ofPlace: path, in: other) { return place }
    // The end of a list has no element.
    let list = path.tokens.last == "-" ? self.path(ofPlace: path.parent, in: other) : nil
    return list?.appending("-") ?? path
  }
}
