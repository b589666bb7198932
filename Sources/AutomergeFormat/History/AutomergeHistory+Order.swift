internal import PeernoteJSON

extension AutomergeHistory {
  /// Links changes with those they were made upon, and puts them in order, unless two changes or two
  /// operations have one name, or an actor's change is missing.
  mutating func arrange() throws(AutomergeError) {
    link()
    try checkNames()
    try checkOperations()
  }

  /// Finds the changes of which all earlier ones are there.
  ///
  /// They are taken one by one: where one was taken, the first of those that it made ready by the
  /// same actor, so that what was written in one go stays together; else the one with the least
  /// actor and number.
  private mutating func link() {
    let parents = changes.map { change in
      change.dependencies.map { numbers[$0].map(Int32.init) ?? -1 }
    }
    self.parents = parents
    var missing = parents.map { Int32($0.count) }
    let children = Groups(
      count: changes.count,
      changes.indices.lazy.flatMap { number in
        parents[number].lazy.filter { $0 >= 0 }.map { (of: $0, member: Int32(number)) }
      })

    order = []
    order.reserveCapacity(changes.count)
    var ready = ChangeQueue()
    for number in changes.indices where missing[number] == 0 { ready.add(key(number)) }
    var isTaken = [Bool](repeating: false, count: changes.count)
    var next = ready.removeFirst()
    while let taken = next {
      let number = taken.number
      order.append(number)
      isTaken[number] = true
      var following: ChangeQueue.Key?
      for child in children[number] {
        missing[Int(child)] -= 1
        guard missing[Int(child)] == 0 else { continue }
        let key = key(Int(child))
        guard key.actor == taken.actor else {
          ready.add(key)
          continue
        }
        if let other = following {
          ready.add(max(other, key))
          following = min(other, key)
        } else {
          following = key
        }
      }
      next = following ?? ready.removeFirst()
    }
    pending = changes.indices.filter { !isTaken[$0] }
      .sorted { changes[$0].hash < changes[$1].hash }
  }

  private func key(_ number: Int) -> ChangeQueue.Key {
    let change = changes[number]
    return ChangeQueue.Key(
      actor: change.actor, sequence: change.sequence, hash: change.hash, number: number)
  }

  /// Checks that each actor's changes are numbered from 1, and its operations upwards.
  private mutating func checkNames() throws(AutomergeError) {
    groupByActor()
    var names: [OperationID: ChangeHash] = [:]
    // Forks among those that wait for others count as well.
    for number in pending {
      let change = changes[number]
      let name = OperationID(counter: UInt32(change.sequence), actor: change.actor)
      if let other = names.updateValue(change.hash, forKey: name), other != change.hash {
        throw forked(name)
      }
    }
    for actor in changesByActor.indices {
      var previous: Change?
      for (index, number) in changesByActor[actor].enumerated() {
        let change = changes[Int(number)]
        let name = OperationID(counter: UInt32(change.sequence), actor: UInt32(actor))
        guard change.sequence != previous?.sequence, names.isEmpty || names[name] == nil else {
          throw forked(name)
        }
        guard change.sequence == index + 1 else {
          throw AutomergeError(
            "change \(change.sequence) of actor \(hexadecimal(actors.actors[actor])) is there, but "
              + "not change \(index + 1)")
        }
        if let previous, change.firstCounter <= previous.lastCounter {
          throw AutomergeError(
            "change \(change.sequence) of actor \(hexadecimal(actors.actors[actor])) names "
              + "operations as an earlier one does")
        }
        previous = change
      }
    }
  }

  private func forked(_ name: OperationID) -> AutomergeError {
    AutomergeError(
      .forked,
      "two different changes are number \(name.counter) of actor "
        + hexadecimal(actors.actors[Int(name.actor)]))
  }

  /// A file without a document chunk has to hold every change that others were made upon.
  func checkPending(_ copy: Copy) throws(AutomergeError) {
    guard !copy.chunks.contains(where: { $0.kind == .document }) else { return }
    let own = Set(copy.changes)
    for number in copy.changes {
      for dependency in changes[number].dependencies
      where numbers[dependency].map({ !own.contains($0) }) ?? true {
        throw AutomergeError(
          at: copy.chunks.first?.offset,
          "change \(changes[number].hash.shortText)… was made upon change "
            + "\(dependency.shortText)…, which is missing")
      }
    }
  }
}

/// Changes that can be taken next, the least first.
private struct ChangeQueue {
  struct Key: Comparable {
    let actor: UInt32
    let sequence: Int
    let hash: ChangeHash
    let number: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.actor, left.sequence, left.hash) < (right.actor, right.sequence, right.hash)
    }
  }

  private var heap: [Key] = []

  mutating func add(_ key: Key) {
    heap.append(key)
    var place = heap.count - 1
    while place > 0, heap[place] < heap[(place - 1) / 2] {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() -> Key? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child] < heap[least] { least = child }
      if least == place { return first }
      heap.swapAt(place, least)
      place = least
    }
  }
}

/// Lists of numbers by number, one after the other in memory.
struct Groups {
  /// Where each list ends.
  private var ends: [Int32]
  /// All lists, which is a stable sort.
  private(set) var members: [Int32]

  /// Groups the members of some pairs, each list in the order of the pairs; O(n).
  init(count: Int, _ pairs: some Collection<(of: Int32, member: Int32)>) {
    // At first where each list begins; it ends where the next one does.
    ends = Array(repeating: 0, count: count + 1)
    for (of, _) in pairs { ends[Int(of) + 1] += 1 }
    for number in 0..<count { ends[number + 1] += ends[number] }
    members = Array(repeating: 0, count: Int(ends[count]))
    for (of, member) in pairs {
      members[Int(ends[Int(of)])] = member
      ends[Int(of)] += 1
    }
  }

  subscript(number: Int) -> ArraySlice<Int32> {
    members[(number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number])]
  }
}
