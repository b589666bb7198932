import Peernote

/// What a review says of places and people, made once.
package struct ReviewTexts {
  /// The file that is merged into.
  package var file: String
  /// What comes in, and what only the file has, a line for each thing; `nil` if nothing is merged.
  package var divergence: (incoming: [String], own: [String])?
  /// Who had each side of each question, and when.
  package var signatures: [[String]]
  /// The line around each passage; `nil` for what is no passage, or whole lines.
  package var contexts: [String?]

  /// What is said of a review.
  init(
    of review: Review, in merged: Document, into file: FileName, _ invocation: Invocation
  ) {
    contexts = review.questions.map(\.context)
    self.file = file.inputName
    divergence = review.divergence.map { divergence in
      (
        divergence.theirs.places.flatMap { $0.lines(invocation) },
        divergence.ours.places.flatMap { $0.lines(invocation) }
      )
    }
    signatures = review.questions.map { question in
      question.conflict.sides.map { $0.signature(invocation) }
    }
  }
}
