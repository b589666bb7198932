import Peernote
import PeernoteJSON

/// What settles all that is undecided in a document at one go.
extension Resolve {
  private func review(_ change: FileChange) throws -> ReviewRun {
    try FileChange.review(
      [(change, change.invocation.readDocument(file))],
      identityKeys: identity.matching.identityKeys)
  }

  /// Asks at the terminal about all that is undecided.
  func ask(_ change: FileChange) throws -> ExitStatus {
    try ReviewDialog.checkTerminal(
      change.invocation.host, or: "without one: --take or --value, with a path")
    var run = try review(change)
    let end = run.review.places.isEmpty ? .write : try run.ask(isPlain: plain)
    return try run.finish(end, options.authorship)
  }

  /// Settles what was decided on the pages of the merge that the file holds.
  func decide(as decisions: [FileName], _ change: FileChange) throws -> ExitStatus {
    try change.invocation.checkStandardInput([file] + decisions)
    var run = try review(change)
    try run.apply(decisions)
    return try run.finish(.write, options.authorship)
  }

  /// Takes a side of all that is undecided, where there is such a side.
  func takeAll(_ name: String, _ change: FileChange) throws -> ExitStatus {
    let keys = identity.matching.identityKeys
    var answers = Review.Answers()
    _ = try change { document -> Bool? in
      var reviewed = ReviewedDocument(file, ours: document, merged: document)
      reviewed.identityKeys = keys
      if document.conflicts(identityKeys: keys).isEmpty { return nil }
      let owners = SideOwners(of: file, document.id, change.invocation)
      reviewed.mine =
        name == "mine" || name == "theirs" ? try owners.beforeMerge() : try? owners.beforeMerge()
      var review: Review
      do throws(DocumentError) {
        review = try Review(of: [reviewed], isWhole: false)
      } catch {
        throw error.failure(in: file)
      }
      let count = review.take(sidesNamed: name, since: reviewed.mine)
      guard count > 0 else {
        // A word may fit none of what is there; a name that fits none is mistyped.
        let isWord = ["mine", "theirs", "both", "kept"].contains(name)
        throw Failure(
          isWord ? .different : .usage, file: file,
          "no conflict has a side \(quoted(name)); " + choices(review))
      }
      answers = review.answers(of: 0)
      let session = try change.invocation.session(options.authorship, for: file)
      guard
        let settled = try review.settled(
          0, by: session, message: options.authorship.message?.text)
      else { return nil }
      document = settled
      return true
    }
    try answers.reportResolved(in: change)
    return answers.open.isEmpty ? .done : .different
  }

  /// What `--take` can name where it is about all conflicts.
  private func choices(_ review: Review) -> String {
    let words = ["mine", "theirs", "both", "kept"].filter { word in
      var review = review
      return review.take(sidesNamed: word, since: review.documents[0].mine) > 0
    }
    var seen: Set<ChangeID> = []
    let sides = review.places.compactMap(\.conflict).flatMap(\.writtenSides)
      .filter { seen.insert($0.change).inserted }
    let named = sides.prefix(Self.namedSides).map { "\($0.change) (\(authorName($0.author)))" }
    let others = sides.count - named.count
    let end = others > 0 ? ["and \(others) more, which 'conflicts' lists"] : []
    return "--take can be \((words + named + end).joined(separator: ", "))"
  }
}

extension Review {
  /// Takes a side wherever there is one of that name and nothing is decided: `mine`, `theirs`, `both`,
  /// `kept`, or the name of the change that wrote it, or its beginning.
  ///
  /// - Returns: how many places that decided.
  fileprivate mutating func take(sidesNamed name: String, since mine: Document?) -> Int {
    let taken = open.compactMap { index -> (index: Int, choice: Choice)? in
      let sides = places[index].choices.filter { !$0.authors.isEmpty }
      let found: [Choice]
      switch name {
      case "both": found = places[index].choices.filter { $0.key == "both" }
      case "kept": found = Array(sides.prefix(1))
      case "mine", "theirs":
        guard let mine else { return nil }
        found = sides.filter { side in
          let change = places[index].conflict?.sides.first { "\($0.change)" == side.key }?.change
          return change.map { mine.contains($0) == (name == "mine") } ?? false
        }
      default: found = name.isEmpty ? [] : sides.filter { $0.key.hasPrefix(name.lowercased()) }
      }
      return found.count == 1 ? (index, found[0]) : nil
    }
    choose(taken)
    return taken.count
  }
}
