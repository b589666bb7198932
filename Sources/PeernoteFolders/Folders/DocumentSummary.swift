package import PeernoteEngine
import PeernoteMerging

/// What a list of documents shows of one, and what tells its state.
package struct DocumentSummary: Hashable, Sendable {
  package var id: UniqueID
  /// The SHA-256 that ends the file.
  ///
  /// Copies of a document with the same one are the same, to the byte.
  package var checksum: [UInt8]
  /// The title of a note, or of anything that has one at its top.
  package var title: String?
  /// The texts in the set `tags` at the top, in the order of the file.
  package var tags: [String]
  /// The text at `priority` at the top; `nil` if there is none.
  package var priority: String?
  /// When the document was started: the time of its first change.
  package var created: Timestamp
  /// The latest time of a head; 1970 for a document without changes.
  package var changed: Timestamp
  /// Who made that change; may be empty.
  ///
  /// Where that only took off a mark of a deletion that did not count any more, who made the latest
  /// edit before.
  package var author: String
  /// How many conflicts nobody has settled.
  package var conflictCount: Int
  /// What has become of a mark that the document is deleted; `nil` if there is none.
  package var deletion: Deletion?

  /// A mark that a document is deleted.
  package struct Deletion: Hashable, Sendable {
    /// Whether the document counts as deleted: nobody has changed it since, or without knowing of
    /// the mark.
    package var isCurrent: Bool
    /// Who made the mark; may be empty.
    package var author: String
    /// When.
    package var time: Timestamp
  }
}

extension DocumentSummary {
  /// Reads a file.
  ///
  /// O(n log n) for n bytes. Throws the first fault with its place.
  package init(bytes: [UInt8]) throws(DocumentError) {
    self.init(of: try Document(bytes: bytes), checksum: Array(bytes.suffix(32)))
  }

  /// Sums up a document whose file ends with these bytes.
  package init(of document: Document, checksum: [UInt8]) {
    let root = document.root
    let head = document.headChanges.max(by: Self.isEarlier)
    let start = Timestamp(milliseconds: 0)
    self.init(
      id: document.id, checksum: checksum, title: root.title, tags: root["tags"]?.texts ?? [],
      priority: root["priority"]?.string, created: document.changes.first?.time ?? start,
      changed: head?.time ?? start, author: Self.author(of: head, in: document),
      conflictCount: document.conflicts.count, deletion: document.deletion)
  }

  private static func isEarlier(_ left: ChangeSummary, than right: ChangeSummary) -> Bool {
    (left.time, left.id) < (right.time, right.id)
  }

  /// Who made the last change, or what was edited before it if that took off a mark only.
  private static func author(of head: ChangeSummary?, in document: Document) -> String {
    guard let head, document.isWithdrawal(head) else { return head?.author ?? "" }
    return document.edits(before: head).max(by: isEarlier)?.author ?? ""
  }
}
