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
    var earlier = EarlierContentReader(of: merged, since: parting, identityKeys: identityKeys)
    let before = conflicts.map { earlier.content(before: $0) }
    self.init(
      of: conflicts, before, in: merged, ours: ours, divergence, identityKeys: identityKeys)
  }

  /// The review of what is open in a document.
  ///
  /// See `Document.earlierContent(of:identityKeys:)` for what it takes.
  ///
  /// - Parameters:
  ///   - conflicts: what is to be decided, in the order of the content.
  ///   - document: the document, of which they are told.
  ///   - ours: the document as this copy had it before it was merged; `nil` if nobody knows.
  ///   - identityKeys: what tells elements of lists apart.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  init(
    of conflicts: [Conflict], in document: Document, ours: Document?, identityKeys: [String]
  ) throws(DocumentError) {
    self.init(
      of: conflicts,
      try document.earlierContent(of: conflicts, identityKeys: identityKeys), in: document,
      ours: ours, nil, identityKeys: identityKeys)
  }

  /// The review of what is open in a document, without what stood there before unless it is needed:
  /// for elements that stand in several lists.
  ///
  /// - Parameters:
  ///   - conflicts: what is to be decided, in the order of the content.
  ///   - document: the document, of which they are told.
  ///   - ours: the document as this copy had it before it was merged; `nil` if nobody knows.
  ///   - identityKeys: what tells elements of lists apart.
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  init(
    undecided conflicts: [Conflict], in document: Document, ours: Document?,
    identityKeys: [String]
  ) throws(DocumentError) {
    let before = try document.earlierContent(of: conflicts, identityKeys: identityKeys) {
      $0.kind == .movedApart
    }
    self.init(
      of: conflicts, before, in: document, ours: ours, nil, identityKeys: identityKeys)
  }

  private init(
    of conflicts: [Conflict], _ before: [EarlierContent], in document: Document, ours: Document?,
    _ divergence: Divergence?, identityKeys: [String]
  ) {
    let root = document.root
    var passages = PassageReader(of: document)
    let questions = zip(conflicts, before).map { conflict, before in
      let (mine, theirs) = ours.map { conflict.parties(ours: $0) } ?? (nil, nil)
      return Question(
        conflict: conflict, name: PlaceName(of: conflict.path, in: root), before: before,
        context: passages.context(of: conflict), mine: mine, theirs: theirs)
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
