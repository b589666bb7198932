/// A document: its identity and every change ever made to it.
///
/// A value. Copies of a document that were changed apart are brought together by
/// ``merge(_:after:)``; no edit is lost, and whoever merges gets the same bytes.
public struct Document: Sendable {
  package var file: DocumentFile
  /// In a version that is made for content which comes back: what its texts show for each scalar
  /// that was redacted since, if anything was.
  package var redactionMarker: Unicode.Scalar?

  package init(_ file: DocumentFile) {
    self.file = file
  }

  /// A new document without any change.
  ///
  /// - Parameter id: its identity, by which copies of it are known; a random one if none is given.
  public init(id: UniqueID = .random()) {
    file = DocumentFile(id: id, objects: .empty, texts: [TextBuffer()])
  }

  /// Reads a file.
  ///
  /// O(n log n) for n bytes.
  ///
  /// Checks everything but whether the history of each text leads to the text that the file shows.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - other: another copy of the document that has been read. What both have in common is then
  ///     read once, which is faster and changes nothing else.
  /// - Throws: ``DocumentError`` with the place of the first fault.
  public init(bytes: [UInt8], beside other: Document? = nil) throws(DocumentError) {
    file = try DocumentFile(bytes, beside: other?.file)
  }

  /// Reads a file under other limits than those of the format, which edits and merges then keep.
  package init(bytes: [UInt8], limits: Limits) throws(DocumentError) {
    file = try DocumentFile(bytes, limits: limits)
  }

  /// The bytes of the file: the same for the same identity and changes, on any machine.
  ///
  /// O(n log n).
  public func bytes() -> [UInt8] { file.bytes() }

  /// Reads what was written of the document, and returns how many of its bytes had to be decoded for
  /// that; `nil` if it cannot be read or says something else; see ``DocumentFile/readBack(_:)``.
  package func readBack(_ bytes: [UInt8]) -> Int? { try? file.readBack(bytes) }

  /// The document's identity.
  public var id: UniqueID { file.id }

  /// The changes that no other change follows, ascending.
  public var heads: [ChangeID] { log.headChanges }

  package var changeCount: Int { log.changeCount }

  package var eventCount: Int { log.eventCount }

  /// All changes, each after its parents, in the order of the file.
  ///
  /// O(1); a change is described when it is looked at.
  public var changes: ChangeList { ChangeList(of: log) }

  /// Whether the document holds a change.
  ///
  /// O(chains + agents).
  public func contains(_ change: ChangeID) -> Bool {
    change.sequence > 0 && change.sequence <= changeCount(of: change.agent)
  }

  /// The changes that another document lacks, in order; O(n log n).
  package func changes(missingIn other: Document) -> [ChangeSummary] {
    let known = ChangeNumbers(other.log)
    return changes.filter { known[$0.id] == nil }
  }

  /// The names of another document's changes that this one holds, too, in order; O(n log n).
  package func changes(sharedBy other: Document) -> [ChangeID] {
    let known = ChangeNumbers(log)
    return other.changes.map(\.id).filter { known[$0] != nil }
  }

  package var log: Log {
    _read { yield file.objects.log }
  }
}

extension Document: Equatable {
  /// Whether two are written as the same bytes: the same changes of one document, with the same
  /// redacted.
  ///
  /// O(heads) if their versions differ; else O(size).
  public static func == (left: Document, right: Document) -> Bool {
    left.id == right.id && left.heads == right.heads && left.bytes() == right.bytes()
  }
}
