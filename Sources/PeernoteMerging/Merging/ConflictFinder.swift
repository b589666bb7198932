import PeernoteCBOR
public import PeernoteEngine

extension Document {
  /// What is undecided: registers that hold different values, what was removed by someone who had not
  /// seen what was written there or inside, list elements that were inserted on several sides
  /// with one `id`, or equal ones without an `id`, and what was moved by somebody and removed, edited
  /// or moved elsewhere by somebody else.
  ///
  /// In the order of the content. O(n).
  ///
  /// A conflict ends when someone who has seen it writes or removes what it is about; for elements
  /// with one identity also when a whole edit joins them, which it does where no value differs.
  /// ``Editor/resolve(_:taking:since:identityKeys:)`` settles any of them.
  public var conflicts: [Conflict] { conflicts(identityKeys: ["id"]) }

  /// What is undecided, where other keys tell list elements apart.
  ///
  /// - Parameter keys: those of elements that tell them apart.
  /// - Returns: what is undecided, in the order of the content.
  public func conflicts(identityKeys keys: [String]) -> [Conflict] {
    var moves: [ContainerIndex: [TextMove]] = [:]
    if !log.graph.isLinear {
      // A history that takes too long to walk was refused when it was merged.
      moves = (try? log.textMoves(raw: file.texts, file.objects.critical)) ?? [:]
    }
    return file.conflicts(moves: moves, keys)
  }
}

extension DocumentFile {
  /// What is undecided, in the order of the content, with the lines of texts that were moved and are
  /// contested.
  func conflicts(moves: [ContainerIndex: [TextMove]], _ keys: [String]) -> [Conflict] {
    var finder = ConflictFinder(
      objects: objects, texts: shownTexts, passages: passages, moves: moves, identityKeys: keys)
    finder.search()
    return finder.found
  }
}

/// Walks the content of a document and lists what is undecided, and where some containers stand.
struct ConflictFinder {
  let objects: Objects
  /// The texts that are shown.
  let texts: [TextBuffer]
  let passages: [ContainerIndex: [TextPassage]]
  /// The lines of texts that were moved and are contested.
  let moves: [ContainerIndex: [TextMove]]
  var found: [Conflict] = []
  /// The containers to be located.
  private var wanted: Set<ContainerIndex>
  /// Where those of them stand that are shown.
  private(set) var paths: [ContainerIndex: JSONPointer] = [:]
  /// What tells elements of lists apart.
  let keys: [(name: String, number: KeyIndex)]
  /// Where the search is.
  private(set) var path = JSONPointer()
  /// Which containers may hold what is searched for, at any depth.
  private var isOnTheWay: [Bool] = []
  /// What was moved and is contested.
  private var moved: [[Objects.Fate]] = []
  /// Where parts of it stand.
  private var standing: [Objects.Spot: Standing] = [:]

  init(
    objects: Objects, texts: [TextBuffer], passages: [ContainerIndex: [TextPassage]],
    moves: [ContainerIndex: [TextMove]] = [:], identityKeys: [String] = ["id"],
    locating wanted: Set<ContainerIndex> = []
  ) {
    self.objects = objects
    self.texts = texts
    self.passages = passages
    self.moves = moves
    self.wanted = wanted
    keys = objects.numbered(identityKeys)
  }

  /// Searches the whole document; O(c) for c chains if nobody worked beside anybody, no container
  /// was replaced or removed, no text is contested, and nothing is to be located.
  ///
  /// Else O(n) to find the containers in which anything was written again, removed, or inserted
  /// beside others, and the children of these and of all that they stand in.
  mutating func search() {
    // Inside of what was replaced a change may go on to edit, though nobody else does.
    let located = wanted.union(passages.keys).union(moves.keys)
    if located.isEmpty, objects.edits == nil, objects.log.graph.isLinear { return }
    findMoves()
    isOnTheWay = objects.wayTo(located.union(wanted))
    search(container: .root)
    recordMoves()
  }

  private mutating func search(container: ContainerIndex) {
    guard isOnTheWay[container] else { return }
    if wanted.contains(container) { paths[container] = path }
    switch objects.log.containers[container].kind {
    case .map:
      for child in objects.children(ofMap: container) {
        note(child, .key(container, child.key), at: objects.log.keys[child.key])
        search(child, at: objects.log.keys[child.key])
      }
    case .list:
      var contested = objects.contestedElements(
        ofList: container, keys: keys, texts: texts)[...]
      for (index, child) in objects.children(ofList: container).enumerated() {
        note(child, .element(child.element), at: String(index))
        if let first = contested.first, first.places[0].index == index {
          record(first, ofList: container)
          contested.removeFirst()
        }
        search(child, at: String(index))
      }
    case .text:
      let contested = contestedPassages(of: container) + movedLines(of: container)
      found += contested.sorted { $0.start < $1.start }
    case _: break
    }
  }

