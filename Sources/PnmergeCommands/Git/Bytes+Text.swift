extension RandomAccessCollection<UInt8> where Index == Int {
  /// Where `text` first stands.
  ///
  /// O(n · length of `text`), O(n) in practice.
  func range(of text: String) -> Range<Int>? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, count >= wanted.count else { return nil }
    for start in startIndex...(endIndex - wanted.count) where self[start] == first {
      if self[start...].starts(with: wanted) { return start..<start + wanted.count }
    }
    return nil
  }
}

extension [UInt8] {
  /// The pieces that each end with a NUL.
  var splitAtNUL: [ArraySlice<UInt8>] {
    split(separator: 0, omittingEmptySubsequences: false).dropLast()
  }

  /// The lines of `ls-tree -z` or `ls-files --unmerged -z`: three words, a tab and a path.
  var listedFiles: [(words: [String], path: FileName)] {
    splitAtNUL.compactMap { line in
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let words = line[..<tab].split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      return words.count == 3 ? (words, FileName(bytes: line[(tab + 1)...])) : nil
    }
  }
}
