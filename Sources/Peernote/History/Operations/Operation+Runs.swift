extension Operation {
  /// The operation's part that covers some of its events.
  ///
  /// Precondition: `part` is not empty and lies in `events`.
  @inline(__always)
  package func slice(_ part: Range<LocalVersion>) -> Operation {
    part == events ? self : cut(to: part)
  }

  private func cut(to part: Range<LocalVersion>) -> Operation {
    let skipped = part.lowerBound - first
    let left = end - part.upperBound
    var result = self
    result.first = part.lowerBound
    result.length = part.upperBound - part.lowerBound
    switch kind {
    case .insertText:
      result.position += skipped
      result.firstScalar += skipped
    case .deleteForward:
      result.firstScalar += skipped
    case .deleteBackward:
      result.position += left
      result.firstScalar += skipped
      if result.length == 1 { result.kind = .deleteForward }
    default:
      precondition(kind == .insertElements, "operations of other kinds are one event long")
      if skipped > 0 { result.left = Neighbour(part.lowerBound - 1) }
      result.content += skipped
    }
    return result
  }

  /// Takes in as many events of the operation that follows as can be written in one run with this
  /// one: none, one, or all.
  ///
  /// Events are joined greedily, one after the other, inside a chain: so the runs of a log depend
  /// on its events alone, not on how they were grouped when they were made. A single deletion has
  /// no direction; the event after it decides.
  package mutating func take(from next: Operation) -> Int32 {
    guard next.first == end, next.container == container else { return 0 }
    var taken = next.length
    switch kind {
    case .insertText:
      guard next.kind == .insertText, next.position == position + length else { return 0 }
    case .insertElements:
      guard next.kind == .insertElements, next.left == Neighbour(end - 1), next.right == right,
        next.content == content + length
      else { return 0 }
    case .deleteForward, .deleteBackward:
      guard next.kind.deletesText else { return 0 }
      let last = next.kind == .deleteBackward ? next.position + next.length - 1 : next.position
      if kind == .deleteForward, last == position {
        if next.kind == .deleteBackward { taken = 1 }
      } else if last == position - 1, kind == .deleteBackward || length == 1 {
        if next.kind == .deleteForward { taken = 1 }
        kind = .deleteBackward
        position = last - (taken - 1)
      } else {
        return 0
      }
    default:
      precondition(!kind.isRun, "all kinds of runs are joined")
      return 0
    }
    length += taken
    return taken
  }

  /// Whether ``take(from:)`` would take in some events of the operation that follows.
  package func joins(_ next: Operation) -> Bool {
    var copy = self
    return copy.take(from: next) > 0
  }
}
