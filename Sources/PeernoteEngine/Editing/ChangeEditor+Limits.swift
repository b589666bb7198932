/// What an edit may not exceed, checked before it is made.
extension ChangeEditor {
  /// Refuses an operation that would break a limit before any of it is noted, so that whoever
  /// catches the error can go on with the change.
  ///
  /// What can be edited can be written, and what was written can be read.
  mutating func checkLimits(
    events: Int = 1, contents: [Content] = [], key: String = "", textSize: Int = 0,
    in container: Int32
  ) throws(HistoryError) {
    let log = objects.log
    let broken =
      log.limitBroken(
        byEvents: events, changes: isEmpty ? 1 : 0, parents: isEmpty ? log.graph.heads.count : 0)
      ?? log.limitBroken(byContents: contents)
    if let broken { throw HistoryError(broken) }
    let createsContainer = contents.contains { content in
      if case .container = content { true } else { false }
    }
    guard !createsContainer || log.depth(of: container) < Objects.depthLimit else {
      throw HistoryError(.tooDeep)
    }
    let size = fileSize(contents: contents, key: key, textSize: textSize)
    guard size <= log.limits.fileSize else { throw HistoryError(.tooLong) }
    if isEmpty { try objects.checkWorkOfAnotherChange() }
    objects.log.fileSize = size
  }

  /// At most so many bytes does the file take after an edit.
  ///
  /// Contents and keys stand in the log and in the view. Text that is deleted only moves.
  private func fileSize(contents: [Content], key: String, textSize: Int) -> Int {
    // More than any of them takes beside its texts, in the log and in the view together.
    let row = 64
    let content = 32
    let change = 256 + namesSize + 32 * objects.log.graph.heads.count
    return contents.reduce(
      objects.log.fileSize + (isEmpty ? change : 0) + row + textSize + 2 * key.utf8.count
    ) { $0 + content + 2 * $1.weight }
  }
}

extension Log {
  /// How deep a container stands, the root being 1.
  ///
  /// O(depth).
  fileprivate func depth(of container: Int32) -> Int {
    var depth = 1
    var above = containers[Int(container)].parent
    while above >= 0 {
      depth += 1
      above = containers[Int(above)].parent
    }
    return depth
  }
}
