import AutomergeFormat
import Peernote
import PeernoteJSON

extension AutomergeDocument {
  /// What is undecided: places that hold several values.
  var conflicts: [Conflict] { state.conflicts.map { state.conflict(at: $0) } }
}

extension AutomergeState {
  /// A place that holds several values, as a conflict.
  func conflict(at number: Int) -> Conflict {
    let writes = visible[slots[number].operations]
    let sides = writes.reversed().map { side($0, node: node($0)) }
    return .foreign(
      .register, at: JSONPointer(path(ofPlace: number)),
      id: name(ofOperation: shown(slots[number])),
      kept: sides[0], others: Array(sides.dropFirst()))
  }

  /// Something that an operation wrote, or removed.
  func side(_ place: Int32, node: DocumentNode?) -> Conflict.Side {
    let number = change(ofOperation: place)
    return .foreign(
      node, by: history.author(number), at: history.time(number),
      change: history.changeID(number))
  }
}

/// What a merge of two sets of changes brought together that a person may want to look at.
///
/// Automerge keeps the write with the greatest name and, where somebody deleted what somebody else
/// changed inside, shows nothing of the change. Both are told here, and passages of texts that both
/// changed, by the same rules as for documents of our own.
struct AutomergeMergeReport {
  private let merged: AutomergeState
  private let ours: Side
  private let theirs: Side
  private(set) var conflicts: [Conflict] = []

  /// One of the two sets.
  private struct Side {
    /// Which changes it holds, by their numbers.
    let holds: [Bool]
    let state: AutomergeState
    /// The operations that the other set lacks, in the order of the changes.
    var news: [Int32] = []

    init(_ history: AutomergeHistory, _ held: [Bool]) {
      // Changes that wait for others show nothing yet.
      var holds = [Bool](repeating: false, count: held.count)
      for number in history.order where held[number] {
        holds[number] = history.parents[number].allSatisfy { holds[Int($0)] }
      }
      self.holds = holds
      state = AutomergeState(history, including: holds)
    }
  }

  /// Compares a merged state with the two sets of changes that it is the union of.
  init(_ merged: AutomergeState, ours: [Bool], theirs: [Bool]) {
    self.merged = merged
    var sides = [Side(merged.history, ours), Side(merged.history, theirs)]
    for number in merged.history.order where sides[0].holds[number] != sides[1].holds[number] {
      let side = sides[0].holds[number] ? 0 : 1
      sides[side].news += merged.history.changes[number].operations.map { Int32($0) }
    }
    self.ours = sides[0]
    self.theirs = sides[1]
    guard !sides[0].news.isEmpty, !sides[1].news.isEmpty else { return }
    findConflicts()
    findDeletions()
    findHiddenEdits()
    findAdjoiningLines()
  }

  /// Places with several values that neither set has on its own.
  private mutating func findConflicts() {
    for place in merged.conflicts {
      let writes = merged.visible[merged.slots[place].operations]
      let changes = writes.map { merged.change(ofOperation: $0) }
      let isKnown = [ours, theirs].contains { side in changes.allSatisfy { side.holds[$0] } }
      if !isKnown { conflicts.append(merged.conflict(at: place)) }
    }
  }

  /// A key of a map, or an element of a list.
  private struct SlotName: Hashable {
    let object: Int
    let key: Int32
    let element: Int32
  }

  private func slotName(of place: Int32) -> SlotName {
    SlotName(
      object: merged.object(of: place), key: merged.history.store.operations[Int(place)].key,
      element: merged.element(of: place))
  }

  /// Places that one side deleted and the other wrote: what was written stays.
  private mutating func findDeletions() {
    var deletions: [SlotName: (place: Int32, isOurs: Bool)] = [:]
    for (side, isOurs) in [(ours, true), (theirs, false)] {
      for place in side.news
      where merged.history.store.operations[Int(place)].action == .delete {
        deletions[slotName(of: place)] = (place, isOurs)
      }
    }
    guard !deletions.isEmpty else { return }
    merged.forEachPlace { place in
      let written = merged.shown(merged.slots[place])
      guard let (deletion, isOurs) = deletions[slotName(of: written)] else { return }
      let change = merged.change(ofOperation: written)
      let isWrittenByOther = isOurs ? !ours.holds[change] : !theirs.holds[change]
      guard isWrittenByOther else { return }
      conflicts.append(
        .foreign(
          .deleteEdit, at: JSONPointer(merged.path(ofPlace: place)),
          id: merged.name(ofOperation: written),
          kept: merged.side(written, node: merged.node(written)),
          others: [merged.side(deletion, node: nil)]))
    }
  }

