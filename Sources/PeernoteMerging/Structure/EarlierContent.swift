public import PeernoteEngine

/// What stood at a contested place when those who contest it parted.
public enum EarlierContent: Hashable, Sendable {
  /// It is not known, or there is no such thing.
  case unknown
  /// This did; `nil` if nothing stood there.
  case known(DocumentNode?)

  /// The content, if it is known and there was one.
  public var node: DocumentNode? { if case .known(let node) = self { node } else { nil } }

  /// Whether it is known, be it that nothing stood there.
  public var isKnown: Bool { self != .unknown }
}

extension Document {
  /// The most versions in which somebody parted that are looked at.
  private static let partingLimit = 32

  /// Looks for what stood at contested places when those who contest them parted.
  ///
  /// That is a value, what a passage of a text read, or what something was before it was moved.
  /// Elements that were inserted on several sides were nowhere.
  ///
  /// One walk over the whole history for each version in which somebody parted, which is one for
  /// all places of one merge; after 32 of them the rest is unknown. Holds the document once more.
  ///
  /// - Parameters:
  ///   - conflicts: the places, found in this document.
  ///   - keys: what tells elements of lists apart.
  /// - Returns: what stood at each.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  public func earlierContent(
    of conflicts: [Conflict], identityKeys keys: [String] = ["id"]
  ) throws(DocumentError) -> [EarlierContent] {
    try earlierContent(of: conflicts, identityKeys: keys) { _ in true }
  }

  /// The same for some of the places; for the others it is unknown.
  package func earlierContent(
    of conflicts: [Conflict], identityKeys keys: [String], where isWanted: (Conflict) -> Bool
  ) throws(DocumentError) -> [EarlierContent] {
    var result = [EarlierContent](repeating: .unknown, count: conflicts.count)
    let places = conflicts.indices.filter { index in
      let conflict = conflicts[index]
      return isWanted(conflict) && (!conflict.isOfSeveralElements || conflict.kind == .moved)
    }
    let versions = places.map { parting(of: conflicts[$0]) }
    for version in versions.distinct.prefix(Self.partingLimit) {
      // Those who had nothing in common had nothing there.
      let parting = version.isEmpty ? nil : try at(version: version)
      var reader = EarlierContentReader(of: self, since: parting, identityKeys: keys)
      for (index, own) in zip(places, versions) where own == version {
        result[index] = reader.content(before: conflicts[index])
      }
    }
    return result
  }

  /// The version from which those parted who contest a place.
  ///
  /// Whoever edited what was removed, or moved, may have seen that since: then it is the version that
  /// was there when it was removed.
  private func parting(of conflict: Conflict) -> [ChangeID] {
    let version = commonVersion(of: conflict.writtenSides.map(\.change))
    let removals = conflict.sides.filter { $0.node == nil || conflict.kind == .moved }
    guard let removal = removals.first(where: { version == [$0.change] })?.change else {
      return version
    }
    return changes.first { $0.id == removal }?.parents ?? version
  }
}

/// Tells of contested places of a merged document what stood there before.
///
/// Fast for places in the order of the content: a text is looked at once for all its passages.
package struct EarlierContentReader {
  private let document: Document
  /// The document as it was when the copies parted.
  private let parting: Document?
  /// What tells elements of lists apart.
  private let identityKeys: [String]
  /// The text that was looked at last, and what it was before.
  private var text: (path: JSONPointer, earlier: EarlierPassage?)?

  /// Compares a merged document with what it was when the copies parted, if there was one.
  package init(of document: Document, since parting: Document?, identityKeys: [String]) {
    (self.document, self.parting, self.identityKeys) = (document, parting, identityKeys)
  }

  /// What stood at the place of a conflict; of elements inserted on several sides that is unknown, and
  /// of what was moved it is what it was then.
  package mutating func content(before conflict: Conflict) -> EarlierContent {
    if conflict.kind == .moved {
      let nodes = conflict.elements.compactMap { earlierNode(at: $0) }
      let node = nodes.first ?? earlierElement(like: conflict.kept.node)
      return node.map { .known($0) } ?? .unknown
    }
    if conflict.isOfSeveralElements { return .unknown }
    guard let scalars = conflict.scalars else { return .known(earlierNode(at: conflict.path)) }
    if text?.path != conflict.path { text = (conflict.path, earlierPassage(at: conflict.path)) }
    guard let earlier = text?.earlier else { return .known(nil) }
    return earlier.text(of: scalars).map { .known(.text($0)) } ?? .unknown
  }

  /// What stood at a place then; `nil` if nothing did.
  private func earlierNode(at path: JSONPointer) -> DocumentNode? {
    guard let parting else { return nil }
    return document.steps(to: path).flatMap { parting.node(at: $0) }
  }

  /// The element that had the identity of one then; `nil` if none had.
  private func earlierElement(like node: DocumentNode?) -> DocumentNode? {
    node.flatMap { parting?.root.element(identifiedAs: $0, identityKeys: identityKeys) }
  }

  /// The text at a place, compared with what it was then; `nil` if it was none.
  private func earlierPassage(at path: JSONPointer) -> EarlierPassage? {
    guard case .text(let later) = document.node(at: path),
      case .text(let then) = earlierNode(at: path)
    else { return nil }
    return EarlierPassage(of: later, in: then)
  }
}

/// What stood in an earlier state of a text where a passage stands now.
package struct EarlierPassage {
  /// What leads from the later text back to the earlier one.
  private let edits: [TextEdit]
  private let later: [Unicode.Scalar]

  /// Compares two states of a text; near-linear.
  package init(of later: String, in earlier: String) {
    edits = TextDifference(from: later, to: earlier).edits
    self.later = Array(later.unicodeScalars)
  }

  /// The earlier reading of a passage, in Unicode scalars of the later text; what was replaced
  /// counts as a whole.
  ///
  /// O(passage + log edits). `nil` if what stood there cannot be told from what was replaced
  /// around it, as where somebody moved it.
  package func text(of passage: Range<Int>) -> String? {
    let passage = passage.clamped(to: later.indices)
    var text = String.UnicodeScalarView()
    var place = passage.lowerBound
    let first = edits.partitionPoint { $0.deleted.upperBound >= passage.lowerBound }
    for edit in edits[first...].prefix(while: { $0.deleted.lowerBound <= passage.upperBound }) {
      let (start, end) = (edit.deleted.lowerBound, edit.deleted.upperBound)
      // What was replaced right before the passage, or right after it, is no part of it.
      let isBeside = end == passage.lowerBound || start == passage.upperBound
      if isBeside, start < end { continue }
      guard passage.lowerBound <= start, end <= passage.upperBound else { return nil }
      text.append(contentsOf: later[place..<start])
      text.append(contentsOf: edit.inserted.string.unicodeScalars)
      place = end
    }
    text.append(contentsOf: later[place..<passage.upperBound])
    return String(text)
  }
}
