/// Where the passages of an earlier state of a document stand now.
///
/// One walk over what happened since tells it of all texts.
struct PresentPassages {
  /// What came of each text that has such passages, by its container number then.
  private let texts: [ContainerIndex: PresentText]
  private let past: DocumentFile

  /// Follows the texts of some passages.
  ///
  /// - Parameters:
  ///   - passages: what stands in texts of the earlier state.
  ///   - past: the document as it was then.
  ///   - document: the document now, which has all changes of the earlier state.
  /// - Throws: ``DocumentError`` if the history contradicts itself, or takes more than the limits.
  init(
    of passages: [Conflict], in past: Document, to document: Document
  ) throws(DocumentError) {
    self.past = past.file
    let paths = Set(passages.map(\.path))
    let containers = Set(
      paths.compactMap { Target($0, in: past.file.objects)?.container(in: past.file.objects) })
    guard !containers.isEmpty else {
      texts = [:]
      return
    }
    let union: LogUnion
    do throws(MergeError) {
      union = try past.union(with: document.log)
    } catch {
      throw DocumentError(error.description, in: .log)
    }
    let followed = Set(containers.map { union.ourContainers[$0] })
    var histories: [ContainerIndex: MergedTextHistory] = [:]
    if !union.onlyTheirs.isEmpty {
      let held =
        [past, document].reduce(union.log.byteCount) { sum, document in
          sum + document.log.byteCount + document.file.texts.byteCount
            + document.file.objects.byteCount
        }
      do throws(HistoryError) {
        let merged = try union.mergeTexts(
          past.file.texts, document.file.texts,
          critical: CriticalVersions(of: union.log.graph, before: union.parted),
          tellingOf: followed,
          memoryLimit: document.log.limits.memoryLeft(
            for: 2 * (past.log.fileSize + document.log.fileSize), beside: held))
        for text in merged.merged { histories[text.container] = text }
      } catch {
        throw DocumentError(error, in: union.log)
      }
    }
    var texts: [ContainerIndex: PresentText] = [:]
    for (number, container) in union.theirContainers.enumerated() where followed.contains(container)
    {
      guard let path = document.file.objects.path(to: ContainerIndex(number)),
        let then = union.ourContainers.firstIndex(of: container)
      else { continue }
      texts[ContainerIndex(then)] = PresentText(
        path: JSONPointer(path), history: histories[container],
        past: PassageMap(past.file.passages[ContainerIndex(then)] ?? []),
        present: PassageMap(document.file.passages[ContainerIndex(number)] ?? []),
        raw: document.file.texts[number])
    }
    self.texts = texts
  }

  /// The passages where they stand now, but for those that have changed and those of texts that are
  /// not shown any more.
  ///
  /// O(segments and bytes of its text) for each passage at the most.
  func present(_ passages: [Conflict]) -> [Conflict] {
    var texts = texts
    var containers: [JSONPointer: ContainerIndex] = [:]
    return passages.compactMap { passage in
      if containers[passage.path] == nil {
        containers[passage.path] =
          Target(passage.path, in: past.objects)?.container(in: past.objects)
      }
      return containers[passage.path].flatMap { texts[$0]?.present(passage) }
    }
  }
}

/// What became of a text.
private struct PresentText {
  private let path: JSONPointer
  /// `nil` if nobody edited it.
  private let history: MergedTextHistory?
  /// The contested passages then.
  private let past: PassageMap
  /// Those of now.
  private let map: PassageMap
  private var lines: TextLines

  /// O(bytes).
  init(
    path: JSONPointer, history: MergedTextHistory?, past: PassageMap, present: PassageMap,
    raw: TextBuffer
  ) {
    self.path = path
    self.history = history
    self.past = past
    map = present
    lines = TextLines(present.shown(from: raw))
  }

  /// A passage where it stands now; `nil` if it has changed.
  mutating func present(_ passage: Conflict) -> Conflict? {
    guard let scalars = passage.scalars, case .text(let old) = passage.kept.node else { return nil }
    // Around a passage of which nothing is left, so that what is inserted there counts.
    let outside = scalars.isEmpty
    let start = past.raw(ofShown: scalars.lowerBound, forward: !outside)
    let end = past.raw(ofShown: scalars.upperBound, forward: outside)
    guard start <= end else { return nil }
    let raw = history?.merged(start..<end) ?? start..<end
    let now = (
      start: map.shown(ofRaw: raw.lowerBound, forward: !outside),
      end: map.shown(ofRaw: raw.upperBound, forward: outside)
    )
    guard now.start <= now.end else { return nil }
    let line = lines.line(ofScalar: now.start)
    guard lines.text(upToScalar: now.end).elementsEqual(old.utf8) else { return nil }
    var present = passage
    present.path = path
    present.line = line
    present.scalars = now.start..<now.end
    return present
  }
}
