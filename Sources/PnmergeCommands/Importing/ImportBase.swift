import Peernote

/// The version of a document that content from outside is taken for an edit of.
struct ImportBase {
  /// Why this version.
  enum Reason {
    /// The command line names it.
    case named
    /// The content says so itself.
    case marked
    /// This machine knows what the file held last.
    case remembered
    /// No other version is nearer to the content.
    case nearest
    /// Nothing is known, and no version is nearer than the present one.
    case present
  }

  /// The heads of the version.
  var heads: [ChangeID]
  var reason: Reason
  /// Whether the content is exactly the version.
  var isSame: Bool
  /// The version that was known and is not it, since it is not as near.
  var givenUp: (heads: [ChangeID], reason: Reason)?
  /// Where it then was left without what was redacted since.
  var gaps: [PastContent.Gap] = []
}

/// The search for the version that content from outside was made from.
///
/// A version that the content names, or that this machine knows the file to hold, comes first, then
/// the present one; but another version that is strictly nearer to the content takes its place.
/// Then the edit takes nothing back that came in after it. That is done only if the result takes
/// away nothing that would stay otherwise, and has nothing twice; and a version that is known is
/// given up only for a later one: so what somebody deleted in a file is deleted, what
/// somebody else changed since stays, and nothing comes in twice. But an older copy of a file that
/// names no version may have taken the place of what was exported to it: what this machine knows the
/// file to have held before may be chosen, too, and a file that is exactly another version is no edit.
/// What was redacted since counts as the same in all versions that had it, going by its length.
///
/// Of histories with more than ``exhaustive`` versions a sample is looked at, denser around the
/// nearest one; of larger ones less, since a look costs a walk over the history.
struct ImportBaseSearch {
  let document: Document
  let content: IncomingContent
  /// What this machine knows of the file; its changes are all in the document.
  let remembered: ExportMemory.Entry?

  /// Versions that are looked at one by one; more are sampled.
  private static let exhaustive = 64
  /// What all looks together may cost: events and bytes of the document.
  private static let effort = 4 << 20
  /// Looks without which a search is not worth it.
  private static let fewest = 4

  /// How near a version is.
  private struct Nearness {
    var heads: [ChangeID]
    var forms: IncomingContent.Forms
    var distance: IncomingContent.Distance
  }

  /// The version after an edit of another one that made exactly the content, as an earlier import of
  /// it does; `nil` if there is none.
  ///
  /// - Parameter base: the heads of the version that was edited.
  /// - Returns: that version.
  /// - Throws: what reading a version throws.
  func edited(from base: [ChangeID]) throws -> ImportBase? {
    for change in document.changes where change.parents == base {
      guard let found = try nearness(of: [change.id]), found.forms.isSame else { continue }
      return ImportBase(
        heads: found.heads, reason: .named, isSame: true, gaps: found.forms.gaps)
    }
    return nil
  }

