package import PeernoteEngine

/// What is to become of the place of a conflict.
package struct Resolution {
  /// What is done there.
  package enum Outcome {
    /// What stands there stays, and counts as settled.
    case staying
    /// A passage stays as it was merged, which takes no edit.
    case untouched
    /// This stands there; `nil` for nothing.
    case content(DocumentNode?)
    /// A passage of the text there reads so.
    case passage(Range<Int>, String)
    /// The elements inserted on several sides, of which the first stands there, become one: like the
    /// one at this place among them, or with this content if there is one. Without a place the
    /// content is that of all together.
    case element(Int?, DocumentNode?)
    /// What was moved is in one place; or lines stay in all.
    case moved(Move)
    /// What stands there and elsewhere all stays, and counts as settled.
    case allElements
    /// A contested passage reads so, which settles it.
    case reading(Range<Int>, String)
  }

  /// What becomes of what was moved.
  package struct Move {
    /// What the sides have.
    var sides: [Conflict.Side]
    /// The side that is taken, by its number; `nil` for all that stand.
    package var taken: Int?
    /// What is to stand there; `nil` for what does, with what was changed of the others.
    package var content: DocumentNode?
    /// What it was before it was moved; `nil` if nobody knows.
    var earlier: DocumentNode?
    /// What stood where the sides say when the others were removed; `nil` where nothing did.
    var standing: [DocumentNode?] = []
  }

  package var path: JSONPointer
  /// What is done there.
  package var outcome: Outcome
  /// What is left out where sides are united, since another value stands in its place.
  package var dropped: [DroppedValue] = []

  /// Where more stands that it is about.
  var elements: [JSONPointer] = []

  package init(
    path: JSONPointer, outcome: Outcome, dropped: [DroppedValue] = [], elements: [JSONPointer] = []
  ) {
    (self.path, self.outcome, self.dropped) = (path, outcome, dropped)
    self.elements = elements
  }

  /// What becomes of what was moved, if that is no line of a text.
  var move: Move? {
    if case .moved(let move) = outcome, !move.isOfLines { move } else { nil }
  }

  /// Whether all that stands stays, so that nothing else is decided with it.
  package var keepsAll: Bool {
    switch outcome {
    case .allElements: true
    case .moved(let move): move.taken == nil
    case .content, .staying, .untouched, .passage, .reading, .element: false
    }
  }

  /// Whether nothing of what stood at the path, or inside, is left.
  package var isReplacement: Bool { if case .content = outcome { true } else { false } }
}

extension Conflict {
  /// What a choice comes to; `nil` if the conflict cannot be settled so; near-linear in the size of
  /// the sides.
  package func resolution(
    taking choice: Choice, since earlier: DocumentNode? = nil, identityKeys keys: [String] = ["id"]
  ) -> Resolution? {
    var dropped: [DroppedValue] = []
    let outcome: Resolution.Outcome? =
      switch choice {
      case .kept: taking(0, since: earlier, &dropped)
      case .side(let side):
        sides.firstIndex(of: side).flatMap { taking($0, since: earlier, &dropped) }
      case .all: takingAll(identityKeys: keys, &dropped)
      case .content(let node): setting(node)
      }
    return outcome.map {
      Resolution(path: path, outcome: $0, dropped: dropped, elements: elements)
    }
  }

  /// What it comes to when the side of a number is taken.
  private func taking(
    _ number: Int, since earlier: DocumentNode?, _ dropped: inout [DroppedValue]
  ) -> Resolution.Outcome? {
    switch kind {
    case .register, .deleteEdit: return number == 0 ? .staying : .content(sides[number].node)
    case .passage, .adjacent:
      guard case .text(let text) = sides[number].node else { return nil }
      return reading(text)
    case .sameIdentity, .sameContent: return .element(number, nil)
    case .moved:
      dropped = combined(keeping: number, since: earlier).dropped
      return .moved(Resolution.Move(sides: sides, taken: number, earlier: before(earlier)))
    }
  }

  /// What it comes to when other content is set.
  private func setting(_ content: DocumentNode) -> Resolution.Outcome? {
    if kind == .moved, let number = sides.firstIndex(where: { $0.node != nil }) {
      return .moved(Resolution.Move(sides: sides, taken: number, content: content))
    }
    if scalars != nil { return content.string.flatMap(reading) }
    return isOfSeveralElements ? .element(0, content) : .content(content)
  }

