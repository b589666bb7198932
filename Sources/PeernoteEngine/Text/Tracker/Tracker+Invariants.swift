extension Tracker {
  /// Traps unless the trees and the index are whole, in O(n log n); for tests.
  package func checkInvariants() {
    let counts = (0..<Int32(leaves.count)).map { Int(leaves[$0].count) }
    precondition(counts.reduce(0, +) == itemCount, "the items of all leaves are all items")
    for number in 0..<Int32(sequencePool.count) {
      let sequence = sequencePool[number]
      var leavesInOrder: [Int32] = []
      var visible =
        sequence.root < 0
        ? checkLeaf(sequence.firstLeaf, parent: -1, leavesInOrder: &leavesInOrder)
        : checkInner(sequence.root, parent: -1, leavesInOrder: &leavesInOrder)
      if finger.sequence == number { visible += finger.pending }
      precondition(visible == sequence.visible, "a sequence's length is the sum of its items'")
      var leaf = sequence.firstLeaf
      for expected in leavesInOrder {
        precondition(leaf == expected, "leaves are linked in the order of the tree")
        precondition(leaves[leaf].sequence == number, "a leaf belongs to its sequence")
        leaf = leaves[leaf].next
      }
      precondition(leaf == -1, "the last leaf ends the sequence")
    }
  }

  private func checkInner(
    _ node: Int32, parent: Int32, leavesInOrder: inout [Int32]
  ) -> Int32 {
    precondition(inners[node].parent == parent, "a node knows its parent")
    precondition(inners[node].count >= 1, "a node has children")
    var total: Int32 = 0
    for place in 0..<Int(inners[node].count) {
      let child = inners[node].children[place]
      let visible: Int32
      if inners[node].childrenAreLeaves {
        visible = checkLeaf(child, parent: node, leavesInOrder: &leavesInOrder)
      } else {
        visible = checkInner(child, parent: node, leavesInOrder: &leavesInOrder)
      }
      precondition(visible == inners[node].visible[place], "a node knows its children's lengths")
      let isPresent =
        inners[node].childrenAreLeaves ? leaves[child].hasPresent : inners[child].present != 0
      precondition(
        isPresent == (inners[node].present >> UInt16(place) & 1 == 1),
        "a node knows which of its children have items of the prepare version")
      total += visible
    }
    return total
  }

  private func checkLeaf(
    _ leaf: Int32, parent: Int32, leavesInOrder: inout [Int32]
  ) -> Int32 {
    precondition(leaves[leaf].parent == parent, "a leaf knows its parent")
    precondition(leaves[leaf].count <= leaves[leaf].capacity, "a leaf has room for its items")
    precondition(
      leaves[leaf].hasPresent == hasPresentItem(leaf),
      "a leaf knows whether it has items of the prepare version")
    leavesInOrder.append(leaf)
    var visible: Int32 = 0
    for item in 0..<leaves[leaf].count {
      precondition(
        leaf != finger.leaf || item != finger.item || visible == finger.itemStart,
        "the finger knows what stands before its item")
      let entry = items[slot(leaf, item)]
      precondition(entry.length > 0, "an item is not empty")
      precondition(
        !isIndexed
          || (index.leaf(of: entry.first) == leaf && index.leaf(of: entry.end - 1) == leaf),
        "the index names the leaf of every scalar")
      precondition(
        !hasInsertionTree || isInItsNode(entry), "a node of the tree begins with an item of its own"
      )
      precondition(
        entry.deletedBy.isEmpty ? entry.prepareState <= 1 : true,
        "only a deleted item can be deleted in the prepare version")
      visible += entry.visible
    }
    if leaf == finger.leaf {
      checkPath()
      precondition(visible == finger.visible, "the finger knows its leaf's length")
      visible -= finger.pending
    }
    return visible
  }

  private func checkPath() {
    guard var path = finger.path else { return }
    var (child, node) = (finger.leaf, leaves[finger.leaf].parent)
    while node >= 0 {
      precondition(
        childPlace(child, in: node) == Int(path & 15), "the finger knows the way to its leaf")
      path >>= 4
      (child, node) = (node, inners[node].parent)
    }
  }

  private func isInItsNode(_ item: Item) -> Bool {
    let node = insertionTree[item.node]
    return node.first <= item.first && self.item(holding: node.first).first == node.first
      && self.item(holding: node.first).node == item.node
  }
}
