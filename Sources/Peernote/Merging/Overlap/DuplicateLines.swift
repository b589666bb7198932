/// Finds lines that both sides inserted, at different places.
enum DuplicateLines {
  /// Shorter lines, and lines of fewer words, repeat by nature.
  private static let leastBytes = 16
  private static let leastWords = 3

  /// One overlap for every insertion with such lines, from the first of them to the last, at the
  /// later of the two places.
  ///
  /// Nothing is reported in parts that are reported anyway. O(inserted text) expected.
  static func find(in merge: MergedText, except reported: [Bool]) -> [Overlap] {
    var first: [ArraySlice<UInt8>: Bool] = [:]
    var result: [Overlap] = []
    for index in merge.indices {
      guard case .insertion(let ours) = merge.role(index) else { continue }
      var start = merge.bytes(index).lowerBound
      let end = merge.bytes(index).upperBound
      var run: Range<Int>?
      while start < end {
        let lineEnd = merge.text[start..<end].firstIndex(of: 0x0A) ?? end
        let line = merge.text[start..<lineEnd]
        if isWhole(start..<lineEnd, of: merge.text), isSubstantial(line) {
          if let other = first[line], other != ours {
            run = (run?.lowerBound ?? start)..<lineEnd
          } else {
            first[line] = ours
          }
        }
        start = lineEnd + 1
      }
      if let run, !reported[index] { result.append(overlap(merge, index, run)) }
    }
    return result
  }

  private static func isWhole(_ range: Range<Int>, of text: [UInt8]) -> Bool {
    (range.lowerBound == 0 || text[range.lowerBound - 1] == 0x0A)
      && (range.upperBound == text.count || text[range.upperBound] == 0x0A)
  }

  private static func isSubstantial(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count >= leastBytes else { return false }
    return line.split(separator: 0x20).filter { word in
      word.contains { $0 >= 0x80 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
    }.count >= leastWords
  }

  private static func overlap(_ merge: MergedText, _ index: Int, _ bytes: Range<Int>) -> Overlap {
    let start =
      merge.scalar(index)
      + MergedText.scalarCount(merge.text[merge.bytes(index).lowerBound..<bytes.lowerBound])
    let passage = String(decoding: merge.text[bytes], as: UTF8.self)
    return Overlap(
      reason: .duplicate, merged: start..<(start + MergedText.scalarCount(merge.text[bytes])),
      line: 0, mergedPassage: passage, oursPassage: passage, theirsPassage: passage)
  }
}
