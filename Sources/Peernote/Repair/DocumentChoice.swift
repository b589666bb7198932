/// The decision which document is repaired, if the copies are not all of one.
///
/// It is that of most whole copies, or of most others if none is whole, so that it does not depend
/// on the order of the copies.
struct DocumentChoice {
  /// A copy, as far as it could be read.
  enum Candidate {
    case whole(UniqueID)
    case salvaged(SalvagedCopy)
    case none
  }

  /// The identity of the document; `nil` if there is no one.
  let id: UniqueID?
  /// The copies to be left out, with the identity of the document that they are of, if they are
  /// readable copies of another.
  let others: [(copy: Int, id: UniqueID?)]

  /// O(changes of all copies).
  ///
  /// - Parameters:
  ///   - candidates: the copies.
  ///   - document: gives the document of a whole copy by its number.
  init(_ candidates: [Candidate], document: (Int) -> Document?) {
    let ids = Self.identities(of: candidates, document)
    let hasWhole = candidates.contains(where: \.isWhole)
    var counts: [UniqueID: Int] = [:]
    for (candidate, id) in zip(candidates, ids) {
      if let id, candidate.isWhole || !hasWhole && candidate.isReadable {
        counts[id, default: 0] += 1
      }
    }
    let most = counts.values.max() ?? 0
    let chosen = counts.filter { $0.value == most }.keys.sorted()
    let id = chosen.count == 1 ? chosen.first : nil
    self.id = id
    others = candidates.indices.filter { ids[$0] == nil || ids[$0] != id }.map { number in
      (number, candidates[number].isReadable ? ids[number] : nil)
    }
  }

  /// The identity that each copy has.
  ///
  /// The names of changes are random: who shares one with a whole copy is a copy of the same
  /// document, whatever its damaged identity says.
  private static func identities(
    of candidates: [Candidate], _ document: (Int) -> Document?
  ) -> [UniqueID?] {
    var ids = [UniqueID?](repeating: nil, count: candidates.count)
    var wholes: [(id: UniqueID, number: Int)] = []
    for (number, candidate) in candidates.enumerated() {
      guard case .whole(let id) = candidate else { continue }
      ids[number] = id
      wholes.append((id, number))
    }
    wholes.sort { $0 < $1 }
    var others = candidates.indices.filter { candidates[$0].salvaged != nil }
    for (id, number) in wholes where !others.isEmpty {
      // One at a time, as each takes memory.
      guard let places = document(number).map({ ChangePlaces($0.log) }) else { continue }
      others.removeAll { number in
        guard
          candidates[number].salvaged?.summaries.contains(where: { places.contains($0.id) })
            ?? false
        else { return false }
        ids[number] = id
        return true
      }
    }
    for number in others { ids[number] = candidates[number].salvaged?.file.id }
    return ids
  }
}

extension DocumentChoice.Candidate {
  fileprivate var isWhole: Bool {
    if case .whole = self { true } else { false }
  }

  fileprivate var salvaged: SalvagedCopy? {
    if case .salvaged(let copy) = self { copy } else { nil }
  }

  /// Whether anything can be read of it.
  fileprivate var isReadable: Bool {
    switch self {
    case .whole: true
    case .salvaged(let copy): !copy.changes.isEmpty
    case .none: false
    }
  }
}
