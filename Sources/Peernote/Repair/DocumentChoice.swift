/// The decision which document is repaired, if the copies are not all of one.
///
/// It is that of most whole copies, or of most others if none is whole, so that it does not depend
/// on the order of the copies.
struct DocumentChoice {
  /// The identity of the document; `nil` if there is no one.
  let id: UniqueID?
  /// The copies to be left out, with the identity of the document that they are of, if they are
  /// readable copies of another.
  let others: [(copy: Int, id: UniqueID?)]

  /// O(changes of all copies).
  init(_ copies: [CopyContent], document: (Int) -> Document?) {
    let ids = Self.identities(of: copies, document)
    func isWhole(_ number: Int) -> Bool { copies[number].isWhole && ids[number] != nil }
    func isReadable(_ number: Int) -> Bool {
      isWhole(number) || copies[number].salvaged.map { !$0.changes.isEmpty } ?? false
    }
    let hasWhole = copies.indices.contains(where: isWhole)
    var counts: [UniqueID: Int] = [:]
    for (number, id) in ids.enumerated() where hasWhole ? isWhole(number) : isReadable(number) {
      if let id { counts[id, default: 0] += 1 }
    }
    let most = counts.values.max() ?? 0
    let chosen = counts.filter { $0.value == most }.keys.sorted()
    let id = chosen.count == 1 ? chosen.first : nil
    self.id = id
    others = copies.indices.filter { ids[$0] == nil || ids[$0] != id }.map { number in
      (number, isReadable(number) ? ids[number] : nil)
    }
  }

  /// The identity that each copy has.
  ///
  /// The names of changes are random: who shares one with a whole copy is a copy of the same
  /// document, whatever its damaged identity says.
  private static func identities(
    of copies: [CopyContent], _ document: (Int) -> Document?
  ) -> [UniqueID?] {
    var ids = copies.indices.map { copies[$0].isWhole ? document($0)?.id : nil }
    var wholes: [(id: UniqueID, number: Int)] = []
    for (number, id) in ids.enumerated() {
      if let id { wholes.append((id, number)) }
    }
    wholes.sort { $0 < $1 }
    var others = copies.indices.filter { copies[$0].salvaged != nil }
    for (id, number) in wholes where !others.isEmpty {
      // One at a time, as each takes memory.
      guard let places = document(number).map({ ChangePlaces($0.log) }) else { continue }
      others.removeAll { number in
        guard
          copies[number].salvaged?.summaries.contains(where: { places.contains($0.id) })
            ?? false
        else { return false }
        ids[number] = id
        return true
      }
    }
    for number in others { ids[number] = copies[number].salvaged?.file.id }
    return ids
  }
}
