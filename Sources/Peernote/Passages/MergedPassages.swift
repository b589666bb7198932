/// Finds the passages of the texts that the other side of a merge has changed, from the walk of the
/// merge.
struct MergedPassages {
  typealias BothSides<Value> = (ours: Value, theirs: Value)

  /// The passages; nothing for texts without any.
  private(set) var found: [ContainerIndex: [TextPassage]] = [:]
  /// The texts whose passages follow from the whole history alone.
  private(set) var unsure: Set<ContainerIndex> = []
  private let shown: BothSides<[ContainerIndex: [TextPassage]]>
  private let numbers: BothSides<[Int]>
  private let union: LogUnion
  private let cut: LocalVersion
  private let texts: [ContainerIndex]
  /// The critical versions of each text since the cut.
  private let cuts: [ContainerIndex: CriticalCuts]
  private let isLinear: BothSides<Bool>
  /// The texts that were edited concurrently before the cut, if that was asked.
  private var editedConcurrently: Set<ContainerIndex>?
  private var deleted: WalkedDeletions?

  /// O(operations and chains since the cut).
  ///
  /// - Parameters:
  ///   - shown: the passages that the two sides show, by their container numbers.
  ///   - numbers: the container numbers of the two sides by those of the union; less than 0 for what
  ///     one does not have.
  ///   - union: the two logs.
  ///   - cut: the last event of the critical version from which the texts are walked.
  ///   - texts: those that the other side has changed.
  init(
    _ shown: BothSides<[ContainerIndex: [TextPassage]]>, numbers: BothSides<[Int]>,
    of union: LogUnion, after cut: LocalVersion, texts: [ContainerIndex]
  ) {
    self.shown = shown
    self.numbers = numbers
    self.union = union
    self.cut = cut
    self.texts = texts
    cuts = union.log.criticalCuts(ofTexts: texts, after: cut)
    isLinear = (union.isLinear(.ours, after: cut), union.isLinear(.theirs, after: cut))
  }

  /// Finds the passages of one text.
  ///
  /// - Parameters:
  ///   - container: the text.
  ///   - raw: what it is merged to.
  ///   - isByThemAlone: whether nobody but the other side has changed it since the cut.
  ///   - walker: what walked it.
  /// - Throws: ``HistoryError`` if it is not as long as the walk says.
  mutating func find(
    in container: ContainerIndex, raw: TextBuffer, isByThemAlone: Bool, walker: borrowing Walker
  ) throws(HistoryError) {
    func passages(
      _ shown: [ContainerIndex: [TextPassage]], _ numbers: [Int]
    ) -> [TextPassage] {
      let number = numbers[container]
      return number < 0 ? [] : shown[ContainerIndex(number)] ?? []
    }
    let ours = SidePassages(
      side: .ours, passages: passages(shown.ours, numbers.ours),
      isLinear: isLinear.ours || isByThemAlone)
    let theirs = SidePassages(
      side: .theirs, passages: passages(shown.theirs, numbers.theirs), isLinear: isLinear.theirs)
    // What was there before the cut has a name below all events.
    let wasDeletedTwice = walker.tracker.deletedAgain.contains { !$0.lowerBound.isEvent }
    let doTell = isByThemAlone || isLinear.ours && isLinear.theirs && !wasDeletedTwice
    if !doTell, wasEditedConcurrently(container) {
      unsure.insert(container)
      return
    }
    let rounds = TextRounds(between: cuts[container] ?? CriticalCuts([]), of: union.log)
    if rounds.ranges.isEmpty, ours.passages.isEmpty, theirs.passages.isEmpty { return }
    let deleted = deleted ?? WalkedDeletions(of: walker)
    self.deleted = deleted
    let runs = try TextRuns(
      of: container, raw: raw, walker: walker, deleted: deleted, rounds: rounds,
      finding: [ours.places, theirs.places])
    let merged =
      doTell
      ? StretchReader.passages(in: runs, of: union.log, after: cut, ours, theirs)
      : StretchReader.passages(in: runs, of: union.log)
    if let merged {
      if !merged.isEmpty { found[container] = merged }
    } else {
      unsure.insert(container)
    }
  }

  /// Whether a text was edited concurrently before the cut.
  private mutating func wasEditedConcurrently(_ container: ContainerIndex) -> Bool {
    let all = editedConcurrently ?? union.editedConcurrently(texts, before: cut + 1)
    editedConcurrently = all
    return all.contains(container)
  }
}
