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
      result.a += skipped
      result.b += skipped
    case .deleteForward:
      result.b += skipped
    case .deleteBackward:
      result.a += left
      result.b += skipped
      if result.length == 1 { result.kind = .deleteForward }
    case .insertElements:
      if skipped > 0 { result.a = part.lowerBound - 1 }
      result.c += skipped
    case .put, .remove, .putElement, .moveElement, .removeElement, .add, .discard, .increment:
      preconditionFailure("operations of these kinds are one event long")
    }
    return result
  }

  /// Takes in as many events of the operation that follows as can be written in one run with this
  /// one.
  ///
  /// Events are joined greedily, one after the other, inside a chain: so the runs of a log depend
  /// on its events alone, not on how they were grouped when they were made. A single deletion has
  /// no direction; the event after it decides.
  ///
  /// - Returns: how many events of `next` were taken in: none, one, or all.
  package mutating func take(from next: Operation) -> Int32 {
    guard next.first == end, next.container == container else { return 0 }
    var taken = next.length
    switch kind {
    case .insertText:
      guard next.kind == .insertText, next.a == a + length else { return 0 }
    case .insertElements:
      guard next.kind == .insertElements, next.a == end - 1, next.b == b, next.c == c + length
      else { return 0 }
    case .deleteForward, .deleteBackward:
      guard next.kind.deletesText else { return 0 }
      let position = next.kind == .deleteBackward ? next.a + next.length - 1 : next.a
      if kind == .deleteForward, position == a {
        if next.kind == .deleteBackward { taken = 1 }
      } else if position == a - 1, kind == .deleteBackward || length == 1 {
        if next.kind == .deleteForward { taken = 1 }
        kind = .deleteBackward
        a = position - (taken - 1)
      } else {
        return 0
      }
    case .put, .remove, .putElement, .moveElement, .removeElement, .add, .discard, .increment:
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