  /// What one side changed inside of something that the other removed: it is shown no more.
  private mutating func findHiddenEdits() {
    for (side, other) in [(ours, theirs), (theirs, ours)] {
      // What the other side replaced or removed, by what.
      var removals: [OperationID: Int32] = [:]
      for place in other.news {
        let store = merged.history.store
        for reference in store.references(of: store.operations[Int(place)]) {
          removals[reference] = place
        }
      }
      var hidden: [Int32: Int32] = [:]
      var order: [Int32] = []
      for place in side.news {
        let object = merged.object(of: place)
        guard !merged.isShown(object: object),
          let own = side.state.number(ofSame: object, in: merged),
          side.state.isShown(object: own), let root = topmostHidden(object)
        else { continue }
        if hidden.updateValue(place, forKey: root) == nil { order.append(root) }
      }
      for root in order {
        // What is new there altogether was hidden by a conflict, which is told already.
        guard let place = hidden[root], other.holds[merged.change(ofOperation: root)],
          let object = side.state.object(madeBy: root), let path = side.state.path(ofObject: object)
        else { continue }
        let removal = removals[merged.operationID(root)]
        conflicts.append(
          .foreign(
            .deleteEdit, at: JSONPointer(path), id: merged.name(ofOperation: place),
            kept: merged.side(removal ?? place, node: nil),
            others: [merged.side(place, node: side.state.node(root))]))
      }
    }
  }

  /// The operation that made the outermost object around one which is not shown.
  private func topmostHidden(_ object: Int) -> Int32? {
    var object = object
    while object > 0 {
      let maker = merged.objects[object].maker
      let parent = merged.object(of: maker)
      if merged.isShown(object: parent) { return maker }
      object = parent
    }
    return nil
  }

  /// Lines of texts that both sides changed.
  private mutating func findAdjoiningLines() {
    let touched = [ours, theirs].map { side in
      Dictionary(side.news.map { (merged.object(of: $0), $0) }) { _, last in last }
    }
    for object in touched[0].keys.sorted() {
      guard let last = touched[1][object], let first = touched[0][object],
        merged.kind(ofObject: object) == .text, let path = merged.path(ofObject: object)
      else { continue }
      conflicts += adjoiningLines(in: object, path: JSONPointer(path), lastEdits: [first, last])
    }
  }

  private func adjoiningLines(
    in object: Int, path: JSONPointer, lastEdits: [Int32]
  ) -> [Conflict] {
    let latest = lastEdits.max { merged.operationID($0) < merged.operationID($1) } ?? lastEdits[0]
    guard let ownNumber = ours.state.number(ofSame: object, in: merged),
      let theirNumber = theirs.state.number(ofSame: object, in: merged)
    else { return [] }
    let texts = [ours.state.text(ofObject: ownNumber), theirs.state.text(ofObject: theirNumber)]
    let history = try? MergedTextHistory(
      container: .root, segments: segments(of: object, ownNumber, theirNumber),
      ours: TextBuffer(texts[0]), theirs: TextBuffer(texts[1]))
    let text = merged.text(ofObject: object)
    // Where somebody wrote elements of the text anew, what stands where is shifted.
    let places =
      history.map { AdjoiningLines.find(in: $0) }
      ?? [AdjoiningLines.Place(merged: 0..<0, texts: [text] + texts)]
    return places.map { place in
      let before = text.unicodeScalars.prefix(place.merged.lowerBound)
      return .foreign(
        .adjacent, at: path,
        id: "\(merged.name(ofOperation: latest))/\(place.merged.lowerBound)",
        kept: merged.side(latest, node: .text(place.texts[0])),
        others: zip(lastEdits, place.texts.dropFirst()).map { merged.side($0, node: .text($1)) },
        line: 1 + before.count { $0 == "\n" })
    }
  }

  /// The elements of a text by who inserted and who deleted them.
  private func segments(of object: Int, _ ownNumber: Int, _ theirNumber: Int) -> [TextSegment] {
    let isVisible = [(ours.state, ownNumber), (theirs.state, theirNumber)].map { state, number in
      Dictionary(
        state.slots(ofObject: number).map { ($0.element, state.scalarCount($0)) },
        uniquingKeysWith: { first, _ in first })
    }
    var segments: [TextSegment] = []
    for element in merged.elements(ofObject: object) {
      let change = merged.change(ofOperation: element)
      var inserted: Sides = []
      var deleted: Sides = []
      if ours.holds[change] {
        inserted.insert(.ours)
        if isVisible[0][element] == nil { deleted.insert(.ours) }
      }
      if theirs.holds[change] {
        inserted.insert(.theirs)
        if isVisible[1][element] == nil { deleted.insert(.theirs) }
      }
      if inserted == [.ours, .theirs] {
        inserted = .both
        // Deleted before the sides parted, if an operation that both hold did it.
        if deleted == [.ours, .theirs], isDeletedByBoth(element) { deleted = .both }
      }
      let count = isVisible[0][element] ?? isVisible[1][element] ?? 1
      if let last = segments.last, last.insertedBy == inserted, last.deletedBy == deleted {
        segments[segments.count - 1].count += Int32(count)
      } else {
        segments.append(
          TextSegment(count: Int32(count), insertedBy: inserted, deletedBy: deleted))
      }
    }
    return segments
  }

  private func isDeletedByBoth(_ element: Int32) -> Bool {
    merged.replacing(element).contains { place in
      let change = merged.change(ofOperation: place)
      return ours.holds[change] && theirs.holds[change]
    }
  }
}
