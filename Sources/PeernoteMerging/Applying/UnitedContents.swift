import PeernoteEngine

/// What two versions show, merged as edits of what a base shows.
struct UnitedContents {
  /// The base with what our version shows.
  private(set) var ours: Document
  /// That, and what the other version shows.
  private(set) var united: Document
  /// What the two changed against each other.
  private(set) var met: [Conflict]
  /// The texts in which both put something else in at one place.
  private(set) var crowded: [JSONPointer] = []
  /// The texts and values that they changed against each other.
  private(set) var contested: [Contested] = []

  /// A text, or a value, that two sides changed against each other.
  struct Contested {
    /// Where it stands in what is united.
    var path: JSONPointer
    /// What the base shows.
    var base: DocumentNode
    /// What the two sides show.
    var sides: [DocumentNode]
  }

  var isClean: Bool { met.isEmpty && crowded.isEmpty }

  /// O(size of the documents), and what comparing the texts takes.
  ///
  /// If `areMerged`, both have counted for themselves where both count the same; else one has what
  /// the other one counted. Throws ``EditError``, ``MergeError`` or ``DocumentError`` if a limit is
  /// passed.
  init(
    of ours: Document, and theirs: Document, since base: Document, areMerged: Bool = false
  ) throws {
    var agreed = base
    let texts = base.textsChanged(by: ours, and: theirs)
    let counts = areMerged ? [] : base.countsAgreed(between: ours, and: theirs)
    try agreed.change(
      by: DocumentSession(agent: AgentID(digestOf: [0]), author: "", time: base.latestTime)
    ) {
      (editor) throws(EditError) in
      for (path, base, ours, theirs) in texts {
        let text = String(decoding: AgreedText(base, ours, theirs).bytes, as: UTF8.self)
        if ExactString(text) != base { try editor.replaceText(at: path, with: text) }
      }
      for (path, amount) in counts { try editor.increment(by: amount, at: path) }
    }
    func side(_ version: Document) throws -> Document {
      let names = version.heads.sorted().map { "\($0)" }.joined(separator: " ")
      return try agreed.making(
        version.revisions(from: agreed),
        like: Document.Original(author: "", time: version.latestTime, message: names))
    }
    let other = try side(theirs)
    self.ours = try side(ours)
    united = self.ours
    _ = try united.merge(other)
    // A side that says what both agree on added nothing.
    let heads = [agreed, self.ours, other].map(\.heads)
    if Set(heads).count == 3 { try united.dropTwins(of: heads[1][0], and: heads[2][0]) }
    met = united.conflicts.without(base.conflicts)
    crowded = agreed.textsChanged(by: self.ours, and: other)
      .filter { $0.one != $0.other && $0.base.isCrowded(by: $0.one, and: $0.other) }.map(\.path)
    contested = united.contested(in: met, by: [self.ours, other], since: agreed)
  }
}

extension Document {
  /// The texts and values of this version that two sides changed against each other.
  fileprivate func contested(
    in conflicts: [Conflict], by sides: [Document], since base: Document
  ) -> [UnitedContents.Contested] {
    var known: Set<JSONPointer> = []
    return conflicts.compactMap { conflict in
      let path = conflict.path
      guard let own = node(at: path), let handle = handle(at: path), known.insert(path).inserted
      else { return nil }
      func shown(_ version: Document) -> DocumentNode? {
        version.path(to: handle).flatMap { version.node(at: $0) }
      }
      let nodes = sides.compactMap(shown)
      switch (conflict.kind, own, shown(base)) {
      case (.passage, .text, .text(let text)?) where nodes.allSatisfy(\.isText):
        return nodes.count == 2 ? .init(path: path, base: .text(text), sides: nodes) : nil
      case (.register, .value, let value?) where (nodes + [value]).allSatisfy(\.isValue):
        return nodes.count == 2 ? .init(path: path, base: value, sides: nodes) : nil
      default: return nil
      }
    }
  }

