/// The names of changes, ascending, so that a number can stand for each.
///
/// Takes 12 bytes for a change, and some for an agent: a dictionary would take six times that.
struct ChangeNames {
  /// A change's name, and where it stands in what was given.
  private struct Name {
    var agent: Int32
    var sequence: Int32
    var place: Int32
  }

  private var agents: [AgentID: Int32] = [:]
  private var names: [Name] = []
  /// The first name of each agent, and the end.
  private var starts: [Int32] = []

  /// The names of some changes; one that stands twice, word for word, counts once.
  ///
  /// O(n log n). Throws if one name stands for two changes, or no history can have it.
  init<Changes: RandomAccessCollection<Change>>(of changes: Changes) throws(HistoryError) {
    for change in changes { agents[change.id.agent] = 0 }
    for (number, agent) in agents.keys.sorted().enumerated() { agents[agent] = Int32(number) }
    names.reserveCapacity(changes.count)
    for (place, change) in changes.enumerated() {
      guard let agent = agents[change.id.agent], let sequence = Int32(exactly: change.id.sequence),
        sequence > 0
      else { throw HistoryError(.sequenceGap) }
      names.append(Name(agent: agent, sequence: sequence, place: Int32(place)))
    }
    names.sort { left, right in
      (left.agent, left.sequence, left.place) < (right.agent, right.sequence, right.place)
    }
    try removeRepetitions(changes)
    recordStarts()
  }

  private mutating func removeRepetitions<Changes: RandomAccessCollection<Change>>(
    _ changes: Changes
  ) throws(HistoryError) {
    var count = 0
    for name in names {
      if count > 0, names[count - 1].agent == name.agent, names[count - 1].sequence == name.sequence
      {
        guard changes[names[count - 1].place] == changes[name.place] else {
          throw HistoryError(.duplicateChange)
        }
        continue
      }
      names[count] = name
      count += 1
    }
    names.removeLast(names.count - count)
  }

  private mutating func recordStarts() {
    starts.reserveCapacity(agents.count + 1)
    for (number, name) in names.enumerated() where starts.count == name.agent {
      starts.append(Int32(number))
    }
    starts.append(Int32(names.count))
  }

  /// How many changes there are.
  var count: Int { names.count }

  /// The number of a change; `nil` if it is not there.
  ///
  /// O(log n).
  subscript(id: ChangeID) -> Int? {
    guard let agent = agents[id.agent] else { return nil }
    let numbers = Int(starts[Int(agent)])..<Int(starts[Int(agent) + 1])
    let number = numbers.partitionPoint { Int(names[$0].sequence) >= id.sequence }
    return number < numbers.upperBound && Int(names[number].sequence) == id.sequence ? number : nil
  }

  /// A change with a number, out of what was given.
  func change<Changes: RandomAccessCollection<Change>>(
    _ number: Int, of changes: Changes
  ) -> Change {
    changes[names[number].place]
  }

  /// Whether a change is the first of its agent.
  func isFirst(_ number: Int) -> Bool { names[number].sequence == 1 }

  /// Whether the change with the number before is the one before by the same agent.
  func followsTheOneBefore(_ number: Int) -> Bool {
    number > 0 && names[number - 1].agent == names[number].agent
      && names[number - 1].sequence == names[number].sequence - 1
  }
}

extension RandomAccessCollection {
  fileprivate subscript(place: Int32) -> Element {
    self[index(startIndex, offsetBy: Int(place))]
  }
}
