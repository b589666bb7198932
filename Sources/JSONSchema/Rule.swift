import PeernoteJSON

/// What a schema demands of a value; schemas are named by their numbers.
enum Rule {
  /// Nothing is allowed.
  case never
  case reference(Int)
  /// A schema in the outermost resource that has the anchor; this one if there is none.
  case dynamicReference(Int, anchor: [UInt8])
  /// The outermost resource of those that are recursive.
  case recursiveReference(Int)
  /// One of some types; whether `1.0` is an integer.
  case type([SchemaType], wholeDoubles: Bool)
  case anyValue([JSON])
  case value(JSON)
  case atLeast(Int, Countable)
  case atMost(Int, Countable)
  // Objects
  case members(MemberRules)
  case names(Int)
  case required([String])
  case dependentNames([(name: String, needed: [String])])
  case dependentSchemas([(name: String, schema: Int)])
  case unevaluatedMembers(Int)
  // Arrays
  case elements(first: [Int], others: Int?)
  /// How many elements must fit; whether those count as evaluated.
  case contains(Int, least: Int, most: Int?, evaluates: Bool)
  case unique
  case unevaluatedElements(Int)
  // Numbers and strings
  case bound(Bound, JSON)
  case multiple(of: Decimal, JSON)
  case pattern(Int, String)
  // Combinations
  case all([Int])
  case any([Int])
  case one([Int])
  case not(Int)
  case condition(Int, then: Int?, otherwise: Int?)

  /// What is counted, by the word for it.
  enum Countable: String {
    case members = "names"
    case elements, characters
  }

  enum Bound {
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum
  }

  /// Which schemas the members of an object must meet.
  struct MemberRules {
    /// By name, in UTF-8.
    var named: [[UInt8]: Int] = [:]
    var patterns: [(pattern: Int, schema: Int)] = []
    /// For all names that neither of these speaks of.
    var others: Int?
  }

  /// Whether it looks at what other rules leave, and so comes last.
  var isLast: Bool {
    switch self {
    case .unevaluatedMembers, .unevaluatedElements: true
    case _: false
    }
  }
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
