/// Texts by number: the keys of maps, and the names of marks.
package struct TextTable: Sendable {
  private var numbers: [[UInt8]: Int32] = [:]
  /// The texts as UTF-8, by number.
  package private(set) var texts: [[UInt8]] = []

  /// The number of a text, which is added if it is new.
  mutating func number(of text: [UInt8]) -> Int32 {
    if let number = numbers[text] { return number }
    let number = Int32(texts.count)
    numbers[text] = number
    texts.append(text)
    return number
  }

  /// The numbers of another table's texts, by their numbers there; new ones are added.
  mutating func numbers(of other: TextTable) -> [Int32] {
    other.texts.map { number(of: $0) }
  }

  /// The text with a number.
  package subscript(number: Int32) -> [UInt8] { texts[Int(number)] }

  /// The place of each number's text in the order of their bytes.
  func ranks() -> [Int32] {
    let order = texts.indices.sorted { texts[$0].lexicographicallyPrecedes(texts[$1]) }
    var ranks = [Int32](repeating: 0, count: texts.count)
    for (rank, number) in order.enumerated() { ranks[number] = Int32(rank) }
    return ranks
  }
}
