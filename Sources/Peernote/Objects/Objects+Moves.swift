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

  /// An element by its insertion; `nil` if there is none.
  ///
  /// O(log slots).
  func element(insertedBy event: LocalVersion) -> Element? {
    slotIndex(madeBy: event).map { slots[element: $0] }
  }

  /// The list that an element is in, by its insertion.
  func list(ofElement insertion: LocalVersion) -> ContainerIndex? {
    element(insertedBy: insertion)?.list
  }

  /// What was ever written in a spot; `nil` if nothing was.
  func register(at spot: Spot) -> Register? {
    switch spot {
    case .key(let map, let key): mapKeys.number(of: key, in: map).map { mapKeys[$0].register }
    case .element(let insertion): element(insertedBy: insertion)?.register
    }
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
    container(of: spot).flatMap { creationSpot(of: $0) }
  }

  /// At which index an element would stand that was moved into a slot, if it was not in the list
  /// otherwise.
  ///
  /// O(slots).
  func index(ofSlot slot: SlotIndex, in list: ContainerIndex) -> Int {
    indices(ofSlots: [slot], in: list, without: slots.firstSlot(of: slot))[slot] ?? 0
  }

  /// Before which of the elements that are shown, maybe without one, some slots of a list are.
  ///
  /// O(slots of the list).
  func indices(
    ofSlots wanted: Set<SlotIndex>, in list: ContainerIndex, without element: SlotIndex? = nil
  ) -> [SlotIndex: Int] {
    let shown = Set(shownSlots(ofList: list))
    var indices: [SlotIndex: Int] = [:]
    var index = 0
    forEachSlot(ofList: list) { slot in
      if wanted.contains(slot) { indices[slot] = index }
      if shown.contains(slot), slots.firstSlot(of: slot) != element { index += 1 }
    }
    return indices
  }
}
