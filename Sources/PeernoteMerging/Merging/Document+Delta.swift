public import PeernoteEngine

/// Why a delta cannot be applied.
///
/// The document was not changed.
public enum DeltaError: Error, Hashable, Sendable {
  /// The bytes are no sound delta, or what it says contradicts the document.
  case damaged(DocumentError)
  /// The delta builds on these changes, which the document lacks: ask for a delta since the
  /// document's ``Document/heads``, or for the file.
  case missingChanges([ChangeID])
  /// The document has another identity, or says other things under the same names.
  case merge(MergeError)
}

extension DeltaError: CustomStringConvertible {
  /// The reason in one clause.
  public var description: String {
    switch self {
    case .damaged(let error): error.description
    case .missingChanges(let changes):
      "the delta builds on \(changes.count) changes that are missing here, such as "
        + (changes.first?.description ?? "")
    case .merge(let error): error.description
    }
  }
}

extension Document {
  /// The changes that a version lacks, by themselves, to be sent to who has that version.
  ///
  /// A keystroke takes about 100 bytes, however large the document is. Changes of the version that
  /// the document doesn't have are passed over: so the heads of any other copy will do.
  ///
  ///     let delta = try document.delta(since: sent)
  ///
  /// O(size of the changes) if nothing is concurrent with them and no text of theirs was edited
  /// again inside, as when somebody types; else one walk over the whole history. That deleted text
  /// was redacted is no change, and is not told of; send the file instead.
  ///
  /// - Parameter version: the heads of the version.
  /// - Returns: the bytes of a delta; see peernote(5).
  /// - Throws: ``DocumentError`` if the history does not lead to the document's texts, or takes more
  ///   than the limits.
  public func delta(since version: [ChangeID]) throws(DocumentError) -> [UInt8] {
    let places = numbers(ofChangesSince: version)
    guard let first = places.first else { return DeltaWriter.bytes(of: [Change](), in: id) }
    if first.number + places.count == log.changeCount, let text = insertedText(from: first) {
      let changes = log.changes(insertedText: text)
      return DeltaWriter.bytes(of: places.lazy.map { changes[$0.number] }, in: id)
    }
    let changes = try exportedChanges
    return DeltaWriter.bytes(of: places.lazy.map { changes[$0.number] }, in: id)
  }

  /// Brings in the changes of a delta, as if a copy with them, and with all that they follow, had
  /// been merged.
  ///
  /// All or nothing, in any order, and as often as you like. A change that follows everything there
  /// is, and edits no list's order, costs what it says; others cost a few walks over the history
  /// and a merge.
  ///
  ///     let report = try copy.apply(delta)
  ///
  /// - Parameter delta: the bytes that ``delta(since:)`` gave for another copy.
  /// - Returns: what came in and was decided.
  /// - Throws: ``DeltaError``; the document stays as it was.
  @discardableResult
  public mutating func apply(_ delta: [UInt8]) throws(DeltaError) -> MergeReport {
    let reader: DeltaReader
    do throws(DocumentError) {
      reader = try DeltaReader(delta, limits: log.limits)
    } catch {
      throw .damaged(error)
    }
    guard reader.id == id else { throw .merge(.differentDocument(ours: id, theirs: reader.id)) }
    return try bringIn(reader.changes)
  }

  /// Brings in changes that follow each other, or changes that are here, as ``apply(_:)`` does.
  @discardableResult
  package mutating func bringIn(_ changes: [Change]) throws(DeltaError) -> MergeReport {
    try checkReferences(of: changes)
    if changes.isEmpty { return MergeReport(result: .behind) }
    if changes.count == 1, let report = follow(with: changes[0]) { return report }
    let theirs = try document(with: changes)
    do throws(MergeError) {
      return try merge(theirs)
    } catch {
      throw .merge(error)
    }
  }

  // MARK: Writing

  /// All inserted text as far as the last changes inserted it, the rest as if it were redacted;
  /// `nil` if they are concurrent with others, or edited a text again inside what they inserted.
  ///
  /// Follows each insertion to where its text stands now. O(operations of the changes, squared, of
  /// which there may be ``followedOperations``).
  private func insertedText(from first: ChangeIndex) -> InsertedText? {
    let start = log.eventCounts.firstEvent(ofChange: first)
    let events = start..<log.graph.end
    guard log.graph.heads == [events.upperBound - 1] else { return nil }
    for chain in log.graph.chains.indices.reversed() {
      let range = log.graph.chains[chain]
      guard range.start >= start else { break }
      if log.graph.parents(ofChain: chain) != (range.start == .first ? [] : [range.start - 1]) {
        return nil
      }
    }
    var operations: [Operation] = []
    log.forEachOperation(in: events) { operations.append($0) }
    guard operations.count <= Self.followedOperations else { return nil }
    let firstInsertion = operations.first { $0.kind == .insertText }?.firstScalar
    var text = DeletedText()
    text.appendRedacted(firstInsertion ?? log.insertedScalarCount)
    for (index, operation) in operations.enumerated() where operation.kind == .insertText {
      let position = Int(operation.position)
      var range = position..<position + Int(operation.length)
      for later in operations[(index + 1)...]
      where later.container == operation.container && later.kind.editsText {
        guard let moved = later.moving(range) else { return nil }
        range = moved
      }
      let buffer = file.texts[operation.container]
      let from = buffer.place(ofScalar: range.lowerBound)
      text.append(buffer, from: from, to: buffer.place(ofScalar: range.upperBound, from: from))
    }
    return InsertedText(text)
  }

