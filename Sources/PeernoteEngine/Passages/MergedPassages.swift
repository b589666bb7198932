/// Finds the passages of merged texts.
///
/// A text that the other side did not change has ours. Those of one that it changed follow from the
/// walk of the merge: from what the two sides show, and what was done since they parted. The passages
/// of either side are trusted where both have the same, and nothing new comes near; all others are
/// found again from the whole history.
struct MergedPassages {
  /// What the walk has found; nothing for texts without any.
  private var found: [ContainerIndex: [TextPassage]] = [:]
  /// The texts that it was asked for.
  private var decided: Set<ContainerIndex> = []
  /// The texts whose passages follow from the whole history alone.
  private var unsure: Set<ContainerIndex> = []
  /// The lines that one side moved, and the other deleted or moved; nothing for texts without any.
  private(set) var moves: [ContainerIndex: [TextMove]] = [:]
  /// The steps to find these.
  private var stepsToMoves = 0
  private let union: LogUnion
  /// What our side shows, and theirs.
  private let shown: [[ContainerIndex: [TextPassage]]]
  /// What either has seen.
  private let known: [EventSet]
  /// Whether what either side did since the walk began follows one after the other.
  private let areLinear: Bool
  /// Whether deleted text was taken out, which may have stood in a reading.
  private var isRedacted: Bool { !union.log.deletedText.redacted.isEmpty }
  private var deleted: WalkedDeletions?
  private var steps = 0

  /// Takes the passages that the two sides show by their container numbers, and the last event of the
  /// critical version from which the texts are walked, in O(chains + heads log chains).
  init(
    _ shown: (ours: [ContainerIndex: [TextPassage]], theirs: [ContainerIndex: [TextPassage]]),
    of union: LogUnion, after cut: LocalVersion
  ) {
    self.union = union
    let sides = [(shown.ours, union.ourContainers), (shown.theirs, union.theirContainers)]
    self.shown = sides.map { passages, containers in
      Dictionary(uniqueKeysWithValues: passages.map { (containers[$0.key], $0.value) })
    }
    known = [union.onlyTheirs, union.onlyOurs].map { $0.gaps(in: union.log.graph.events) }
    areLinear = known.allSatisfy { union.isLinear($0, after: cut) }
  }

  /// Whether the two sides show different passages of a text, or one of them says so.
  func areDifferent(in container: ContainerIndex) -> Bool {
    shown[0][container] ?? [] != shown[1][container] ?? []
  }

  /// Finds the passages of one text, and the lines that were moved.
  ///
  /// O(segments), plus the bytes near what both sides did; O(items) if there is any, or if there are
  /// passages, or both sides deleted the same. Throws if the text is not as long as the walk says, or
  /// that takes too much.
  mutating func find(
    in container: ContainerIndex, of history: MergedTextHistory, walker: borrowing Walker
  ) throws(HistoryError) {
    decided.insert(container)
    let claims = shown.map { $0[container] ?? [] }
    let areAlike =
      history.isContested
      && PassageMap(claims[0]).shown(from: history.ours).isSame(
        as: PassageMap(claims[1]).shown(from: history.theirs))
    let isKnown =
      isRedacted || areLinear && !areAlike && claims.allSatisfy(\.isEmpty) && !history.mayMeet
    let mayMove = history.isContested && !walker.tracker.deletedAgain.isEmpty
    if isKnown, !mayMove { return }
    let deleted =
      self.deleted
      ?? WalkedDeletions(
        of: walker,
        bounds: union.log.bounds(
          besides: known.joined().map { $0.upperBound - 1 }))
    self.deleted = deleted
    let text = try TextRuns(
      of: container, raw: history.text, walker: walker, deleted: deleted)
    if mayMove {
      let new = try text.moves(in: union.log, &stepsToMoves).filter { move in
        // Neither side had it before.
        [Sides.ours, .theirs].allSatisfy { side in
          move.sides.contains { !union.sides.run(at: $0.event).sides.contains(side) }
        }
      }
      if !new.isEmpty { moves[container] = new }
      if isKnown { return }
    }
    let sides = zip(claims, known).compactMap { claim, known in
      text.found(claim, in: known, of: union.log).map {
        ShownVersion(known: known, passages: $0)
      }
    }
    guard sides.count == 2 else { throw HistoryError(.passagesDisagree) }
    let united = UnitedVersions(log: union.log, text: text, one: sides[0], other: sides[1])
    guard areLinear || united.areConcurrentChangesApart(&steps),
      united.areSettledWhereTheyDiffer
    else {
      unsure.insert(container)
      return
    }
    let touched = text.runs.indices.map { united.shown(Int32($0)).touchedBy }
    let theirs = touched.indices.filter { touched[$0].contains(.other) }
    let first = areAlike ? touched.firstIndex { !$0.isEmpty } : nil
    var uniting = TextUnion(united)
    let result = uniting.passages(
      near: theirs.map { Int32($0) }, alikeFrom: first.map { Int32($0) })
    steps += uniting.steps
    guard steps <= union.log.passageWorkLimit else {
      throw HistoryError(.tooMuchWork, event: union.parted)
    }
    if uniting.usesPassages {
      unsure.insert(container)
    } else if !result.isEmpty {
      found[container] = text.written(result, of: union.log)
    }
  }

