/// The numbers of the strings in one table of a log, by first use.
struct StringNumbers<Index: LogIndex> {
  private var numbers: [ExactString: Index] = [:]

  /// Those of a table.
  init(_ strings: [String] = []) {
    for (number, string) in strings.enumerated() {
      numbers[ExactString(string)] = Index(number)
    }
  }

  /// The number of a string, which is added to the table if it is new.
  ///
  /// O(length).
  mutating func number(of string: String, in strings: inout [String]) -> Index {
    let key = ExactString(string)
    if let known = numbers[key] { return known }
    let number = Index(strings.count)
    strings.append(string)
    numbers[key] = number
    return number
  }
}

/// Which of some elements come more than once.
///
/// A few are compared one by one: a program that reads one small file spends less time on that than
/// on making a set of a type that it has not used before.
struct SeenOnce<Element: Hashable> {
  private var few: [Element] = []
  private var many: Set<Element> = []

  /// So many are compared one by one.
  private static var mostCompared: Int { 16 }

  /// Adds an element; returns whether it is new.
  ///
  /// O(1).
  mutating func insert(_ element: Element) -> Bool {
    if many.isEmpty {
      if few.contains(element) { return false }
      few.append(element)
      if few.count > Self.mostCompared {
        many = Set(few)
        few = []
      }
      return true
    }
    return many.insert(element).inserted
  }
}
