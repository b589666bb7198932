import Peernote

/// Somebody edits a document, and undoes and redoes at random, while somebody else edits a copy.
///
/// Each step that is undone leads back to what its author had before it, each that is redone to
/// what there was after it, and what the other one wrote stays.
package struct UndoTrial {
  /// Where the other one edits.
  package enum Company: CaseIterable, Sendable {
    case nobody
    case elsewhere
    case samePlaces
  }

  private let company: Company
  private var random: SplitMix64
  private var document: Document
  private var other: Document
  private var history = UndoHistory()
  /// What the author had before and after each step that can be undone or redone.
  private var states: [OracleNode]
  /// How many of the steps are done.
  private var done = 0
  private var othersWords = 0

  package static func run(_ company: Company, seed: UInt64) throws {
    var trial = try UndoTrial(company, seed)
    for _ in 0..<12 + trial.random.below(30) { try trial.takeStep() }
    while trial.done > 0 { try trial.undo() }
    try trial.checkOthersWords()
    while trial.done < trial.states.count - 1 { try trial.redo() }
    while trial.done > 0 { try trial.undo() }
    try trial.checkOthersWords()
    trial.history.checkInvariants()
    trial.document.checkInvariants()
  }

  private init(_ company: Company, _ seed: UInt64) throws {
    self.company = company
    random = SplitMix64(seed: seed)
    document = Document(id: UniqueID(high: 1, low: 2))
    try document.change(by: .person(1)) { editor in
      try editor.put(node: .text("one two three"), at: ["body"])
      try editor.put(node: .list((1...4).map { .value(.integer($0)) }), at: ["list"])
      try editor.put(node: .text(""), at: ["others"])
    }
    other = document
    states = []
    states = [try own()]
  }

  private mutating func takeStep() throws {
    switch random.below(company == .nobody ? 4 : 6) {
    case 0 where done > 0: try undo()
    case 1 where done < states.count - 1: try redo()
    case 0..<4: try edit()
    case 4: try editOther()
    default:
      // One who edits the same places has seen what is there.
      if company == .samePlaces || random.chance(50) { _ = try other.merge(document) }
      _ = try document.merge(other)
    }
  }

  private mutating func edit() throws {
    let continues = done > 0 && random.chance(20)
    var (random, shown) = (random, try OracleNode(document.root))
    let makeStep = company == .samePlaces ? Self.simpleStep : Self.step
    let change = try document.change(by: .person(2)) { editor in
      for _ in 0..<1 + random.below(2) {
        guard let step = makeStep(shown, &random), let wanted = step.result(on: shown) else {
          continue
        }
        try step.perform(on: &editor)
        shown = wanted
      }
    }
    self.random = random
    guard let change else { return }
    let own = try own()
    // What makes no difference belongs to the step before.
    let isSame = own == states[done]
    if isSame, done == 0 {
      history = UndoHistory()
      states = [own]
      return
    }
    history.note(change, continuesStep: continues || isSame)
    if continues || isSame { done -= 1 }
    states.removeSubrange((done + 1)...)
    states.append(own)
    done += 1
    // A step may end where it began, with nothing to undo.
    if states[done] == states[done - 1] {
      history = UndoHistory()
      (states, done) = ([own], 0)
    }
  }

  /// Any step but in the other one's text.
  private static func step(_ shown: OracleNode, _ random: inout SplitMix64) -> EditorStep? {
    guard case .map(var entries) = shown else { return nil }
    entries[ExactString("others")] = nil
    let step = EditorStepMaker(root: .map(entries)).step(&random)
    if case .replaceContent(at: [], _) = step { return nil }
    return step
  }

  /// A step in the text or the list that leaves alone what the other one wrote.
  private static func simpleStep(_ shown: OracleNode, _ random: inout SplitMix64) -> EditorStep? {
    guard case .text(let scalars)? = shown.node(at: ["body"]),
      case .list(let elements)? = shown.node(at: ["list"])
    else { return nil }
    if random.chance(50) {
      let start = random.within(0...scalars.count)
      let own = scalars[start...].prefix { $0 != "X" }.count
      let new = random.pick(["", "four ", "five", "si", "x"])
      return .spliceText(
        at: ["body"], scalars: start..<start + min(own, random.below(5)), with: new)
    }
    let value = Value.integer(Int64(random.below(1000)))
    let end = "\(random.within(0...elements.count))"
    let own = elements.indices.filter { !isOthers(elements[$0]) }
    if own.isEmpty || random.chance(25) { return .insert(.value(value), at: ["list", end]) }
    let (one, two) = (random.pick(own), random.below(elements.count))
    switch random.below(3) {
    case 0: return .put(value, at: ["list", "\(one)"])
    case 1: return .remove(at: ["list", "\(one)"])
    default: return .move(from: ["list", "\(one)"], to: ["list", "\(two)"])
    }
  }

  /// The other one writes a capital letter, and in the same places a negative number beside it.
  private mutating func editOther() throws {
    othersWords += 1
    var random = random
    let place: JSONPointer = company == .samePlaces ? ["body"] : ["others"]
    if company == .samePlaces { _ = try other.merge(document) }
    let number = -othersWords
    guard case .text(let text)? = other.node(at: place) else { throw Fault("no text") }
    try other.change(by: .person(3)) { editor in
      let scalar = random.within(0...text.unicodeScalars.count)
      try editor.spliceText(at: place, scalars: scalar..<scalar, with: "X")
      guard company == .samePlaces, case .list(let list)? = editor.node(at: ["list"]) else {
        return
      }
      let index = random.within(0...list.count)
      try editor.insert(node: .value(.integer(Int64(number))), at: ["list", "\(index)"])
    }
    if company == .samePlaces { _ = try document.merge(other) }
    self.random = random
  }

  private mutating func undo() throws {
    let report = try history.undo(in: &document, by: .person(2))
    done -= 1
    try check(report, "undoing step \(done)")
  }

  private mutating func redo() throws {
    let report = try history.redo(in: &document, by: .person(2))
    done += 1
    try check(report, "redoing step \(done - 1)")
  }

  private func check(_ report: RevertReport?, _ what: String) throws {
    try expect(report != nil, "\(what) does something")
    try expectEqual(own(), states[done], "what the author has after \(what)")
    try expect(
      history.canUndo == (done > 0) && history.canRedo == (done < states.count - 1),
      "what can be done after \(what)")
  }

  private mutating func checkOthersWords() throws {
    _ = try document.merge(other)
    let place: JSONPointer = company == .samePlaces ? ["body"] : ["others"]
    guard case .text(let text)? = document.node(at: place) else { throw Fault("no text") }
    try expectEqual(text.count { $0 == "X" }, othersWords, "words of the other one")
    guard company == .samePlaces, case .list(let list)? = document.node(at: ["list"]) else {
      return
    }
    try expectEqual(list.count(where: isOthers), othersWords, "numbers of the other one")
  }

  /// What is there but for what the other one wrote.
  private func own() throws -> OracleNode {
    guard case .map(let entries) = document.root else { throw Fault("the root is a map") }
    return try OracleNode(
      .map(
        entries.filter { $0.key != "others" }.map { entry in
          guard company == .samePlaces else { return entry }
          var entry = entry
          switch entry.node {
          case .text(let text): entry.node = .text(text.filter { $0 != "X" })
          case .list(let list): entry.node = .list(list.filter { !isOthers($0) })
          default: break
          }
          return entry
        }))
  }

  private func isOthers(_ node: DocumentNode) -> Bool {
    if case .value(.integer(..<0)) = node { true } else { false }
  }

  private static func isOthers(_ node: OracleNode) -> Bool {
    if case .value(.integer(..<0)) = node { true } else { false }
  }
}
