package import Peernote

extension Change {
  /// The change with every run of events taken apart into edits of one event each.
  ///
  /// It says the same.
  package var takenApart: Change {
    var singles: [Edit] = []
    for edit in edits {
      let first = singles.count
      singles += edit.singles { EventID(change: id, index: first + $0) }
    }
    var result = self
    result.edits = EditList(singles)
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
    let scalars = text.map { Array($0.string.unicodeScalars) }
    return (0..<count).map { number in
      var single = self
      single.count = 1
      let offset = kind == .deleteBackward ? count - 1 - number : number
      if let scalars { single.text = .init(String(scalars[offset])) }
      switch kind {
      case .insertText: single.position += number
      case .deleteForward: break
      case .deleteBackward: (single.kind, single.position) = (.deleteForward, position + offset)
      case .insertElements:
        if number > 0 { single.place.left = event(number - 1) }
        single.contents = [contents[number]]
      case .put, .remove, .putElement, .moveElement, .removeElement, .add, .discard, .increment:
        break
      }
      return single
    }
  }
}
