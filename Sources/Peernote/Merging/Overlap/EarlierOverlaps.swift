/// The passages that overlapped in earlier merges, taken along through another one.
struct EarlierOverlaps {
  /// The texts that they stand in, by container number of the union.
  let containers: Set<ContainerIndex>
  private let passages: [Taken]

  private struct Taken {
    var container: ContainerIndex
    var conflict: Conflict
    var isOurs: Bool
    /// Whether the other side had seen all that this one had, and so the passage as it was merged.
    var isSeen: Bool
  }

  /// The passages of one side where they stand in its raw texts, by its container numbers.
  struct Located {
    fileprivate var passages: [(container: ContainerIndex, conflict: Conflict)] = []

    /// Finds where passages stand.
    ///
    /// O(conflicts), and O(size of the containers around each text).
    ///
    /// - Parameters:
    ///   - conflicts: what earlier merges decided.
    ///   - file: the side before the merge, to which their paths lead.
    init(_ conflicts: [Conflict], in file: DocumentFile) {
      var numbers: [JSONPointer: ContainerIndex] = [:]
      for conflict in conflicts where conflict.kind == .overlap || conflict.kind == .adjacent {
        if numbers[conflict.path] == nil {
          numbers[conflict.path] = Target(conflict.path, in: file.objects)?.container(
            in: file.objects)
        }
        guard let number = numbers[conflict.path] else { continue }
        var conflict = conflict
        if let open = file.passages[number], let scalars = conflict.scalars {
          let map = PassageMap(open)
          let start = map.raw(ofShown: scalars.lowerBound)
          conflict.scalars =
            start..<max(start, map.raw(ofShown: scalars.upperBound, forward: true))
        }
        passages.append((number, conflict))
      }
    }
  }

  /// Takes the passages of both sides along.
  ///
  /// - Parameters:
  ///   - ours: those of our side.
  ///   - theirs: those of theirs.
  ///   - union: the union of both sides.
  init(ours: Located, theirs: Located, of union: LogUnion) {
    passages =
      ours.passages.map { container, conflict in
        Taken(
          container: union.ourContainers[container], conflict: conflict, isOurs: true,
          isSeen: union.onlyOurs.isEmpty)
      }
      + theirs.passages.map { container, conflict in
        Taken(
          container: union.theirContainers[container], conflict: conflict, isOurs: false,
          isSeen: union.onlyTheirs.isEmpty)
      }
    containers = Set(passages.map(\.container))
  }

  /// The passages where they stand in the raw text after the merge, without those of texts that are
  /// not shown any more and those that someone changed who had seen them.
  ///
  /// O(segments of its text and bytes before it) for each passage.
  ///
  /// - Parameters:
  ///   - histories: the texts that a side changed, by container number.
  ///   - texts: all texts of the union.
  ///   - paths: where the texts stand that are shown.
  /// - Returns: the passages, with their containers.
  func present(
    _ histories: [ContainerIndex: MergedTextHistory], in texts: [TextBuffer],
    _ paths: [ContainerIndex: JSONPointer]
  ) -> [(container: ContainerIndex, conflict: Conflict)] {
    passages.compactMap { passage in
      let container = passage.container
      guard let path = paths[container], let old = passage.conflict.scalars else { return nil }
      var present = passage.conflict
      present.path = path
      guard let history = histories[container] else { return (container, present) }
      let scalars = history.merged(old, isOurs: passage.isOurs)
      let text = texts[container]
      let start = text.place(ofScalar: scalars.lowerBound)
      let end = text.place(ofScalar: scalars.upperBound, from: start)
      let words = String(decoding: text.utf8[start.byte..<end.byte], as: UTF8.self)
      if case .text(let before) = present.kept.node, !before.utf8.elementsEqual(words.utf8) {
        if passage.isSeen { return nil }
        present.kept.node = .text(words)
      }
      present.scalars = scalars
      present.line = 1 + text.lineFeeds(from: TextPlace(), to: start)
      return (container, present)
    }
  }
}
