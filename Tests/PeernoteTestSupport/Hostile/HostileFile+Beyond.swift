import Peernote

extension HostileFile {
  /// A file of some 15 kB in which nothing is wrong, but that takes more to check than the limits
  /// of the format allow: a text in 600 pieces is deleted by 300 at once, while somebody else
  /// counts, who has not seen it.
  ///
  /// - Throws: ``HistoryError`` if the history makes no sense.
  package static func beyondLimits() throws -> [UInt8] {
    let count = 300
    let other = Change(
      2, 1, after: [start.id], [.increment(counter: HostileChanges.counter, by: 1)])
    let typed = Change(
      1, 2, after: [start.id],
      (0..<2 * count).map { _ in .insertText(into: body, at: 4, text: "x") })
    let deletions = (0..<count).map { number in
      Change(
        UInt64(number + 3), 1, after: [typed.id], time: Int64(number),
        [.deleteText(from: body, at: 4, count: 2 * count, backward: false, text: nil)])
    }
    let log = try Log.make(from: [start, other, typed] + deletions).log
    var texts = [TextBuffer](repeating: TextBuffer(), count: log.containers.count)
    for number in texts.indices where log.containers[number].kind == .text {
      texts[number] = TextBuffer("base text")
    }
    return DocumentFile(id: id, objects: try Objects(of: log), texts: texts).bytes()
  }
}
