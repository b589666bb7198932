import AutomergeFormat
import Peernote

/// Makes one change of an Automerge document that leads from what it shows to what a document shows.
///
/// Who makes it is a digest of the change, so that whoever makes the same makes the same change.
struct AutomergeRevision {
  private var builder: AutomergeBuilder
  /// The document with what was done so far.
  private var state: AutomergeState

  /// How the actors of such changes begin.
  private static let actorPrefix = Array("pnmerge ".utf8)
  private static let actorLength = 16

  /// Whether an actor has made such a change.
  static func isByUs(_ actor: [UInt8]) -> Bool {
    actor.count == actorLength && actor.starts(with: actorPrefix)
  }

  /// Adds the change, with the time and the message of another one, O(n) for each patch; the same
  /// document if nothing is to be done.
  static func adding(
    _ patches: [Patch], to history: AutomergeHistory, like last: ChangeSummary
  ) throws(AutomergeError) -> AutomergeHistory {
    func make(by digits: some Sequence<UInt8>) throws(AutomergeError) -> AutomergeHistory {
      let builder = AutomergeBuilder(by: actorPrefix + digits, upon: history)
      var revision = AutomergeRevision(builder: builder, state: AutomergeState(history))
      for patch in patches { try revision.make(patch) }
      return try revision.builder.finish(
        time: last.time.milliseconds / 1000, message: last.message ?? "")
    }
    let length = actorLength - actorPrefix.count
    let draft = try make(by: repeatElement(0, count: length))
    guard draft.changes.count > history.changes.count, let made = draft.changes.last else {
      return history
    }
    return try make(by: made.hash.bytes.prefix(length))
  }

  // MARK: Edits

  private mutating func make(_ patch: Patch) throws(AutomergeError) {
    let parent = try object(at: patch.path.tokens.dropLast())
    let token = patch.path.tokens.last ?? ""
    let name = name(ofObject: parent)
    let cell = cell(token, in: parent)
    let shown = cell.map { slot(of: $0) }
    let replaced = cell.map { self.replaced(at: $0) } ?? []
    switch patch.action {
    case .put(let node):
      builder.put(node, at: shown ?? .key(token), of: name, replacing: replaced)
    case .remove: if let shown { builder.append(.delete, at: shown, of: name, replacing: replaced) }
    case .insert(let nodes):
      var last = element(before: Int(token) ?? 0, in: parent, without: nil)
      for node in nodes { last = builder.insert(node, into: name, after: last) }
    case .move(let index):
      guard let cell, let shown else { break }
      let node = state.node(state.shown(cell))
      let last = element(before: index, in: parent, without: cell)
      builder.append(.delete, at: shown, of: name, replacing: replaced)
      _ = builder.insert(node, into: name, after: last)
    case .splice(let edit):
      splice(edit.scalars, with: edit.text, in: try object(at: patch.path.tokens[...]))
    case .increment(let amount):
      guard let shown else { break }
      builder.append(.increment, .integer(amount), at: shown, of: name, replacing: replaced)
    case .add, .discard:
      throw AutomergeError(.damaged, "a set, which there is none of in Automerge")
    }
    let made = builder
    state = AutomergeState(try made.finish(time: 0))
  }

  private mutating func splice(_ range: Range<Int>, with text: String, in object: Int) {
    let name = name(ofObject: object)
    var last = OperationID.none
    var text = Array(text.unicodeScalars)
    var place = 0
    for cell in state.cells(ofObject: object) {
      let start = place
      place += state.scalarCount(state.shown(cell))
      if place <= range.lowerBound {
        last = self.name(of: state.insertion(cell))
        continue
      }
      if start >= range.upperBound { break }
      // An element may have several scalars, of which some stay.
      let scalars = Array(
        String(decoding: state.text(state.shown(cell)), as: UTF8.self).unicodeScalars)
      if start < range.lowerBound { text = scalars.prefix(range.lowerBound - start) + text }
      if place > range.upperBound { text += scalars.suffix(place - range.upperBound) }
      builder.append(.delete, at: slot(of: cell), of: name, replacing: replaced(at: cell))
    }
    var inserted = String.UnicodeScalarView()
    inserted.append(contentsOf: text)
    builder.insert(String(inserted), into: name, after: last)
  }

  // MARK: Places

  private func object(at tokens: ArraySlice<String>) throws(AutomergeError) -> Int {
    var object = 0
    for token in tokens {
      guard let cell = cell(token, in: object), let inner = state.object(madeBy: state.shown(cell))
      else { throw AutomergeError(.damaged, "nothing is at a place that is to be changed") }
      object = inner
    }
    return object
  }

  /// What is shown under a key or at an index.
  private func cell(_ token: String, in object: Int) -> Int? {
    if state.kind(ofObject: object) == .map { return state.cell(token, ofObject: object) }
    let cells = state.cells(ofObject: object)
    return Int(token).flatMap { $0 < cells.count ? cells[$0] : nil }
  }

  private func slot(of cell: Int) -> AutomergeBuilder.Slot {
    state.key(cell).map { .key($0) } ?? .element(name(of: state.insertion(cell)))
  }

  /// What is replaced by a write of a cell.
  private func replaced(at cell: Int) -> [OperationID] {
    state.visible(cell).map { name(of: $0) }
  }

  /// The element behind which one is to stand that gets an index.
  private func element(before index: Int, in list: Int, without moved: Int?) -> OperationID {
    let cells = state.cells(ofObject: list).lazy.filter { $0 != moved }
    return cells.prefix(index).last.map { name(of: state.insertion($0)) } ?? .none
  }

  private func name(ofObject object: Int) -> OperationID {
    let maker = state.objects[object].maker
    return maker < 0 ? AutomergeBuilder.root : name(of: maker)
  }

  private func name(of place: Int32) -> OperationID { builder.name(of: place, in: state) }
}
