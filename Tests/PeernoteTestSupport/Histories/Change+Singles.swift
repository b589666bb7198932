package import Peernote

extension Change {
  /// The change with every run of events taken apart into edits of one event each.
  ///
  /// It says the same.
  package var takenApart: Change {
    var result = self
    result.edits = []
    for edit in edits {
      let first = result.edits.count
      result.edits += edit.singles { EventID(change: id, index: first + $0) }
    }
    return result
  }

  /// Everything that the change says, however its events are grouped, exact to the byte.
  package var statement: [String] {
    let remark = message.map(quoted) ?? "none"
    let header = "\(id) after \(parents) at \(time.milliseconds) by \(quoted(author)): \(remark)"
    return [header] + takenApart.edits.map { describe($0) }
  }
}

extension Edit {
  /// Edits of one event each that do the same; `event` names the n-th event of this edit.
  fileprivate func singles(event: (Int) -> EventID) -> [Edit] {
    switch self {
    case .insertText(let container, let position, let text):
      return text.unicodeScalars.enumerated().map { offset, scalar in
        .insertText(into: container, at: position + offset, text: String(scalar))
      }
    case .deleteText(let container, let position, let count, let backward, let text):
      let scalars = text.map { Array($0.unicodeScalars) }
      return (0..<count).map { index in
        let offset = backward ? count - 1 - index : index
        return .deleteText(
          from: container, at: backward ? position + offset : position, count: 1,
          backward: false, text: scalars.map { String($0[offset]) })
      }
    case .insertElements(let list, let place, let contents):
      return contents.enumerated().map { offset, content in
        let left = offset == 0 ? place.left : event(offset - 1)
        return .insertElements(
          list: list, at: ListPlace(left: left, right: place.right), contents: [content])
      }
    case .put, .remove, .putElement, .moveElement, .removeElement, .add, .discard, .increment:
      return [self]
    }
  }
}
