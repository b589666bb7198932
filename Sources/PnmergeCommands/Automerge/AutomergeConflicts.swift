import AutomergeFormat
import Peernote
import PeernoteJSON

extension AutomergeDocument {
  /// What is undecided: places that hold several values.
  var conflicts: [Conflict] { state.conflicts.map { state.conflict(at: $0) } }
}

extension AutomergeState {
  /// A cell that holds several values, as a conflict.
  func conflict(at cell: Int) -> Conflict {
    let sides = visible(cell).reversed().map { side($0) }
    return .foreign(
      .register, at: JSONPointer(path(ofCell: cell)), id: name(ofOperation: shown(cell)),
      kept: sides[0], others: Array(sides.dropFirst()))
  }

  /// What an operation wrote, or that it removed something.
  func side(_ place: Int32) -> Conflict.Side {
    side(place, node: removes(place) ? nil : node(place))
  }

  /// Something that the author of an operation had.
  func side(_ place: Int32, node: DocumentNode?) -> Conflict.Side {
    let number = change(ofOperation: place)
    return .foreign(
      node, by: history.author(number), at: history.time(number),
      change: history.changeID(number))
  }

  /// Whether an operation removes something.
  fileprivate func removes(_ place: Int32) -> Bool {
    history.store.operations[Int(place)].action == .delete
  }
}

/// What a merge of two sets of changes brought together that a person may want to look at.
///
/// Automerge keeps the write with the greatest name and, where somebody deleted what somebody else
/// changed inside, shows nothing of the change. Both are told here, and passages of texts that both
/// changed, by the same rules as for documents of our own.
struct AutomergeMergeReport {
  private let merged: AutomergeState
  /// Ours and theirs.
  private let sides: [Side]
  private static let names: [Sides] = [.ours, .theirs]
  /// Both, by an operation each.
  private static let eachSide: Sides = [.ours, .theirs]
  private(set) var conflicts: [Conflict] = []

  /// One of the two sets.
  private struct Side {
    /// Which changes it holds, by their numbers.
    let holds: [Bool]
    let state: AutomergeState
    /// The operations that the other set lacks, in the order of the changes.
    var news: [Int32] = []
    /// The last of them at each cell, insertions apart.
    var last: [Int: Int32] = [:]

    init(_ merged: AutomergeState, _ held: [Bool]) {
      // Changes that wait for others show nothing yet.
      var holds = [Bool](repeating: false, count: held.count)
      for number in merged.history.order where held[number] {
        holds[number] = merged.history.parents[number].allSatisfy { holds[Int($0)] }
      }
      self.holds = holds
      state = merged.including(holds)
    }
  }

  /// Compares a merged state with the two sets of changes that it is the union of.
  init(_ merged: AutomergeState, ours: [Bool], theirs: [Bool]) {
    let history = merged.history
    var sides = [Side(merged, ours), Side(merged, theirs)]
    for number in history.order where sides[0].holds[number] != sides[1].holds[number] {
      let side = sides[0].holds[number] ? 0 : 1
      for place in history.changes[number].operations {
        sides[side].news.append(Int32(place))
        guard !history.store.operations[place].isInsertion else { continue }
        sides[side].last[merged.cell(of: Int32(place))] = Int32(place)
      }
    }
    (self.merged, self.sides) = (merged, sides)
    guard sides.allSatisfy({ !$0.news.isEmpty }) else { return }
    findConflicts()
    findDeletions()
    findHiddenEdits()
    findAdjoiningLines()
  }

  /// Places with several values that neither set has on its own.
  private mutating func findConflicts() {
    for cell in merged.conflicts {
      let changes = merged.visible(cell).map { merged.change(ofOperation: $0) }
      let isKnown = sides.contains { side in changes.allSatisfy { side.holds[$0] } }
      if !isKnown { conflicts.append(merged.conflict(at: cell)) }
    }
  }

  /// Places that one side deleted and the other wrote: what was written stays.
  private mutating func findDeletions() {
    for cell in merged.shownCells {
      let written = merged.shown(cell)
      for side in sides {
        guard let deletion = side.last[cell], merged.removes(deletion),
          !side.holds[merged.change(ofOperation: written)]
        else { continue }
        conflicts.append(
          .foreign(
            .deleteEdit, at: JSONPointer(merged.path(ofCell: cell)),
            id: merged.name(ofOperation: written),
            kept: merged.side(written), others: [merged.side(deletion)]))
      }
    }
  }

