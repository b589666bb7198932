/// The members or elements of a value that a schema looked at (JSON Schema, core, section 7.7.1),
/// by their places.
struct EvaluatedParts {
  /// Whether anything asks for them; else none are kept.
  let areWanted: Bool
  private(set) var places: Set<Int> = []
  /// Whether these are all there are.
  private(set) var areAll = false

  init(areWanted: Bool) { self.areWanted = areWanted }

  mutating func insert(_ place: Int) { if areWanted { places.insert(place) } }

  mutating func insertAll() { areAll = true }

  func contains(_ place: Int) -> Bool { areAll || places.contains(place) }

  /// - Complexity: O(places of the other); O(1) if this has none.
  mutating func formUnion(_ other: EvaluatedParts) {
    areAll = areAll || other.areAll
    if places.isEmpty { places = other.places } else { places.formUnion(other.places) }
  }
}
