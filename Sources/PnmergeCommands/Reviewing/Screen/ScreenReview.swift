import Peernote

/// A review on the whole screen.
///
/// Nothing is written while it is shown, and no file is locked.
struct ScreenReview {
  private(set) var view: ReviewView
  private let screen: any Screen
  private let editor: ConflictEditor
  /// What decisions lead to.
  private let result: (Review) throws -> ReviewResult

  /// A review; see ``PlainReview``.
  init(
    _ review: Review, of merged: Document, on screen: any Screen, into file: FileName,
    _ invocation: Invocation, result: @escaping (Review) throws -> ReviewResult
  ) {
    view = ReviewView(review, ReviewTexts(of: review, in: merged, into: file, invocation))
    self.screen = screen
    self.result = result
    editor = ConflictEditor(file: file, invocation: invocation)
  }

  /// Shows the review until it is over.
  ///
  /// - Returns: what is to be done with it.
  /// - Throws: ``Failure`` if the user breaks an editor off.
  mutating func callAsFunction() throws -> ReviewEnd {
    defer { screen.close() }
    while true {
      let columns = screen.columns(of:)
      screen.show(view.rows(screen.size, columns: columns))
      var effect = view.handle(screen.readKey())
      if effect == .edit { effect = try edit() }
      switch effect {
      case .end(let end): return end
      case .result:
        do {
          view.show(try result(view.review))
        } catch let failure as Failure where failure.status != .interrupted {
          view.refuse(failure.message)
        }
      case .none, .edit: continue
      }
    }
  }

  private mutating func edit() throws -> ReviewView.Effect {
    let conflict = view.review.questions[view.index].conflict
    var written: Result<Node?, any Error> = .success(nil)
    screen.leave { written = Result { try editor.written(for: conflict) } }
    do {
      return view.take(edited: try written.get())
    } catch let failure as Failure where failure.status != .interrupted {
      view.warn("\(failure.message); nothing is decided")
      return .none
    }
  }
}
