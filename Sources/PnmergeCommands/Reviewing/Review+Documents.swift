package import Peernote

extension Review {
  /// The review of a merge.
  ///
  /// - Parameters:
  ///   - conflicts: what is to be decided, in the order of the content.
  ///   - merged: the merged document, of which they are told.
  ///   - ours: this copy before the merge.
  ///   - parting: the document as it was when the copies parted.
  ///   - divergence: what came in; `nil` if that is not shown.
  ///   - identityKeys: what tells elements of lists apart.
  package init(
    of conflicts: [Conflict], in merged: Document, ours: Document, since parting: Document,
    _ divergence: Divergence? = nil, identityKeys: [String] = ["id"]
  ) {
    let root = merged.root
    var passages = PassageReader(of: merged, since: parting)
    let questions = conflicts.map { conflict in
      let (mine, theirs) = conflict.parties(ours: ours)
      return Question(
        conflict: conflict, name: PlaceName(of: conflict.path, in: root),
        before: passages.before(conflict), context: passages.context(of: conflict), mine: mine,
        theirs: theirs)
    }
    self.init(questions, divergence, identityKeys: identityKeys)
  }
}

extension Conflict {
  /// Which side this copy has, and which the others, by their numbers; `nil` where that is none or
  /// several.
  fileprivate func parties(ours: Document) -> (mine: Int?, theirs: Int?) {
    let numbers = sides.indices.filter { !isCombined || $0 > 0 }
    let mine = numbers.filter { ours.contains(sides[$0].change) }
    let theirs = numbers.filter { !ours.contains(sides[$0].change) }
    return (mine.count == 1 ? mine[0] : nil, theirs.count == 1 ? theirs[0] : nil)
  }
}
