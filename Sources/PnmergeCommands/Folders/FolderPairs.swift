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
      add(path, other, first, second, .documents)
    }
    onlyInSecond = second.livePaths.filter { !paired.contains($0) }.map(second.shownFile)
    let folders = [first, second]
    for unit in folders.trackedUnits() where !unit.places.allSatisfy(\.summary.isDeleted) {
      switch (unit.place(in: 0)?.path, unit.place(in: 1)?.path) {
      case (let path?, let other?):
        add(path, other, first, second, .tracked)
        if pairs.last?.isSame == true, !first.isSettled(path) || !second.isSettled(other) {
          let texts = (first.text(of: path), second.text(of: other))
          if texts.0 == texts.1 { continue }
          pairs[pairs.count - 1] = Pair(
            files: (first.shownFile(path), second.shownFile(other)), isSame: false, saved: texts)
        }
      case (let path?, nil): onlyInFirst.append(first.shownFile(path))
      case (nil, let other?): onlyInSecond.append(second.shownFile(other))
      case (nil, nil): break
      }
    }
  }

  private mutating func add(
    _ path: RelativePath, _ other: RelativePath, _ first: OpenFolder, _ second: OpenFolder,
    _ kind: OpenFolder.Kind
  ) {
    let (path, other) = (kind.document(of: path), kind.document(of: other))
    pairs.append(
      Pair(
        files: (first.shownFile(path), second.shownFile(other)),
        isSame: first[kind].checksum(at: path) == second[kind].checksum(at: other)))
  }
}
