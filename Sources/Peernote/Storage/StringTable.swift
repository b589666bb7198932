/// Strings numbered by first use.
struct StringTable {
  private(set) var strings: [String] = []
  private var numbers: [ExactString: Int32] = [:]

  init() {}

  /// A table that goes on from these strings.
  init(_ strings: [String]) {
    self.strings = strings
    for (number, string) in strings.enumerated() {
      numbers[ExactString(string)] = Int32(number)
    }
  }

  /// The number of a string, which is added if it is new.
  ///
  /// O(length).
  mutating func number(of string: String) -> Int32 {
    let key = ExactString(string)
    if let known = numbers[key] { return known }
    let number = Int32(strings.count)
    strings.append(string)
    numbers[key] = number
    return number
  }
}
