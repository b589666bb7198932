/// Finds text that one side moved, and the other one deleted, whole or in part, where it was.
///
/// What was moved was deleted and inserted anew, and so stands there whole. That is right for who moved
/// it, and undoes what the other one deleted; so it is reported where the moved text stands.
enum MovedText {
  /// Less text stands at several places by chance, unless it is a whole line.
  private static let leastBytes = 12
  /// A line with its line feed.
  private static let leastLine = 4
  /// As many bytes of insertions are looked through; to pass one over counts as a few.
  private static let effort = 1 << 18
  private static let passing = 16

  /// One overlap for each such text.
  ///
  /// O(parts), and for places where both sides deleted something the text of insertions that are as
  /// long, up to a limit.
  static func find(in merge: MergedText) -> [Overlap] {
    guard merge.indices.contains(where: { merge.role($0) == .commonDeletion }) else { return [] }
    let insertions = merge.indices.filter { index in
      if case .insertion = merge.role(index) {
        merge.bytes(index).count >= leastLine
      } else {
        false
      }
    }
    if insertions.isEmpty { return [] }
    var result: [Overlap] = []
    var left = effort
    var (index, done) = (0, 0)
    while index < merge.indices.upperBound, left > 0 {
      guard merge.role(index) == .commonDeletion else {
        index += 1
        continue
      }
      // Parts that follow each other have different roles, so that no more than one stands before it.
      var first = index
      if index > done, case .deletion = merge.role(index - 1) { first -= 1 }
      let deletion = deletion(in: merge, from: first)
      index = max(deletion.parts.upperBound, index + 1)
      done = index
      let (leftCount, sharedCount) = (deletion.left.byteCount, deletion.shared.byteCount)
      if max(leftCount, sharedCount) < leastLine { continue }
      for insertion in insertions {
        guard case .insertion(let isOurs) = merge.role(insertion) else { continue }
        let pieces = deletion.byOurs == isOurs ? deletion.left : deletion.shared
        let count = deletion.byOurs == isOurs ? leftCount : sharedCount
        let bytes = merge.bytes(insertion)
        left -= passing
        guard left > 0 else { break }
        let isLine = pieces.contains { $0.contains(0x0A) }
        if count < (isLine ? leastLine : leastBytes) || bytes.count + 4 < count { continue }
        left -= bytes.count
        if let found = place(of: pieces, in: merge.text[bytes]),
          count >= leastBytes || merge.isLines(found)
        {
          result.append(
            merge.overlap(
              moved: found, in: insertion, byOurs: isOurs,
              leaving: deletion.byOurs == isOurs ? pieces : []))
          break
        }
      }
    }
    return result
  }

  /// Text that both sides deleted, and with it what one of them deleted of what adjoins it.
  private struct Deletion {
    var parts: Range<Int>
    /// Which side deleted more; `nil` if none did.
    var byOurs: Bool?
    /// What the other side left of that, piece by piece.
    var left: [ArraySlice<UInt8>] = []
    /// What both deleted, piece by piece.
    var shared: [ArraySlice<UInt8>] = []
  }

  /// The deletion by one side that begins with a part, as far as it goes without a break.
  private static func deletion(in merge: MergedText, from first: Int) -> Deletion {
    var result = Deletion(parts: first..<first)
    var end = first
    loop: while end < merge.indices.upperBound {
      switch merge.role(end) {
      case .commonDeletion: result.shared.append(merge.hiddenText(end))
      case .deletion(let ours):
        if let byOurs = result.byOurs, byOurs != ours { break loop }
        result.byOurs = ours
        result.left.append(merge.hiddenText(end))
      case .kept, .insertion: break loop
      }
      end += 1
    }
    result.parts = first..<end
    return result
  }

  /// Where some pieces stand in a text one after the other, from the first to the last.
  private static func place(
    of pieces: [ArraySlice<UInt8>], in text: ArraySlice<UInt8>
  ) -> Range<Int>? {
    var start: Int?
    var place = text.startIndex
    for piece in pieces {
      // Line feeds at the borders belong to one place or the other.
      let words = Array(piece.trimmingLineFeeds)
      if words.isEmpty { continue }
      guard let found = text[place...].place(of: words) else { return nil }
      start = start ?? found.lowerBound
      place = found.upperBound
    }
    return start.map { $0..<place }
  }
}

extension MergedText {
  /// Whether bytes of the merged text are whole lines.
  fileprivate func isLines(_ bytes: Range<Int>) -> Bool {
    (bytes.lowerBound == 0 || text[bytes.lowerBound - 1] == 0x0A)
      && (bytes.upperBound == text.count || text[bytes.upperBound] == 0x0A)
  }

  /// Reports text that was moved into an insertion, and what the other side left of it.
  fileprivate func overlap(
    moved bytes: Range<Int>, in insertion: Int, byOurs: Bool, leaving left: [ArraySlice<UInt8>]
  ) -> Overlap {
    // Whole lines, as far as they were moved along.
    let all = self.bytes(insertion)
    let start =
      text[all.lowerBound..<bytes.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? all.lowerBound
    let end = text[bytes.upperBound..<all.upperBound].firstIndex(of: 0x0A) ?? all.upperBound
    let scalar = self.scalar(insertion) + Self.scalarCount(text[all.lowerBound..<start])
    let moved = String(decoding: text[start..<end], as: UTF8.self)
    let rest = String(decoding: Array(left.joined())[...].trimmingLineFeeds, as: UTF8.self)
    return Overlap(
      reason: .deletion, merged: scalar..<scalar + Self.scalarCount(text[start..<end]), line: 0,
      mergedPassage: moved, oursPassage: byOurs ? moved : rest, theirsPassage: byOurs ? rest : moved
    )
  }
}

extension [ArraySlice<UInt8>] {
  fileprivate var byteCount: Int { reduce(0) { $0 + $1.count } }
}

extension ArraySlice<UInt8> {
  /// Where some bytes, of which there are any, stand first.
  fileprivate func place(of bytes: [UInt8]) -> Range<Int>? {
    var start = startIndex
    while start + bytes.count <= endIndex {
      guard let next = self[start...].firstIndex(of: bytes[0]), next + bytes.count <= endIndex
      else {
        return nil
      }
      if self[next..<next + bytes.count].elementsEqual(bytes) { return next..<next + bytes.count }
      start = next + 1
    }
    return nil
  }

  /// Without the line feeds at its borders.
  fileprivate var trimmingLineFeeds: ArraySlice<UInt8> {
    let start = firstIndex { $0 != 0x0A } ?? endIndex
    let end = lastIndex { $0 != 0x0A }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}
