/// Things that somebody moved, and that somebody who did not know of that removed, edited where they
/// were, or moved elsewhere. They are contested until somebody who knows all of that writes, removes
/// or moves one.
///
/// Inside a list a move is an operation. Any other one shows in a change that removes something and
/// puts the same elsewhere: a map with the same identity, or what has the same content.
extension Objects {
  /// A key of a map, or an element of a list by its insertion.
  enum Spot: Hashable {
    case key(ContainerIndex, KeyIndex)
    case element(LocalVersion)
  }

  /// What became of something that is contested.
  struct Fate: Hashable {
    /// Where it is.
    enum Place: Hashable {
      /// It stands there.
      case here(Spot)
      /// An element is not in this slot of its list, into which somebody moved it.
      case slot(LocalVersion, SlotIndex)
      /// It was removed.
      case nowhere
    }

    var place: Place
    /// What brought it there, keeps it there, or removed it.
    var event: LocalVersion
    /// The latest events there: what these have seen was known.
    var latest: [LocalVersion]
    /// Whether somebody moved it there.
    var isMoved: Bool
    /// Whether all who removed it from where it stands moved it elsewhere, or are told with it.
    var areRemovalsTold = false

    /// Where it stands; `nil` if it does not.
    var spot: Spot? { if case .here(let spot) = place { spot } else { nil } }
  }

  /// The list that an element is in, by its insertion.
  func list(ofElement insertion: LocalVersion) -> ContainerIndex? {
    slotIndex(madeBy: insertion).map { elements[slots[$0].element].list }
  }

  /// The container that a spot is in.
  func container(of spot: Spot) -> ContainerIndex? {
    switch spot {
    case .key(let map, _): map
    case .element(let insertion): list(ofElement: insertion)
    }
  }

  /// Where that stands which a spot is in; `nil` in the document itself.
  func spot(around spot: Spot) -> Spot? {
    guard let container = container(of: spot), let parent = log.containers[container].parent
    else { return nil }
    switch creationPlace(of: container) {
    case .key(let key): return .key(parent, key)
    case .element(let insertion): return .element(insertion)
    case nil: return nil
    }
  }

  /// At which index an element would stand that was moved into a slot, if it was not in the list
  /// otherwise.
  ///
  /// O(slots).
  func index(ofSlot slot: SlotIndex, in list: ContainerIndex) -> Int {
    let shown = Set(shownSlots(ofList: list))
    var index = 0
    var isReached = false
    forEachSlot(ofList: list) { other in
      if other == slot { isReached = true }
      if !isReached, shown.contains(other), slots[other].element != slots[slot].element {
        index += 1
      }
    }
    return index
  }

  /// Before which of the elements that are shown some slots of a list are.
  ///
  /// O(slots of the list).
  func indices(ofSlots wanted: Set<SlotIndex>, in list: ContainerIndex) -> [SlotIndex: Int] {
    let shown = Set(shownSlots(ofList: list))
    var indices: [SlotIndex: Int] = [:]
    var index = 0
    forEachSlot(ofList: list) { slot in
      if wanted.contains(slot) { indices[slot] = index }
      if shown.contains(slot) { index += 1 }
    }
    return indices
  }
}
