import Peernote

/// The places where two contents differ.
struct ContentDifference {
  /// A place that only one of them has, or where they hold different things.
  struct Place {
    var path: JSONPointer
    /// `nil`: there is nothing at that place.
    var old: Node?
    var new: Node?
  }

  private(set) var places: [Place] = []

  /// Compares two contents: maps by key, lists by position, all else as a whole.
  ///
  /// - Complexity: O(*n*) for contents of *n* nodes and characters.
  init(from old: Node, to new: Node) {
    compare(old, new, at: [])
  }

  private mutating func compare(_ old: Node, _ new: Node, at path: [String]) {
    switch (old, new) {
    case (.map(let old), .map(let new)): compare(old, new, at: path)
    case (.list(let old), .list(let new)):
      for index in 0..<max(old.count, new.count) {
        compareOptional(
          index < old.count ? old[index] : nil, index < new.count ? new[index] : nil,
          at: path + [String(index)])
      }
    case (.value, _), (.map, _), (.list, _), (.text, _), (.set, _), (.counter, _):
      if old != new { add(old, new, at: path) }
    }
  }

  /// Walks two maps, both sorted by length and bytes of their keys.
  private mutating func compare(_ old: [Node.MapEntry], _ new: [Node.MapEntry], at path: [String]) {
    var (oldRest, newRest) = (old[...], new[...])
    while let key = Self.lesserKey(oldRest.first?.key, newRest.first?.key) {
      let oldEntry = oldRest.first.flatMap { $0.key.utf8.elementsEqual(key.utf8) ? $0 : nil }
      let newEntry = newRest.first.flatMap { $0.key.utf8.elementsEqual(key.utf8) ? $0 : nil }
      if oldEntry != nil { oldRest.removeFirst() }
      if newEntry != nil { newRest.removeFirst() }
      compareOptional(oldEntry?.node, newEntry?.node, at: path + [key])
    }
  }

  private static func lesserKey(_ left: String?, _ right: String?) -> String? {
    guard let left, let right else { return left ?? right }
    let (leftLength, rightLength) = (left.utf8.count, right.utf8.count)
    if leftLength != rightLength { return leftLength < rightLength ? left : right }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? left : right
  }

  private mutating func compareOptional(_ old: Node?, _ new: Node?, at path: [String]) {
    if let old, let new {
      compare(old, new, at: path)
    } else {
      add(old, new, at: path)
    }
  }

  private mutating func add(_ old: Node?, _ new: Node?, at path: [String]) {
    places.append(Place(path: JSONPointer(path), old: old, new: new))
  }

  /// One member for each side that has something at the place.
  var json: JSON {
    let places = places.map { place -> JSON in
      var members = [JSON.Member(name: "path", value: .string(place.path.description))]
      if let old = place.old { members.append(JSON.Member(name: "a", value: old.json)) }
      if let new = place.new { members.append(JSON.Member(name: "b", value: new.json)) }
      return .object(members)
    }
    return ["schema": 1, "same": .bool(places.isEmpty), "differences": .array(places)]
  }
}
