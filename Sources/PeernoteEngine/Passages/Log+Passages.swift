extension Log {
  /// How much may be looked at to find the passages of a text: a second's work, and more for each
  /// operation.
  var passageWorkLimit: Int { 1 << 28 + 1024 * operations.count }

  /// A walk may take so many times the steps that it may take elsewhere.
  private static let workFactor = 16

  /// The passages of texts, by container number, from their whole history; nothing for texts
  /// without any; O(n log n) for n operations, plus what their concurrency costs, plus the bytes.
  ///
  /// The claims are versions with the passages that they are said to have, in places of the raw
  /// text of each. Throws if they have others, an operation does not apply, a text is not as long
  /// as its history makes it, or a limit is passed.
  package func passages(
    of containers: [ContainerIndex], raw texts: [TextBuffer], memoryLimit: Int = .max,
    checking claims: [(version: Version, passages: [ContainerIndex: [TextPassage]])] = []
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    var result: [ContainerIndex: [TextPassage]] = [:]
    if containers.isEmpty { return result }
    var left = passageWorkLimit
    let seen = try SeenEvents(of: self, memoryLimit: memoryLimit)
    for group in walkedTogether(containers) {
      let walked = try runs(
        ofGroup: group, texts, bounds: bounds(besides: claims.flatMap(\.version)), memoryLimit)
      for (container, text) in zip(group, walked) {
        var history = PassageHistory(
          of: text, seen, workLimit: left, memoryLimit: memoryLimit)
        let found = try history.passages(of: [graph.heads] + claims.map(\.version))
        left -= history.steps
        if !found[0].isEmpty { result[container] = text.written(found[0], of: self) }
        for (claim, made) in zip(claims, found.dropFirst()) {
          let told = text.found(
            claim.passages[container] ?? [], in: graph.closure(of: claim.version),
            of: self)
          guard told == made else { throw HistoryError(.passagesDisagree) }
        }
      }
    }
    return result
  }

  /// The events before which a version may end that is united with others, ascending, each once, in
  /// O(parents log parents); some end after the given events.
  package func bounds(besides ends: [LocalVersion]) -> [LocalVersion] {
    let inside = zip(graph.parentPool, graph.parentChains).filter { parent, owner in
      parent + 1 < graph.chains[owner].end
    }
    return Set((inside.map(\.0) + ends).map { $0 + 1 }).sorted()
  }

  /// Parts texts into groups that are walked together: not all at once, which takes memory, nor one
  /// by one, since each walk goes through all operations.
  ///
  /// Each has an eighth of all their operations or is a single text, so that there are 17 at most.
  /// O(operations).
  package func walkedTogether(_ containers: [ContainerIndex]) -> [[ContainerIndex]] {
    if containers.count == 1 { return [containers] }
    var counts = Dictionary(containers.map { ($0, 0) }) { first, _ in first }
    for operation in operations where operation.kind.editsText {
      counts[operation.container]? += 1
    }
    let most = counts.values.reduce(0, +) / 8
    var result: [[ContainerIndex]] = []
    var left = 0
    for container in containers {
      let count = counts[container] ?? 0
      if count > left {
        result.append([])
        left = most
      }
      result[result.count - 1].append(container)
      left -= count
    }
    return result
  }

  /// What was ever inserted in texts that are walked together; the walker is gone then.
  package func runs(
    ofGroup containers: [ContainerIndex], _ texts: [TextBuffer], bounds: [LocalVersion],
    _ memoryLimit: Int
  ) throws(HistoryError) -> [TextRuns] {
    let limit = workLimit.multipliedReportingOverflow(by: Self.workFactor)
    var walker = Walker(
      log: self, after: .start, texts: containers.map { (container: $0, placeholder: 0) },
      workLimit: limit.overflow ? .max : limit.partialValue, memoryLimit: memoryLimit)
    try walker.walk(sides: .allBoth)
    let items = containers.reduce(0) { sum, container in
      sum + (walker.tracker.sequences[container].map { walker.tracker.itemCount(of: $0) } ?? 0)
    }
    try walker.checkMemory(beside: items * MemoryLayout<TextRuns.Run>.stride, event: graph.end - 1)
    let deleted = WalkedDeletions(of: walker, bounds: bounds)
    var result: [TextRuns] = []
    for container in containers {
      result.append(
        try TextRuns(of: container, raw: texts[container], walker: walker, deleted: deleted))
    }
    return result
  }

  /// Whether the change of an event was written later than that of another one.
  func isLaterChange(_ event: LocalVersion, than other: LocalVersion) -> Bool {
    func first(_ event: LocalVersion) -> LocalVersion {
      eventCounts.firstEvent(ofChange: eventCounts.change(of: event))
    }
    return isLaterWrite(first(event), than: first(other))
  }

  /// The passages of all texts, of which those are walked that were edited concurrently.
  package func passages(
    raw texts: [TextBuffer], critical: CriticalVersions, memoryLimit: Int = .max
  ) throws(HistoryError) -> [ContainerIndex: [TextPassage]] {
    try passages(
      of: containersEditedConcurrently(critical), raw: texts, memoryLimit: memoryLimit)
  }

  /// The texts that some event edited that has not seen another one, or was not seen by it,
  /// in O(operations).
  func containersEditedConcurrently(_ critical: CriticalVersions) -> [ContainerIndex] {
    if critical.areLinear(graph.events) { return [] }
    let concurrent = operations.lazy.filter {
      $0.kind.editsText && !critical.areLinear($0.events)
    }
    return Set(concurrent.map(\.container)).sorted()
  }
}

