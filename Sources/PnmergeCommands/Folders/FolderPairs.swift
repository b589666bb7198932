import Peernote

/// The notes of two folders, paired by identity; tracked plain files by that of their histories.
struct FolderPairs {
  /// A note that both folders have.
  struct Pair {
    var files: (FileName, FileName)
    /// Whether both are the same, to the byte.
    var isSame: Bool
    /// What two tracked plain files hold, if it differs though their histories are the same: one was
    /// saved since.
    var saved: (String, String)?
  }

  private(set) var pairs: [Pair] = []
  private(set) var onlyInFirst: [FileName] = []
  private(set) var onlyInSecond: [FileName] = []

  /// Whether both folders hold the same.
  var isSame: Bool { pairs.allSatisfy(\.isSame) && onlyInFirst.isEmpty && onlyInSecond.isEmpty }

  /// Pairs notes in the order of their names; of several copies in one folder those of one name, or
  /// the first.
  ///
  /// Tracked files are compared by their histories, as the notes that they are; they are read if
  /// they may have been saved since they were recorded. O(n log n).
  init(_ first: OpenFolder, _ second: OpenFolder) {
    var paired: Set<RelativePath> = []
    for path in first.livePaths {
      let others = first.documents.id(at: path).map(second.documents.paths) ?? []
      guard let other = others.contains(path) ? path : others.first else {
        onlyInFirst.append(first.shownFile(path))
        continue
      }
      paired.insert(other)
      pairs.append(
        Pair(
          files: (first.shownFile(path), second.shownFile(other)),
          isSame: first.documents.checksum(at: path) == second.documents.checksum(at: other)))
    }
    onlyInSecond = second.livePaths.filter { !paired.contains($0) }.map(second.shownFile)
    let folders = [first, second]
    for unit in folders.trackedUnits() where !unit.isDeleted(in: folders) {
      switch (unit.place(in: 0)?.path, unit.place(in: 1)?.path) {
      case (let path?, let other?): pairs.append(Self.tracked(path, other, first, second))
      case (let path?, nil): onlyInFirst.append(first.shownFile(path))
      case (nil, let other?): onlyInSecond.append(second.shownFile(other))
      case (nil, nil): break
      }
    }
  }

  private static func tracked(
    _ path: RelativePath, _ other: RelativePath, _ first: OpenFolder, _ second: OpenFolder
  ) -> Pair {
    let checksums = (
      first.tracked.checksum(at: path.history), second.tracked.checksum(at: other.history)
    )
    let isSame = checksums.0 == checksums.1
    if isSame, !first.isSettled(path) || !second.isSettled(other) {
      let texts = (first.text(of: path), second.text(of: other))
      if texts.0 != texts.1 {
        return Pair(
          files: (first.shownFile(path), second.shownFile(other)), isSame: false, saved: texts)
      }
    }
    return Pair(
      files: (first.shownFile(path.history), second.shownFile(other.history)), isSame: isSame)
  }
}
