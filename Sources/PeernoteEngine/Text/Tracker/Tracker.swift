/// The internal state of the event-graph walker: for each text a sequence of items, runs of
/// scalars that were inserted one after the other, deleted ones included.
///
/// Gentle & Kleppmann, "Collaborative Text Editing with Eg-walker", sections 3.2 to 3.4. Each item
/// knows two states: in the prepare version, which ``retreat(_:)`` and ``advance(_:)`` move, and in
/// the effect version, which only ever grows. Where the paper transforms each operation into an
/// index of the effect version, this tracker keeps names: after a walk the items, in order, say of
/// every scalar whether it is visible, on which side it was inserted and on which deleted. So each
/// node carries one length only, that of the prepare version.
///
/// The sequences are B+trees in shared pools, linked by index:
///
/// ```
/// sequence ── inner ──┬── leaf ─ item item item …
///                     ├── leaf ─ item item …          leaves are linked left to right
///                     └── leaf ─ item …
/// ```
///
/// A sequence of one leaf has no inner node, and its leaf grows with it, since a document can hold
/// as many texts of a word or two as it has bytes.
///
/// Finding a position, splitting an item or changing its state is O(log n) for n items. The nodes
/// above the leaf of the last edit are told of its length only when another one is edited
/// (``settle()``).
package struct Tracker: ~Copyable {
  /// A run of scalars with consecutive names, inserted one after the other, in one state.
  package struct Item: BitwiseCopyable {
    /// The name of the first scalar: its event, or its place in the placeholder.
    package var first: LocalVersion
    /// How many scalars.
    package var length: Int32
    /// The scalar left of the first one when it was inserted.
    var originLeft = Neighbour.edge
    /// The scalar right of them when they were inserted, deleted ones included.
    var originRight = Neighbour.edge
    /// Its node in the ``InsertionTree``, if there is one.
    var node: Int32 = InsertionTree.root
    /// From the lowest bit on: three bits each for the sides that inserted and deleted it, and the
    /// state in the prepare version.
    private var stateAndSides: UInt32

    init(
      first: LocalVersion, length: Int32, prepareState: Int32, insertedBy: Sides
    ) {
      self.first = first
      self.length = length
      stateAndSides = UInt32(bitPattern: prepareState) << 6 | UInt32(insertedBy.rawValue)
    }

    /// The state in the prepare version: 0 not inserted yet, 1 visible, n + 1 deleted n times.
    ///
    /// At most one more than there are changes, as nobody deletes what he has deleted.
    var prepareState: Int32 {
      get { Int32(bitPattern: stateAndSides >> 6) }
      set { stateAndSides = UInt32(bitPattern: newValue) << 6 | stateAndSides & 0x3F }
    }
    /// The sides that inserted it (``Sides``).
    package var insertedBy: Sides { Sides(rawValue: UInt8(truncatingIfNeeded: stateAndSides & 7)) }
    /// The sides that deleted it; empty if it is visible in the effect version.
    package var deletedBy: Sides {
      Sides(rawValue: UInt8(truncatingIfNeeded: stateAndSides >> 3 & 7))
    }
    /// Records that some sides deleted it.
    mutating func addDeletion(by side: Sides) { stateAndSides |= UInt32(side.rawValue) << 3 }

    /// One past the name of the last scalar.
    var end: LocalVersion { first + length }
    /// How many of its scalars are visible in the prepare version.
    var visible: Int32 { prepareState == 1 ? length : 0 }

    /// The item without its first scalars.
    func suffix(from offset: Int32) -> Item {
      var suffix = self
      suffix.first += offset
      suffix.length -= offset
      suffix.originLeft = Neighbour(suffix.first - 1)
      return suffix
    }
  }

  struct Leaf: BitwiseCopyable {
    var count: Int32
    /// How many items it has room for.
    var capacity: Int32
    /// Its first item in the pool.
    var base: Int32
    /// -1 for the only leaf of a sequence.
    var parent: Int32
    /// The next leaf of the sequence; -1 at its end.
    var next: Int32
    /// The sequence that it belongs to.
    var sequence: Int32
    /// Whether it has items of the prepare version, deleted ones included.
    var hasPresent: Bool
  }

  struct Inner: BitwiseCopyable {
    var count: Int32
    var parent: Int32
    var childrenAreLeaves: Bool
    var children: InlineArray<16, Int32>
    /// How many scalars below each child are visible in the prepare version.
    var visible: InlineArray<16, Int32>
    /// Which children have items of the prepare version, the lowest bit the first one.
    var present: UInt16
  }

  struct Sequence: BitwiseCopyable {
    /// The node above all others; -1 if there is but one leaf.
    var root: Int32
    var firstLeaf: Int32
    /// How many scalars are visible in the prepare version.
    var visible: Int32
  }

  /// A place between two scalars: inside item `item` of a leaf after `offset` of its scalars.
  struct Cursor: BitwiseCopyable {
    var leaf: Int32
    var item: Int32
    var offset: Int32
  }

  static let leafCapacity: Int32 = 32
  /// What the first leaf of a sequence begins with; it grows by fours.
  private static let firstCapacity: Int32 = 2
  static let innerCapacity: Int32 = 16
  /// As many items of a gap are looked at one by one.
  package static let scanLimit = 32
  /// A bound on how many items an insertion into a gap looks at: it scans 32 twice, or 33 once and
  /// searches the rest, which looks at six in a leaf and twice at four in each of at most ten
  /// levels above.
  package static let placingLimit = 120
  static let blankItem = Item(first: .first, length: 0, prepareState: 0, insertedBy: [])

  /// Whether scalars are found by name, which ``retreat(_:)`` and ``advance(_:)`` need.
  ///
  /// Many walks do without: those over linear history, and those over two branches of it.
  private(set) var isIndexed = false
  /// How many items there are.
  var itemCount = 0
  /// The items of all leaves; see ``slot(_:_:)``.
  var items = Pool<Item>(minimumCapacity: 64)
  var leaves = Pool<Leaf>()
  var inners = Pool<Inner>()
  var index = VersionIndex()
  /// Whether ``insertionTree`` holds all insertions, as finding places in large gaps needs it.
  private(set) var hasInsertionTree = false
  var insertionTree = InsertionTree()
  /// What events deleted, in the order in which they were applied.
  var deletions: [VersionIndex.Entry] = []
  package internal(set) var sequences: [ContainerIndex: SequenceHandle] = [:]
  var sequencePool = Pool<Sequence>()
  var finger = Finger()
  private var nextPlaceholder = LocalVersion.firstPlaceholder
  /// About how many items there will be.
  private var expectedCount = 0
  /// How many items were moved between versions, or looked at among concurrent ones, so far.
  package internal(set) var steps = 0
  /// The scalars that were deleted by events that had not seen an earlier deletion of them.
  package internal(set) var deletedAgain: [Range<LocalVersion>] = []

  /// Names a sequence of this tracker.
  package struct SequenceHandle: Hashable, Sendable {
    var index: Int32
  }

  /// As many items of a gap are looked at one by one; more are searched.
  let scanLimit: Int

  /// An empty tracker that looks at up to `scanLimit` items of a gap one by one; the order is the
  /// same with any limit.
  package init(scanLimit: Int = Self.scanLimit) {
    self.scanLimit = scanLimit
  }

  /// Forgets all that was applied, and keeps the memory for what comes next.
  mutating func removeAll() {
    itemCount = 0
    items.removeAll()
    leaves.removeAll()
    inners.removeAll()
    index.removeAll()
    isIndexed = false
    insertionTree.removeAll()
    hasInsertionTree = false
    deletions.removeAll(keepingCapacity: true)
    sequences.removeAll(keepingCapacity: true)
    sequencePool.removeAll()
    finger = Finger()
    nextPlaceholder = .firstPlaceholder
    steps = 0
    deletedAgain.removeAll(keepingCapacity: true)
  }

  /// Adds the sequence of a text whose content before the walk is not known scalar by scalar.
  ///
  /// `placeholder` bounds how many scalars the text holds before the walk; 0 if it is empty.
  package mutating func addSequence(for container: ContainerIndex, placeholder: Int32) {
    let sequence = SequenceHandle(index: Int32(sequencePool.count))
    let leaf = appendLeaf(capacity: Self.firstCapacity, next: -1, of: sequence)
    _ = sequencePool.append(Sequence(root: -1, firstLeaf: leaf, visible: 0))
    sequences[container] = sequence
    guard placeholder > 0 else { return }
    let item = Item(
      first: nextPlaceholder, length: placeholder, prepareState: 1, insertedBy: .both)
    nextPlaceholder += placeholder
    insert(item, at: Cursor(leaf: leaf, item: 0, offset: 0), of: sequence)
  }

  /// Makes room for as many operations, so that memory is not taken twice while it grows.
  mutating func reserve(operations: Int) {
    expectedCount = operations + operations / 8
    // Leaves and the chunks of the index may be left half full.
    items.reserve(2 * expectedCount)
    deletions.reserveCapacity(expectedCount)
  }

  /// How many bytes what was applied takes, without room for more; with what an index and a tree
  /// will take, since they come all at once; O(1).
  var byteCount: Int {
    let entry = MemoryLayout<VersionIndex.Entry>.stride
    // Sorting them takes half as much again.
    let indexed = isIndexed ? index.byteCount : (itemCount + deletions.count) * (entry + entry / 2)
    let tree =
      hasInsertionTree
      ? insertionTree.byteCount : itemCount * MemoryLayout<InsertionTree.Node>.stride
    return sequenceByteCount + deletions.count * entry + indexed + tree
  }

  /// How many bytes the items take, without what finds them by name.
  var sequenceByteCount: Int { items.byteCount + leaves.byteCount + inners.byteCount }

  /// Makes room for so many more items, if these are most of all.
  mutating func reserve(items count: Int) {
    guard count > items.count else { return }
    // Leaves may be left half full.
    items.reserve(items.count + 2 * count)
  }

  /// Makes scalars known by name from now on, in O(n log n) for n items and deletions; O(1) if they
  /// are known.
  mutating func buildIndex() {
    if isIndexed { return }
    isIndexed = true
    index.reserve(2 * expectedCount)
    for deletion in deletions { index.append(deletion) }
    for leaf in 0..<Int32(leaves.count) {
      for place in 0..<leaves[leaf].count {
        let item = items[slot(leaf, place)]
        index.append(
          .init(first: item.first, length: item.length, leaf: leaf))
      }
    }
    index.sortAppended()
  }

  /// Adds all insertions up to now to ``insertionTree``, in O(n log n) for n items and deletions;
  /// O(1) if that was done.
  mutating func buildInsertionTree() {
    if hasInsertionTree { return }
    hasInsertionTree = true
    insertionTree.reserve(expectedCount)
    buildIndex()
    // The parent of an insertion comes before it.
    var next = index.firstPlace
    while let place = next {
      next = index.place(after: place)
      let entry = index[place]
      guard entry.kind == .insertion else { continue }
      let cursor = find(scalar: entry.first, in: entry.leaf)
      let here = slot(cursor.leaf, cursor.item)
      let (left, right) = (items[here].originLeft, items[here].originRight)
      let isLeftChild = right.event.map { originLeft(of: $0) } == left
      let parent = (isLeftChild ? right : left).event
      items[here].node = insertionTree.add(
        entry.first, below: parent.map { item(holding: $0).node } ?? InsertionTree.root,
        isLeftChild: isLeftChild)
    }
  }

  /// The scalar on the left of another one when that was inserted.
  private func originLeft(of scalar: LocalVersion) -> Neighbour {
    let item = item(holding: scalar)
    return item.first == scalar ? item.originLeft : Neighbour(scalar - 1)
  }

  /// Adds a leaf that has no parent yet.
  mutating func appendLeaf(capacity: Int32, next: Int32, of sequence: SequenceHandle) -> Int32 {
    let base = items.append(Self.blankItem, repetitions: Int(capacity))
    return leaves.append(
      Leaf(
        count: 0, capacity: capacity, base: base, parent: -1, next: next,
        sequence: sequence.index, hasPresent: false))
  }
}

/// Which of two versions that are being compared or merged hold something, or did something.
package struct Sides: OptionSet, Hashable, Sendable, BitwiseCopyable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let ours = Sides(rawValue: 1)
  package static let theirs = Sides(rawValue: 2)
  /// Both, by an event that they share, and not by one event each.
  package static let both = Sides(rawValue: 7)
}
