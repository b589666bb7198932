/// Finds text that one side moved, and the other one deleted a part of where it was.
///
/// What was moved was deleted and inserted anew, and so stands there whole. That is right for who moved
/// it, and undoes what the other one deleted; so it is reported where the moved text stands.
enum MovedText {
  /// Less text that was left stands at several places by chance.
  private static let leastBytes = 12
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
        merge.bytes(index).count >= leastBytes
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
      let found = deletion(in: merge, from: first)
      index = max(found?.parts.upperBound ?? 0, index + 1)
      done = index
      guard let deletion = found else { continue }
      let count = deletion.left.reduce(0) { $0 + $1.count }
      if count < leastBytes { continue }
      for insertion in insertions where merge.role(insertion) == .insertion(ours: deletion.byOurs) {
        let bytes = merge.bytes(insertion)
        left -= passing
        guard left > 0 else { break }
        if bytes.count + 4 < count { continue }
        left -= bytes.count
        if let found = place(of: deletion.left, in: merge.text[bytes]) {
          result.append(
            merge.overlap(
              moved: found, in: insertion, leaving: deletion.left, byOurs: deletion.byOurs))
          break
        }
      }
    }
    return result
  }

  /// Text that one side deleted, of which the other one deleted a part.
  private struct Deletion {
    var parts: Range<Int>
    var byOurs: Bool
    /// What the other side left, piece by piece.
    var left: [ArraySlice<UInt8>]
  }

  /// The deletion by one side that begins with a part, as far as it goes without a break.
  private static func deletion(in merge: MergedText, from first: Int) -> Deletion? {
    var end = first
    var byOurs: Bool?
    var result = Deletion(parts: first..<first, byOurs: false, left: [])
    loop: while end < merge.indices.upperBound {
      switch merge.role(end) {
      case .commonDeletion: break
      case .deletion(let ours):
        if let byOurs, byOurs != ours { break loop }
        byOurs = ours
        result.left.append(merge.hiddenText(end))
      case .kept, .insertion: break loop
      }
      end += 1
    }
    guard let byOurs else { return nil }
    result.parts = first..<end
    result.byOurs = byOurs
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
  /// Reports text that was moved into an insertion.
  fileprivate func overlap(
    moved bytes: Range<Int>, in insertion: Int, leaving left: [ArraySlice<UInt8>], byOurs: Bool
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
