import PeernoteJSON

/// What a keyword demands of a value.
struct Rule: Sendable {
  /// Whether it looks at what other rules leave, and so comes last.
  let isLast: Bool
  /// Adds what is wrong with a value to a check.
  let check: @Sendable (inout SchemaCheck, JSON) -> Void

  init(isLast: Bool = false, _ check: @escaping @Sendable (inout SchemaCheck, JSON) -> Void) {
    (self.isLast, self.check) = (isLast, check)
  }

  /// A rule about objects.
  static func object(
    isLast: Bool = false, _ check: @escaping @Sendable (inout SchemaCheck, [JSON.Member]) -> Void
  ) -> Rule {
    Rule(isLast: isLast) { if case .object(let members) = $1 { check(&$0, members) } }
  }

  /// A rule about arrays.
  static func array(
    isLast: Bool = false, _ check: @escaping @Sendable (inout SchemaCheck, [JSON]) -> Void
  ) -> Rule {
    Rule(isLast: isLast) { if case .array(let elements) = $1 { check(&$0, elements) } }
  }

  /// Nothing is allowed.
  static let never = Rule { check, _ in check.add("nothing may be here") }
}

/// The types that a schema can name.
enum SchemaType: String, CaseIterable {
  case null, boolean, integer, number, string, array, object

  /// Whether a value is of this type.
  func holds(_ value: JSON, wholeDoubles: Bool) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.integer, .integer), (.number, .integer),
      (.number, .double), (.string, .string), (.array, .array), (.object, .object):
      true
    // Beyond 64 bits there are no other integers.
    case (.integer, .double(let number)):
      number == number.rounded() && (wholeDoubles || number.magnitude >= 0x1p63)
    case (_, .null), (_, .bool), (_, .integer), (_, .double), (_, .string), (_, .array),
      (_, .object):
      false
    }
  }
}

/// What is counted, by the word for it.
enum Countable: String {
  case members = "names"
  case elements, characters
}

/// Which schemas the members of an object must meet.
struct MemberRules {
  /// By name, in UTF-8.
  var named: [[UInt8]: Int] = [:]
  var patterns: [(pattern: Int, schema: Int)] = []
  /// For all names that neither of these speaks of.
  var others: Int?
}
