/// What an edit may not exceed, checked before it is made.
extension ChangeEditor {
  /// How much edits add to a document.
  package struct Extent {
    /// How many operations.
    package var rows = 0
    package var events = 0
    /// How many bytes of texts, and of keys as often as they are written down.
    package var textSize = 0
    /// How many levels of containers they add below the one that they edit.
    package var depth = 0
    private(set) var contents = 0
    private(set) var containers = 0
    private(set) var weight = 0

    package init() {}

    /// Adds a content that is written so many levels below the container that is edited.
    package mutating func add(_ content: Content, depth: Int) {
      contents += 1
      weight += content.weight
      if case .container = content {
        containers += 1
        self.depth = max(self.depth, depth)
      }
    }

    /// Adds a key that is written.
    package mutating func add(key: String) {
      // It stands in the log and in the view.
      textSize += 2 * key.utf8.count
    }
  }

  /// Refuses an operation that would break a limit before any of it is noted, so that whoever
  /// catches the error can go on with the change.
  ///
  /// What can be edited can be written, and what was written can be read.
  mutating func checkLimits(
    events: Int = 1, contents: @autoclosure () -> [Content] = [], key: String = "",
    in container: ContainerIndex
  ) throws(HistoryError) {
    if isChecked { return }
    var extent = Extent()
    extent.rows = 1
    extent.events = events
    extent.add(key: key)
    for content in contents() { extent.add(content, depth: 1) }
    try check(extent, in: container)
  }

  /// Refuses edits of one text that would break a limit, before any of them is noted.
  mutating func checkLimits(
    of edits: [TextEdit], in container: ContainerIndex
  ) throws(HistoryError) {
    if isChecked { return }
    var extent = Extent()
    for edit in edits {
      let count = edit.inserted.scalarCount
      extent.rows += (count > 0 ? 1 : 0) + (edit.deleted.isEmpty ? 0 : 1)
      extent.events += count + edit.deleted.count
      extent.textSize += edit.inserted.utf8.count
    }
    try check(extent, in: container)
  }

  /// Refuses edits that would break a limit together, before any of them is noted.
  mutating func check(
    _ extent: Extent, in container: ContainerIndex
  ) throws(HistoryError) {
    let log = objects.log
    let broken =
      log.limitBroken(
        byEvents: extent.events, changes: isEmpty ? 1 : 0,
        parents: isEmpty ? log.graph.heads.count : 0)
      ?? log.limitBroken(
        inFileOf: log.leastFileSize, byEvents: extent.events, changes: isEmpty ? 1 : 0)
      ?? log.limitBroken(
        byContents: extent.contents, containers: extent.containers, weight: extent.weight)
    if let broken { throw HistoryError(broken) }
    if extent.depth > 0 {
      let above = sequence(first: container) { log.containers[$0].parent }
      let depth = above.reduce(extent.depth) { depth, _ in depth + 1 }
      if depth > Objects.depthLimit { throw HistoryError(.tooDeep) }
    }
    let size = log.fileSize + fileSize(extent)
    guard size <= log.limits.fileSize else { throw HistoryError(.tooLong) }
    if isEmpty { try objects.checkWorkOfAnotherChange() }
    objects.log.fileSize = size
  }

  /// By how many bytes edits lengthen the file, at most: contents stand in the log and in the view;
  /// text that is deleted only moves.
  private func fileSize(_ extent: Extent) -> Int {
    // More than any of them takes beside its texts, in the log and in the view together.
    let row = 64
    let content = 32
    let change = 256 + namesSize + 32 * objects.log.graph.heads.count
    return (isEmpty ? change : 0) + row * extent.rows + extent.textSize
      + content * extent.contents + 2 * extent.weight
  }
}
