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

  subscript(node: Int32) -> Node { nodes[node] }

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

  /// The child of a node that another node is or descends from; `nil` if it does neither.
  ///
  /// O(log n).
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
