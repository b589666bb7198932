import PeernoteCBOR

/// Goes through two states of a document side by side and lists the places that differ, with who
/// changed them; keys, elements and containers are known by their identity.
package struct StateChanges {
  private let old, new: DocumentFile
  /// What the texts of both show.
  private let oldTexts, newTexts: [TextBuffer]
  package private(set) var changes = PlaceChanges()
  /// Where the comparison is.
  private var levels: [Level] = []
  /// What tells who changed each place that is kept, with the container that is shown there.
  private var targets: [(target: EditTarget, content: ContainerIndex?)] = []

  /// A key or an element on the way to where the comparison is.
  private struct Level {
    var step: PlaceChange.Step
    var oldToken: String
    var newToken: String
    /// The element in the new state; `nil` for a key.
    var element: Objects.Child?
    /// How a person would name it, once somebody has asked.
    var name: PlaceName.Part?
  }

  /// Compares two states, of which the later one has all changes of the earlier one; O(n log n) for
  /// the size of both, and O(e) for e events since.
  package init(from old: DocumentFile, to new: DocumentFile) {
    var new = new
    new.objects.nameKeys()
    self.old = old
    self.new = new
    oldTexts = old.shownTexts
    newTexts = new.shownTexts
    compare(.root, .root)
    let (log, heads) = (new.log, new.log.version(of: old.log.headChanges))
    let since = log.graph.difference(log.graph.heads, heads).onlyFirst.reversed()
    let before = log.graph.closure(of: heads)
    let known = EditTarget.writers(of: targets.map(\.target), in: log, Array(since))
    for (index, writers) in known.enumerated() {
      let writers = writers ?? writer(inside: targets[index].content, before)
      var authors = writers?.authors ?? []
      // What stands there is the last one's.
      if changes.places[index].kind == .replaced { authors = Array(authors.prefix(1)) }
      changes.places[index].authors = authors
      changes.places[index].time = writers?.time
    }
  }

  /// Who made the last edit inside a container that was out of sight, and is shown because of it.
  private func writer(
    inside container: ContainerIndex?, _ before: [Range<LocalVersion>]
  ) -> EditTarget.Writers? {
    guard let container,
      let edit = new.objects.latestEdit(inside: container, outside: before)
    else { return nil }
    let metadata = new.log.metadata(ofChange: new.log.eventCounts.change(of: edit))
    return ([new.log.authors[metadata.author]], metadata.time)
  }

  // MARK: Walking

  /// Compares a container with what it was.
  private mutating func compare(_ before: ContainerIndex, _ after: ContainerIndex) {
    switch new.log.containers[after].kind {
    case .map: compareMaps(before, after)
    case .list: compareLists(before, after)
    case .text:
      let (was, now) = (oldTexts[before], newTexts[after])
      if !was.isSame(as: now) {
        add(.text, EditTarget(container: after), from: .text(was.string), to: .text(now.string))
      }
    case .set:
      let was = old.objects.members(ofSet: before)
      let now = new.objects.members(ofSet: after)
      for value in Array(Set(was).subtracting(now)).sortedByEncoding() {
        let target = EditTarget(container: after, member: .value(value))
        add(.memberRemoved, target, from: .value(value))
      }
      for value in Array(Set(now).subtracting(was)).sortedByEncoding() {
        let target = EditTarget(container: after, member: .value(value))
        add(.memberAdded, target, to: .value(value))
      }
    case .counter:
      let (was, now) = (
        old.objects.value(ofCounter: before), new.objects.value(ofCounter: after)
      )
      if was != now {
        add(.counted, EditTarget(container: after), from: .counter(was), to: .counter(now))
      }
    }
  }

  private mutating func compareMaps(_ before: ContainerIndex, _ after: ContainerIndex) {
    var was: [ExactString: Objects.Child] = [:]
    for child in old.objects.children(ofMap: before) {
      was[ExactString(old.log.keys[child.key])] = child
    }
    for child in new.objects.children(ofMap: after) {
      let key = new.log.keys[child.key]
      enter(.key(ExactString(key)), key, key)
      compare(
        was.removeValue(forKey: ExactString(key)), child,
        EditTarget(container: after, member: .key(child.key)))
      levels.removeLast()
    }
    let names = old.log.keys
    for child in was.values.sorted(by: { MapKeyOrder.precedes(names[$0.key], names[$1.key]) }) {
      let key = old.log.keys[child.key]
      enter(.key(ExactString(key)), key, key)
      let number = new.objects.number(ofKey: key) ?? .absent
      addRemoval(of: child, EditTarget(container: after, member: .key(number)))
      levels.removeLast()
    }
  }

  /// Compares a list with what it was; takes memory only for the part between the elements at
  /// either end that both have.
  private mutating func compareLists(_ before: ContainerIndex, _ after: ContainerIndex) {
    let was = old.objects.children(ofList: before)
    let now = new.objects.children(ofList: after)
    func isSame(_ left: Int, _ right: Int) -> Bool {
      old.log.eventID(of: was[left].element) == new.log.eventID(of: now[right].element)
    }
    let shorter = min(was.count, now.count)
    var start = 0
    while start < shorter, isSame(start, start) { start += 1 }
    var end = 0
    while end < shorter - start, isSame(was.count - 1 - end, now.count - 1 - end) { end += 1 }
    let oldPart = Array(was[start..<was.count - end])
    let newPart = Array(now[start..<now.count - end])
    var places: [EventID: Int] = [:]
    for (index, child) in oldPart.enumerated() {
      places[old.log.eventID(of: child.element)] = index
    }
    let partners = newPart.map { places[new.log.eventID(of: $0.element)] ?? -1 }
    let isKept = Set(partners)
    let isMoved = movedElements(oldPart, newPart, partners)
    let homes = homes(
      of: oldPart, partners, isMoved, inList: after, within: start..<now.count - end)
    for index in 0..<start { compare(was[index], at: index, now[index], at: index, of: after) }
    for (index, child) in newPart.enumerated() {
      let partner = partners[index]
      compare(
        partner < 0 ? nil : oldPart[partner], at: max(partner + start, 0), child,
        at: start + index, of: after, home: isMoved[index] ? homes[partner] : nil)
    }
    for distance in stride(from: end, to: 0, by: -1) {
      let (left, right) = (was.count - distance, now.count - distance)
      compare(was[left], at: left, now[right], at: right, of: after)
    }
    for (index, child) in oldPart.enumerated() where !isKept.contains(index) {
      let name = old.log.eventID(of: child.element)
      enter(.element(name), String(start + index), String(homes[index]))
      let element = new.log.event(name) ?? .beforeAll
      addRemoval(of: child, EditTarget(container: after, member: .element(element)))
      levels.removeLast()
    }
  }

  /// Compares an element of a list with what it was; `nil` if it was not there.
  private mutating func compare(
    _ before: Objects.Child?, at oldIndex: Int, _ child: Objects.Child, at index: Int,
    of list: ContainerIndex, home: Int? = nil
  ) {
    let target = EditTarget(container: list, member: .element(child.element))
    enter(
      .element(new.log.eventID(of: child.element)), String(oldIndex), String(index), element: child)
    if let home { add(.moved, target, moved: (oldIndex, home)) }
    compare(before, child, target)
    levels.removeLast()
  }

  /// Which elements stand elsewhere among those that were there before, because they were moved.
  private func movedElements(
    _ was: [Objects.Child], _ now: [Objects.Child], _ partners: [Int]
  ) -> [Bool] {
    var isMoved = [Bool](repeating: false, count: now.count)
    let kept = now.indices.filter { partners[$0] >= 0 }
    if zip(kept, kept.dropFirst()).allSatisfy({ partners[$0] < partners[$1] }) { return isMoved }
    // Those that were not moved keep their order; of the others as many stay as fit between them.
    let isFixed = kept.map { index in
      old.objects.placeName(of: was[partners[index]]) == new.objects.placeName(of: now[index])
    }
    var next = [Int](repeating: was.count, count: kept.count)
    for place in kept.indices.dropLast().reversed() {
      next[place] = isFixed[place + 1] ? partners[kept[place + 1]] : next[place + 1]
    }
    var last = -1
    var fitting: [Int] = []
    for (place, index) in kept.enumerated() {
      let partner = partners[index]
      isMoved[index] = !isFixed[place]
      if isFixed[place] { last = partner }
      if isFixed[place] || (last < partner && partner < next[place]) { fitting.append(index) }
    }
    let stays = ListMoves.longestSeries(in: fitting.map { Int32(partners[$0]) })
    for (index, stays) in zip(fitting, stays) where stays { isMoved[index] = false }
    return isMoved
  }

  /// Before which elements of a list those would stand that are gone or were moved, had they not been:
  /// between those that kept their order, and there where their old slots are.
  ///
  /// O(slots), if there are any. `partners` holds for each element now its number among those
  /// before; below 0 for a new one. Those of now stand in `part` of the list. Gives an index for
  /// each element before, or none if all of them stay.
  private func homes(
    of was: [Objects.Child], _ partners: [Int], _ isMoved: [Bool], inList list: ContainerIndex,
    within part: Range<Int>
  ) -> [Int] {
    var staying = [Int?](repeating: nil, count: was.count)
    for (index, partner) in partners.enumerated() where partner >= 0 && !isMoved[index] {
      staying[partner] = part.lowerBound + index
    }
    if !staying.contains(nil) { return [] }
    let slots = was.map { child in
      old.objects.placeName(of: child).flatMap { new.log.event($0) }
        .flatMap { new.objects.slotIndex(madeBy: $0) }
    }
    let indices = new.objects.indices(ofSlots: Set(slots.compactMap(\.self)), in: list)
    var homes = staying.map { $0 ?? part.upperBound }
    for index in was.indices.dropLast().reversed() where staying[index] == nil {
      homes[index] = homes[index + 1]
    }
    var least = part.lowerBound
    for index in was.indices {
      if staying[index] != nil {
        least = homes[index] + 1
      } else {
        let own = slots[index].flatMap { indices[$0] } ?? least
        homes[index] = min(max(least, own), homes[index])
        least = homes[index]
      }
    }
    return homes
  }

  /// Compares what stands in a key or an element with what stood there.
  private mutating func compare(
    _ before: Objects.Child?, _ after: Objects.Child, _ target: EditTarget
  ) {
    guard let now = after.resolved.shown else { return }
    let content = new.objects.container(createdBy: now.event)
    guard let was = before?.resolved.shown else {
      let node = new.objects.node(of: now, texts: newTexts)
      return add(.added, target, to: node, showing: content)
    }
    let (left, right) = (old.log.contents[was.content], new.log.contents[now.content])
    if let first = old.objects.container(createdBy: was.event),
      let content, old.log.containerID(first) == new.log.containerID(content), left == right
    {
      return compare(first, content)
    }
    if case .value = left, left == right { return }
    let (earlier, later) = (
      old.objects.node(of: was, texts: oldTexts), new.objects.node(of: now, texts: newTexts)
    )
    // A container that was written anew with what it held is no news.
    if earlier != later {
      add(.replaced, target, from: earlier, to: later, showing: content)
    }
  }

  // MARK: What differs

  private mutating func enter(
    _ step: PlaceChange.Step, _ oldToken: String, _ newToken: String,
    element: Objects.Child? = nil
  ) {
    levels.append(Level(step: step, oldToken: oldToken, newToken: newToken, element: element))
  }

  private mutating func add(
    _ kind: PlaceChange.Kind, _ target: EditTarget, from old: DocumentNode? = nil,
    to new: DocumentNode? = nil, showing content: ContainerIndex? = nil,
    moved: (origin: Int, home: Int)? = nil
  ) {
    changes.count += 1
    guard changes.places.count < PlaceChanges.limit else { return }
    let tokens = levels.map(\.newToken)
    var change = PlaceChange(
      steps: levels.map(\.step), path: JSONPointer(tokens), name: name(), kind: kind, old: old,
      new: new, origin: moved?.origin)
    if let moved {
      change.home = change.path.parent.appending(String(moved.home))
    } else if kind == .removed {
      (change.home, change.path) = (change.path, JSONPointer(levels.map(\.oldToken)))
    }
    changes.places.append(change)
    targets.append((target, content))
  }

  private mutating func addRemoval(of child: Objects.Child, _ target: EditTarget) {
    let isKept = changes.places.count < PlaceChanges.limit
    let node = isKept ? old.objects.node(of: child, texts: oldTexts) : nil
    if let last = levels.indices.last, case .element = levels[last].step {
      levels[last].name = PlaceName.part(node, at: Int(levels[last].oldToken) ?? 0)
    }
    add(.removed, target, from: node)
  }

  /// Names where the comparison is.
  private mutating func name() -> PlaceName {
    for index in levels.indices where levels[index].name == nil {
      let level = levels[index]
      switch level.step {
      case .key(let key): levels[index].name = .key(key.string)
      case .element:
        let node = level.element.map { new.objects.node(of: $0, texts: newTexts) }
        levels[index].name = PlaceName.part(node, at: Int(level.newToken) ?? 0)
      }
    }
    return PlaceName(levels.compactMap(\.name))
  }
}

extension Objects {
  /// Names the insertion or move that put an element where it stands;
  /// O(log n + moves of the element).
  fileprivate func placeName(of child: Child) -> EventID? {
    element(insertedBy: child.element).map { log.eventID(of: slots.event(of: shownSlot(of: $0))) }
  }
}
