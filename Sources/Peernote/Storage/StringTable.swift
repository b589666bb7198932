/// The strings of one table of a log, numbered by first use.
struct StringTable<Index: LogIndex> {
  private(set) var strings: [String] = []
  private var numbers: [ExactString: Index] = [:]

  init() {}

  /// A table that goes on from these strings.
  init(_ strings: [String]) {
    self.strings = strings
    for (number, string) in strings.enumerated() {
      numbers[ExactString(string)] = Index(number)
    }
  }

  /// The number of a string, which is added if it is new.
  ///
  /// O(length).
  mutating func number(of string: String) -> Index {
    let key = ExactString(string)
    if let known = numbers[key] { return known }
    let number = Index(strings.count)
    strings.append(string)
    numbers[key] = number
    return number
  }
}
