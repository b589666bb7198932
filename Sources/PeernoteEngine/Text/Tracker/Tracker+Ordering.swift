/// Breaks ties between concurrent insertions at one place: orders two events by agent, sequence
/// number and place in their change, the same in every copy.
///
/// Holds what that takes of a log and no more, since every insertion is handed it.
package struct EventOrder: Sendable {
  private let chains: ChainList
  private let agents: [AgentID]

  init(of log: Log) {
    chains = log.graph.chains
    agents = log.agents
  }

  /// Whether the first event's name comes before the second's, in O(log chains).
  func precedes(_ left: LocalVersion, _ right: LocalVersion) -> Bool {
    let first = chains[chains.index(of: left)]
    let second = chains[chains.index(of: right)]
    if first.agent != second.agent {
      return agents[first.agent] < agents[second.agent]
    }
    return left < right
  }
}

/// The order of concurrent insertions, which is decided here and nowhere else: FugueMax (Weidner &
/// Kleppmann, "The Art of the Fugue", section 5).
///
/// Insertions form a tree (``InsertionTree``). Of the left children of a scalar, the one with the
/// lesser name comes first; of its right children, the one whose right origin is further right, and
/// where that is the same the one with the lesser name.
///
/// The rule has two forms. Few concurrent items are scanned, without a tree; among many the place
/// is searched, which asks of some of them on which side of it they stand.
extension Tracker {
  /// Whether an item of a gap stands before an insertion in the same gap that is not in the tree
  /// yet, or else after it, in O(log n).
  mutating func stands(
    _ item: Item, before insertion: PendingInsertion, order: EventOrder
  ) -> Bool {
    steps += 1
    let new = insertion.item
    guard let sibling = sibling(of: insertion, towards: item) else {
      // All that descends from the parent stands together, and the gap ends or begins beside it.
      return insertion.isLeftChild
    }
    if insertion.isLeftChild || sibling.originRight == new.originRight {
      return order.precedes(sibling.scalar, new.first)
    }
    guard let right = insertion.right else { return false }
    return sibling.originRight.event.map { isScalar($0, after: right) } ?? true
  }

  /// A scalar with the same parent as an insertion.
  private struct Sibling {
    /// The name.
    var scalar: LocalVersion
    /// The scalar that stood on its right when it was inserted.
    var originRight: Neighbour
  }

  /// The sibling of an insertion that an item is or descends from; `nil` if the item does not
  /// descend from the insertion's parent; O(log n).
  private func sibling(of insertion: PendingInsertion, towards item: Item) -> Sibling? {
    let parent = insertion.parent.rawValue
    // The scalar after the parent in the same run is a child of it, too.
    let next = Sibling(
      scalar: LocalVersion(rawValue: parent &+ 1), originRight: insertion.parentOriginRight)
    if item.node == insertion.parentNode { return item.first.rawValue > parent ? next : nil }
    guard let node = insertionTree.child(of: insertion.parentNode, towards: item.node) else {
      return nil
    }
    let first = node.first == item.first ? item : self.item(holding: node.first)
    let scalar = node.isLeftChild ? first.originRight : first.originLeft
    if scalar.rawValue == parent {
      return Sibling(scalar: node.first, originRight: first.originRight)
    }
    return scalar.rawValue > parent ? next : nil
  }

  /// Whether a scalar stands after an item, in O(log n).
  private func isScalar(_ scalar: LocalVersion, after item: Cursor) -> Bool {
    let place = find(scalar: scalar)
    if place.leaf == item.leaf { return place.item > item.item }
    var (one, other) = (place.leaf, item.leaf)
    var (above, aboveOther) = (leaves[one].parent, leaves[other].parent)
    while above != aboveOther {
      (one, other) = (above, aboveOther)
      (above, aboveOther) = (inners[one].parent, inners[other].parent)
    }
    return childPlace(one, in: above) > childPlace(other, in: above)
  }

  /// Finds where an insertion between two neighbours stands among a few concurrent ones that are
  /// there already.
  ///
  /// Of two insertions with one left origin, the one whose right origin is further right comes
  /// first; equal right origins leave it to the order of names. A left child of another
  /// one has a right origin that is nearer, and goes where that one goes. An insertion whose left
  /// origin is further left than ours ends the scan, since all after it belongs to that one's side.
  ///
  /// What lies between our origins is what is scanned. So the right origin of one of these items
  /// is further left than ours if it is one of them itself, and its left origin is further left
  /// than ours if it is none of them.
  ///
  /// O(k²) for k such items, which are few. `first` stands right after the left origin, at an item's
  /// start; so does the result, or past a leaf's last item.
  mutating func scan(
    from first: Cursor, left: Neighbour, right: Neighbour, name: LocalVersion,
    order: EventOrder
  ) -> Cursor {
    var destination = first
    var scanning = false
    var cursor = first
    while let here = normalized(cursor) {
      let other = items[slot(here.leaf, here.item)]
      if other.prepareState != 0 { break }
      steps += 1
      if !scanning { destination = here }
      if other.originLeft == left {
        if other.originRight == right {
          if order.precedes(name, other.first) { return destination }
          scanning = false
        } else {
          scanning = isConcurrent(other.originRight, from: first)
        }
      } else if !isConcurrent(other.originLeft, from: first) {
        return destination
      }
      cursor = Cursor(leaf: here.leaf, item: here.item + 1, offset: 0)
      if !scanning { destination = cursor }
    }
    return destination
  }