  /// What it comes to when a passage reads so; `nil` if it is no passage.
  private func reading(_ text: String) -> Resolution.Outcome? {
    guard let scalars else { return nil }
    if kind == .passage { return .reading(scalars, text) }
    guard case .text(let old) = kept.node else { return nil }
    return old.utf8.elementsEqual(text.utf8) ? .untouched : .passage(scalars, text)
  }

  /// What it comes to when all sides are taken together; `nil` if they exclude each other.
  private func takingAll(
    identityKeys keys: [String], _ dropped: inout [DroppedValue]
  ) -> Resolution.Outcome? {
    let nodes = sides.compactMap(\.node)
    func united() -> DocumentNode? {
      let united = DocumentNode.united(nodes, at: path, identityKeys: keys)
      dropped = united?.dropped ?? []
      return united?.content
    }
    switch kind {
    case .sameIdentity: return united().map { .element(nil, $0) }
    case .sameContent: return .allElements
    case .moved:
      if !isOfSeveralElements { return nil }
      let move = Resolution.Move(sides: sides)
      return move.isOfLines ? .moved(move) : .allElements
    case .register, .deleteEdit:
      guard nodes.count > 1, nodes.allSatisfy({ $0.isContainer(like: nodes[0]) }) else {
        return nil
      }
      return united().map { .content($0) }
    case .passage:
      let text = allReadings
      // What stands for the lines of a key means nothing beside others.
      if isOfFrontMatter, text.contains(Note.canonicalTag) { return nil }
      return reading(text)
    // What was merged holds what both wrote.
    case .adjacent: return .untouched
    }
  }

  /// All readings of a passage, one after the other; of lines those that several have once, and between
  /// them what each has.
  private var allReadings: String {
    let texts = sides.compactMap { side -> String? in
      if case .text(let text)? = side.node, !text.isEmpty { text } else { nil }
    }
    guard texts.contains(where: { $0.contains("\n") }) else { return texts.joined(separator: " ") }
    return texts.dropFirst().reduce(texts[0]) { joined, text in
      if Set(joined.linesThatSay).isDisjoint(with: text.linesThatSay) {
        // Each begins as the line does in which the first one begins.
        return joined + (joined.utf8.last == 0x0A ? "" : "\n") + lineStart + text
      }
      return joined.unitedByLines(with: text)
    }
  }

  /// What something was before it was moved, without the parts that were moved by themselves: whoever
  /// moved one did not remove it.
  private func before(_ earlier: DocumentNode?) -> DocumentNode? {
    movedParts.reduce(earlier) { $0?.without($1.node, at: $1.tokens) }
  }

  /// The conflict with what each side comes to if it is taken: of what was moved to several places with
  /// what was changed of it in the others.
  package func taken(since earlier: DocumentNode?) -> Conflict {
    if kind != .moved { return self }
    let nodes = sides.indices.map { combined(keeping: $0, since: earlier).content }
    var result = self
    result.kept.node = nodes[0]
    for index in others.indices { result.others[index].node = nodes[index + 1] }
    return result
  }

  /// What that which was moved to several places becomes when one of them is taken, and what of the
  /// others is left out.
  private func combined(
    keeping number: Int, since earlier: DocumentNode?
  ) -> (content: DocumentNode?, dropped: [DroppedValue]) {
    Resolution.Move(sides: sides, taken: number, earlier: before(earlier))
      .content(of: sides.map { $0.isAbsent ? nil : $0.node }, at: path)
  }
}

extension Resolution {
  /// Where something is written; or where what was moved is removed, before it is written elsewhere.
  private func places(ofRemoval isRemoval: Bool) -> [JSONPointer] {
    guard let move else {
      if isRemoval { return [] }
      switch outcome {
      // What is in a text is inside of it.
      case .passage, .reading, .moved: return [path.appending("")]
      case _: return [path] + elements
      }
    }
    return move.sides.indices.filter { isRemoval == ($0 != move.taken) }
      .compactMap { move.sides[$0].path }
  }