  /// Chooses a version.
  ///
  /// - Throws: what reading a version throws, and ``Failure`` if the document lacks the version that
  ///   the content names.
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
    guard let known = try nearness(of: start) else {
      return ImportBase(heads: start, reason: reason, isSame: false)
    }
    if known.forms.isSame {
      return ImportBase(heads: start, reason: reason, isSame: true, gaps: known.forms.gaps)
    }
    // An older copy may have taken the place of an export that names no version.
    let older = marked == nil ? remembered?.earlier.map { Set($0) } ?? [] : []
    var fromStart: (outcome: Outcome, version: Document)?
    let nearest = try nearest(than: known) { other in
      // A file that was put in the place of the export says nothing of what it lacks.
      if marked == nil, other.forms.isSame { return true }
      if reason != .present, !contains(start, in: other.heads) {
        // What was deleted in an export and lines that came in may be one edit of what was before them.
        guard older.contains(Set(other.heads)),
          other.distance.characters < known.distance.characters
        else { return false }
      }
      let expected = try fromStart ?? (outcome(at: start), version(start))
      fromStart = expected
      let result = try outcome(at: other.heads)
      // A version that is known is not given up for one from which the edit is contested.
      if reason != .present, result.isContested { return false }
      return result.isNoWorse(than: expected.outcome, from: expected.version, in: document)
    }
    guard let nearest else { return ImportBase(heads: start, reason: reason, isSame: false) }
    return ImportBase(
      heads: nearest.heads, reason: nearest.heads == document.heads ? .present : .nearest,
      isSame: nearest.forms.isSame, givenUp: reason == .present ? nil : (start, reason),
      gaps: nearest.forms.isSame ? nearest.forms.gaps : [])
  }

  /// What becomes of the document if the content is an edit of some version.
  private struct Outcome {
    /// The document then; `nil` if it cannot be such an edit.
    var document: Document?
    /// What differs from the document as it is.
    var changes = PlaceChanges()
    /// Whether what came in meanwhile and the edit were written against each other.
    var isContested = false

    /// Whether it takes nothing away that another outcome leaves, and brings in nothing twice, nor what
    /// was removed meanwhile.
    ///
    /// - Parameters:
    ///   - expected: the other outcome.
    ///   - start: the version that it takes the content for an edit of.
    ///   - present: the document as it is.
    /// - Returns: whether it may be chosen.
    func isNoWorse(than expected: Outcome, from start: Document, in present: Document) -> Bool {
      guard let document, let other = expected.document, !expected.isContested,
        changes.takeNothing(leftBy: expected.changes)
      else { return false }
      return changes.placesOfItems.allSatisfy { path in
        let (known, before) = (start.itemCounts(at: path), present.itemCounts(at: path))
        let allowed = before.merging(other.itemCounts(at: path)) { max($0, $1) }
        return document.itemCounts(at: path).allSatisfy { item, count in
          count <= allowed[item] ?? 0 || count == 1 && known[item] == nil
        }
      }
    }
  }

  private func outcome(at heads: [ChangeID]) throws -> Outcome {
    var result = document
    do {
      let report = try result.changing(at: heads, content.update).report
      return Outcome(
        document: result, changes: result.places(changedSince: document),
        isContested: report.conflicts.contains { $0.kind == .passage || $0.kind == .register })
    } catch is EditError {
      return Outcome()
    }
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

  private func version(_ heads: [ChangeID]) throws -> Document {
    let isPresent = Set(heads).isSuperset(of: document.heads)
    return isPresent ? document : try document.late(version: heads)
  }

  private func nearness(of heads: [ChangeID]) throws -> Nearness? {
    guard let forms = try content.forms(version(heads)) else { return nil }
    return Nearness(heads: heads, forms: forms, distance: forms.distance)
  }

  /// The nearest of all versions that may be chosen, if it is strictly nearer than a known one; of
  /// equal ones the latest.
  private func nearest(
    than known: Nearness, _ mayBeChosen: (Nearness) throws -> Bool
  ) throws -> Nearness? {
    let versions = versions
    let looks = min(
      Self.exhaustive, Self.effort / (document.eventCount + known.forms.version.count + 1))
    guard looks >= Self.fewest else { return nil }
    var best: Nearness?
    // The nearest of all, whether it may be chosen or not: others like it are around it.
    var middle: (place: Int, distance: IncomingContent.Distance)?
    var seen: Set<Int> = []
    func look(at place: Int) throws {
      guard versions.indices.contains(place), best?.forms.isSame != true,
        seen.insert(place).inserted, let found = try nearness(of: versions[place])
      else { return }
      if middle.map({ found.distance < $0.distance }) ?? true { middle = (place, found.distance) }
      try consider(found)
    }
    func consider(_ found: Nearness) throws {
      guard found.distance < best?.distance ?? known.distance, try mayBeChosen(found) else {
        return
      }
      best = found
    }
    // From the latest, each with the same distance to the next.
    var step = max(1, (versions.count + looks - 1) / looks)
    for place in stride(from: versions.count - 1, through: 0, by: -step) { try look(at: place) }
    while step > 1 {
      step = (step + 1) / 2
      if let place = middle?.place {
        try look(at: place + step)
        try look(at: place - step)
      }
    }
    // A sample may lack these.
    for heads in remembered?.earlier ?? [] where best?.forms.isSame != true {
      if heads.allSatisfy(document.contains), let found = try nearness(of: heads) {
        try consider(found)
      }
    }
    return best
  }

  /// The versions that somebody can have exported, as far as the history tells, each after those
  /// that it holds: the past of every change, with and without the change itself, and the present.
  private var versions: [[ChangeID]] {
    var result: [[ChangeID]] = []
    for change in document.changes {
      if change.parents.count > 1 { result.append(change.parents) }
      result.append([change.id])
    }
    if document.heads.count > 1 { result.append(document.heads) }
    return result
  }
}

extension PlaceChanges {
  /// Where texts were edited, and the lists and sets that something was added to, as they stand
  /// afterwards.
  fileprivate var placesOfItems: Set<JSONPointer> {
    var result: Set<JSONPointer> = []
    for place in places {
      switch (place.action, place.steps.last) {
      case (.text, _), (.memberAdded, _): result.insert(place.path)
      case (.added, .element?): result.insert(JSONPointer(place.path.tokens.dropLast()))
      case (_, _): continue
      }
    }
    return result
  }
}

extension Document {
  /// How often each element of a list or set stands there, or each line of a text that says anything.
  fileprivate func itemCounts(at path: JSONPointer) -> [DocumentNode: Int] {
    let items: [DocumentNode: Int]
    if case .text(let text)? = node(at: path) {
      items = Dictionary(
        uniqueKeysWithValues: text.lineCounts.map { (.value(.string(String($0))), $1) })
    } else if case .list(let nodes)? = node(at: path) {
      items = nodes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    } else if case .set(let members)? = node(at: path) {
      items = Dictionary(uniqueKeysWithValues: members.map { (.value($0), 1) })
    } else {
      items = [:]
    }
    return items
  }
}
