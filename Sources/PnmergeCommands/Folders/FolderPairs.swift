import Peernote

/// The notes of two folders, paired by identity.
struct FolderPairs {
  /// A note that both folders have.
  struct Pair {
    var files: (FileName, FileName)
    /// Whether both are the same, to the byte.
    var isSame: Bool
  }

  private(set) var pairs: [Pair] = []
  private(set) var onlyInFirst: [FileName] = []
  private(set) var onlyInSecond: [FileName] = []

  /// Whether both folders hold the same.
  var isSame: Bool { pairs.allSatisfy(\.isSame) && onlyInFirst.isEmpty && onlyInSecond.isEmpty }

  /// Pairs notes in the order of their names; of several copies in one folder those of one name, or
  /// the first.
  ///
  /// O(n log n).
  init(_ first: OpenFolder, _ second: OpenFolder) {
    var paired: Set<RelativePath> = []
    for path in first.livePaths {
      guard let summary = first.documents[path] else { continue }
      let others = second.documents.paths(of: summary.id)
      guard let other = others.contains(path) ? path : others.first,
        let theirs = second.documents[other]
      else {
        onlyInFirst.append(first.shownFile(path))
        continue
      }
      paired.insert(other)
      pairs.append(
        Pair(
          files: (first.shownFile(path), second.shownFile(other)),
          isSame: summary.checksum == theirs.checksum))
    }
    onlyInSecond = second.livePaths.filter { !paired.contains($0) }.map { second.shownFile($0) }
  }
}
