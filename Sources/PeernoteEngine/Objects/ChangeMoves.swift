/// What changes moved from one place to another: what one removed in one place, and put into
/// another as it was; a map with an identity is known by that, everything else by its content.
package struct ChangeMoves {
  /// As many contents are looked at to find out which are the same; after that only identities tell.
  private static let contentLimit = 1 << 20

  private let objects: Objects
  /// What the texts show; empty if they are not to be compared.
  private let texts: [TextBuffer]
  private let keys: [(name: String, number: KeyIndex)]
  /// For each change that was looked at what it moved, and where to.
  private var moves: [ChangeIndex: [Objects.Spot: Arrival]] = [:]
  /// What was moved with that, as it was in it.
  private var movedParts: [ChangeIndex: [Objects.Spot]] = [:]
  private var contentCount = 0
  /// The operations on texts and counters; found when they are needed.
  private var sums: [ContainerIndex: [Operation]]?

  /// Where something was moved to, and by which event.
  struct Arrival {
    var spot: Objects.Spot
    var event: LocalVersion
  }

  package init(
    in objects: Objects, texts: [TextBuffer], _ keys: [(name: String, number: KeyIndex)]
  ) {
    (self.objects, self.texts, self.keys) = (objects, texts, keys)
  }

  /// Where an element is that was moved to another list; `nil` if it was not, or is not there any
  /// more; O(what the changes did that removed it).
  package mutating func destination(ofElement insertion: LocalVersion) -> LocalVersion? {
    guard let element = objects.element(insertedBy: insertion) else { return nil }
    for removal in objects.history(of: .init(last: element.touch.lastRemoval)) {
      guard let next = moves(inChangeOf: removal.event)[.element(insertion)],
        case .element(let moved) = next.spot, moved > insertion
      else { continue }
      if objects.child(at: next.spot) != nil { return moved }
      if let further = destination(ofElement: moved) { return further }
    }
    return nil
  }

  /// Something that a change removed, or put somewhere.
  private struct Part {
    var spot: Objects.Spot
    var event: LocalVersion
    var content: ContentIndex
    /// The container that it is; `nil` for a value.
    var container: ContainerIndex?
    /// Whether it is in something that the same change made or removed.
    var isInside = false

    /// Whether it may be what another part was: a value in something is a part of that.
    func mayBe(_ other: Part) -> Bool {
      spot != other.spot && (container != nil || isInside == other.isInside)
    }
  }

  /// What two things that are the same have in common.
  private enum Likeness: Hashable {
    case identity(ListIdentity)
    /// The content, with how long its texts are in place of what they say.
    case content(DocumentNode)
  }

  /// What the change of an event moved from one place to another.
  mutating func moves(inChangeOf event: LocalVersion) -> [Objects.Spot: Arrival] {
    let change = objects.log.eventCounts.change(of: event)
    if let known = moves[change] { return known }
    let events = objects.log.eventCounts.events(ofChange: change)
    let (removed, placed) = parts(of: events)
    var found: [Objects.Spot: Arrival] = [:]
    if !removed.isEmpty, !placed.isEmpty {
      let unseen = objects.log.graph.closure(of: [events.upperBound - 1])
        .gaps(in: .first..<objects.log.graph.end)
      var waiting: [Likeness: [(part: Part, texts: [ContainerIndex])]] = [:]
      for part in placed {
        var texts: [ContainerIndex] = []
        guard let likeness = likeness(of: part, without: unseen, &texts) else { continue }
        waiting[likeness, default: []].append((part, texts))
      }
      for part in removed + removed.flatMap({ parts(in: $0, without: unseen) }) {
        if waiting.isEmpty { break }
        var texts: [ContainerIndex] = []
        guard let likeness = likeness(of: part, without: unseen, &texts),
          let index = waiting[likeness]?.firstIndex(where: { other in
            other.part.mayBe(part)
              && zip(texts, other.texts).allSatisfy { saysTheSame($0, $1, without: unseen) }
          }), let other = waiting[likeness]?.remove(at: index)
        else { continue }
        if waiting[likeness]?.isEmpty == true { waiting[likeness] = nil }
        found[part.spot] = Arrival(spot: other.part.spot, event: other.part.event)
        if part.isInside { movedParts[change, default: []].append(part.spot) }
      }
    }
    moves[change] = found
    return found
  }

  /// What the change of an event moved as it was in something else; nothing if that was asked before.
  mutating func newParts(movedInChangeOf event: LocalVersion) -> [Objects.Spot] {
    _ = moves(inChangeOf: event)
    return movedParts.removeValue(forKey: objects.log.eventCounts.change(of: event)) ?? []
  }

  /// What a change removed with something that it was in.
  private func parts(in part: Part, without unseen: [Range<LocalVersion>]) -> [Part] {
    guard let container = part.container else { return [] }
    return entries(of: container, without: unseen).flatMap { spot, shown in
      let inner = Part(
        spot: spot, event: part.event, content: shown.content,
        container: objects.container(createdBy: shown.event), isInside: true)
      return [inner] + parts(in: inner, without: unseen)
    }
  }

  /// What a change took out of places, and what it put into some.
  private func parts(of events: Range<LocalVersion>) -> (removed: [Part], placed: [Part]) {
    var removed: [Part] = []
    var placed: [Part] = []
    let log = objects.log
    func add(_ spot: Objects.Spot, _ event: LocalVersion, _ content: ContentIndex) {
      placed.append(
        Part(
          spot: spot, event: event, content: content,
          container: objects.container(createdBy: event),
          isInside: objects.container(of: spot).map {
            events.contains(log.containers[$0].created)
          } ?? false))
    }
    /// What stood there before, unless the same change put it there.
    func remove(_ spot: Objects.Spot, _ event: LocalVersion) {
      guard let register = objects.register(at: spot) else { return }
      let write = objects.history(of: register).first {
        $0.content != nil && objects.isSeen($0.event, by: event)
      }
      guard let write, let content = write.content, !events.contains(write.event) else { return }
      removed.append(
        Part(
          spot: spot, event: event, content: content,
          container: objects.container(createdBy: write.event)))
    }
    log.forEachOperation(in: events) { operation in
      switch operation.kind {
      case .put:
        add(.key(operation.container, operation.key), operation.first, operation.content)
      case .putElement: add(.element(operation.element), operation.first, operation.content)
      case .insertElements:
        for event in operation.events {
          add(.element(event), event, operation.content + (event - operation.first))
        }
      case .remove: remove(.key(operation.container, operation.key), operation.first)
      case .removeElement: remove(.element(operation.element), operation.first)
      case .insertText, .deleteForward, .deleteBackward, .moveElement, .add, .discard, .increment:
        break
      }
    }
    return (removed, placed)
  }

  /// What tells whether something is the same as another one, as it was at the end of the change.
  private mutating func likeness(
    of part: Part, without unseen: [Range<LocalVersion>], _ texts: inout [ContainerIndex]
  ) -> Likeness? {
    if let container = part.container,
      let (identity, _) = objects.identity(ofMap: container, keys)
    {
      return .identity(identity)
    }
    return content(part.content, part.container, without: unseen, &texts).map { .content($0) }
  }

  /// A value, or the content of a container with its texts in order; `nil` if too many were looked at.
  private mutating func content(
    _ content: ContentIndex, _ container: ContainerIndex?, without unseen: [Range<LocalVersion>],
    _ texts: inout [ContainerIndex]
  ) -> DocumentNode? {
    contentCount += 1
    if contentCount > Self.contentLimit { return nil }
    guard let container else {
      guard case .value(let value) = objects.log.contents[content] else { return nil }
      return .value(value)
    }
    let kind = objects.log.containers[container].kind
    switch kind {
    case .map, .list:
      var inside: [DocumentNode.MapEntry] = []
      for (spot, shown) in entries(of: container, without: unseen) {
        let created = objects.container(createdBy: shown.event)
        guard let node = self.content(shown.content, created, without: unseen, &texts) else {
          return nil
        }
        var key = ""
        if case .key(_, let number) = spot { key = objects.log.keys[number] }
        inside.append(.init(key: key, node: node))
      }
      return kind == .map ? .map(inside) : .list(inside.map(\.node))
    case .set:
      let members = objects.everyMember(ofSet: container)
      return .set(
        members: Set(members.filter { objects.contains($0, set: container, without: unseen) }))
    case .counter: return .counter(sum(of: container, without: unseen))
    case .text:
      texts.append(container)
      return .text(String(sum(of: container, without: unseen)))
    }
  }

  /// What stood in a map or list, in order.
  private func entries(
    of container: ContainerIndex, without unseen: [Range<LocalVersion>]
  ) -> [(spot: Objects.Spot, shown: Objects.Entry)] {
    var result: [(spot: Objects.Spot, shown: Objects.Entry)] = []
    switch objects.log.containers[container].kind {
    case .map:
      for key in objects.mapKeys.keys(ofMap: container).sorted(by: { $0.key < $1.key }) {
        guard let shown = objects.resolve(key.register, without: unseen).shown else { continue }
        result.append((.key(container, key.key), shown))
      }
    case .list:
      for slot in objects.shownSlots(ofList: container, without: unseen) {
        let element = objects.slots[element: slot]
        guard let shown = objects.resolve(element.register, without: unseen).shown else { continue }
        result.append((.element(element.event), shown))
      }
    case _: break
    }
    return result
  }

  /// What a counter counts, or how many scalars a text has but for what several people deleted;
  /// O(operations) once, and O(log n) for each of its own.
  private mutating func sum(
    of container: ContainerIndex, without unseen: [Range<LocalVersion>]
  ) -> Int64 {
    var sum: Int64 = 0
    let operations = operations(on: container)
    contentCount += operations.count
    for operation in operations {
      let count = unseen.gaps(in: operation.events).reduce(0) { $0 + Int64($1.count) }
      if operation.kind == .increment {
        if count > 0, case .value(.integer(let amount)) = objects.log.contents[operation.content] {
          sum &+= amount
        }
      } else {
        sum += operation.kind == .insertText ? count : -count
      }
    }
    return sum
  }

  private mutating func operations(on container: ContainerIndex) -> [Operation] {
    if sums == nil {
      var found: [ContainerIndex: [Operation]] = [:]
      for operation in objects.log.operations
      where operation.kind == .increment || operation.kind == .insertText
        || operation.kind.deletesText
      {
        found[operation.container, default: []].append(operation)
      }
      sums = found
    }
    return sums?[container] ?? []
  }

  /// Whether two texts may have said the same after a change: known where nobody else edited them.
  private mutating func saysTheSame(
    _ first: ContainerIndex, _ second: ContainerIndex, without unseen: [Range<LocalVersion>]
  ) -> Bool {
    if texts.isEmpty { return true }
    let areKnown = [first, second].allSatisfy { text in
      operations(on: text).allSatisfy { unseen.gaps(in: $0.events) == [$0.events] }
    }
    return !areKnown || texts[first].isSame(as: texts[second])
  }
}
