package import Peernote

/// What stands under a key of a map, or in an element of a list.
package struct OracleRegister {
  /// The writes that no other write has seen.
  package var current: [Int]
  /// How many different things those say: values that are equal are one, containers never are.
  package var readings: Int
  /// The writes that were overwritten or removed but created containers that someone else went
  /// on editing.
  package var kept: [Int]
  /// The removals that no write or removal has seen.
  package var removals: [Int]
  /// The write that is shown.
  package var shown: Int?

  /// The conflict that stands open here.
  package var conflict: OracleConflict.Kind? {
    if !kept.isEmpty { return .deleteEdit }
    if readings > 1 { return .register }
    return current.isEmpty || removals.isEmpty ? nil : .deleteEdit
  }
}

extension Oracle {
  /// Whether the write numbered `left` comes before `right` in the order of writes: by time of
  /// the change, Lamport time, agent, sequence number, index.
  package func write(_ left: Int, precedes right: Int) -> Bool {
    func rank(_ event: Int) -> (Timestamp, Int) {
      let change = events[event].change
      return (changes[change].time, lamports[change] + events[event].id.index)
    }
    let (leftRank, rightRank) = (rank(left), rank(right))
    return leftRank == rightRank ? events[left].id < events[right].id : leftRank < rightRank
  }

  /// The latest of some writes.
  package func latest(of writes: [Int]) -> Int? {
    writes.max { write($0, precedes: $1) }
  }

  /// What stands under each key of a map in a version, or would without some of its events; keys
  /// without a live entry are left out.
  package func registers(
    of map: ContainerID, in version: OracleVersion,
    without isLeftOut: (Int) -> Bool = { _ in false }
  ) -> [ExactString: OracleRegister] {
    var puts: [ExactString: [Int]] = [:]
    var writes: [ExactString: [Int]] = [:]
    for event in events(on: map, in: version) where !isLeftOut(event) {
      switch events[event].action {
      case .put(let key, _):
        puts[key, default: []].append(event)
        writes[key, default: []].append(event)
      case .remove(let key):
        writes[key, default: []].append(event)
      case .insertScalar, .deleteScalar, .insertElement, .putElement, .moveElement, .removeElement,
        .add, .discard, .increment:
        fatalError("events on a map put and remove")
      }
    }
    var registers: [ExactString: OracleRegister] = [:]
    for (key, entries) in puts {
      let writes = writes[key] ?? []
      let found = register(
        entries: entries, overwrites: writes, hiders: writes, in: version, without: isLeftOut)
      if found.shown != nil { registers[key] = found }
    }
    return registers
  }

  /// What stands in a register with these entries.
  ///
  /// An entry is superseded by each of `overwrites` that has seen it. A superseded entry that
  /// created a container is kept all the same if some edit inside the container is unseen by
  /// every one of `hiders` that has seen the entry. Edits that are left out don't count.
  func register(
    entries: [Int], overwrites: [Int], hiders: [Int], in version: OracleVersion,
    without isLeftOut: (Int) -> Bool
  ) -> OracleRegister {
    var current: [Int] = []
    var kept: [Int] = []
    for entry in entries {
      guard overwrites.contains(where: { hasSeen($0, entry) }) else {
        current.append(entry)
        continue
      }
      let against = hiders.filter { hasSeen($0, entry) }
      let survives = edits(insideEntry: entry, in: version).contains { edit in
        !isLeftOut(edit) && !against.contains { hasSeen($0, edit) }
      }
      if survives { kept.append(entry) }
    }
    let removals = overwrites.filter { overwrite in
      events[overwrite].content == nil && !overwrites.contains { hasSeen($0, overwrite) }
    }
    let values = current.filter { events[$0].created == nil }
    let readings = current.count - values.count + Set(values.map { events[$0].content }).count
    return OracleRegister(
      current: current, readings: readings, kept: kept, removals: removals,
      shown: latest(of: current) ?? latest(of: kept))
  }

  /// All events of a version on the container that an entry created, and on the containers
  /// created inside it, at any depth; none if the entry holds a value.
  func edits(insideEntry entry: Int, in version: OracleVersion) -> [Int] {
    guard let created = events[entry].created else { return [] }
    let own = events(on: created.id, in: version)
    return own + own.flatMap { edits(insideEntry: $0, in: version) }
  }
}
