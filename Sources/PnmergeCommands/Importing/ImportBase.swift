import Peernote

/// The version of a document that content from outside is taken for an edit of.
struct ImportBase {
  enum Reason {
    /// The command line names it.
    case named
    /// The content says so itself.
    case marked
    /// This machine knows what the file held last.
    case remembered
    /// An edit of it takes the least away.
    case nearest
    /// It is the present one.
    case present
  }

  var heads: [ChangeID]
  var reason: Reason
  /// Whether the content is exactly the version.
  var isSame = false
  /// Where it then was left without what was redacted since.
  var gaps: [RedactedGap] = []
}

/// The search for the version that content from outside was made from.
///
/// It is no older than the version that the content names, or that this machine knows the file to
/// hold; of the rest it is the one from which the edit takes the least away (``EditCost``), and of
/// several the one that is known, else the latest. A file without a name of a version that is exactly an older one is that: a copy of it was
/// put back.
///
/// Of histories with more than ``exhaustive`` versions a sample is looked at, denser around the best
/// one; of larger ones less, since a look costs a walk over the history.
struct ImportBaseSearch {
  let document: Document
  let content: IncomingContent
  /// What this machine knows of the file; its changes are all in the document.
  let remembered: ExportMemory.Entry?

  /// Versions that are looked at one by one; more are sampled.
  private static let exhaustive = 64
  /// What all looks together may cost: events of the document.
  private static let effort = 4 << 20
  /// Looks without which a search is not worth it.
  private static let fewest = 4

  /// The version after an edit of another one that made exactly the content, as an earlier import of
  /// it does; `nil` if there is none.
  func edited(from base: [ChangeID]) throws -> ImportBase? {
    for change in document.changes where change.parents == base {
      guard let forms = try forms(of: [change.id]), forms.isSame else { continue }
      return ImportBase(heads: [change.id], reason: .named, isSame: true, gaps: forms.gaps)
    }
    return nil
  }

  /// Chooses a version; the document has to have the one that the content names.
  func base() throws -> ImportBase {
    let marked = try markedHeads()
    let (start, reason): ([ChangeID], ImportBase.Reason) =
      switch (marked, remembered) {
      case (let marked?, let remembered?)
      where remembered.mark == marked && contains(marked, in: remembered.heads):
        // It was imported since, and nobody has written another export over it.
        (remembered.heads, .remembered)
      case (let marked?, _): (marked, .marked)
      case (nil, let remembered?): (remembered.heads, .remembered)
      case (nil, nil): (document.heads, .present)
      }
    var base = ImportBase(heads: start, reason: reason)
    guard let known = try forms(of: start) else { return base }
    if known.isSame {
      (base.isSame, base.gaps) = (true, known.gaps)
      return base
    }
    let present = try reason == .present ? known : forms(of: document.heads)
    let lines = present?.version ?? [:]
    var least = known.cost(lines, since: known.version)
    try forEachVersion { heads in
      guard !base.isSame, let forms = try forms(of: heads) else { return nil }
      let cost = forms.cost(lines, since: known.version)
      let isLater = reason == .present || contains(start, in: heads)
      if forms.isSame, isLater || marked == nil {
        base = ImportBase(heads: heads, reason: .nearest, isSame: true, gaps: forms.gaps)
      } else if isLater, cost < least {
        (base, least) = (ImportBase(heads: heads, reason: .nearest), cost)
      }
      return cost
    }
    if Set(base.heads) == Set(document.heads) { base.reason = .present }
    return base
  }

  /// The version that the content names.
  private func markedHeads() throws(Failure) -> [ChangeID]? {
    guard let mark = content.mark else { return nil }
    let file = content.file
    guard mark.document == document.id else {
      let adopted = document.adopted.filter { $0.document == mark.document }
      if let same = adopted.first(where: { $0.version == mark.heads }) { return [same.change] }
      // Another document was started from the file on this machine, and knows it since.
      if remembered != nil { return nil }
      throw Failure(
        .notSameDocument,
        "\(file.inputName) was exported from another document (\(mark.document.shortText)), not "
          + "from this one \(titleAndID(document.id, document.root)); nothing was written; to "
          + "import it all the same, give --base with a change of this document")
    }
    if let missing = mark.heads.first(where: { !document.contains($0) }) {
      throw Failure(
        .notSameDocument,
        "\(file.inputName) was exported from a version with change \(missing), which is not here; "
          + "nothing was written; merge the copy that has it first, or give --base")
    }
    return mark.heads
  }

  /// Whether a version is part of another one.
  private func contains(_ version: [ChangeID], in other: [ChangeID]) -> Bool {
    let later = Set(document.changes(since: other).map(\.id))
    return version.allSatisfy { !later.contains($0) }
  }

  private func forms(of heads: [ChangeID]) throws -> IncomingContent.Forms? {
    try content.forms(document.isPresent(heads) ? document : document.late(version: heads))
  }

  /// Looks at versions, the latest first, and at more of them around the one that costs least.
  private func forEachVersion(_ versionCost: ([ChangeID]) throws -> EditCost?) throws {
    let versions = versions
    let looks = min(Self.exhaustive, Self.effort / (document.eventCount + 1))
    guard looks >= Self.fewest else { return }
    var best: (place: Int, cost: EditCost)?
    var seen: Set<Int> = []
    func look(at place: Int) throws {
      guard versions.indices.contains(place), seen.insert(place).inserted,
        let cost = try versionCost(versions[place])
      else { return }
      if best.map({ cost < $0.cost }) ?? true { best = (place, cost) }
    }
    // From the latest, each with the same distance to the next.
    var step = max(1, (versions.count + looks - 1) / looks)
    for place in stride(from: versions.count - 1, through: 0, by: -step) { try look(at: place) }
    while step > 1 {
      step = (step + 1) / 2
      if let place = best?.place {
        try look(at: place + step)
        try look(at: place - step)
      }
    }
  }

  /// The versions that somebody can have exported, as far as the history tells, each after those
  /// that it holds: the past of every change, with and without the change itself, and the present.
  private var versions: [[ChangeID]] {
    let pasts = document.changes.flatMap { change in
      change.parents.count > 1 ? [change.parents, [change.id]] : [[change.id]]
    }
    return document.heads.count > 1 ? pasts + [document.heads] : pasts
  }
}