  /// Whether a scalar is in one of the items from a cursor on that are not in the prepare version.
  private func isConcurrent(_ scalar: Neighbour, from first: Cursor) -> Bool {
    guard let name = scalar.event else { return false }
    var cursor = first
    while let here = normalized(cursor) {
      let item = items[slot(here.leaf, here.item)]
      if item.prepareState != 0 { return false }
      if item.first <= name, name < item.end { return true }
      cursor = Cursor(leaf: here.leaf, item: here.item + 1, offset: 0)
    }
    return false
  }
}

/// The tree of insertions: each one is a child, left or right, of the scalar that it was inserted
/// next to, so that a text is the tree read from left to right.
///
/// Weidner & Kleppmann, "The Art of the Fugue", section 4: an insertion is a right child of the
/// scalar on its left, but for one whose author knew a right child there already; that one is a
/// left child of the scalar on its right. The scalars of a run are right children of each other and are
/// one node here.
///
/// Nodes are only ever added, and none before its parent. Each knows its parent and
/// one node further up, so that finding the ancestor at a depth is O(log n) (Myers, "An applicative
/// random-access stack", 1983). The items of the tracker know their nodes; which scalar of its
/// parent node a node is a child of is what its first item says.
struct InsertionTree: ~Copyable {
  /// An insertion.
  struct Node: BitwiseCopyable {
    /// The first scalar.
    let first: LocalVersion
    /// The node that it is a child of.
    let parent: Int32
    /// Another node further up.
    let jump: Int32
    /// Twice the depth, plus 1 for a left child.
    private let depthAndSide: UInt32

    init(
      first: LocalVersion, parent: Int32, jump: Int32, depth: Int32, isLeftChild: Bool
    ) {
      self.first = first
      self.parent = parent
      self.jump = jump
      depthAndSide = UInt32(bitPattern: depth) << 1 | (isLeftChild ? 1 : 0)
    }

    var depth: Int32 { Int32(bitPattern: depthAndSide >> 1) }
    /// Whether its first scalar is a child of its right origin, instead of its left one.
    var isLeftChild: Bool { depthAndSide & 1 == 1 }
  }

  /// The start of all texts, which has no parent.
  static let root: Int32 = 0

  private var nodes = Pool<Node>()

  init() {
    addRoot()
  }

  private mutating func addRoot() {
    _ = nodes.append(
      Node(first: .afterAll, parent: Self.root, jump: Self.root, depth: 0, isLeftChild: false))
  }

  /// Forgets all insertions, and keeps the memory.
  mutating func removeAll() {
    nodes.removeAll()
    addRoot()
  }

  /// Makes room for as many insertions.
  mutating func reserve(_ number: Int) { nodes.reserve(number + 1) }

  /// How many bytes the nodes take.
  var byteCount: Int { nodes.byteCount }

  package subscript(node: Int32) -> Node { nodes[node] }

  /// Adds an insertion as a child of a scalar that `parent` holds, and gives its node.
  ///
  /// Amortized O(1). `first` is the first of the scalars that were inserted one after the other. A
  /// left child is one of its right origin, instead of its left one.
  mutating func add(_ first: LocalVersion, below parent: Int32, isLeftChild: Bool) -> Int32 {
    let above = nodes[parent].jump
    let further = nodes[above].jump
    let isBalanced =
      nodes[parent].depth - nodes[above].depth == nodes[above].depth - nodes[further].depth
    return nodes.append(
      Node(
        first: first, parent: parent, jump: isBalanced ? further : parent,
        depth: nodes[parent].depth + 1, isLeftChild: isLeftChild))
  }

  /// The child of a node that another node is or descends from; `nil` if it does neither; O(log n).
  func child(of parent: Int32, towards descendant: Int32) -> Node? {
    let depth = nodes[parent].depth + 1
    var here = descendant
    while nodes[here].depth > depth {
      let jump = nodes[here].jump
      here = nodes[jump].depth >= depth ? jump : nodes[here].parent
    }
    return nodes[here].depth == depth && nodes[here].parent == parent ? nodes[here] : nil
  }
}
