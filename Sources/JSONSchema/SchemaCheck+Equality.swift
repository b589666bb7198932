import PeernoteJSON

extension SchemaCheck {
  /// What it takes to compare two values, besides their parts.
  private static let comparisonSteps = 8
  /// What it takes to tell a value from others by its identity, and for each byte of that: what is
  /// in memory of many small values is many times as large as their text.
  private static let identitySteps = 64
  private static let identityByteSteps = 8

  /// How many of many allowed values a violation lists.
  private static let listLimit = 20

  /// Checks that a value is one of those allowed.
  mutating func checkEnum(_ value: JSON, _ allowed: [JSON]) {
    for candidate in allowed where stepsLeft >= 0 {
      if areEqual(value, candidate) { return }
    }
    add("must be one of \(Self.listed(allowed))")
  }

  private static func listed(_ allowed: [JSON]) -> String {
    let shown = allowed.prefix(listLimit).map(\.shortText).joined(separator: ", ")
    let others = allowed.count - listLimit
    return others > 0 ? shown + ", or one of \(others) other\(others == 1 ? "" : "s")" : shown
  }

  /// Whether two values are equal (JSON Schema, core, section 4.2.2): numbers of one value are the
  /// same, and the order of members means nothing.
  mutating func areEqual(_ one: JSON, _ other: JSON) -> Bool {
    spend(Self.comparisonSteps)
    guard stepsLeft >= 0 else { return false }
    switch (one.plain, other.plain) {
    case (.null, .null): return true
    case (.bool(let one), .bool(let other)): return one == other
    case (.integer(let one), .integer(let other)): return one == other
    case (.double(let one), .double(let other)): return one == other
    case (.string(let one), .string(let other)): return areEqual(one, other)
    case (.array(let one), .array(let other)):
      return one.count == other.count && zip(one, other).allSatisfy { areEqual($0, $1) }
    case (.object(let one), .object(let other)):
      guard one.count == other.count else { return false }
      spend(Self.comparisonSteps * one.count)
      return zip(sorted(one), sorted(other)).allSatisfy {
        areEqual($0.name, $1.name) && areEqual($0.value, $1.value)
      }
    case (_, _): return false
    }
  }

  private mutating func areEqual(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    spend(one.utf8.count)
    return one.utf8.elementsEqual(other.utf8)
  }

  private func sorted(_ members: [JSON.Member]) -> [JSON.Member] {
    members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Checks that no element is in an array twice.
  mutating func checkUnique(_ elements: [JSON]) {
    var seen: Set<[UInt8]> = []
    for (index, element) in elements.enumerated() where goesOn {
      let identity = element.identity
      spend(Self.identitySteps + Self.identityByteSteps * identity.count)
      if seen.insert(identity).inserted { continue }
      descend(String(index)) { $0.add("must not be in the array twice") }
    }
  }
}
