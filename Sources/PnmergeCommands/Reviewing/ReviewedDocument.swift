import JSONSchema
package import Peernote
import PeernoteJSON

/// A document under review: what its file holds, what is to be decided of, and what it was when the
/// copies parted.
package struct ReviewedDocument {
  /// The file that is written in the end.
  package var file: FileName
  /// What that holds now.
  package var ours: Document
  /// The document that decisions are made of.
  package var merged: Document
  /// What the merged document was when the copies parted; `nil` if nothing is merged.
  package var parting: Document?
  /// The copies, which tell who did what; none if nothing is merged.
  package var copies: [Document] = []
  /// The document as the reader had it before it was merged; `nil` if nobody knows.
  package var mine: Document?
  /// What tells elements of lists apart.
  package var identityKeys = ContentMatching.exact.identityKeys
  /// Whether a note, or the history of a tracked file, may become something else.
  var isForced = false

  package init(_ file: FileName, ours: Document, merged: Document) {
    (self.file, self.ours, self.merged) = (file, ours, merged)
  }

  /// A merge of copies, of each of which it walks the whole history.
  init(_ file: FileName, ours: Document, with others: [Document], merged: Document) throws {
    self.init(file, ours: ours, merged: merged)
    var theirs = others.first ?? ours
    try theirs.merge(Array(others.dropFirst()))
    let parting = try file.parsing(ours.parting(from: theirs))
    // A pick of git's brings less than the whole of the other side.
    if parting.heads.allSatisfy(merged.contains) { self.parting = parting }
    copies = [ours] + others
    mine = ours
  }
}

extension Review {
  /// A document with what was decided of it, `nil` if nothing is to be done for it, and what came of
  /// the decisions.
  ///
  /// Everything outside of what was decided is as in the merge, and what was chosen stands there:
  /// that is checked before anything can be written. Throws if a place cannot be written so.
  package func settled(
    _ number: Int, by session: DocumentSession, message: String? = nil
  ) throws(Failure) -> (document: Document?, answers: Answers) {
    let reviewed = documents[number]
    var answers = answers(of: number)
    let chosen = answers.chosen
    guard let document = try settling(number, chosen, by: session, message: message) else {
      return (nil, answers)
    }
    func refusal(_ what: String, _ status: ExitStatus = .usage) -> Failure {
      Failure(status, file: reviewed.file, "decided so, \(what); nothing was written")
    }
    if !reviewed.isForced {
      if let fault = document.noteFault, reviewed.merged.noteFault == nil {
        throw refusal("/\(fault) would be nothing that a note has there")
      }
      let wasHistory =
        reviewed.file.plainFile != nil && PlainHistory(document: reviewed.merged) != nil
      if wasHistory, PlainHistory(document: document) == nil {
        throw refusal("it would be the history of a text no more")
      }
    }
    let others = document.places(changedSince: reviewed.merged, besides: chosen)
    if others.isEmpty {
      answers.open = document.conflicts(identityKeys: reviewed.identityKeys)
      return (document, answers)
    }
    let names = enumerated(others.prefix(3).map(\.path.visible))
    throw refusal(
      "\(names) would change, of which nothing was decided, which is a fault of this program",
      .damaged)
  }

  /// The content that decisions about a document lead to: those that were made unless some are given.
  func content(of number: Int, _ given: [Answer]? = nil) throws(Failure) -> DocumentNode {
    let merged = documents[number].merged
    let chosen = given ?? answers(of: number).chosen
    // What comes of it does not depend on who decides.
    let session = DocumentSession(
      agent: AgentID(digestOf: [0]), author: "", time: Timestamp(milliseconds: 0))
    return (try settling(number, chosen, by: session) ?? merged).root
  }

  /// The document with some decisions; `nil` if nothing is to be done.
  private func settling(
    _ number: Int, _ chosen: [Answer], by session: DocumentSession, message: String? = nil
  ) throws(Failure) -> Document? {
    let reviewed = documents[number]
    var document = reviewed.merged
    let shifts = chosen.compactMap(\.place.change).filter { $0.shifted != nil }
      .sorted { $0.order < $1.order }
    let shifted = Set(shifts.compactMap(\.shifted))
    do throws(EditError) {
      let change = try document.change(by: session, message: message) {
        (editor) throws(EditError) in
        for place in chosen.map(\.place) {
          if let patch = place.reversal { try editor.apply(patch) }
        }
        try editor.settle(
          chosen.compactMap(\.choice.resolution), identityKeys: reviewed.identityKeys)
        for change in shifts {
          guard let element = change.shifted else { continue }
          try editor.shift(
            element, inListAt: Array(change.steps.dropLast()), as: change.old,
            before: change.home.map { home in
              reviewed.merged.elements(ofListAt: home.parent).dropFirst(home.lastIndex)
                .filter { !shifted.contains($0) }
            })
        }
      }
      return change == nil ? nil : document
    } catch {
      throw Failure(.usage, file: reviewed.file, "\(error); nothing was written")
    }
  }