extension CriticalVersions {
  /// Whether each of some events has seen all before it, and was seen by all after it, in O(log c) for c
  /// ranges.
  func areLinear(_ events: Range<LocalVersion>) -> Bool {
    if events.isEmpty { return true }
    let next = ranges.partitionPoint { $0.lowerBound >= events.lowerBound }
    return next > 0 && ranges[next - 1].upperBound >= events.upperBound
  }
}

extension TextRuns {
  /// Passages as they are written: in places of the raw text.
  func written(_ passages: [FoundPassage], of log: Log) -> [TextPassage] {
    passages.map { passage in
      let low = Int(runs[Int(passage.low.run)].start + passage.low.offset)
      let high = Int(runs[Int(passage.high.run)].start + passage.high.offset)
      let readings = passage.readings.map { reading in
        TextPassage.Reading(
          text: TextBuffer(scalars: reading.written),
          changes: reading.changes.map { log.changeID(ofChange: $0) })
      }
      return TextPassage(
        raw: low..<high + 1, shown: readings[0], others: Array(readings.dropFirst()))
    }
  }

  /// Passages that a version is said to have, in places of its raw text, ascending, in
  /// O(runs + passages log runs); `nil` if they cannot be.
  func found(_ passages: [TextPassage], in known: EventSet, of log: Log) -> [FoundPassage]? {
    if passages.isEmpty { return [] }
    var live: [(run: Int32, start: Int)] = []
    var length = 0
    for run in runs.indices where isLive(Int32(run), in: known) {
      live.append((Int32(run), length))
      length += Int(runs[run].count)
    }
    if passages[passages.count - 1].raw.upperBound > length { return nil }
    func place(_ position: Int) -> Place {
      let (run, start) = live[live.partitionPoint { $0.start > position } - 1]
      return Place(run: run, offset: Int32(position - start))
    }
    let numbers = ChangeNumbers(log)
    return passages.map { passage in
      let readings = ([passage.shown] + passage.others).map { reading in
        FoundPassage.Reading(
          scalars: reading.text.string.unicodeScalars.map(\.value),
          changes: Set(reading.changes.compactMap { numbers[$0] }).sorted())
      }
      return FoundPassage(
        low: place(passage.raw.lowerBound), high: place(passage.raw.upperBound - 1),
        readings: readings)
    }
  }
}

extension TextBuffer {
  /// Takes scalars, in O(n).
  package init(scalars: [UInt32]) {
    var utf8: [UInt8] = []
    utf8.reserveCapacity(scalars.count)
    for scalar in scalars { if let scalar = Unicode.Scalar(scalar) { utf8 += scalar.utf8 } }
    self.init(validated: utf8)
  }
}
