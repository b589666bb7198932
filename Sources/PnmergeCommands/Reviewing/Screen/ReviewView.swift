package import Peernote
import PeernoteJSON

/// What a full-screen review shows, and what its keys do.
///
/// Draws nothing itself and waits for nothing, so that it is tested without a terminal.
package struct ReviewView {
  /// What is to be done after a key, besides showing the view again.
  package enum Effect: Hashable {
    case none
    /// The review is over.
    case end(ReviewEnd)
    /// An editor is to be opened for the question at the index.
    case edit
    /// The result is to be made, and shown with ``show(_:)``.
    case result
  }

  enum Page {
    case overview
    case question
    case result
    case help
  }

  package private(set) var review: Review
  let texts: ReviewTexts
  private(set) var page = Page.overview
  /// The page that help goes back to.
  private var pageBeforeHelp = Page.overview
  /// The question that is shown, or chosen in the overview.
  package private(set) var index = 0
  /// How many rows of the page are above the screen.
  var scroll = 0
  /// Whether the page moves so far that what is chosen is seen.
  var followsChoice = false
  /// Said once, above the last row.
  private(set) var message = ""
  /// What is typed after `/`; `nil` unless something is.
  private(set) var search: String?
  /// Whether leaving without writing was asked for once.
  private var isLeaving = false
  private(set) var result: ReviewResult?

  /// The view of a review.
  ///
  /// - Parameters:
  ///   - review: what is gone through.
  ///   - texts: what is said of it.
  package init(_ review: Review, _ texts: ReviewTexts) {
    self.review = review
    self.texts = texts
  }

  // MARK: What happens

  /// Shows what the decisions lead to.
  package mutating func show(_ result: ReviewResult) {
    self.result = result
    turn(to: .result)
  }

  /// Says why there is no result, and takes the last decision back.
  package mutating func refuse(_ reason: String) {
    message = reason
    if let last = review.undo() {
      index = last
      turn(to: .question)
    }
  }

  /// Says something once.
  mutating func warn(_ text: String) { message = text }

  /// Takes what an editor made of the question that is shown; `nil` if that is nothing.
  package mutating func take(edited node: Node?) -> Effect {
    guard let node else {
      message = "Nothing was edited, and nothing is decided."
      return .none
    }
    review.take(edited: node, at: index)
    return goOn()
  }

  /// Does what a key stands for.
  package mutating func handle(_ key: ScreenKey) -> Effect {
    message = ""
    switch key {
    case .interrupt: return .end(.interrupted)
    case .closed: return .end(.leave)
    case .resized: return .none
    default: break
    }
    if search != nil {
      type(key)
      return .none
    }
    if key != .character("q"), key != .character("n") || page != .result { isLeaving = false }
    followsChoice = false
    switch key {
    case .up: move(by: -1)
    case .down: move(by: 1)
    case .pageUp: scroll -= 10
    case .pageDown, .character(" "): scroll += 10
    case .home: scroll = 0
    case .end: scroll = .max / 2
    case .character("?"):
      if page != .help { pageBeforeHelp = page }
      turn(to: page == .help ? pageBeforeHelp : .help)
    case .character("q"): return leave()
    case .character("/") where page == .overview || page == .question: search = ""
    case .character("u"): undo()
    case .character("M"), .character("T"):
      guard page == .overview || page == .question else { break }
      let count = review.takeAll(key == .character("M") ? .mine : .theirs)
      message = "Decided \(counted(count, "place"))."
      return review.open.isEmpty ? .result : .none
    case .character("w") where page == .overview || page == .question: return .result
    case .escape, .character("l"):
      turn(to: page == .help ? pageBeforeHelp : .overview)
    case .enter: open()
    case .character("n") where page == .result: return leave()
    case .character("n"), .right: step(by: 1)
    case .character("p"), .left: step(by: -1)
    case .character("y") where page == .result: return .end(.write)
    case .character(let character) where page == .question: return take(character)
    default: message = "? shows what the keys do."
    }
    return .none
  }

  private mutating func turn(to page: Page) {
    followsChoice = page == .overview
    self.page = page
    scroll = 0
  }

  private mutating func leave() -> Effect {
    let isTouched = review.open.count < review.questions.count
    guard isTouched, !isLeaving else { return .end(.leave) }
    isLeaving = true
    let way = page == .result ? "y writes" : "w goes on to write"
    message = "Leave without writing anything? q once more leaves, \(way)."
    return .none
  }

  private mutating func undo() {
    guard let last = review.undo() else {
      message = "Nothing is decided."
      return
    }
    index = last
    turn(to: .question)
    message = "Taken back."
  }

  private mutating func open() {
    guard page == .overview else { return }
    if review.questions.isEmpty {
      message = "Nothing is to be decided; w goes on to the result."
    } else {
      turn(to: .question)
    }
  }

  /// Chooses another question in the overview, or moves the page.
  private mutating func move(by step: Int) {
    guard page == .overview, !review.questions.isEmpty else {
      scroll += step
      return
    }
    index = min(max(index + step, 0), review.questions.count - 1)
    followsChoice = true
  }

  private mutating func step(by step: Int) {
    let count = review.questions.count
    guard count > 0, page == .overview || page == .question else { return }
    index = page == .overview ? index : (index + step + count) % count
    turn(to: .question)
  }

  private mutating func take(_ character: Character) -> Effect {
    let isTaken: Bool
    switch character {
    case "m": isTaken = review.take(.mine, at: index)
    case "t": isTaken = review.take(.theirs, at: index)
    case "b": isTaken = review.takeBoth(at: index)
    case "o": isTaken = review.takeBefore(at: index)
    case "e": return .edit
    default:
      isTaken = character.wholeNumberValue.map { review.take(side: $0 - 1, at: index) } ?? false
    }
    guard isTaken else {
      message =
        character == "b" ? "These sides cannot be combined." : "? shows what the keys do."
      return .none
    }
    return goOn()
  }

  /// Goes to the next open question, or to the result.
  private mutating func goOn() -> Effect {
    guard let next = review.nextOpen(after: index) else { return .result }
    index = next
    turn(to: .question)
    return .none
  }

  private mutating func type(_ key: ScreenKey) {
    switch key {
    case .escape: search = nil
    case .backspace: search = search.map { String($0.dropLast()) }
    case .character(let character): search?.append(character)
    case .enter:
      let text = search ?? ""
      search = nil
      let found = review.questions(holding: text)
      guard let next = found.first(where: { $0 > index }) ?? found.first, !text.isEmpty else {
        message = "No place to be decided holds \(quoted(text))."
        return
      }
      index = next
      turn(to: .question)
    default: break
    }
  }
}
