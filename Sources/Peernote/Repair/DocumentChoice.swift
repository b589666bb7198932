import PeernoteEngine
import PeernoteFormat

/// The decision which document is repaired, if the copies are not all of one.
///
/// It is that of most whole copies, or of most others if none is whole, so that it does not depend
/// on the order of the copies.
struct DocumentChoice {
  /// A copy, as far as it could be read.
  enum Candidate {
    case whole(Document)
    case salvaged(SalvagedCopy)
    case none
  }

  /// The identity of the document; `nil` if there is no one.
  let id: UniqueID?
  /// The copies to be left out, with the identity of the document that they are of, if they are
  /// readable copies of another.
  let others: [(copy: Int, id: UniqueID?)]

  /// O(changes of all copies).
  init(_ candidates: [Candidate]) {
    let ids = Self.identities(of: candidates)
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
  private static func identities(of candidates: [Candidate]) -> [UniqueID?] {
    var names: [UniqueID: Set<ChangeID>] = [:]
    for case .whole(let document) in candidates {
      names[document.id, default: []].formUnion(document.changes.lazy.map(\.id))
    }
    let known = names.sorted { $0.key < $1.key }
    return candidates.map { candidate in
      switch candidate {
      case .whole(let document): document.id
      case .salvaged(let copy):
        known.first { document in copy.summaries.contains { document.value.contains($0.id) } }?.key
          ?? copy.file.id
      case .none: nil
      }
    }
  }
}

extension DocumentChoice.Candidate {
  fileprivate var isWhole: Bool {
    if case .whole = self { true } else { false }
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
