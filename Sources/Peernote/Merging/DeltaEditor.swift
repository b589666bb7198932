/// Makes the edits of another copy's change at the heads of a document.
///
/// Only those that mean here what they say: positions in texts, keys, members and counters. What
/// moves elements of lists about, or says that deleted text is redacted, is left to a merge.
enum DeltaEditor {
  /// Why an edit is not made: it needs a closer look.
  struct Refusal: Error {}

  static func make(_ edit: Edit, _ editor: inout ChangeEditor) throws(Refusal) {
    do throws(HistoryError) {
      guard try isMade(edit, by: &editor) else { throw HistoryError(.unknownElement) }
    } catch {
      throw Refusal()
    }
  }

  private static func isMade(
    _ edit: Edit, by editor: inout ChangeEditor
  ) throws(HistoryError) -> Bool {
    switch edit {
    case .insertText(let container, let position, let text):
      guard let number = number(of: container, .text, editor),
        position <= editor.texts[number].scalarCount
      else { return false }
      try editor.insertText(TextBuffer(text), into: number, at: position)
    case .deleteText(let container, let position, let count, let backward, let text):
      guard let number = number(of: container, .text, editor), !backward || count == 1, let text,
        position + count <= editor.texts[number].scalarCount
      else { return false }
      let buffer = editor.texts[number]
      let from = buffer.place(ofScalar: position)
      let to = buffer.place(ofScalar: position + count, from: from)
      guard buffer.utf8[from.byte..<to.byte].elementsEqual(text.utf8) else { return false }
      try editor.deleteText(position..<position + count, from: number)
    case .put(let container, let key, let content):
      guard let number = number(of: container, .map, editor) else { return false }
      try editor.put(map: number, key: key, content: content)
    case .remove(let container, let key):
      guard let number = number(of: container, .map, editor) else { return false }
      try editor.remove(map: number, key: key)
    case .add(let container, let value):
      guard let number = number(of: container, .set, editor) else { return false }
      try editor.add(value, toSet: number)
    case .discard(let container, let value):
      guard let number = number(of: container, .set, editor) else { return false }
      try editor.discard(value, fromSet: number)
    case .increment(let container, let amount):
      guard let number = number(of: container, .counter, editor) else { return false }
      try editor.increment(number, by: amount)
    case .insertElements, .putElement, .moveElement, .removeElement:
      return false
    }
    return true
  }

  /// The number of a container of a kind; `nil` if there is none.
  private static func number(
    of container: ContainerID, _ kind: ContainerKind, _ editor: ChangeEditor
  ) -> ContainerIndex? {
    let log = editor.objects.log
    guard let number = log.containerNumber(of: container), log.containers[number].kind == kind
    else {
      return nil
    }
    return number
  }
}
