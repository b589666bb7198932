package import Peernote

/// A merge under review: what came in, what only this copy has, and what is to be decided.
///
/// Knows nothing of how it is shown.
package struct Review {
  /// A place that is to be decided.
  package struct Question {
    package var conflict: Conflict
    /// The place as a person would name it.
    package var name: PlaceName
    /// What stood there when the copies parted.
    package var before: EarlierContent
    /// The line around a passage, which stands in brackets; `nil` for whole lines and what is no
    /// passage.
    var context: String?
    /// The side that this copy has, by its number; `nil` if that is not one.
    package var mine: Int?
    /// The side that the other copies have; `nil` if that is not one.
    package var theirs: Int?
  }

  /// One side or the other.
  package enum Party {
    case mine
    case theirs
  }

  /// What came in; `nil` if only what is open in one document is gone through.
  package let divergence: Divergence?
  package let questions: [Question]
  private(set) var decisions: Decisions
  /// What tells elements of lists apart.
  private let identityKeys: [String]

  /// A review of what was asked.
  init(
    _ questions: [Question], _ divergence: Divergence? = nil,
    identityKeys: [String] = ContentMatching.exact.identityKeys
  ) {
    self.questions = questions
    self.divergence = divergence
    self.identityKeys = identityKeys
    decisions = Decisions(questions.map(\.conflict))
  }

  // MARK: Deciding

  /// Takes a side, by its number.
  ///
  /// - Returns: whether there is such a side.
  @discardableResult
  package mutating func take(side: Int, at index: Int) -> Bool {
    take(.side(side), at: index)
  }

  /// Takes the side of this copy, or of the others.
  ///
  /// - Returns: whether it is known which that is.
  @discardableResult
  package mutating func take(_ party: Party, at index: Int) -> Bool {
    side(of: party, at: index).map { take(side: $0, at: index) } ?? false
  }

  /// Takes one party's side wherever it is known and nothing is decided.
  ///
  /// - Returns: how many places that decided.
  @discardableResult
  package mutating func takeAll(_ party: Party) -> Int {
    let taken = decisions.open.compactMap { index in
      side(of: party, at: index).flatMap { decision(.side($0), at: index) }.map { (index, $0) }
    }
    decisions.decide(taken)
    return taken.count
  }

  /// Takes a side wherever there is one of that name and nothing is decided: `mine`, `theirs`, `both`,
  /// `kept`, or the name of the change that wrote it, or its beginning.
  ///
  /// - Returns: how many places that decided.
  mutating func takeAll(named name: String) -> Int {
    let prefix = name.lowercased()
    let taken = decisions.open.compactMap { index -> (index: Int, decision: Decisions.Decision)? in
      let choice: Decisions.Choice?
      switch name {
      case "mine": choice = side(of: .mine, at: index).map { .side($0) }
      case "theirs": choice = side(of: .theirs, at: index).map { .side($0) }
      case "both": choice = .both
      case "kept": choice = .side(0)
      default:
        let sides = questions[index].conflict.sides
        let found = sides.indices.filter { number in
          sides[number].change.description.hasPrefix(prefix)
            && !(number == 0 && questions[index].conflict.isCombined)
        }
        choice = found.count == 1 && !name.isEmpty ? .side(found[0]) : nil
      }
      return choice.flatMap { decision($0, at: index) }.map { (index, $0) }
    }
    decisions.decide(taken)
    return taken.count
  }

  /// Takes all sides together.
  ///
  /// - Returns: whether they can be had together.
  @discardableResult
  package mutating func takeBoth(at index: Int) -> Bool { take(.both, at: index) }

  /// Takes what stood there when the copies parted.
  ///
  /// - Returns: whether anything did.
  @discardableResult
  package mutating func takeBefore(at index: Int) -> Bool { take(.before, at: index) }

  private mutating func take(_ choice: Decisions.Choice, at index: Int) -> Bool {
    guard let decision = decision(choice, at: index) else { return false }
    decisions.decide(decision, at: index)
    return true
  }

  /// Takes what somebody wrote: a passage's text, or other content for the place.
  package mutating func take(edited node: Node, at index: Int) {
    let resolution = questions[index].conflict.resolution(taking: .content(node))
    decisions.decide(
      .init(choice: .edited, resolution: resolution, result: node), at: index)
  }

  /// Takes back what was decided last.
  ///
  /// - Returns: the first place that it was about; `nil` if nothing is decided.
  package mutating func undo() -> Int? { decisions.undo() }

  // MARK: Looking

  /// The places that are still to be decided.
  package var open: [Int] { decisions.open }

  /// Whether a place stands inside of what is to be replaced or removed.
  package func isGone(_ index: Int) -> Bool { decisions.isGone(index) }

  /// The next open place after one, or from the start; `nil` if none is open.
  package func nextOpen(after index: Int) -> Int? { decisions.nextOpen(after: index) }

  /// Writes what was decided into the merged document.
  ///
  /// - Parameters:
  ///   - document: the merged document.
  ///   - session: who decided it.
  ///   - message: an optional message.
  /// - Returns: whether that changed anything.
  /// - Throws: ``EditError`` if a place cannot be written so.
  package func settle(
    _ document: inout Document, by session: Session, message: String? = nil
  ) throws(EditError) -> Bool {
    try document.change(by: session, message: message) { (editor) throws(EditError) in
      try editor.settle(decisions.answers().resolutions, identityKeys: identityKeys)
    } != nil
  }

  /// Whether all sides can be had together.
  package func canTakeBoth(at index: Int) -> Bool { decision(.both, at: index) != nil }

  /// Whether what stood there when the copies parted can be had again.
  package func canTakeBefore(at index: Int) -> Bool { decision(.before, at: index) != nil }

  /// The side of a party, by its number; `nil` if that is not one.
  package func side(of party: Party, at index: Int) -> Int? {
    switch party {
    case .mine: questions[index].mine
    case .theirs: questions[index].theirs
    }
  }

  /// What stands at a place after all that was decided so far; `nil` if nothing does.
  package func result(at index: Int) -> Node? {
    guard let decision = decisions.decided[index] else {
      return questions[index].conflict.kept.node
    }
    return decision.result
  }

  /// The questions whose name or content holds a text, whatever its case.
  package func questions(holding text: String) -> [Int] {
    let wanted = text.lowercased()
    return questions.indices.filter { index in
      let question = questions[index]
      let shown = question.conflict.sides.compactMap(\.node?.readableText)
      return ([question.name.words] + shown).contains { $0.lowercased().contains(wanted) }
    }
  }

  /// What a choice comes to; `nil` if it cannot be made there, or takes more than to choose.
  func decision(_ choice: Decisions.Choice, at index: Int) -> Decisions.Decision? {
    let conflict = questions[index].conflict
    switch choice {
    case .side(let number):
      guard conflict.sides.indices.contains(number) else { return nil }
      let side = conflict.sides[number]
      let earlier = questions[index].before.node
      return .init(
        choice: choice, resolution: conflict.resolution(taking: .side(side), since: earlier),
        result: conflict.kind == .movedApart
          ? conflict.combined(keeping: number, since: earlier).content : side.node)
    case .before:
      guard let before = questions[index].before.node else { return nil }
      return .init(
        choice: choice, resolution: conflict.resolution(taking: .content(before)), result: before)
    case .both: return decisionForBoth(at: index)
    case .edited: return nil
    }
  }

  private func decisionForBoth(at index: Int) -> Decisions.Decision? {
    let conflict = questions[index].conflict
    guard let united = conflict.resolution(taking: .all, identityKeys: identityKeys) else {
      return nil
    }
    let result: Node? =
      switch united.outcome {
      case .content(let node), .joinedElement(let node): node
      case .reading(_, let text), .passage(_, let text): .text(text)
      case .staying, .untouched, .removal, .element, .movedElement, .allElements:
        conflict.kept.node
      }
    return .init(choice: .both, resolution: united, result: result)
  }
}