  private mutating func search(_ child: Objects.Child, at token: String) {
    guard let shown = child.resolved.shown else { return }
    path.tokens.append(token)
    record(child, shown: shown)
    if let container = objects.container(createdBy: shown.event) { search(container: container) }
    path.tokens.removeLast()
  }

  private mutating func record(_ child: Objects.Child, shown: Objects.Entry) {
    let resolved = child.resolved
    let isPlain = child.overriddenRemoval == nil && !resolved.hasKeptEntry
    var others = objects.differing(resolved.others, from: shown)
    if isPlain, !others.isEmpty, objects.container(createdBy: shown.event) != nil {
      // Containers with equal content leave nothing to decide.
      let content = objects.node(of: shown, texts: texts)
      others.removeAll { objects.node(of: $0, texts: texts) == content }
    }
    let removal = child.overriddenRemoval ?? resolved.removals.first
    if others.isEmpty, removal == nil { return }
    let entries = [shown] + others
    // What those had seen who replaced or removed a container that is kept for the edits inside.
    var seen: [Range<LocalVersion>] = []
    if !isPlain, entries.contains(where: { objects.container(createdBy: $0.event) != nil }) {
      let hiders = entries.filter { !$0.isKept }.map(\.event) + [removal].compactMap(\.self)
      seen = objects.log.graph.closure(of: hiders.sorted())
    }
    var sides = entries.map { entry in
      side(entry, outside: entry.isKept || child.overriddenRemoval != nil ? seen : nil)
    }
    if let removal { sides.append(objects.log.side(removal, node: nil)) }
    found.append(
      objects.log.conflict(
        isPlain && !others.isEmpty ? .register : .deleteEdit, at: path, sides,
        by: entries.map(\.event) + [removal].compactMap(\.self)))
  }

  private mutating func record(
    _ contested: Objects.ContestedElements, ofList list: ContainerIndex
  ) {
    let children = objects.children(ofList: list)
    let sides = contested.places.map { place in
      var side = objects.log.side(
        place.write, node: objects.node(of: children[place.index], texts: texts))
      side.path = path.appending(String(place.index))
      return side
    }
    found.append(
      objects.log.conflict(
        contested.identity == nil ? .sameContent : .sameIdentity,
        at: path.appending(String(contested.places[0].index)), sides,
        by: contested.places.map(\.write)))
  }

  /// A value with the change that wrote it, or that edited it last outside of what those had seen
  /// who replaced it.
  private func side(
    _ entry: Objects.Entry, outside seen: [Range<LocalVersion>]?
  ) -> Conflict.Side {
    var event = entry.event
    if let seen, let container = objects.container(createdBy: event),
      let edit = objects.latestEdit(inside: container, outside: seen)
    {
      event = edit
    }
    return objects.log.side(event, node: objects.node(of: entry, texts: texts))
  }
}

extension Log {
  /// A competing value with the change that an event belongs to.
  func side(_ event: LocalVersion, node: DocumentNode?) -> Conflict.Side {
    let change = eventCounts.change(of: event)
    let metadata = metadata(ofChange: change)
    return Conflict.Side(
      node: node, author: authors[metadata.author], time: metadata.time,
      change: changeID(ofChange: change))
  }
  /// A conflict of which a side is shown first, with the events that wrote them.
  func conflict(
    _ kind: Conflict.Kind, at path: JSONPointer, _ sides: [Conflict.Side],
    by events: [LocalVersion]
  ) -> Conflict {
    let writes = events.map { eventID(of: $0) }
    return Conflict(
      path: path, kind: kind, id: writes[0].description, kept: sides[0],
      others: Array(sides.dropFirst()), writes: [writes[0]] + writes.dropFirst().sorted())
  }
}

/// What was moved, and by somebody else removed, edited where it was, or moved elsewhere.
extension ConflictFinder {
  /// Something that was moved, where it stands.
  private typealias Standing = (child: Objects.Child, path: JSONPointer)

  /// Finds what is contested, and the containers that it is in.
  private mutating func findMoves() {
    if objects.log.graph.isLinear { return }
    var finder = MoveFinder(in: objects, texts: texts, keys)
    moved = finder.contested()
    let holders = moved.joined().compactMap { fate -> ContainerIndex? in
      switch fate.place {
      case .here(let spot): objects.container(of: spot)
      case .slot(let element, _): objects.list(ofElement: element)
      case .nowhere: nil
      }
    }
    wanted.formUnion(holders)
  }

