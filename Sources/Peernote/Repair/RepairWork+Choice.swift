extension RepairWork {
  /// Decides which document is repaired, and leaves out the copies of others.
  ///
  /// It is that of most whole copies, or of most others if none is whole, so that it does not depend
  /// on the order of the copies. O(changes of all copies).
  mutating func chooseDocument() {
    let ids = identities()
    let hasWhole = contents.contains(where: \.isWhole)
    var counts: [UniqueID: Int] = [:]
    for (copy, id) in zip(contents, ids) where hasWhole ? copy.isWhole : copy.isReadable {
      if let id { counts[id, default: 0] += 1 }
    }
    let most = counts.values.max()
    let chosen = counts.filter { $0.value == most }.keys
    id = chosen.count == 1 ? chosen.first : nil
    for (number, other) in ids.enumerated() where other == nil || other != id {
      if let other, contents[number].isReadable {
        leaveOut(number, .otherDocument(other))
      } else {
        unplaced[number] = contents[number].salvaged
        leaveOut(number, .unusable(whyUnusable(number)))
      }
    }
  }

  /// The identity that each copy has.
  ///
  /// The names of changes are random: who shares one with a whole copy is a copy of the same
  /// document, whatever its damaged identity says.
  private func identities() -> [UniqueID?] {
    var ids = contents.map { $0.isWhole ? document($0.bytes)?.id : nil }
    let wholes = ids.enumerated().compactMap { number, id in id.map { (id: $0, number: number) } }
    var others = contents.indices.filter { contents[$0].salvaged != nil }
    for (id, number) in wholes.sorted(by: <) where !others.isEmpty {
      // One at a time, as each takes memory.
      guard let places = document(contents[number].bytes).map({ ChangePlaces($0.log) }) else {
        continue
      }
      others.removeAll { other in
        let changes = contents[other].salvaged?.summaries
        guard changes?.contains(where: { places.contains($0.id) }) ?? false else { return false }
        ids[other] = id
        return true
      }
    }
    for number in others { ids[number] = contents[number].salvaged?.file.id }
    return ids
  }
}
