package import PeernoteEngine
package import PeernoteMerging

/// The history of a plain file: a document that stands beside it.
///
/// Two machines that keep one file record the same save in the same change, whatever order the file
/// and its history reach them in; see ``record(_:memory:hasCopies:)``.
package struct PlainHistory: Equatable, Sendable {
  /// The text under the key `body` at the top, and all its changes.
  ///
  /// Under `marker` may stand whether the file is to say which version it was made from, under
  /// `deleted` that the file was deleted; see ``Document/markDeleted(by:message:)``.
  /// An optional section of its file says which merged versions the plain file has shown; a merge
  /// unites those of both copies.
  package var document: Document

  private static let keys: Set<String> = ["body", "marker", Document.deletionKey]

  /// Where the text is.
  static let path = JSONPointer(["body"])

  /// The history in a document; `nil` unless that has a text under `body`, and nothing beside it.
  package init?(document: Document) {
    guard case .map(let entries) = document.root,
      entries.allSatisfy({ Self.keys.contains($0.key) }),
      case .text = document.root[Self.path]
    else { return nil }
    self.document = document
  }

  /// Starts the history of a file, under an identity that is drawn for it; throws if the text is
  /// too long.
  package init(id: UniqueID, text: String, time: Timestamp) throws(EditError) {
    document = Document(id: id)
    try document.record(time: time.ofSave) { (editor) throws(EditError) in
      try editor.putContainer(.text, at: Self.path)
      try editor.replaceText(at: Self.path, with: text)
    }
  }

  /// What the file is to hold, but for the line that says which version that is.
  package var text: String { document.bodyText }

  private static let markerPath = JSONPointer(["marker"])

  /// Whether the file is to say which version it was made from; see ``PlainFile/base``.
  package var hasMarker: Bool { document.node(at: Self.markerPath) == .value(.bool(true)) }

  /// Whether the file is to say that, or was to earlier.
  package var mayHaveMarker: Bool { document.node(at: Self.markerPath) != nil }

  /// Decides that, in a change which follows from those that are there, if it is not so already.
  package mutating func setMarker(_ isWanted: Bool) throws(EditError) {
    guard hasMarker != isWanted, let time = document.changes.map(\.time).max() else { return }
    let message = isWanted ? "says its version" : "says its version no more"
    try document.record(time: time, message: message) { (editor) throws(EditError) in
      try editor.put(.bool(isWanted), at: Self.markerPath)
    }
  }

  /// The merged versions that the file has shown, each by its heads, ascending.
  ///
  /// Versions of one head need not be kept: the document has them all. The set only grows, and
  /// says neither on which machine nor when. Setting it replaces a section, and makes no change.
  private(set) var shown: Set<[ChangeID]> {
    get {
      document.file.unknownSections.first { $0.number == ShownVersions.sectionNumber }
        .flatMap { ShownVersions($0.content) }?.versions ?? []
    }
    set {
      var section = ShownVersions()
      section.versions = newValue
      document.file.unknownSections.removeAll { $0.number == ShownVersions.sectionNumber }
      if newValue.isEmpty { return }
      document.file.unknownSections.append(
        .init(number: ShownVersions.sectionNumber, content: section.bytes()))
      document.file.unknownSections.sort { $0.number < $1.number }
    }
  }

  /// Brings in another copy of the history, which stays as it was if that fails.
  @discardableResult
  package mutating func merge(_ other: PlainHistory) throws(MergeError) -> MergeReport {
    try document.merge(other.document)
  }

  /// Whether another history may be that of the same file, started apart: both had one text once
  /// that is not empty, or one has adopted all of the other; a walk over the history for each of at
  /// most 128 versions of either.
  package func isOfOneFile(as other: PlainHistory) throws -> Bool {
    try Adoption(document, other.document).isOfOneFile()
  }

  /// Joins the history of the same file that was started apart; see ``Document/adopt(_:)``.
  package mutating func adopt(_ other: PlainHistory) throws {
    let known = shown.union(other.shown)
    try document.adopt(other.document)
    shown = known.filter(document.has)
  }

  /// Takes over that the file shows the present text.
  package mutating func noteShown() {
    let known = shown
    guard document.heads.count > 1, known.count < ShownVersions.limit else { return }
    if !known.contains(document.heads) { shown = known.union([document.heads]) }
  }
}

extension Document {
  /// The text of a tracked file.
  var bodyText: String {
    guard case .text(let text) = node(at: PlainHistory.path) else { return "" }
    return text
  }

  /// Makes a change that follows from the document, the edits and a time alone.
  ///
  /// The agent is a digest of the file that the change leads to, with all operations in it. So one
  /// name never has two contents, also where another version of this program finds other edits.
  mutating func record(
    time: Timestamp, message: String? = nil,
    _ edit: (inout Editor) throws(EditError) -> Void
  ) throws(EditError) {
    try changeAlike(by: "", at: time, message: message, edit) { draft in
      // What is known beside the changes must not have a part in the name.
      draft.removeOptionalSections()
      return AgentID(digestOf: draft.bytes())
    }
  }

  /// Whether the document has a version, by its heads.
  package func has(_ version: [ChangeID]) -> Bool {
    places(ofChanges: version).allSatisfy { $0 != nil }
  }

  /// What both sides wrote against each other in the text of a tracked file.
  var contestedPassages: [Conflict] {
    conflicts.filter { $0.kind == .passage && $0.path == PlainHistory.path && $0.scalars != nil }
  }

  /// Records that a tracked file holds a text, and settles passages as they are shown.
  ///
  /// Throws if the document would grow over its limits, or if it cannot be told whether a line of
  /// the text was redacted.
  mutating func record(
    _ text: String, settling passages: [Conflict] = [], time: Timestamp, message: String? = nil
  ) throws(EditError) {
    try record(time: time, message: message) { (editor) throws(EditError) in
      for passage in passages {
        guard let scalars = passage.scalars, case .text(let shown)? = passage.kept.node else {
          continue
        }
        try editor.settlePassage(at: PlainHistory.path, scalars: scalars, with: shown)
      }
      try editor.replaceText(at: PlainHistory.path, with: text)
    }
  }
}

extension PlainHistory {
  /// How many lines of a hundred a text has of the file's; `nil` unless it is the same, or has more
  /// than half of its lines, in their order.
  ///
  /// Lines that other files have as well, `others`, say nothing, as those of a template.
  /// `remembered` is what the file was last seen to hold; `nil` if that is not known.
  package func share(
    of text: String, remembered: String? = nil, besides others: Set<Substring> = []
  ) -> Int? {
    [self.text, remembered].compactMap { (known) -> Int? in
      guard let known else { return nil }
      if known.utf8.elementsEqual(text.utf8) { return 100 }
      let own = known.splitAtLineFeeds().filter { !$0.isBlank && !others.contains($0) }
      if own.isEmpty { return nil }
      let old: [UInt8] = own.flatMap { Array($0.utf8) + [0x0A] }
      let new: [UInt8] = Array(text.utf8) + [0x0A]
      let hunks = LineDifference(from: old, to: new).hunks.inLines(of: old, new)
      let left = hunks.reduce(own.count) { $0 - $1.old.count }
      return 2 * left > own.count ? 100 * left / own.count : nil
    }.max()
  }
}
