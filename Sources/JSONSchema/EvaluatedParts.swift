/// The members or elements of a value that a schema looked at (JSON Schema, core, section 7.7.1),
/// by their places.
struct EvaluatedParts {
  private(set) var places: Set<Int> = []
  /// Whether these are all there are.
  private(set) var areAll = false

  mutating func insert(_ place: Int) { places.insert(place) }

  mutating func insertAll() { areAll = true }

  func contains(_ place: Int) -> Bool { areAll || places.contains(place) }

  /// - Complexity: O(places of the other); O(1) if this has none.
  mutating func formUnion(_ other: EvaluatedParts) {
    areAll = areAll || other.areAll
    if places.isEmpty { places = other.places } else { places.formUnion(other.places) }
  }
}

extension SchemaCheck {
  /// Takes up what another schema looked at.
  mutating func merge(_ parts: EvaluatedParts, into evaluated: inout EvaluatedParts) {
    spend(parts.places.count)
    evaluated.formUnion(parts)
  }
}
