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
    pairTracked(first, second)
  }

  private mutating func pairTracked(_ first: OpenFolder, _ second: OpenFolder) {
    let folders = [first, second]
    for unit in folders.trackedUnits() where !unit.isDeleted(in: folders) {
      guard let ours = unit.place(in: 0)?.path else {
        onlyInSecond += unit.places.map { second.shownFile($0.path) }
        continue
      }
      guard let theirs = unit.place(in: 1)?.path else {
        onlyInFirst.append(first.shownFile(ours))
        continue
      }
      let isSame = first.tracked[ours.history]?.checksum == second.tracked[theirs.history]?.checksum
      let saved = isSame ? Self.savedTexts(first, ours, second, theirs) : nil
      let paths = saved == nil ? (ours.history, theirs.history) : (ours, theirs)
      pairs.append(
        Pair(
          files: (first.shownFile(paths.0), second.shownFile(paths.1)),
          isSame: isSame && saved == nil, saved: saved))
    }
  }

  /// What two plain files hold, if that differs.
  private static func savedTexts(
    _ first: OpenFolder, _ ours: RelativePath, _ second: OpenFolder, _ theirs: RelativePath
  ) -> (String, String)? {
    if first.isSettled(ours), second.isSettled(theirs) { return nil }
    let texts = (first.text(of: ours), second.text(of: theirs))
    return texts.0 == texts.1 ? nil : texts
  }
}
