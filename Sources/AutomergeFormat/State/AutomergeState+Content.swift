extension AutomergeState {
  /// What kind of an object there is.
  package enum ObjectKind: Hashable, Sendable {
    case map, list, text
  }

  /// What an operation writes.
  package enum Content: Sendable {
    case scalar(ScalarValue)
    /// A new object without anything in it.
    case object(ObjectKind)
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

  /// What an operation wrote, if it made no object; a counter with all that was added.
  package func scalar(_ place: Int32) -> ScalarValue {
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
    for slot in slots(ofObject: object) { append(slot, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends what an element of a text shows.
  package func append(_ slot: Slot, to bytes: inout [UInt8]) {
    let text = history.store.text(of: history.store.operations[Int(shown(slot))])
    bytes.append(contentsOf: text ?? [0xEF, 0xBF, 0xBC])
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

  /// How deep objects are nested; the root alone is 1.
  ///
  /// O(n): each object is made after the one that it is in.
  package var depth: Int {
    var depths = [Int](repeating: 1, count: objects.count)
    for object in objects.indices.dropFirst() {
      let maker = history.store.operations[Int(objects[object].maker)]
      depths[object] = depths[number(ofObject: maker.object)] + 1
    }
    return depths.max() ?? 1
  }
}