  /// What one side changed inside of something that the other removed: it is shown no more.
  private mutating func findHiddenEdits() {
    let hiders = merged.hiders
    for (side, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
      let ownHiders = side.state.hiders
      // The last change inside of each thing, by what made that.
      var edits: [Int32: Int32] = [:]
      for place in side.news {
        let object = merged.object(of: place)
        if ownHiders[object] < 0, hiders[object] >= 0 { edits[hiders[object]] = place }
      }
      for (root, place) in edits.sorted(by: { $0.key < $1.key }) {
        // What is new there altogether was hidden by a conflict, which is told already.
        guard other.holds[merged.change(ofOperation: root)],
          let object = side.state.object(madeBy: root), let path = side.state.path(ofObject: object)
        else { continue }
        let removal = other.last[merged.cell(of: root)]
        conflicts.append(
          .foreign(
            .deleteEdit, at: JSONPointer(path), id: merged.name(ofOperation: place),
            kept: removal.map { merged.side($0) } ?? merged.side(place, node: nil),
            others: [merged.side(place, node: side.state.node(root))]))
      }
    }
  }

  /// Lines of texts that both sides changed.
  private mutating func findAdjoiningLines() {
    let edits = sides.map { side in
      Dictionary(side.news.map { (merged.object(of: $0), $0) }) { _, last in last }
    }
    for object in edits[0].keys.sorted() where merged.kind(ofObject: object) == .text {
      let last = edits.compactMap { $0[object] }
      guard last.count == 2, let path = merged.path(ofObject: object) else { continue }
      let latest = last.max { merged.names[Int($0)] < merged.names[Int($1)] } ?? last[0]
      let text = merged.text(ofObject: object)
      for place in adjoiningLines(in: object, text) {
        let start = place.merged.lowerBound
        conflicts.append(
          .foreign(
            .adjacent, at: JSONPointer(path), id: "\(merged.name(ofOperation: latest))/\(start)",
            kept: merged.side(latest, node: .text(place.texts[0])),
            others: zip(last, place.texts.dropFirst()).map { merged.side($0, node: .text($1)) },
            line: 1 + text.unicodeScalars.prefix(start).count { $0 == "\n" }))
      }
    }
  }

  private func adjoiningLines(in object: Int, _ text: String) -> [AdjoiningLines.Place] {
    let texts = sides.map { $0.state.text(ofObject: object) }
    let history = try? MergedTextHistory(
      container: .root, segments: segments(of: object),
      ours: TextBuffer(texts[0]), theirs: TextBuffer(texts[1]))
    // Where somebody wrote elements of the text anew, what stands where is shifted.
    return history.map { AdjoiningLines.find(in: $0) }
      ?? [AdjoiningLines.Place(merged: 0..<0, texts: [text] + texts)]
  }

  /// The elements of a text, by who inserted and who deleted them.
  private func segments(of object: Int) -> [TextSegment] {
    var segments: [TextSegment] = []
    for cell in merged.objects[object].cells {
      let element = merged.insertion(cell)
      let change = merged.change(ofOperation: element)
      var (inserted, deleted): (Sides, Sides) = ([], [])
      for index in sides.indices where sides[index].holds[change] {
        inserted.insert(Self.names[index])
        if sides[index].state.shown(cell) < 0 { deleted.insert(Self.names[index]) }
      }
      if inserted == Self.eachSide { inserted = .both }
      // Deleted before the sides parted, if an operation that both hold did it.
      if deleted == Self.eachSide,
        merged.operations(ofCell: cell).contains(where: { isShared($0) && replaces($0, element) })
      {
        deleted = .both
      }
      // How many scalars it shows.
      let shown = sides.lazy.map { $0.state.shown(cell) }.first { $0 >= 0 }
      let count = Int32(shown.map { merged.scalarCount($0) } ?? 1)
      if let last = segments.last, last.insertedBy == inserted, last.deletedBy == deleted {
        segments[segments.count - 1].count += count
      } else {
        segments.append(TextSegment(count: count, insertedBy: inserted, deletedBy: deleted))
      }
    }
    return segments
  }

  /// Whether both sides hold an operation.
  private func isShared(_ place: Int32) -> Bool {
    let change = merged.change(ofOperation: place)
    return sides.allSatisfy { $0.holds[change] }
  }

  private func replaces(_ place: Int32, _ other: Int32) -> Bool {
    let store = merged.history.store
    return store.references(of: store.operations[Int(place)]).contains(merged.names[Int(other)])
  }
}
