package import Peernote

/// What somebody is asked of documents: places where one of several contents is to be chosen, and
/// changes that nobody contests, which can be left out.
///
/// Knows nothing of how it is shown. Places stand in the order of the content, each before what is
/// inside of it. What stands inside of something that is replaced or removed is decided with it, and
/// so is what else is contested of an element with which of several elements stays. What stays, but
/// holds something that is open, stays open as well: to settle it would settle all that is inside.
package struct Review {
  package struct Choice {
    /// What it is called in decisions: the change that wrote it, `both`, `before` or `edited`.
    package var key: String
    /// Whose it is; `nil` for what several did together, and for what stood there before.
    var side: Conflict.Side?
    /// Whether it is the only one that the reader's own copy has.
    package var isMine = false
    /// Whether it is the only one that the reader's own copy does not have.
    var isTheirs = false
    /// What stands there then; `nil` if nothing does.
    package var content: DocumentNode?
    /// What it settles; `nil` where a change that nobody contests is left out, unless it is of lines of a
    /// text.
    var resolution: Resolution?
    /// What a schema says against it.
    var faults: [String] = []

    /// Who wrote it, the last one first; nobody without a side.
    var authors: [String] { side?.authors ?? [] }
  }

  package struct Place {
    package var document: Int
    /// What is contested there; `nil` for a change that nobody contests.
    package var conflict: Conflict?
    /// The change that nobody contests; of a text some lines of it.
    package var change: PlaceChange?
    /// Where it stands in the merged document; what is there no more would stand there, in a list before
    /// the element of that index.
    package var path: JSONPointer
    /// Where it stands in a text, in Unicode scalars of the merged one.
    package var scalars: Range<Int>?
    /// The line of the text, from 1.
    package var line: Int?
    /// The place as a person would name it.
    package var name: PlaceName
    /// What stood there when the copies parted; of a change, what stands there if it is left out.
    package var before: EarlierContent
    /// What stands there unless something else is chosen.
    package var shown: DocumentNode?
    /// The rest of the sentence around a passage.
    package var around = (head: "", tail: "")
    /// What can be chosen; of a change that is to leave it out, if that can be had.
    package var choices: [Choice] = []

    /// What is said of a change without ``choices``: lines that adjoin something contested.
    static let cannotBeLeftOut =
      "cannot be left out by itself, as something contested is right beside it"

    /// Whether somebody has to decide.
    package var isContested: Bool { conflict != nil }

    /// Whether it is about something that is there no more, and that nobody contests.
    var isOfRemoval: Bool { change?.kind == .removed }

    /// Whether what stands inside goes if the change is left out.
    fileprivate var coversInside: Bool { change?.kind != .moved && !isOfRemoval }

    /// The choices that a word names: `mine`, `theirs`, `both`, `before`, `kept` for what is shown,
    /// which is both where several sides stand, or a person or a change, also by the beginning of its
    /// name.
    package func choices(named word: String) -> [Choice] {
      let sides = choices.filter { !$0.authors.isEmpty }
      switch word {
      case "": return []
      case "mine": return sides.filter(\.isMine)
      case "theirs": return sides.filter(\.isTheirs)
      case "kept" where conflict?.isOfSeveralElements ?? false: return choices(named: "both")
      case "kept": return Array(sides.prefix(1))
      case "both", "before": return choices.filter { $0.key == word }
      default:
        let word = word.lowercased()
        let named = sides.map { side in
          (side, [name(of: side), side.key] + side.authors.map { authorName($0) })
        }
        let exact = named.filter { $0.1.contains { $0.lowercased() == word } }
        let begun = named.filter { $0.1.contains { $0.lowercased().hasPrefix(word) } }
        return (exact.isEmpty ? begun : exact).map(\.0)
      }
    }

    /// What a choice is called: who wrote it, with its number if that is not enough.
    func name(of choice: Choice) -> String {
      guard let side = choice.side else { return isContested ? choice.key : "left out" }
      let same = choices.filter { $0.authors == choice.authors }
      guard same.count > 1, let number = choices.firstIndex(where: { $0.key == choice.key })
      else { return side.names }
      return "\(side.names) \(number + 1)"
    }

    /// What stands in place of a passage, given with the rest of its sentence, as conflicts are
    /// listed, or without.
    func withoutSentence(_ content: DocumentNode) -> DocumentNode {
      let head = around.head.unicodeScalars
      let tail = around.tail.unicodeScalars.reversed().drop { $0.properties.isWhitespace }
      guard let text = content.string?.unicodeScalars, text.starts(with: head) else {
        return content
      }
      let end = text.dropFirst(head.count).reversed()
        .drop { !tail.isEmpty && $0.properties.isWhitespace }
      guard end.starts(with: tail) else { return content }
      return .text(String(String.UnicodeScalarView(end.dropFirst(tail.count).reversed())))
    }

    /// A content with what stands around it.
    package func sentence(_ content: DocumentNode?) -> String? {
      guard let text = content?.readableText else { return nil }
      return around.head + text + around.tail
    }
  }

  typealias Answer = (place: Place, choice: Choice)

  /// What comes of all decisions about one document.
  package struct Answers {
    /// The places that are settled by a choice, with it, in the order of the content.
    var chosen: [Answer] = []
    var contestedCount = 0
    /// How many of the contested places are decided.
    var resolvedCount = 0
    /// What stays undecided, or is contested only now, as two moved something around what is back.
    var open: [Conflict] = []

    var leftOutCount: Int { chosen.count { !$0.place.isContested } }

    /// What was left out where sides were united.
    var dropped: [DroppedValue] { chosen.flatMap { $0.choice.resolution?.dropped ?? [] } }
  }

  package internal(set) var documents: [ReviewedDocument]
  package internal(set) var places: [Place]
  /// What was chosen, by the index of the place.
  package private(set) var chosen: [Int: Choice] = [:]
  /// The places that are decided with choices at others.
  private var gone: Set<Int> = []
  /// What each step chose, of which the last one counts.
  private var steps: [[(index: Int, choice: Choice)]] = [] {
    didSet {
      chosen = Dictionary(
        steps.joined().lazy.map { ($0.index, $0.choice) }, uniquingKeysWith: { $1 })
      gone = Set(chosen.flatMap { ended(by: $0.value, at: $0.key) })
    }
  }

  init(of documents: [ReviewedDocument], _ places: [Place]) {
    (self.documents, self.places) = (documents, places)
  }

  // MARK: Deciding

  package mutating func choose(_ choice: Choice, at index: Int) { choose([(index, choice)]) }

  /// Chooses at some places at one go, which is taken back at one go.
  package mutating func choose(_ choices: [(index: Int, choice: Choice)]) {
    if !choices.isEmpty { steps.append(choices) }
  }

  /// Takes back what was decided last, and gives the first place that it was about; `nil` if
  /// nothing is decided.
  package mutating func undo() -> Int? { steps.popLast()?.map(\.index).min() }

  /// Takes what a word names wherever it names one choice, at some places, or where nothing is decided,
  /// and gives how many places that decided.
  package mutating func takeAll(named word: String, at indices: [Int]? = nil) -> Int {
    let taken = (indices ?? open).compactMap { index -> (index: Int, choice: Choice)? in
      let found = places[index].choices(named: word)
      return found.count == 1 ? (index, found[0]) : nil
    }
    choose(taken)
    return taken.count
  }

  /// A choice of what somebody wrote: a passage's text, or other content for the place; `nil` if such
  /// content cannot stand there.
  package func edited(_ node: DocumentNode, at index: Int) -> Choice? {
    guard let conflict = places[index].conflict,
      let resolution = conflict.resolution(taking: .content(node))
    else { return nil }
    return Choice(key: "edited", content: node, resolution: resolution)
  }

  // MARK: Asking

  /// Whether a place is decided with another one: it stands inside of what is replaced or removed, or
  /// it is about one of several elements, of which that tells which stays.
  package func isGone(_ index: Int) -> Bool { gone.contains(index) }

  /// The places that are decided with a choice at another one.
  func ended(by choice: Choice, at index: Int) -> [Int] {
    let place = places[index]
    let following = places.indices.suffix(from: index + 1).prefix {
      places[$0].document == place.document
    }
    if choice.resolution?.isReplacement ?? place.coversInside {
      return following.prefix { places[$0].path.isInside(place.path) }
        .filter { places[$0].path != place.path }
    }
    let elements = Set(place.conflict?.elements ?? [])
    if elements.isEmpty || choice.resolution?.keepsAll ?? true { return [] }
    return following.filter { index in
      let others = places[index].conflict?.elements ?? []
      return places[index].scalars == nil
        && !elements.isDisjoint(with: others.isEmpty ? [places[index].path] : others)
    }
  }

  package func isOpen(_ index: Int) -> Bool {
    places[index].isContested && chosen[index] == nil && !isGone(index)
  }

  package var open: [Int] { places.indices.filter(isOpen) }

  /// The places that have to be decided.
  package var contested: [Int] { places.indices.filter { places[$0].isContested } }

  /// The next open place after one, or from the start; `nil` if none is open.
  package func nextOpen(after index: Int) -> Int? {
    let open = open
    return open.first { $0 > index } ?? open.first
  }

  // MARK: Results

  func answers(of document: Int) -> Answers {
    let indices = places.indices.filter { places[$0].document == document }
    let open = Set(indices.filter(isOpen))
    let early = indices.filter { index in
      guard !isGone(index), let resolution = chosen[index]?.resolution else { return false }
      var staying = places[index].conflict?.elements ?? []
      if case .staying = resolution.outcome { staying = [places[index].path] }
      return staying.contains { path in open.contains { places[$0].path.isInside(path) } }
    }
    let left = open.union(early)
    let settled = indices.filter { !left.contains($0) && !isGone($0) }
    let contestedCount = indices.count { places[$0].isContested }
    return Answers(
      chosen: settled.compactMap { index in chosen[index].map { (places[index], $0) } },
      contestedCount: contestedCount, resolvedCount: contestedCount - left.count,
      open: left.sorted().compactMap { places[$0].conflict })
  }
}
