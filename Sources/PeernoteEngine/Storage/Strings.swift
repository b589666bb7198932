/// The numbers of the strings in one table of a log, by first use.
struct StringNumbers<Index: LogIndex> {
  private var numbers: [ExactString: Index] = [:]

  /// Those of a table.
  init(_ strings: [String] = []) {
    for (number, string) in strings.enumerated() {
      numbers[ExactString(string)] = Index(number)
    }
  }

  /// The number of a string, which is added to the table if it is new; O(length).
  mutating func number(of string: String, in strings: inout [String]) -> Index {
    let key = ExactString(string)
    if let known = numbers[key] { return known }
    let number = Index(strings.count)
    strings.append(string)
    numbers[key] = number
    return number
  }
}
