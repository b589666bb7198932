import Peernote
import PeernoteJSON

extension DecisionFile {
  /// Refuses copies that are not those that were reviewed.
  ///
  /// - Parameters:
  ///   - document: names the document that they are copies of.
  ///   - copies: the copies, the one that is merged into first, with their heads.
  /// - Throws: ``Failure``.
  func check(
    _ document: UniqueID, _ copies: [(file: FileName, heads: [ChangeID])]
  ) throws(Failure) {
    try check(document, copies[0].file)
    guard copies.count == self.copies.count else {
      throw Failure(
        .usage, file: file,
        "is about \(counted(self.copies.count, "copy")); give as many; nothing was written")
    }
    let given = copies.map { $0.heads.sorted() }
    if given != self.copies, Set(given) == Set(self.copies) {
      throw Failure(
        .usage, file: file,
        "is about these copies in another order; give them as they were reviewed; nothing was "
          + "written")
    }
    for ((copy, heads), reviewed) in zip(copies, self.copies) where heads.sorted() != reviewed {
      throw Failure(
        .different, file: copy,
        "is not as it was when \(file.inputName) was decided; make the page again with "
          + "'pnmerge review --html'; nothing was written")
    }
  }

  private func check(_ document: UniqueID, _ file: FileName) throws(Failure) {
    guard self.document == document else {
      throw Failure(
        .notSameDocument, file: self.file,
        "is about another document than \(file.inputName) (\(self.document.shortText), not "
          + "\(document.shortText)); nothing was written")
    }
  }

  /// What is decided of a merged document.
  ///
  /// Walks the whole history two or three times.
  ///
  /// - Parameters:
  ///   - document: the document, merged as it was reviewed.
  ///   - name: its file, for messages.
  ///   - identityKeys: what tells elements of lists apart.
  ///   - invocation: the run of the program.
  /// - Returns: what was open in it, and the review with all decisions made.
  /// - Throws: ``Failure`` if the document is not the one that was reviewed, or something is decided
  ///   that is not to be decided there.
  func applied(
    to document: Document, in name: FileName, identityKeys: [String], _ invocation: Invocation
  ) throws -> (open: OpenConflicts, review: Review) {
    try check(document.id, name)
    let all = copies.flatMap(\.self)
    guard all.allSatisfy({ document.contains($0) }) else {
      throw Failure(
        .different, file: name,
        "lacks changes of the merge that was decided; to merge and decide at once: pnmerge review "
          + "--apply \(shellQuoted(file)) \(shellQuoted(name)) COPY; nothing was written")
    }
    let since = document.changes(since: all)
    guard since.isEmpty else {
      let tally = ChangeTally(authors: since.map(\.author))
      throw Failure(
        .different, file: name,
        "has moved on since \(file.inputName) was decided, by \(tally.summary); settle what is left "
          + "with 'pnmerge resolve'; nothing was written")
    }
    let open = try OpenConflicts(
      in: document, from: name, after: OpenMerge(versions: copies), identityKeys: identityKeys,
      invocation)
    var review: Review
    do throws(DocumentError) {
      let ours = try document.at(version: copies[0])
      let theirs = try document.at(version: copies.dropFirst().flatMap(\.self))
      review = Review(
        of: open.conflicts, in: document, ours: ours, since: try ours.parting(from: theirs),
        identityKeys: identityKeys)
    } catch {
      throw error.failure(in: name)
    }
    try apply(to: &review)
    return (open, review)
  }

  /// Decides all that is decided here.
  ///
  /// - Parameter review: the review of the merge that was decided.
  /// - Throws: ``Failure`` if something is not to be decided there, or not so.
  func apply(to review: inout Review) throws(Failure) {
    var places: [[String]: Int] = [:]
    for (index, question) in review.questions.enumerated() {
      let conflict = question.conflict
      places[[conflict.kind.rawValue, conflict.id, conflict.path.description]] = index
    }
    for (number, entry) in entries.enumerated() {
      guard let index = places[[entry.kind, entry.id, entry.path]] else {
        throw fault(number, "\(quoted(entry.path)) is not to be decided in this merge")
      }
      if case .edited(let text) = entry.answer {
        guard let kept = review.questions[index].conflict.kept.node else {
          throw fault(number, "nothing stands there that could be edited")
        }
        do throws(Failure) {
          guard let node = try kept.written(as: text) else {
            throw Failure(.usage, "\"edited\" is what stands there already; take a side")
          }
          review.take(edited: node, at: index)
        } catch {
          throw fault(number, error.message)
        }
      } else if !review.take(entry.answer, at: index) {
        throw fault(number, "there is no such side at \(entry.path)")
      }
    }
  }

  private func fault(_ number: Int, _ reason: String) -> Failure {
    Failure(
      .unreadable, file: file, "at /decisions/\(number): \(reason); nothing was written")
  }
}

extension Review {
  /// Takes what an answer names.
  ///
  /// - Returns: whether it can be had.
  fileprivate mutating func take(_ answer: DecisionFile.Answer, at index: Int) -> Bool {
    switch answer {
    case .party(let party): take(party, at: index)
    case .side(let number): take(side: number, at: index)
    case .both: takeBoth(at: index)
    case .before: takeBefore(at: index)
    case .edited: false
    }
  }
}