  /// The most operations whose text is followed from one to the next.
  private static let followedOperations = 64

  // MARK: Applying

  /// Refuses changes that build on what neither the document nor they themselves hold.
  private func checkReferences(of changes: [Change]) throws(DeltaError) {
    let brought = Set(changes.map(\.id))
    let numbers = ChangeNumbers(log)
    let missing = Set(changes.flatMap(\.parents)).filter {
      !brought.contains($0) && numbers[$0] == nil
    }
    if !missing.isEmpty { throw .missingChanges(missing.sorted()) }
  }

  /// Makes a change that follows everything there is, as its author did; `nil`, and nothing is
  /// done, if it does not, or has to be looked at more closely.
  private mutating func follow(with change: Change) -> MergeReport? {
    guard change.parents == heads, changeCount > 0,
      change.id.sequence == changeCount(of: change.id.agent) + 1
    else { return nil }
    let session = DocumentSession(agent: change.id.agent, author: change.author, time: change.time)
    let end = log.graph.end
    do throws(HistoryError) {
      try self.change(by: session, message: change.message) {
        (editor: inout Editor) throws(HistoryError) in
        try editor.editRaw { (editor: inout ChangeEditor) throws(HistoryError) in
          for edit in change.edits { try editor.make(edit) }
        }
      }
    } catch {
      return nil
    }
    return MergeReport(
      result: .fastForward, newChanges: ChangeList(of: log, in: [end..<log.graph.end]))
  }

  /// The document that holds the changes of a delta and what they build on.
  private func document(with changes: [Change]) throws(DeltaError) -> Document {
    do {
      let brought = Set(changes.map(\.id))
      let base = changes.flatMap(\.parents).filter { !brought.contains($0) }
      let known = try exportedChanges
      let places = try placesOfChanges(upTo: base)
      let all = places.lazy.map { known[$0] } + changes
      let (log, text) = try Log.make(from: Array(all), limits: log.limits)
      let insertedText = InsertedText(text)
      let replay = try Replay(log)
      guard replay.deletedText(insertedText: insertedText).agrees(with: log.deletedText) else {
        throw HistoryError(.deletionsDisagree)
      }
      var made = try DocumentFile(id: id, log: log, replay: replay, insertedText: insertedText)
      try made.checkLimits()
      return Document(made)
    } catch let error as HistoryError {
      throw .damaged(DocumentError(error, section: .delta))
    } catch let error as DocumentError {
      throw .damaged(error)
    } catch {
      preconditionFailure("building a document throws no other errors: \(error)")
    }
  }
}

extension Operation {
  /// Where scalars of a text are after this edit of it; `nil` if it edited something inside.
  fileprivate func moving(_ range: Range<Int>) -> Range<Int>? {
    let (place, count) = (Int(position), Int(length))
    if kind == .insertText, place <= range.lowerBound {
      return range.lowerBound + count..<range.upperBound + count
    }
    if kind.deletesText, place + count <= range.lowerBound {
      return range.lowerBound - count..<range.upperBound - count
    }
    return place >= range.upperBound ? range : nil
  }
}

extension DeletedText {
  /// Whether another says the same where it says anything.
  fileprivate func agrees(with other: DeletedText) -> Bool {
    guard count == other.count else { return false }
    var union = DeletedTextUnion()
    union.append(count, of: .both)
    return union.united(self, other) != nil
  }
}

extension ChangeEditor {
  /// Makes an edit of another copy's change at the heads of a document, or throws if it needs a
  /// closer look.
  ///
  /// Only one that means here what it says: of positions in texts, keys, members and counters. What
  /// moves elements of lists about, or says that deleted text is redacted, is left to a merge.
  fileprivate mutating func make(_ edit: Edit) throws(HistoryError) {
    let log = objects.log
    guard let number = log.containerNumber(of: edit.container),
      log.containers[number].kind == edit.kind.containerKind
    else { throw HistoryError(.unknownElement) }
    switch (edit.kind, edit.contents.first) {
    case (.insertText, _), (.deleteForward, _), (.deleteBackward, _):
      let isInsertion = edit.kind == .insertText
      let end = edit.position + (isInsertion ? 0 : edit.count)
      guard let text = edit.text.map({ TextBuffer($0.string) }),
        end <= texts[number].scalarCount, edit.kind != .deleteBackward || edit.count == 1,
        isInsertion
          || texts[number].string(ofScalars: edit.position..<end).utf8
            .elementsEqual(text.utf8)
      else { throw HistoryError(.unknownElement) }
      try spliceText(
        edit.position..<end, of: number, with: isInsertion ? text : TextBuffer())
    case (.put, let content?): try put(map: number, key: edit.key.string, content: content)
    case (.remove, _): try remove(map: number, key: edit.key.string)
    case (.add, .value(let value)?): try add(value, toSet: number)
    case (.discard, .value(let value)?): try discard(value, fromSet: number)
    case (.increment, .value(.integer(let amount))?): try increment(number, by: amount)
    case (_, _): throw HistoryError(.unknownElement)
    }
  }
}