  /// The latest time of its changes.
  var latestTime: Timestamp {
    changes.map(\.time).max() ?? Timestamp(milliseconds: 0)
  }

  /// The texts of this version that both of two others changed, with what all three show.
  fileprivate func textsChanged(
    by one: Document, and other: Document
  ) -> [(path: JSONPointer, base: ExactString, one: ExactString, other: ExactString)] {
    let (texts, others) = (one.textsByContainer, other.textsByContainer)
    let shown = textsByContainer
    return log.containers(of: .text).compactMap { container in
      let name = log.containerID(container)
      guard let base = shown[name], let left = texts[name], let right = others[name],
        left != base, right != base, let path = file.objects.path(to: container)
      else { return nil }
      return (JSONPointer(path), base, left, right)
    }
  }

  /// The counters of this version to which two others added the same.
  fileprivate func countsAgreed(
    between one: Document, and other: Document
  ) -> [(path: JSONPointer, amount: Int64)] {
    let (counts, others) = (one.countsByContainer, other.countsByContainer)
    return log.containers(of: .counter).compactMap { container in
      let name = log.containerID(container)
      guard let left = counts[name], left == others[name],
        let path = file.objects.path(to: container)
      else { return nil }
      let amount = left &- file.objects.value(ofCounter: container)
      return amount == 0 ? nil : (JSONPointer(path), amount)
    }
  }

  private var countsByContainer: [ContainerID: Int64] {
    var result: [ContainerID: Int64] = [:]
    for container in log.containers(of: .counter) {
      result[log.containerID(container)] = file.objects.value(ofCounter: container)
    }
    return result
  }

  private var textsByContainer: [ContainerID: ExactString] {
    var result: [ContainerID: ExactString] = [:]
    let shown = file.shownTexts
    for container in log.containers(of: .text) {
      result[log.containerID(container)] = ExactString(shown[container].string)
    }
    return result
  }

  /// Removes the elements that a change inserted and are alike to some that another change inserted
  /// in the same list: what both sides brought is there once.
  fileprivate mutating func dropTwins(of one: ChangeID, and other: ChangeID) throws {
    var removed: [JSONPointer] = []
    let known = elementsByChange()
    for list in log.containers(of: .list).map({ log.containerID($0) }) {
      guard let first = known[Origin(list: list, change: one)],
        let second = known[Origin(list: list, change: other)]
      else { continue }
      var twins = elements(first).map(\.node).counts
      for element in elements(second) where twins[element.node, default: 0] > 0 {
        twins[element.node]? -= 1
        removed.append(element.path)
      }
    }
    if removed.isEmpty { return }
    try change(by: DocumentSession(agent: AgentID(digestOf: [1]), author: "", time: latestTime)) {
      (editor) throws(EditError) in
      for path in removed.reversed() { try editor.remove(at: path) }
    }
  }
}

extension ExactString {
  /// Whether two others put other lines or words than this one has in at one place.
  fileprivate func isCrowded(by one: ExactString, and other: ExactString) -> Bool {
    let old = Array(string.utf8)
    func lines(_ text: ExactString) -> Set<Int> {
      let new = Array(text.string.utf8)
      // Where lines come in that stand for no others: at either end, if some go.
      return Set(
        LineDifference(from: old, to: new).hunks.flatMap { hunk in
          let isLonger =
            new[hunk.new].count { $0 == 0x0A } > old[hunk.old].count { $0 == 0x0A }
          return isLonger || hunk.old.isEmpty ? [hunk.old.lowerBound, hunk.old.upperBound] : []
        })
    }
    func words(_ text: ExactString) -> Set<Int> {
      let edits = TextDifference(from: string, to: text.string).edits
      return Set(edits.map(\.deleted).filter(\.isEmpty).map(\.lowerBound))
    }
    return !lines(one).isDisjoint(with: lines(other)) || !words(one).isDisjoint(with: words(other))
  }
}

extension DocumentNode {
  fileprivate var isText: Bool { if case .text = self { true } else { false } }
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }
}
