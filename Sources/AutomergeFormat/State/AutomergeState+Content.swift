internal import PeernoteJSON

extension AutomergeState {
  /// What kind of an object there is.
  package enum ObjectKind: Hashable, Sendable {
    case map, list, text
  }

  /// The kind of an object.
  package func kind(ofObject object: Int) -> ObjectKind {
    let maker = objects[object].maker
    guard maker >= 0 else { return .map }
    switch history.store.operations[Int(maker)].action {
    case .makeList: return .list
    case .makeText: return .text
    case .makeMap, .makeTable, .set, .delete, .increment, .mark: return .map
    }
  }

  /// The places of an object that hold something.
  package func slots(ofObject object: Int) -> ArraySlice<Slot> { slots[objects[object].slots] }

  /// The place of a map's key; `nil` if nothing is there.
  package func slot(_ key: String, ofObject object: Int) -> Slot? {
    slots(ofObject: object).first { self.key($0).elementsEqual(key.utf8) }
  }

  /// The operation shown at a place.
  package func shown(_ slot: Slot) -> Int32 { visible[slot.operations.upperBound - 1] }

  /// A key as UTF-8.
  package func key(_ slot: Slot) -> [UInt8] { history.store.texts[slot.key] }

  /// What an operation wrote; a counter with all that was added.
  package func value(_ place: Int32) -> AutomergeValue {
    if let object = object(madeBy: place) { return .object(kind(ofObject: object)) }
    let value = history.store.scalar(of: history.store.operations[Int(place)])
    guard case .counter(var sum) = value else { return value }
    for replacing in successors[Int(place)] {
      let other = history.store.operations[Int(replacing)]
      guard other.action == .increment,
        case .integer(let amount) = history.store.scalar(of: other)
      else { continue }
      sum &+= amount
    }
    return .counter(sum)
  }

  /// The text of a text object; an element that is no string shows as U+FFFC.
  package func text(ofObject object: Int) -> String {
    var bytes: [UInt8] = []
    for slot in slots(ofObject: object) { bytes += text(shown(slot)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What an operation shows as an element of a text, as UTF-8.
  package func text(_ place: Int32) -> ArraySlice<UInt8> {
    history.store.text(of: history.store.operations[Int(place)]) ?? [0xEF, 0xBF, 0xBC]
  }

  /// The change that an operation belongs to, by its number in the history.
  package func change(ofOperation place: Int32) -> Int {
    guard let change = history.change(of: names[Int(place)]) else {
      preconditionFailure("an operation belongs to a change")
    }
    return change
  }

  /// The name of an operation as the library writes it: counter, @ and the actor.
  package func name(ofOperation place: Int32) -> String {
    let name = names[Int(place)]
    return "\(name.counter)@\(hexadecimal(history.actors.actors[Int(name.actor)]))"
  }

  /// How deep objects are nested, the root alone being 1: O(n), since each object is made after the one
  /// that it is in.
  package var depth: Int {
    var depths = [Int](repeating: 1, count: objects.count)
    for object in objects.indices.dropFirst() {
      let maker = history.store.operations[Int(objects[object].maker)]
      depths[object] = depths[number(ofObject: maker.object)] + 1
    }
    return depths.max() ?? 1
  }

  // MARK: Operations

  /// The number of the object that an operation changes.
  package func object(of place: Int32) -> Int {
    number(ofObject: history.store.operations[Int(place)].object)
  }

  /// The place of the operation that inserted the element that an operation changes; -1 if it
  /// changes none.
  package func element(of place: Int32) -> Int32 {
    let operation = history.store.operations[Int(place)]
    if operation.isInsertion { return place }
    guard operation.key < 0, operation.element != .none else { return -1 }
    return history.place(of: operation.element).map { Int32($0) } ?? -1
  }

  /// The insertions of a list's or text's elements, deleted ones too, in their order.
  package func elements(ofObject object: Int) -> [Int32] {
    rows[objects[object].rows].filter { history.store.operations[Int($0)].isInsertion }
  }

  /// The number here of an object that another state of the same history knows; `nil` if it is not
  /// made yet.
  package func number(ofSame object: Int, in other: AutomergeState) -> Int? {
    let maker = other.objects[object].maker
    return maker < 0 ? 0 : self.object(madeBy: maker)
  }

  /// How many Unicode scalars an element of a text shows.
  package func scalarCount(_ slot: Slot) -> Int {
    text(shown(slot)).count { $0 & 0xC0 != 0x80 }
  }

  // MARK: Places

  /// Visits every key and list element that is shown, by its number among ``slots``, in the order of
  /// the content, each before what is in it; texts are not looked into: O(n).
  package func forEachPlace(_ visit: (Int) throws -> Void) rethrows {
    var open = Array(objects[0].slots.reversed())
    while let number = open.popLast() {
      try visit(number)
      if let object = object(madeBy: shown(slots[number])), kind(ofObject: object) != .text {
        open += objects[object].slots.reversed()
      }
    }
  }

  /// The places where several operations compete, by their numbers, in the order of the content.
  package var conflicts: [Int] {
    var result: [Int] = []
    forEachPlace { number in if slots[number].operations.count > 1 { result.append(number) } }
    return result
  }

  /// Whether an object is shown.
  package func isShown(object: Int) -> Bool { object == 0 || objects[object].slot >= 0 }

  /// The keys and indices that lead to an object, `nil` if it is not shown: O(depth).
  package func path(ofObject object: Int) -> [String]? {
    isShown(object: object) ? path(ofPlace: Int(objects[object].slot)) : nil
  }

  /// The keys, and indices of list elements in decimal, that lead to a place that is shown.
  package func path(ofPlace number: Int) -> [String] {
    var path: [String] = []
    var number = number
    while number >= 0 {
      let slot = slots[number]
      let parent = objects[object(of: shown(slot))]
      path.append(
        slot.key < 0
          ? String(number - parent.slots.lowerBound) : String(decoding: key(slot), as: UTF8.self))
      number = Int(parent.slot)
    }
    return path.reversed()
  }
}