  /// The steps that settle conflicts, given in the order of the content: what is done inside of a place
  /// before what is done at it, and else the last one first.
  ///
  /// So what is written anew, or moved, is as it was settled inside. Near-linear in the number of places,
  /// times their depth.
  static func steps(of resolutions: [Resolution]) -> [(number: Int, isRemoval: Bool)] {
    let places = resolutions.flatMap { [$0.places(ofRemoval: true), $0.places(ofRemoval: false)] }
    var inside: [JSONPointer: [Int]] = [:]
    for place in places.joined() { inside[place] = [] }
    for (step, places) in places.enumerated() {
      for tokens in places.map(\.tokens) {
        for count in tokens.indices { inside[JSONPointer(Array(tokens[..<count]))]?.append(step) }
      }
    }
    var steps: [(number: Int, isRemoval: Bool)] = []
    var open = places.indices.map { (step: $0, isEntered: false) }
    var isMet = places.map { _ in false }
    while let (step, isEntered) = open.popLast() {
      if isEntered { steps.append((step / 2, step.isMultiple(of: 2))) }
      if isMet[step] { continue }
      isMet[step] = true
      open.append((step, true))
      if !step.isMultiple(of: 2) { open.append((step - 1, false)) }
      open += places[step].flatMap { inside[$0] ?? [] }.sorted().map { ($0, false) }
    }
    return steps
  }
}

extension Resolution.Move {
  /// What the side that is taken becomes, and what of the others is left out; nothing if the side
  /// removed it.
  ///
  /// `nodes` are what stands where the sides say; `nil` where nothing does.
  func content(
    of nodes: [DocumentNode?], at path: JSONPointer
  ) -> (content: DocumentNode?, dropped: [DroppedValue]) {
    guard let taken else { return (nil, []) }
    if let content { return (content, []) }
    guard nodes[taken] != nil, !isOfLines else { return (sides[taken].node, []) }
    let standing = nodes.indices.filter { nodes[$0] != nil }
    guard let kept = standing.firstIndex(of: taken) else { return (nil, []) }
    return DocumentNode.combined(
      standing.compactMap { nodes[$0] }, keeping: kept, since: earlier,
      at: sides[taken].path ?? path)
  }

  /// Whether lines of a text were moved.
  var isOfLines: Bool { sides.contains { $0.moved == .line } }

  /// What is replaced in a text whose lines were moved, from the last line to the first: what stays
  /// is written anew; O(bytes), if they were lines of a text.
  ///
  /// What somebody left of a line where it was is written where the line stands first.
  func edits(of text: String) -> [(scalars: Range<Int>, text: String)] {
    let lines = StandingLines(text)
    let count = text.unicodeScalars.count
    var (place, wanted) = (taken, content?.string)
    if let taken, sides[taken].isShortened {
      place = sides.firstIndex { $0.moved == .line }
      wanted = wanted ?? sides[taken].node?.string
    }
    var result: [(scalars: Range<Int>, text: String)] = []
    for (number, side) in sides.enumerated() where side.moved == .line {
      guard case .text(let line)? = side.node,
        let found = lines.place(of: line, near: side.line ?? 1)?.scalars,
        !result.contains(where: { $0.scalars.overlaps(found) })
      else { continue }
      if taken == nil || place == number {
        result.append((found, wanted ?? line))
      } else if found.upperBound < count {
        result.append((found.lowerBound..<found.upperBound + 1, ""))
      } else {
        result.append((max(0, found.lowerBound - 1)..<found.upperBound, ""))
      }
    }
    return result.sorted { $0.scalars.lowerBound > $1.scalars.lowerBound }
  }
}

extension DocumentNode {
  /// The content without a part, by the way to it; places in lists may be others here.
  fileprivate func without(_ part: DocumentNode, at tokens: ArraySlice<String>) -> DocumentNode {
    guard let token = tokens.first else { return self }
    let rest = tokens.dropFirst()
    switch self {
    case .map(let entries):
      return .map(
        entries.compactMap { entry in
          if !token.utf8.elementsEqual(entry.key.utf8) { return entry }
          return rest.isEmpty
            ? nil : .init(key: entry.key, node: entry.node.without(part, at: rest))
        })
    case .list(let elements):
      return .list(
        rest.isEmpty ? elements.filter { $0 != part } : elements.map { $0.without(part, at: rest) })
    case _: return self
    }
  }
}

extension String {
  /// The lines that are not blank.
  fileprivate var linesThatSay: [Substring] {
    splitAtLineFeeds().filter { $0.unicodeScalars.contains { !$0.properties.isWhitespace } }
  }
}
