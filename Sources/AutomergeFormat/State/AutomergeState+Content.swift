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

  /// The cells of an object that show something.
  package func cells(ofObject object: Int) -> [Int] {
    objects[object].cells.filter { shown($0) >= 0 }
  }

  /// The cell of a map's key; `nil` if it shows nothing.
  package func cell(_ key: String, ofObject object: Int) -> Int? {
    objects[object].cells.first { cell in
      shown(cell) >= 0 && self.key(cell).map { $0.utf8.elementsEqual(key.utf8) } ?? false
    }
  }

  /// What an operation wrote; a counter with all that was added.
  package func value(_ place: Int32) -> AutomergeValue {
    if let object = object(madeBy: place) { return .object(kind(ofObject: object)) }
    let value = history.store.scalar(of: history.store.operations[Int(place)])
    guard case .counter(let start) = value else { return value }
    return .counter(start &+ sum(place))
  }

  /// The text of a text object; an element that is no string shows as U+FFFC.
  package func text(ofObject object: Int) -> String {
    var bytes: [UInt8] = []
    for cell in objects[object].cells where shown(cell) >= 0 { bytes += text(shown(cell)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What an operation shows as an element of a text, as UTF-8.
  package func text(_ place: Int32) -> ArraySlice<UInt8> {
    history.store.text(of: history.store.operations[Int(place)]) ?? [0xEF, 0xBF, 0xBC]
  }

  /// How many Unicode scalars an operation shows as an element of a text.
  package func scalarCount(_ place: Int32) -> Int { text(place).count { $0 & 0xC0 != 0x80 } }

  // MARK: Operations

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

  /// The number of the object that an operation changes.
  package func object(of place: Int32) -> Int { object(ofCell: cell(of: place)) }

  // MARK: Places

  /// How deep objects are nested, the root alone being 1: O(n), since each object is made after the one
  /// that it is in.
  package var depth: Int {
    var depths = [Int](repeating: 1, count: objects.count)
    for number in objects.indices.dropFirst() {
      depths[number] = depths[object(of: objects[number].maker)] + 1
    }
    return depths.max() ?? 1
  }

  /// For each object what made the outermost one around it, or itself, that is not shown; -1 if it is
  /// shown: O(n).
  package var hiders: [Int32] {
    var hiders = [Int32](repeating: -1, count: objects.count)
    for number in objects.indices.dropFirst() {
      let maker = objects[number].maker
      let outer = hiders[object(of: maker)]
      hiders[number] = outer >= 0 || shown(cell(of: maker)) == maker ? outer : maker
    }
    return hiders
  }

  /// Every cell that is shown, in the order of the content, each before what is in it; texts are not
  /// looked into: O(n).
  package var shownCells: [Int] {
    var result: [Int] = []
    var open = Array(cells(ofObject: 0).reversed())
    while let cell = open.popLast() {
      result.append(cell)
      if let object = object(madeBy: shown(cell)), kind(ofObject: object) != .text {
        open += cells(ofObject: object).reversed()
      }
    }
    return result
  }

  /// The cells for which several operations compete, in the order of the content.
  package var conflicts: [Int] { shownCells.filter { visible($0).count > 1 } }

  /// The key of a cell, or the index of the list element in decimal, of a text in scalars.
  func token(_ cell: Int) -> String { key(cell) ?? String(index(cell)) }

  /// The keys and indices that lead to a cell that is shown.
  package func path(ofCell cell: Int) -> [String] {
    (path(ofObject: object(ofCell: cell)) ?? []) + [token(cell)]
  }

  /// Likewise to an object, `nil` if it is not shown: O(depth · log n).
  package func path(ofObject object: Int) -> [String]? {
    var steps = 0
    return path(ofObject: object, &steps)
  }

  /// Likewise, counting elementary steps, for names and their bytes.
  func path(ofObject object: Int, _ steps: inout Int) -> [String]? {
    var path: [String] = []
    var object = object
    while object > 0 {
      let cell = cell(of: objects[object].maker)
      guard shown(cell) == objects[object].maker else { return nil }
      let token = token(cell)
      steps += 4 + token.utf8.count / 4
      path.append(token)
      object = self.object(ofCell: cell)
    }
    return path.reversed()
  }
}
