/// The tree that insertions hang in: each one left or right of the scalar that it was inserted next
/// to, so that a text is the tree read from left to right.
///
/// Weidner & Kleppmann, "The Art of the Fugue", section 4: an insertion is a right child of the
/// scalar on its left, but for one whose author knew a right child there already; that one is a
/// left child of the scalar on its right. The scalars of a run hang on each other as right children
/// and are one node here.
///
/// Nodes are only ever added, and none before the one that it hangs on. Each knows its parent and
/// one node further up, so that finding the ancestor at a depth is O(log n) (Myers, "An applicative
/// random-access stack", 1983).
struct InsertionTree: ~Copyable {
  /// A scalar that hangs on another one directly.
  struct Child: BitwiseCopyable {
    /// The name.
    var scalar: LocalVersion
    /// The scalar that stood on its right when it was inserted; `.none` at the end.
    var originRight: LocalVersion
  }

  /// An insertion.
  struct Node: BitwiseCopyable {
    /// The first scalar, which hangs on ``parentScalar``.
    var first: LocalVersion
    var originRight: LocalVersion
    var parentScalar: LocalVersion
    /// The node that holds the parent.
    var parent: Int32
    /// Another node further up.
    var jump: Int32
    var depth: Int32
  }

  /// The first node is the start of all texts, which hangs nowhere.
  private static let root = Node(
    first: .none, originRight: .none, parentScalar: .none, parent: 0, jump: 0, depth: 0)

  private var nodes = Pool<Node>()
  private var index = VersionIndex()

  init() {
    _ = nodes.append(Self.root)
  }

  /// Forgets all insertions, and keeps the memory.
  mutating func removeAll() {
    nodes.removeAll()
    index.removeAll()
    _ = nodes.append(Self.root)
  }

  /// Makes room for as many insertions.
  mutating func reserve(_ number: Int) {
    nodes.reserve(number)
    index.reserve(number)
  }

  /// Adds an insertion.
  ///
  /// O(log n), but for what ``VersionIndex`` takes to insert.
  ///
  /// - Parameters:
  ///   - item: the scalars that were inserted one after the other.
  ///   - isLeftChild: whether the first hangs on its right origin, instead of its left one.
  mutating func add(_ item: Tracker.Item, isLeftChild: Bool) {
    let scalar = isLeftChild ? item.originRight : item.originLeft
    let parent = node(of: scalar)
    let above = nodes[parent].jump
    let further = nodes[above].jump
    let isBalanced =
      nodes[parent].depth - nodes[above].depth == nodes[above].depth - nodes[further].depth
    let node = nodes.append(
      Node(
        first: item.first, originRight: item.originRight, parentScalar: scalar, parent: parent,
        jump: isBalanced ? further : parent, depth: nodes[parent].depth + 1))
    index.insert(
      .init(first: item.first, length: item.length, target: node, kind: .insertion))
  }

  /// The child of a scalar that another scalar descends from, or is.
  ///
  /// O(log n).
  ///
  /// - Parameters:
  ///   - parent: a scalar, or `.none` for the start of the text.
  ///   - descendant: another scalar of the same text.
  /// - Returns: the child; `nil` if the other scalar does not descend from this one.
  func child(of parent: LocalVersion, towards descendant: LocalVersion) -> Child? {
    let owner = node(of: parent)
    let next = Child(scalar: parent &+ 1, originRight: nodes[owner].originRight)
    var here = node(of: descendant)
    if here == owner { return descendant > parent ? next : nil }
    let depth = nodes[owner].depth + 1
    while nodes[here].depth > depth {
      let jump = nodes[here].jump
      here = nodes[jump].depth >= depth ? jump : nodes[here].parent
    }
    guard nodes[here].depth == depth, nodes[here].parent == owner else { return nil }
    if nodes[here].parentScalar == parent {
      return Child(scalar: nodes[here].first, originRight: nodes[here].originRight)
    }
    return nodes[here].parentScalar > parent ? next : nil
  }

  /// The node that holds a scalar.
  private func node(of scalar: LocalVersion) -> Int32 {
    scalar == .none ? 0 : index.holder(of: scalar)
  }
}
