import Peernote

/// Asks a person at the terminal what is to be decided: on the whole screen, or line by line where
/// that cannot be had.
struct TerminalReview {
  /// The file to be written, for messages and the names of drafts.
  var file: FileName
  /// Whether it is asked line by line in any case.
  var isPlain = false
  /// Whether nothing is to be written in the end.
  var isDryRun = false
  var invocation: Invocation

  /// Whether somebody can be asked.
  static func isPossible(_ host: any Host) -> Bool {
    host.isTerminal(.input) && host.isTerminal(.error)
  }

  /// Refuses to ask where nobody can answer, and says how to decide all the same.
  func checkTerminal(or hint: String) throws(Failure) {
    guard Self.isPossible(invocation.host) else {
      throw Failure(.usage, "--interactive needs a terminal; \(hint)")
    }
  }

  /// Goes through a review.
  ///
  /// Nothing is written while it is gone through, and no file is locked.
  ///
  /// - Parameters:
  ///   - review: what is to be decided.
  ///   - document: the document that it is about, merged.
  ///   - result: what decisions lead to.
  /// - Returns: how it ended, and the review with what was decided.
  /// - Throws: ``Failure`` if nothing can be read from the terminal, or the file could not be
  ///   written in the end.
  func callAsFunction(
    _ review: Review, of document: Document, result: @escaping (Review) throws -> ReviewResult
  ) throws -> (end: ReviewEnd, review: Review) {
    try checkWritable()
    invocation.console.endProgress()
    if !isPlain, let screen = invocation.host.openScreen() {
      var review = ScreenReview(
        review, of: document, on: screen, into: file, invocation, result: result)
      let end = try review()
      return (end, review.view.review)
    }
    var review = PlainReview(review, of: document, into: file, invocation, result: result)
    let end = try review()
    return (end, review.review)
  }

  /// Refuses a write-protected file before anything is decided in vain.
  private func checkWritable() throws(Failure) {
    let host = invocation.host
    guard !isDryRun, (try? host.identity(of: file, followingLinks: true)) ?? nil != nil,
      !host.isWritable(file)
    else { return }
    throw Failure(
      .cannotCreate, file: file, "is write-protected; with --dry-run it can be looked at")
  }
}

extension ReviewResult {
  /// What a document holds that a file does not hold now.
  init(of document: Document, since old: Document, _ invocation: Invocation) {
    self.init(
      lines: document.noteFault == nil
        ? document.places(changedSince: old).places.flatMap { $0.lines(invocation) }
        : ContentTree(of: document, since: old).lines,
      text: PlainText.readableForm(of: document.root))
  }
}