  /// Gives back the memory of what is known of the walk.
  mutating func forgetWalk() { deleted = nil }

  /// The passages of all texts, by container number of the union; throws if a walk takes more than
  /// the limits, or a side shows passages that its history does not make.
  func passages(
    raw texts: [TextBuffer], memoryLimit: Int
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    if isRedacted {
      return try union.log.passages(
        raw: texts, critical: CriticalVersions(of: union.log.graph), memoryLimit: memoryLimit)
    }
    var (result, unsure) = (found, unsure)
    let shared = Set(union.theirContainers)
    for container in Set(shown.flatMap(\.keys))
    where !decided.contains(container) {
      result[container] = shown[0][container]
      // Nobody has changed it since they parted.
      if shared.contains(container), areDifferent(in: container) { unsure.insert(container) }
    }
    if unsure.isEmpty { return result }
    let claims = zip(known, shown).map { known, shown in
      (version: union.log.graph.heads(ofClosure: known), passages: shown)
    }
    let made = try union.log.passages(
      of: unsure.sorted(), raw: texts, memoryLimit: memoryLimit, checking: claims)
    for container in unsure { result[container] = made[container] }
    return result
  }
}

extension LogUnion {
  /// Whether each event of a version that comes after a critical one has seen all before it,
  /// in O(c log c) for c chains since then.
  fileprivate func isLinear(_ known: EventSet, after cut: LocalVersion) -> Bool {
    let graph = log.graph
    var last = cut
    for range in known {
      var start = max(range.lowerBound, cut + 1)
      while start < range.upperBound {
        guard last == cut || graph.isAncestor(last, orSelf: start) else { return false }
        let chain = graph.chains[graph.chainIndex(of: start)]
        last = min(range.upperBound, chain.end) - 1
        start = last + 1
      }
    }
    return true
  }
}

extension UnitedVersions {
  /// Whether each passage that one side has alone was touched by the other side, which had seen it.
  fileprivate var areSettledWhereTheyDiffer: Bool {
    passages.allSatisfy { shared in
      let passage = shared.passage
      let (own, across) =
        shared.shownBy == .one ? (one.known, other.known) : (other.known, one.known)
      return shared.shownBy == .both
        || passage.isMade(in: haveSeen)
          && text.isTouched(passage, byThose: { across.includes($0) && !own.includes($0) })
    }
  }

  /// Whether nothing that concurrent changes did stands near each other, so that it does not matter
  /// in which order they are united, in O(runs + bytes).
  fileprivate func areConcurrentChangesApart(_ steps: inout Int) -> Bool {
    var last: LocalVersion?
    var borders = BorderCount()
    for (index, run) in text.runs.enumerated() {
      var events = run.first.isEvent ? [run.first] : []
      events += text.deletions(of: Int32(index)).map { text.deletions[$0].event(of: run.first) }
      steps += 1
      if let latest = events.max() {
        // Those before the last one that touched what is near.
        if let last, borders.areFew { events.append(last) }
        guard events.allSatisfy({ log.graph.isAncestor($0, orSelf: latest) }) else { return false }
        last = latest
        borders = BorderCount()
      } else if borders.areFew {
        var scalars: [UInt32] = []
        text.append(0..<run.count, of: Int32(index), to: &scalars)
        for scalar in scalars where borders.areFew { borders.pass(scalar) }
      }
    }
    return true
  }
}

extension MergedTextHistory {
  /// Whether both sides did something so near to each other that it may belong together: with no
  /// token between that both left as it was; in O(segments), plus the tokens where they take turns.
  fileprivate var mayMeet: Bool {
    var last = Sides()
    var borders = BorderCount()
    var byte = 0
    for segment in segments {
      let end = byte + Int(segment.ourBytes)
      defer { byte = end }
      if segment.wasDeleted { continue }
      let touching = segment.touchedBy
      if !touching.isEmpty {
        if touching == .both || !last.isEmpty && last != touching && borders.areFew { return true }
        (last, borders) = (touching, BorderCount())
      }
      while touching.isEmpty, borders.areFew, byte < end {
        let (scalar, length) = decodeScalar(ours.utf8, at: byte)
        borders.pass(scalar)
        byte += length
      }
    }
    return false
  }
}

extension TextSegment {
  /// The sides that inserted or deleted them since they parted.
  package var touchedBy: Sides {
    (insertedBy == .both ? [] : insertedBy).union(deletedBy == .both ? [] : deletedBy)
  }
}

/// Counts the borders of tokens behind something that was touched.
///
/// What comes after a second one has a token between that was not.
struct BorderCount {
  var count = 0
  private var before: UInt32?

  var areFew: Bool { count < 2 }

  mutating func pass(_ scalar: UInt32) {
    if let before, TokenPart.areApart(before, scalar) { count += 1 }
    before = scalar
  }
}