  /// The review of some documents, with what a schema would refuse at each choice if nothing else was
  /// decided.
  ///
  /// Checks the whole content once for each choice, as long as that is not too much. Throws if a
  /// history takes more than the limits, or the schema too long to check.
  init(of documents: [ReviewedDocument], checkedBy schema: Schema?) throws(Failure) {
    self = try documents[0].file.parsing(Review(of: documents))
    guard let schema else { return }
    for (number, document) in documents.enumerated() {
      let known = Set(try schema.violations(in: document.merged.root, of: document.file))
      let old = Set(try schema.violations(in: document.ours.root, of: document.file))
      let indices = places.indices.filter { places[$0].document == number }
      let count = indices.reduce(0) { $0 + places[$1].choices.count }
      let size = document.merged.root.exactJSON.bytes().count
      if count * size > Self.checkedBytes { continue }
      for index in indices {
        let place = places[index]
        for (which, choice) in place.choices.enumerated() {
          var faults: [String]
          switch Result(catching: { () throws(Failure) in
            try content(of: number, [(place, choice)])
          }) {
          case .failure(let failure): faults = [failure.message]
          case .success(let root):
            faults = try schema.violations(in: root, of: document.file)
              .filter { !known.contains($0) && !old.contains($0) }.map(\.description)
          }
          // What stands there already may be at fault.
          if place.isContested, let shown = place.shown, !shown.hasParts, choice.content == shown {
            faults += known.subtracting(old).filter { $0.place.tokens == place.path.tokens }
              .map(\.description)
          }
          places[index].choices[which].faults = faults
        }
      }
    }
  }

  /// The most bytes of content that are checked for choices.
  private static let checkedBytes = 60_000_000
}

extension PlaceChange {
  /// The order in which elements of lists are put where they are to stand if that is left out: what is
  /// inside before what it is in, and what stands first before the rest.
  fileprivate var order: (Int, Int, Int) {
    (-steps.count, home?.lastIndex ?? 0, origin ?? path.lastIndex)
  }
}

extension JSONPointer {
  /// The index of an element in its list.
  var lastIndex: Int { tokens.last.flatMap { Int($0) } ?? 0 }
}

extension Document {
  /// The places where this differs from a merge, besides those that were decided.
  fileprivate func places(
    changedSince merged: Document, besides chosen: [Review.Answer]
  ) -> [PlaceChange] {
    // The ways to what was decided with all that is inside.
    var ways: Set<[PlaceChange.Step]> = []
    // The elements of lists that were decided, wherever they stand.
    var elements: Set<PlaceChange.Step> = []
    var parts: [JSONPointer: [TextReplacement]] = [:]
    for (place, choice) in chosen {
      // Lines that moved are edited in several places of their text.
      if let scalars = place.scalars, place.conflict?.kind != .moved {
        parts[place.path, default: []].append(
          TextReplacement(scalars: scalars, text: choice.content?.string ?? ""))
      } else if let conflict = place.conflict {
        ways.formUnion(([place.path] + conflict.elements).compactMap { merged.steps(to: $0) })
        elements.formUnion(conflict.movedElements.map { .element($0) })
      } else if let change = place.change {
        ways.insert(change.steps)
      }
    }
    // In the lists of what was decided others may move.
    let outer = Set(ways.map { $0.dropLast() })
    var texts: [[PlaceChange.Step]: [TextReplacement]] = [:]
    for (path, parts) in parts {
      if let way = merged.steps(to: path) { texts[way] = parts }
    }
    return places(changedSince: merged).places.filter { change in
      let steps = change.steps
      if (0...steps.count).contains(where: { ways.contains(Array(steps.prefix($0))) }) {
        return false
      }
      if let (old, new) = change.texts, let parts = texts[steps] {
        return !TextLines(old).replacing(parts).text.utf8.elementsEqual(new.utf8)
      }
      if change.kind == .moved, outer.contains(steps.dropLast()) { return false }
      return elements.isDisjoint(with: steps)
    }
  }
}

extension DocumentNode {
  /// Whether other content stands in it.
  var hasParts: Bool {
    if case .map = self { true } else if case .list = self { true } else { false }
  }
}
