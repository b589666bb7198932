/// A place that one change edited, as a person would say it: `body: 2 lines`.
package struct ChangedPlace: Hashable, Sendable {
  /// How much of the place was edited.
  package enum Extent: Hashable, Sendable {
    /// It stands there as a whole, or is gone.
    case whole
    /// So many lines of the text.
    case lines(Int)
    /// So many elements of the list.
    case elements(Int)
  }

  package var name: PlaceName
  package var extent: Extent

  package init(name: PlaceName, extent: Extent) {
    (self.name, self.extent) = (name, extent)
  }
}

/// What single changes of a document edited.
package final class ChangedPlaces {
  private let log: Log
  private let objects: Objects
  private let root: DocumentNode
  /// In how many lines of texts changes edited something, if in more than one; `nil` if it takes too
  /// much to tell.
  private var lines: [Stretch: Int32]? = [:]
  private var names: [ContainerIndex: [PlaceName.Part]] = [:]

  /// A text, and a change that edited it.
  private struct Stretch: Hashable {
    var text: ContainerIndex
    var change: ChangeIndex
  }

  /// Looks at some changes of a document, by their place in ``Document/changes``; O(operations of
  /// the changes, times the depth of their places), the content, and a walk over the texts that
  /// they edited.
  package init(of numbers: some Collection<Int>, in document: Document) throws(DocumentError) {
    (log, objects, root) = (document.log, document.file.objects, document.root)
    var texts: Set<ContainerIndex> = []
    for number in numbers {
      for edited in spots(of: ChangeIndex(number)) {
        if let text = edited.text { texts.insert(text) }
      }
    }
    if texts.isEmpty { return }
    do throws(HistoryError) {
      let limit = log.limits.memoryLeft(for: log.fileSize, beside: log.byteCount)
      for group in log.walkedTogether(texts.sorted()) {
        let runs = try log.runs(
          ofGroup: group, document.file.texts, bounds: log.bounds(besides: []), limit)
        for (text, runs) in zip(group, runs) {
          runs.forEachChangeInLines(of: log) { change, count in
            lines?[Stretch(text: text, change: change)] = count
          }
        }
      }
    } catch {
      guard error.reason.isLimit else { throw DocumentError(error, in: log) }
      lines = nil
    }
  }

  /// The places that a change edited, in the order of its edits; what it made itself is not named by its
  /// parts.
  package func places(editedBy number: Int) -> [ChangedPlace] {
    let change = ChangeIndex(number)
    return spots(of: change).map { edited in
      let name = PlaceName(self.name(of: edited.place))
      if let text = edited.text, let lines {
        let count = lines[Stretch(text: text, change: change)] ?? 1
        return ChangedPlace(name: name, extent: .lines(Int(count)))
      }
      return ChangedPlace(name: name, extent: edited.elements.map { .elements($0) } ?? .whole)
    }
  }

  /// What a change edited, and the text that is there, or how many elements of a list it touched.
  private typealias Edited = (place: EditTarget, text: ContainerIndex?, elements: Int?)

  private func spots(of change: ChangeIndex) -> [Edited] {
    let events = log.eventCounts.events(ofChange: change)
    var result: [Edited] = []
    var known: [EditTarget: Int] = [:]
    log.forEachOperation(in: events) { operation in
      let kind = operation.kind
      var spot = EditTarget(container: operation.container)
      var text = kind.editsText ? operation.container : nil
      var elements: Int?
      if kind.operands.contains(.key) {
        spot.member = .key(operation.key)
      } else if kind == .putElement {
        spot.member = .element(operation.element)
      } else if kind.containerKind == .list {
        elements = Int(operation.length)
      }
      // What the change made is named by where it put that.
      while spot.container != .root, events.contains(log.containers[spot.container].created),
        let outer = objects.creationTarget(of: spot.container)
      {
        if spot.container != text { text = nil }
        elements = nil
        spot = outer
      }
      // An element that the change inserted counts as one of its list.
      if case .element(let element) = spot.member, events.contains(element) {
        spot.member = .whole
        (text, elements) = (nil, 0)
      }
      if let place = known[spot] {
        if let more = elements { result[place].elements = (result[place].elements ?? 0) + more }
        if result[place].text == nil { result[place].text = text }
      } else {
        known[spot] = result.count
        result.append((spot, text, elements))
      }
    }
    return result
  }

  private func name(of spot: EditTarget) -> [PlaceName.Part] {
    let outer = name(of: spot.container)
    switch spot.member {
    case .key(let key): return outer + [.key(log.keys[key])]
    case .element(let element):
      return shownName(objects.path(to: .element(element))) ?? outer
    case .whole, .value: return outer
    }
  }

  /// The name of a container: by where it stands, or by the keys under which it was made.
  private func name(of container: ContainerIndex) -> [PlaceName.Part] {
    if let name = names[container] { return name }
    var name = shownName(objects.path(to: container)) ?? []
    if name.isEmpty, let parent = log.containers[container].parent {
      name = self.name(of: parent)
      if case .key(_, let key)? = objects.creationSpot(of: container) {
        name.append(.key(log.keys[key]))
      }
    }
    names[container] = name
    return name
  }

  private func shownName(_ path: [String]?) -> [PlaceName.Part]? {
    path.map { PlaceName(of: JSONPointer($0), in: root).parts }
  }
}

