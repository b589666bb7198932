/// The generator SplitMix64 of Steele, Lea & Flood, "Fast Splittable Pseudorandom Number
/// Generators" (OOPSLA 2014): the same numbers for a seed on every machine.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence that belongs to a seed.
  package init(seed: UInt64) {
    state = seed
  }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to below `count`, which must be positive.
  package mutating func below(_ count: Int) -> Int {
    Int(next() % UInt64(count))
  }

  /// A number of a range.
  package mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// True `percent` times out of a hundred.
  package mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// One of the elements, which must not be empty.
  package mutating func pick<Elements: RandomAccessCollection<Element>, Element>(
    _ elements: Elements
  ) -> Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// An index chosen with these weights, of which one must be positive.
  package mutating func weighted(_ weights: [Int]) -> Int {
    var rest = below(weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    fatalError("weights add up")
  }

  /// The elements in a random order.
  package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for index in elements.indices.dropLast() {
      elements.swapAt(index, index + below(elements.count - index))
    }
    return elements
  }
}
