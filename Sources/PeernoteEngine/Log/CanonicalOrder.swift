/// The canonical order of changes in portable form: chains sorted by the Lamport timestamp of their
/// first event, then agent, then sequence number; see ``Graph``.
enum CanonicalOrder {
  /// What the order of a change depends on.
  private struct Outline {
    var id: ChangeID
    var parents: [ChangeID]
    var eventCount: Int
  }

  /// Where changes stand, in canonical order, without those that stand twice word for word.
  ///
  /// O(n log n).
  ///
  /// - Throws: ``HistoryError`` if a parent is missing, changes are their own ancestors, a sequence
  ///   number is missing or one name stands for two changes.
  static func places<Changes: RandomAccessCollection<Change>>(
    of changes: Changes
  ) throws(HistoryError) -> [Changes.Index] {
    var numbers: [ChangeID: Int] = [:]
    var unique: [Outline] = []
    var places: [Changes.Index] = []
    for place in changes.indices {
      let change = changes[place]
      if let known = numbers[change.id] {
        guard changes[places[known]] == change else { throw HistoryError(.duplicateChange) }
        continue
      }
      let eventCount = change.eventCount
      guard eventCount > 0 else { throw HistoryError(.changeWithoutEvents) }
      numbers[change.id] = unique.count
      unique.append(Outline(id: change.id, parents: change.parents, eventCount: eventCount))
      places.append(place)
    }
    let lamports = try lamports(of: unique, numbers)
    let chainStarts = try chainStarts(of: unique, numbers)
    let order = unique.indices.sorted { left, right in
      let first = chainStarts[left]
      let second = chainStarts[right]
      return (lamports[first], unique[first].id, unique[left].id.sequence)
        < (lamports[second], unique[second].id, unique[right].id.sequence)
    }
    return order.map { places[$0] }
  }

  /// The Lamport timestamp of each change's first event.
  private static func lamports(
    of changes: [Outline], _ numbers: [ChangeID: Int]
  ) throws(HistoryError) -> [Int] {
    var waitingFor = changes.map(\.parents.count)
    var children = [[Int]](repeating: [], count: changes.count)
    for (number, change) in changes.enumerated() {
      for parent in change.parents {
        guard let parent = numbers[parent] else { throw HistoryError(.unknownParent) }
        children[parent].append(number)
      }
    }
    var result = [Int](repeating: 1, count: changes.count)
    var ready = changes.indices.filter { waitingFor[$0] == 0 }
    var done = 0
    while let number = ready.popLast() {
      done += 1
      let next = result[number] + changes[number].eventCount
      for child in children[number] {
        result[child] = max(result[child], next)
        waitingFor[child] -= 1
        if waitingFor[child] == 0 { ready.append(child) }
      }
    }
    guard done == changes.count else { throw HistoryError(.cyclicParents) }
    return result
  }

  /// For each change the first one of its chain.
  private static func chainStarts(
    of changes: [Outline], _ numbers: [ChangeID: Int]
  ) throws(HistoryError) -> [Int] {
    var result = Array(changes.indices)
    for number in changes.indices.sorted(by: { changes[$0].id < changes[$1].id }) {
      let change = changes[number]
      if change.id.sequence == 1 { continue }
      let previous = ChangeID(agent: change.id.agent, sequence: change.id.sequence - 1)
      guard change.id.sequence > 1, let known = numbers[previous] else {
        throw HistoryError(.sequenceGap)
      }
      if change.parents == [previous] { result[number] = result[known] }
    }
    return result
  }
}

extension Change {
  /// How many events the change holds.
  package var eventCount: Int { edits.reduce(0) { $0 + $1.eventCount } }

  /// At most so many bytes does the change take in a file besides its edits; see
  /// ``Log/fileSize``.
  var fileSizeWithoutEdits: Int {
    256 + author.utf8.count + (message?.utf8.count ?? 0) + 32 * parents.count
  }
}

extension Edit {
  /// What the edit writes.
  private var contents: [Content] {
    switch self {
    case .put(_, _, let content), .putElement(_, _, let content): [content]
    case .insertElements(_, _, let contents): contents
    case .add(_, let value), .discard(_, let value): [.value(value)]
    case .increment(_, let amount): [.value(.integer(amount))]
    case .insertText, .deleteText, .remove, .moveElement, .removeElement: []
    }
  }

  /// How many containers the edit creates.
  var containerCount: Int {
    contents.count { content in
      if case .container = content { true } else { false }
    }
  }

  /// At most so many bytes does the edit take in a file; see ``Log/fileSize``.
  var fileSize: Int {
    let names =
      switch self {
      case .insertText(_, _, let text): text.utf8.count
      case .deleteText(_, _, _, _, let text): text?.utf8.count ?? 0
      case .put(_, let key, _), .remove(_, let key): 2 * key.utf8.count
      case .insertElements, .putElement, .moveElement, .removeElement, .add, .discard, .increment:
        0
      }
    return contents.reduce(64 + names) { $0 + 32 + 2 * $1.weight }
  }

  /// How many events the edit holds.
  package var eventCount: Int {
    switch self {
    case .insertText(_, _, let text): text.unicodeScalars.count
    case .deleteText(_, _, let count, _, _): count
    case .insertElements(_, _, let contents): contents.count
    case .put, .remove, .putElement, .moveElement, .removeElement, .add, .discard, .increment: 1
    }
  }
}