extension TextRuns {
  /// Tells of each change that inserted or deleted something in several lines in how many; lines
  /// are those of all that was ever in the text; O(changes + scalars that were ever inserted, times
  /// who deleted them).
  fileprivate func forEachChangeInLines(
    of log: Log, _ body: (_ change: ChangeIndex, _ count: Int32) -> Void
  ) {
    var counts = [Int32](repeating: 0, count: log.changeCount)
    var lastLines = [Int32](repeating: -1, count: log.changeCount)
    var line: Int32 = 0
    var isBlank = true
    func note(_ events: Range<LocalVersion>) {
      if !events.lowerBound.isEvent { return }
      for change in log.eventCounts.changes(of: events) {
        if lastLines[change] != line { counts[change] += 1 }
        lastLines[change] = line
      }
    }
    for (index, run) in runs.enumerated() {
      var scalars: [UInt32] = []
      // What was redacted is as long as it was, and takes no bytes of the file.
      if !run.isRedacted { append(0..<run.count, of: Int32(index), to: &scalars) }
      let entries = deletions(of: Int32(index)).map { deletions[$0] }
      /// Notes who inserted and who deleted some of the run.
      func noteAll(_ part: Range<Int32>) {
        if part.isEmpty { return }
        let names = (run.first + part.lowerBound)..<(run.first + part.upperBound)
        note(names)
        for entry in entries {
          let (one, other) = (
            entry.event(of: names.lowerBound), entry.event(of: names.upperBound - 1)
          )
          note(min(one, other)..<(max(one, other) + 1))
        }
      }
      var start: Int32 = 0
      for (offset, scalar) in zip(Int32(0)..., scalars) where scalar == 0x0A {
        if start < offset { isBlank = false }
        noteAll(start..<offset)
        // The end of a line counts only where there is nothing else.
        if isBlank { noteAll(offset..<offset + 1) }
        (line, isBlank) = (line + 1, true)
        start = offset + 1
      }
      if start < run.count { isBlank = false }
      noteAll(start..<run.count)
    }
    for (number, count) in counts.enumerated() where count > 1 { body(ChangeIndex(number), count) }
  }
}

/// What an operation works on, as far as a person is told who did something: a key, an element, or
/// a value in a set, or a text or counter as a whole.
package struct EditTarget: Hashable {
  /// A part of a container, or all of it.
  package enum Member: Hashable {
    case whole
    case key(KeyIndex)
    /// By its insertion.
    case element(LocalVersion)
    /// A value in a set.
    case value(Value)
  }

  /// The container.
  package var container: ContainerIndex
  /// The part of it.
  package var member = Member.whole

  /// Who worked on something, the last one first, and when that was last.
  typealias Writers = (authors: [String], time: Timestamp)

  /// The most authors that are told for one place.
  private static let authorLimit = 5

  /// Who worked on each of some targets; `nil` where nobody did; O(events in the ranges + targets).
  static func writers(
    of targets: [EditTarget], in log: Log, _ ranges: [Range<LocalVersion>]
  ) -> [Writers?] {
    var last: [EditTarget: [(author: AuthorIndex, event: LocalVersion)]] = [:]
    for target in targets { last[target] = [] }
    func record(_ target: EditTarget, _ event: LocalVersion) {
      guard var writers = last[target] else { return }
      let author = log.metadata(ofChange: log.eventCounts.change(of: event)).author
      // The latest event of each author, in no order yet.
      if let index = writers.firstIndex(where: { $0.author == author }) {
        if log.isLaterWrite(event, than: writers[index].event) { writers[index].event = event }
      } else if writers.count < authorLimit {
        writers.append((author, event))
      }
      last[target] = writers
    }
    for range in ranges {
      log.forEachOperation(in: range) { operation in
        operation.forEachTarget(in: log, record)
      }
    }
    return targets.map { target in
      let writers = (last[target] ?? []).sorted { log.isLaterWrite($0.event, than: $1.event) }
      guard let latest = writers.first else { return nil }
      let time = log.metadata(ofChange: log.eventCounts.change(of: latest.event)).time
      return (writers.map { log.authors[$0.author] }, time)
    }
  }
}

extension Operation {
  /// Calls `body` with all that the operation works on, and the last of its events that does.
  package func forEachTarget(in log: Log, _ body: (EditTarget, LocalVersion) -> Void) {
    if kind == .insertElements {
      for event in events { body(EditTarget(container: container, member: .element(event)), event) }
      return
    }
    var target = EditTarget(container: container)
    if kind.operands.contains(.key) {
      target.member = .key(key)
    } else if kind.operands.contains(.element) {
      target.member = .element(element)
    } else if kind.containerKind == .set, case .value(let value) = log.contents[content] {
      target.member = .value(value)
    }
    body(target, end - 1)
  }
}

extension Objects {
  /// The key or element in which a container was created; `nil` for the root.
  package func creationTarget(of created: ContainerIndex) -> EditTarget? {
    guard let parent = log.containers[created].parent else { return nil }
    return switch creationSpot(of: created) {
    case .key(_, let key)?: EditTarget(container: parent, member: .key(key))
    case .element(let insertion)?: EditTarget(container: parent, member: .element(insertion))
    case nil: nil
    }
  }
}
