import Peernote

/// What is open in a folder, also where it is the same in another one.
extension OpenFolder {
  /// The conflicts of its notes, and what nothing keeps a history of, in a line each.
  ///
  /// - Parameter other: a folder of which the same was said; what its notes have alike is left out.
  /// - Returns: the lines.
  func openLines(with other: OpenFolder?) -> [String] {
    let lines = conflictCounts(with: other).map { file, count in
      "\(shown(file)): \(counted(count, "conflict")) to resolve"
    }
    return lines + [untrackedWords].compactMap(\.self)
  }

  /// How many conflicts the notes have that have any.
  ///
  /// - Parameter other: a folder whose notes are left out where they are the same.
  /// - Returns: the notes, documents first.
  func conflictCounts(with other: OpenFolder?) -> [(file: RelativePath, count: Int)] {
    var result: [(file: RelativePath, count: Int)] = []
    func add(_ file: RelativePath, _ summary: DocumentSummary, _ known: DocumentFolder?) {
      let isKnown =
        known.map { known in
          known.paths(of: summary.id).contains { known.checksum(at: $0) == summary.checksum }
        } ?? false
      if summary.conflictCount > 0, !isKnown { result.append((file, summary.conflictCount)) }
    }
    for path in livePaths {
      if let summary = documents[path] { add(path, summary, other?.documents) }
    }
    for file in trackedFiles { add(file.path, file.summary, other?.tracked) }
    return result
  }

  /// Which text files are not tracked, though others are; `nil` if none.
  var untrackedWords: String? {
    let files = untrackedTexts
    if files.isEmpty { return nil }
    var names = files.prefix(3).map { FileName(bytes: $0.bytes).visible }
    if files.count > names.count { names.append("\(files.count - names.count) more") }
    let verb = files.count == 1 ? "is" : "are"
    let all = files.count == 1 ? shellQuoted(shownFile(files[0])) : shellQuoted(name)
    return "\(name.visible): \(counted(files.count, "text file")) \(verb) not tracked: "
      + "\(enumerated(names)); to track \(files.count == 1 ? "it" : "them"): pnmerge track \(all)"
  }
}
