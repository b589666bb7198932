package import Peernote

/// What holds of every repair, whatever the copies are like.
package struct RepairLaw {
  /// What was done.
  package let repair: Repair
  /// One clause for each thing that is not as it should be.
  package private(set) var faults: [String] = []

  private let files: [[UInt8]]

  /// Repairs copies and checks the result.
  ///
  /// It is valid and canonical, and has all that sound copies have. What is said to be proven is
  /// what was written, and each other change stood in one of the copies at least. What is said to
  /// be lost is not there. Neither the order of the copies nor repairing the result makes a
  /// difference.
  ///
  /// - Parameters:
  ///   - files: the copies.
  ///   - originals: what they are damaged copies of; `nil` if nobody knows.
  ///   - sound: what some sound copies hold.
  ///   - isCut: whether nothing worse was done to the copies than to cut off their ends: then
  ///     what is left is what was written, proven or not.
  /// - Throws: what taking documents apart throws.
  package init(
    repairing files: [[UInt8]], of originals: [Document]?, sound: [Document] = [],
    isCut: Bool = false
  ) throws {
    self.files = files
    repair = Document.repair(copies: files)
    expect(Set(repair.copies.map(\.file)) == Set(files.indices), "a file is not told of")
    guard let saved = repair.document else {
      expect(sound.isEmpty, "nothing is saved of a sound copy")
      expect(!repair.isComplete, "nothing is said to be all")
      return
    }
    try check(saved, has: sound)
    let names = Set(saved.changes.map(\.id))
    expect(names.isDisjoint(with: repair.lost.map(\.id)), "what was saved is said to be lost")
    if repair.isComplete {
      expect(repair.unproven.isEmpty && repair.lost.isEmpty, "it is not all that is said to be all")
    }
    expect(
      names.isSuperset(of: repair.unproven.map(\.summary.id)),
      "what is said to be unproven is not there")
    expect(
      repair.unproven.allSatisfy { $0.witnesses > 0 }, "a change that stands in none of the copies")
    if let originals { try check(saved, isLike: originals, isCut: isCut) }
    checkAgain(saved)
  }

  private mutating func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
    if !condition { faults.append(fault()) }
  }

  /// The document is sound and holds all that sound copies do, but for deleted text that another
  /// copy has redacted.
  private mutating func check(_ saved: Document, has sound: [Document]) throws {
    let bytes = saved.bytes()
    let findings = Document.validate(bytes: bytes)
    expect(findings.isEmpty, "what was saved is not sound: \(findings)")
    expect(try Document(bytes: bytes).bytes() == bytes, "what was saved is not canonical")
    for copy in sound {
      let past = try saved.at(version: copy.heads)
      let found = try past.exportedChanges
      let wanted = try copy.exportedChanges
      let isAllThere =
        found.count == wanted.count && zip(found, wanted).allSatisfy { $0.says($1) }
      expect(isAllThere, "a sound copy's history is changed")
      // The past shows U+FFFD for what was redacted since.
      if try saved.exportedChanges.contains(where: \.isRedacted) { continue }
      expect(past.root == copy.root, "a sound copy's content is changed")
    }
  }

  /// What is proven, or all if nothing but ends were cut off, is what was written.
  private mutating func check(
    _ saved: Document, isLike originals: [Document], isCut: Bool
  ) throws {
    let unproven = Set(repair.unproven.map(\.summary.id))
    var written: [ChangeID: Change] = [:]
    for change in try originals.flatMap({ try $0.exportedChanges }) { written[change.id] = change }
    for change in try saved.exportedChanges where isCut || !unproven.contains(change.id) {
      let isWritten = written[change.id].map { change.says($0) } ?? false
      expect(isWritten, "\(change.id) is not what was written")
    }
  }

  private mutating func checkAgain(_ saved: Document) {
    let bytes = saved.bytes()
    if files.count > 1 {
      let other = Document.repair(copies: files.reversed())
      expect(other.document?.bytes() == bytes, "another order saves other things")
      expect(other.lost.elementsEqual(repair.lost), "another order loses other things")
    }
    let again = Document.repair(copies: [bytes])
    expect(
      again.isComplete && again.document?.bytes() == bytes, "repairing it again changes it")
  }
}

extension Change {
  /// Whether it deletes text that is redacted.
  fileprivate var isRedacted: Bool {
    edits.contains { $0.kind.deletesText && $0.text == nil }
  }

  /// Whether the change says the same as another one, as far as the text in both is not redacted.
  fileprivate func says(_ other: Change) -> Bool {
    var (one, other) = (takenApart, other.takenApart)
    guard one.edits.count == other.edits.count else { return false }
    let pairs = zip(one.edits, other.edits).map { one, other in
      one.isUnknownText || other.isUnknownText ? (one.wordless, other.wordless) : (one, other)
    }
    (one.edits, other.edits) = (EditList(pairs.map(\.0)), EditList(pairs.map(\.1)))
    return one == other
  }
}

extension Edit {
  /// Whether it is about a scalar that is redacted, for which U+FFFD stands in insertions.
  fileprivate var isUnknownText: Bool {
    kind == .insertText ? text?.string == "\u{FFFD}" : kind.deletesText && text == nil
  }

  /// The edit without what text it is about.
  fileprivate var wordless: Edit {
    var edit = self
    edit.text = nil
    return edit
  }
}