  /// Notes where something stands, if it is contested.
  private mutating func note(_ child: Objects.Child, _ spot: Objects.Spot, at token: String) {
    guard !moved.isEmpty, let container = objects.container(of: spot), wanted.contains(container)
    else { return }
    standing[spot] = (child, path.appending(token))
  }

  /// Records what was moved, where it stands first.
  ///
  /// That something stays since it was edited where it was is part of that.
  private mutating func recordMoves() {
    var all: [Conflict] = []
    var told: Set<JSONPointer> = []
    for fates in moved {
      guard let conflict = conflict(over: fates) else { continue }
      all.append(conflict)
      for fate in fates where fate.areRemovalsTold {
        if let path = fate.spot.flatMap({ standing[$0]?.path }) { told.insert(path) }
      }
    }
    if all.isEmpty { return }
    var holders: [JSONPointer: Int] = [:]
    for (number, moved) in all.enumerated() {
      for path in moved.sides.compactMap(\.path) { holders[path] = number }
    }
    for (number, moved) in all.enumerated() {
      for side in moved.sides {
        guard let tokens = side.path?.tokens, let node = side.node else { continue }
        for count in tokens.indices {
          if let holder = holders[JSONPointer(Array(tokens[..<count]))], holder != number {
            all[holder].movedParts.append(.init(tokens: tokens[count...], node: node))
          }
        }
      }
    }
    found.removeAll { conflict in
      conflict.kind == .deleteEdit && told.contains(conflict.path)
        && conflict.others.allSatisfy { $0.node == nil }
    }
    // What was moved comes before all else at its place.
    found = (all.sorted { $0.id < $1.id } + found).enumerated().sorted { left, right in
      left.element.path == right.element.path
        ? left.offset < right.offset : left.element.path.precedes(right.element.path)
    }.map(\.element)
  }

  /// What is contested; `nil` if too little of it is in the content.
  private func conflict(over fates: [Objects.Fate]) -> Conflict? {
    let here = fates.compactMap { fate in
      fate.spot.flatMap { standing[$0] }.map { (standing: $0, fate: fate) }
    }.sorted { $0.standing.path.precedes($1.standing.path) }
    var others = fates.filter { $0.spot == nil }
    var sides = here.map { side($0.fate, at: $0.standing) }
    var events = here.map(\.fate.event)
    var path = here.first?.standing.path
    // Where nothing stands, that it was removed is what is kept.
    others.sort { ($0.place == .nowhere) && ($1.place != .nowhere) }
    for fate in others {
      guard case .slot(let element, let slot) = fate.place else {
        sides.append(objects.log.side(fate.event, node: nil))
        events.append(fate.event)
        continue
      }
      guard let list = objects.list(ofElement: element), let place = paths[list] else { continue }
      sides.append(side(fate, at: slot, ofList: list, place))
      events.append(fate.event)
      // What moves in a list is named by that, so that it is settled after all that is in it.
      path = place
    }
    guard sides.count > 1, let path else { return nil }
    return objects.log.conflict(.moved, at: path, sides, by: events)
  }

  /// What stands somewhere.
  private func side(_ fate: Objects.Fate, at standing: Standing) -> Conflict.Side {
    var side = objects.log.side(
      fate.event, node: objects.node(of: standing.child, texts: texts))
    (side.path, side.isMoved) = (standing.path, fate.isMoved)
    side.moved = fate.spot.map { .thing(objects.handle(of: $0)) }
    return side
  }

  /// What would stand in a slot.
  private func side(
    _ fate: Objects.Fate, at slot: SlotIndex, ofList list: ContainerIndex, _ path: JSONPointer
  ) -> Conflict.Side {
    let element = objects.slots[element: slot]
    let content = objects.resolve(element.register).shown
    var side = objects.log.side(
      fate.event, node: content.map { objects.node(of: $0, texts: texts) })
    side.path = path.appending(String(objects.index(ofSlot: slot, in: list)))
    side.isMoved = true
    side.moved = .place(
      element: objects.log.eventID(of: element.event), move: objects.log.eventID(of: fate.event))
    return side
  }
}

extension JSONPointer {
  /// Whether it stands before another path in the content: of keys, as of indices, the shorter one
  /// comes first, and each before what is in it.
  package func precedes(_ other: JSONPointer) -> Bool {
    tokens.lexicographicallyPrecedes(other.tokens) { MapKeyOrder.precedes($0, $1) }
  }
}
