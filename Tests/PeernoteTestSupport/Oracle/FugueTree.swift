package import Peernote

/// The explicit tree of FugueMax, one node for each inserted item, deleted ones included.
///
/// Follows the definitions of Weidner & Kleppmann, "The Art of the Fugue: Minimizing Interleaving
/// in Collaborative Text Editing" (arXiv 2305.00583), sections 4 and 5, word for word and without
/// regard for speed: adding an item takes time linear in the number of items.
/// Items are named by numbers that the caller chooses; `id` breaks ties.
package struct FugueTree {
  /// On which side of its parent a node stands in the traversal.
  package enum Side { case left, right }

  private struct Node {
    var item: Int
    var id: EventID
    /// The item that was visible before this one when it was inserted; `nil`: the start.
    var leftOrigin: Int?
    /// The item that followed the left origin when this one was inserted; `nil`: the end.
    var rightOrigin: Int?
    var leftChildren: [Int] = []
    var rightChildren: [Int] = []
  }

  /// Node 0 is the root, which stands for the start of the sequence and holds no item.
  private var nodes: [Node]
  private var nodeOfItem: [Int: Int] = [:]

  /// Every item, in the order of the traversal: left children, node, right children.
  package private(set) var order: [Int] = []

  package init() {
    let nowhere = EventID(change: ChangeID(agent: AgentID(rawValue: 0), sequence: 0), index: 0)
    nodes = [Node(item: -1, id: nowhere)]
  }

  /// Inserts an item between its origins (`nil`: the start, the end).
  ///
  /// `hasSeen` says whether whoever inserts the item knew an item that is already here. `right`
  /// must follow `left` directly among those.
  package mutating func insert(
    _ item: Int, id: EventID, left: Int?, right: Int?, hasSeen: (Int) -> Bool
  ) {
    let leftNode = node(of: left) ?? 0
    let added = Node(item: item, id: id, leftOrigin: left, rightOrigin: right)
    let leftHasRightChild = nodes[leftNode].rightChildren.contains { hasSeen(nodes[$0].item) }
    if !leftHasRightChild {
      add(added, under: leftNode, side: .right)
    } else if let rightNode = node(of: right) {
      add(added, under: rightNode, side: .left)
    } else {
      fatalError("an item with right children is followed by an item: \(id)")
    }
  }

  /// The order found by walking the whole tree; equals ``order``.
  package func traversal() -> [Int] {
    enum Visit {
      case subtree(Int)
      case node(Int)
    }
    var found: [Int] = []
    var pending: [Visit] = [.subtree(0)]
    while let visit = pending.popLast() {
      switch visit {
      case .subtree(let node):
        for child in nodes[node].rightChildren.reversed() { pending.append(.subtree(child)) }
        if node != 0 { pending.append(.node(node)) }
        for child in nodes[node].leftChildren.reversed() { pending.append(.subtree(child)) }
      case .node(let node):
        found.append(nodes[node].item)
      }
    }
    return found
  }

  /// Between which items an item was inserted (`nil`: the start, the end).
  package func origins(of item: Int) -> (left: Int?, right: Int?) {
    guard let node = nodeOfItem[item] else { fatalError("item \(item) is in the tree") }
    return (nodes[node].leftOrigin, nodes[node].rightOrigin)
  }

  private func node(of item: Int?) -> Int? {
    guard let item else { return nil }
    guard let node = nodeOfItem[item] else { fatalError("origin \(item) is in the tree") }
    return node
  }

  private mutating func add(_ added: Node, under parent: Int, side: Side) {
    let node = nodes.count
    nodes.append(added)
    nodeOfItem[added.item] = node
    let siblings: Int
    switch side {
    case .left:
      siblings = nodes[parent].leftChildren.count
      let place = nodes[parent].leftChildren.firstIndex { added.id < nodes[$0].id } ?? siblings
      nodes[parent].leftChildren.insert(node, at: place)
    case .right:
      siblings = nodes[parent].rightChildren.count
      let place = nodes[parent].rightChildren.firstIndex { rightSibling(node, precedes: $0) }
      nodes[parent].rightChildren.insert(node, at: place ?? siblings)
    }
    // An only child stands directly beside its parent, so that typing needs no new walk.
    if siblings == 0, parent != 0, let place = order.firstIndex(of: nodes[parent].item) {
      order.insert(added.item, at: side == .left ? place : place + 1)
    } else {
      order = traversal()
    }
  }

  /// The rule that sets FugueMax apart from Fugue: right siblings stand in the reverse order of
  /// their right origins (section 5.3).
  private func rightSibling(_ node: Int, precedes sibling: Int) -> Bool {
    let ownOrigin = position(of: nodes[node].rightOrigin)
    let itsOrigin = position(of: nodes[sibling].rightOrigin)
    return ownOrigin == itsOrigin ? nodes[node].id < nodes[sibling].id : ownOrigin > itsOrigin
  }

  private func position(of item: Int?) -> Int {
    guard let item else { return order.count }
    guard let position = order.firstIndex(of: item) else {
      fatalError("right origin \(item) is in the tree")
    }
    return position
  }
}
