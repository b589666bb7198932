extension Document {
  /// Takes back what some changes did, with a new change; what others did since stays.
  ///
  /// The changes remain in the history. On the content as it is now:
  ///
  /// - Text that they inserted goes, as far as it still stands. Text that they alone deleted comes
  ///   back, as a new insertion where the deleted run stood.
  /// - A value that they wrote, and that is still shown, gives way to what would be shown without
  ///   them, and so does a key that they removed. What someone else wrote later stays.
  /// - A list element that they inserted goes, unless someone else wrote it or edited inside. One
  ///   that they removed comes back, the same element as before; one that they moved goes back.
  /// - A value is in a set again if it would be without them; a counter loses what they added.
  /// - A container that they created goes, unless someone else edited inside: then only what they
  ///   did inside is taken back. One that others removed, and that is shown only since they edited
  ///   inside without knowing, goes as well. One that they replaced or removed comes back as a copy
  ///   with what it would hold without them; edits to the old one, in copies that still have it,
  ///   are then reported as a conflict when they are merged.
  ///
  /// So reverting the last change leads to the content before it, passages of texts included, which
  /// stay settled, and reverting a reversal to the
  /// content before that. The same document, changes and session give the same bytes.
  ///
  /// O(n log n), and a replay of the texts from where the first of the changes began.
  ///
  /// - Parameters:
  ///   - changes: what to take back, in any order.
  ///   - session: who makes the new change, and when.
  ///   - message: an optional remark.
  /// - Returns: the new change's name; `nil` if there was nothing left to take back.
  /// - Throws: ``RevertError``; the document stays as it was.
  @discardableResult
  public mutating func revert(
    _ changes: some Sequence<ChangeID>, by session: Session, message: String? = nil
  ) throws(RevertError) -> ChangeID? {
    let changes = Array(changes)
    let shown = try textsBefore(changes)
    return try change(by: session, message: message) { (editor: inout Editor) throws(RevertError) in
      try editor.revert(changes)
      for (path, text) in shown {
        guard case .text(let now)? = editor.node(at: path), !now.utf8.elementsEqual(text.utf8)
        else { continue }
        do throws(EditError) {
          try editor.replaceText(at: path, with: text)
        } catch {
          throw .limit(reason: error.description)
        }
      }
    }
  }

  /// What texts with passages showed before the last change, if that is what is reverted: the raw
  /// text, which insertions and deletions lead back to, was never seen by anyone.
  ///
  /// O(1) where nothing was edited concurrently, else a walk over the whole history.
  private func textsBefore(
    _ changes: [ChangeID]
  ) throws(RevertError) -> [(path: JSONPointer, text: String)] {
    guard changes.count == 1, changes == heads, log.graph.chains.count > 1,
      let parents = self.changes.last(where: { $0.id == changes[0] })?.parents
    else { return [] }
    let past: Document
    do throws(DocumentError) {
      past = try at(version: parents)
    } catch {
      throw .limit(reason: error.description)
    }
    let texts = past.file.shownTexts
    return past.file.passages.keys.sorted().compactMap { container in
      past.file.objects.path(to: container).map {
        (JSONPointer($0), texts[Int(container)].string)
      }
    }
  }
}

extension Editor {
  /// Takes back what some changes did; see ``Document/revert(_:by:message:)``.
  ///
  /// - Parameter changes: what to take back; changes that were there before this one.
  /// - Throws: ``RevertError``; the closure has to pass it on, since some of it may be done.
  public mutating func revert(_ changes: some Sequence<ChangeID>) throws(RevertError) {
    try revert(editor.objects.log.events(of: changes), .all, after: [])
  }

  /// Does a part of what takes back some events, after the change that did the other part.
  mutating func revert(
    _ events: [Range<LocalVersion>], _ part: ReversalPart, after additions: [Range<LocalVersion>]
  ) throws(RevertError) {
    if events.isEmpty { return }
    do throws(ReversalError) {
      try editRaw { (editor: inout ChangeEditor) throws(ReversalError) in
        try editor.revert(events, part, after: additions)
      }
    } catch {
      switch error {
      case .redacted(let container):
        throw .redacted(editor.objects.path(to: container).map { JSONPointer($0) })
      case .history(let error): throw .limit(reason: error.reason.description)
      }
    }
  }
}

/// Why changes cannot be reverted.
public enum RevertError: Error, Hashable, Sendable {
  /// The document holds no such change.
  case noSuchChange(ChangeID)
  /// Text that the changes deleted was redacted, here if the text is shown at all.
  case redacted(JSONPointer?)
  /// The changes edited a text that others wrote against, and something in the document is redacted,
  /// so that not everybody would take them back alike.
  case contested
  /// The document would grow larger or deeper than the limits, or its history contradicts itself.
  case limit(reason: String)
}

extension RevertError: CustomStringConvertible {
  /// The reason in one clause.
  public var description: String {
    switch self {
    case .noSuchChange(let change): "there is no change \(change)"
    case .redacted(let path):
      (path.map { "\($0): " } ?? "") + "text that was deleted is redacted and cannot come back"
    case .contested:
      "what is contested cannot be taken back alike by all, since text is redacted; resolve it first"
    case .limit(let reason): reason
    }
  }
}

extension Log {
  /// The events of some changes, as ascending ranges that don't touch.
  ///
  /// O(chains + c log n) for c changes.
  ///
  /// - Throws: ``RevertError/noSuchChange(_:)``.
  func events(
    of changes: some Sequence<ChangeID>
  ) throws(RevertError) -> [Range<LocalVersion>] {
    let names = ChangeNumbers(self)
    var found: [Range<LocalVersion>] = []
    for id in changes {
      guard let change = names[id], change < eventCounts.changeCount else {
        throw .noSuchChange(id)
      }
      found.append(eventCounts.events(ofChange: change))
    }
    return [].union(found)
  }
}
