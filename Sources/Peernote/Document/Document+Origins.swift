/// A passage of a text that one change wrote.
public struct TextOrigin: Hashable, Sendable {
  /// The change that inserted the passage.
  public var change: ChangeID
  /// Where it stands, in Unicode scalars.
  public var scalars: Range<Int>
}

extension Document {
  /// Tells which change wrote each passage of a text.
  ///
  /// One walk over the whole history: O(n log n) for n operations, plus what their concurrency
  /// costs.
  ///
  /// - Returns: the passages in order, without gaps; `nil` if no text stands at the path.
  /// - Throws: ``DocumentError`` if the history contradicts itself or takes more than the limits.
  public func origins(ofTextAt path: JSONPointer) throws(DocumentError) -> [TextOrigin]? {
    guard let container = Target(path, in: file.objects)?.container(in: file.objects),
      log.containers[Int(container)].kind == .text
    else { return nil }
    let replay: Replay
    do throws(HistoryError) {
      replay = try Replay(log)
    } catch {
      throw DocumentError(error, in: log)
    }
    var origins: [TextOrigin] = []
    var position = 0
    replay.forEachRun(of: container) { first, length in
      var event = first
      while event < first + length {
        let change = log.eventCounts.change(of: event)
        let end = min(first + length, log.eventCounts.firstEvent(ofChange: change + 1))
        let scalars = position..<position + Int(end - event)
        let id = log.changeID(ofChange: change)
        if let last = origins.last, last.change == id {
          origins[origins.count - 1].scalars = last.scalars.lowerBound..<scalars.upperBound
        } else {
          origins.append(TextOrigin(change: id, scalars: scalars))
        }
        position = scalars.upperBound
        event = end
      }
    }
    return origins
  }
}
