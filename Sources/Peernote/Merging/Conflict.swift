/// A place where a merge decided something that a person may want to look at.
public struct Conflict: Hashable, Sendable {
  /// What happened there.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Different values, or containers with different content, were written without one's author
    /// having seen the other.
    case register
    /// Both sides changed one line of a text, or lines that adjoin; what they did is combined.
    case adjacent
    /// Passages of a text were written against each other; one reading is shown.
    case passage
    /// Something was removed on one side and written or edited on the other; it stays.
    case deleteEdit = "delete-edit"
    /// Elements with one identity were inserted into a list on several sides; all stand there.
    case sameIdentity = "same-identity"
    /// Equal elements without identity were inserted into a list on several sides; all stand there.
    case sameContent = "same-content"
    /// Something was moved on one side, and on the other one removed, edited where it was, or moved
    /// elsewhere. A line of a text was removed in part at least.
    case moved
  }

  /// Where it stands in the merged document.
  public var path: JSONPointer
  /// For passages of texts the line of the text on which the passage starts, from 1.
  public var line: Int?
  /// For passages of texts where the passage stands in the merged text, in Unicode scalars.
  public var scalars: Range<Int>?
  /// What happened.
  public var kind: Kind
  /// Names the conflict: the same in every copy that has it.
  public var id: String
  /// What stands in the merged document; for lines that adjoin these, as merged.
  public var kept: Side
  /// The other values; for lines that adjoin these, as either side left them.
  public var others: [Side]

  /// The writes that compete and the removal if one does: of what is shown first, the others
  /// ascending; none for text.
  var writes: [EventID] = []
  /// What stands in front of a passage on its line.
  var lineStart = ""

  /// One of the values that compete.
  public struct Side: Hashable, Sendable {
    /// The value or container; `nil` if it is a removal.
    public var node: DocumentNode?
    /// Who made the ``change``.
    public var author: String
    /// When that was.
    public var time: Timestamp
    /// The change that wrote it, or removed it; for a container that was removed or replaced by
    /// someone who had not seen all edits inside, the latest change that made some of these.
    public var change: ChangeID
    /// Who else wrote what it says, of a passage that several people's edits made; the later first.
    public internal(set) var otherAuthors: [String] = []
    /// The changes that wrote what it says, the latest first.
    package var changes: [ChangeID] { [change] + otherChanges }
    var otherChanges: [ChangeID] = []
    /// For lines of texts where it stands, from 1.
    public var line: Int?
    /// Where it stands, or would stand, if that tells the sides apart: for what was moved, and for
    /// elements inserted on several sides, all of which are there.
    public var path: JSONPointer?
    /// Whether somebody moved it to where it stands, or would stand.
    package var isMoved = false
    /// What was moved; `nil` if it was removed, and for all else.
    var moved: Moved?
  }

  /// Something that was moved, wherever it stands.
  enum Moved: Hashable {
    /// A key of a map, named by what created it; `nil` for the document.
    case key(map: EventID?, String)
    /// An element of a list, named by its insertion.
    case element(EventID)
    /// A place in its list that an element was moved to, and is not in.
    case place(element: EventID, move: EventID)
    /// A line of a text.
    case line
    /// A line of a text as somebody left it where it was who deleted a part of it. It stands nowhere.
    case shortenedLine

    /// The element that it is about, wherever in its list that is.
    var element: EventID? {
      switch self {
      case .element(let element), .place(let element, _): element
      case .key, .line, .shortenedLine: nil
      }
    }
  }
}

extension Conflict.Side {
  /// Whether the side has nothing that stands in the document: it removed something, or a part of it, or
  /// moved it to where it is not.
  package var isAbsent: Bool {
    switch moved {
    case .place?, .shortenedLine?: true
    case .key?, .element?, .line?, nil: node == nil
    }
  }

  /// Whether the side removed a part of a line that was moved.
  package var isShortened: Bool { moved == .shortenedLine }
}

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
  private let wanted: Set<ContainerIndex>
  /// Where those of them stand that are shown.
  private(set) var paths: [ContainerIndex: JSONPointer] = [:]
  /// What tells elements of lists apart.
  let keys: [(name: String, number: KeyIndex)]
  /// Where the search is.
  private(set) var path = JSONPointer()
  /// Which containers may hold what is searched for, at any depth.
  private var isOnTheWay: [Bool] = []
  /// What was moved and is contested.
  var moved: [[Objects.Fate]] = []
  /// Where parts of it stand.
  var standing: [Objects.Spot: Standing] = [:]
  /// Where the lists stand that parts of it are or were in.
  var movedLists: [ContainerIndex: (path: JSONPointer, foundBefore: Int)] = [:]

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

  /// Searches the whole document.
  ///
  /// O(c) for c chains if nobody worked beside anybody, no container was replaced or removed, no text
  /// is contested, and nothing is to be located. Else O(n) to find the containers in which anything
  /// was written again, removed, or inserted beside others, and the children of these and of all that
  /// they stand in.
  mutating func search() {
    // Inside of what was replaced a change may go on to edit, though nobody else does.
    let located = wanted.union(passages.keys).union(moves.keys)
    if located.isEmpty, objects.edits == nil, objects.log.graph.isLinear { return }
    findMoves()
    isOnTheWay = objects.wayTo(located.union(movedLists.keys))
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
      if movedLists[container] != nil { movedLists[container] = (path, found.count) }
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
