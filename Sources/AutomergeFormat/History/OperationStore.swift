/// Operations in one table, with what they refer to in three more.
package struct OperationStore: Sendable {
  package internal(set) var operations: [Operation] = []
  /// The operations that each one replaces, ascending.
  var references: [OperationID] = []
  /// All values, one after the other.
  var values: [UInt8] = []
  /// The keys of maps, and the names of marks.
  package internal(set) var texts = TextTable()

  /// The operations that one replaces.
  package func references(of operation: Operation) -> ArraySlice<OperationID> {
    references[
      Int(operation.referenceStart)..<Int(operation.referenceStart + operation.referenceCount)]
  }

  /// The bytes of an operation's value.
  package func value(of operation: Operation) -> ArraySlice<UInt8> {
    values[Int(operation.valueStart)..<Int(operation.valueStart + operation.valueSize)]
  }

  /// The scalar that an operation writes, or adds.
  func scalar(of operation: Operation) -> AutomergeValue {
    let bytes = Array(value(of: operation))
    let reader = ByteReader(bytes, bytes.indices)
    // It was checked when it was read.
    return (try? AutomergeValue(operation.valueType, reader, bytes.indices)) ?? .null
  }

  /// The text that an operation writes as UTF-8; `nil` if it writes something else.
  func text(of operation: Operation) -> ArraySlice<UInt8>? {
    operation.action == .set && operation.valueType == AutomergeValue.stringType
      ? value(of: operation) : nil
  }

  /// At least so many bytes do some operations take in a change: their values, and their keys and
  /// the names of marks as often as they alternate.
  ///
  /// A key that all operations in a row have is written once. In a document the operations stand in
  /// another order, so that a few bytes there can be any number here.
  func leastSize(of places: Range<Int>) -> Int {
    var size = 0
    var (key, markName) = (Int32(-1), Int32(-1))
    for place in places {
      let operation = operations[place]
      size += Int(operation.valueSize)
      if operation.key >= 0, operation.key != key { size += texts[operation.key].count }
      if operation.markName >= 0, operation.markName != markName {
        size += texts[operation.markName].count
      }
      (key, markName) = (operation.key, operation.markName)
    }
    return size
  }

  /// Appends an operation of another store that has the same actors and texts, as far as the limits
  /// allow.
  mutating func append(
    _ operation: Operation, from other: borrowing OperationStore, limits: AutomergeLimits
  ) throws(AutomergeError) {
    guard operations.count < limits.operations,
      references.count + Int(operation.referenceCount) <= limits.operations
    else { throw AutomergeError(.limit, "more than \(limits.operations) operations") }
    guard values.count + Int(operation.valueSize) <= Int(Int32.max) else {
      throw AutomergeError(.limit, "more than 2,147,483,647 bytes of values")
    }
    append(
      operation, value: other.value(of: operation), references: other.references(of: operation))
  }

  /// Appends an operation with its value, and what it replaces.
  mutating func append(
    _ operation: Operation, value: some Collection<UInt8>, references: some Collection<OperationID>
  ) {
    var operation = operation
    operation.valueStart = Int32(values.count)
    operation.valueSize = Int32(value.count)
    values.append(contentsOf: value)
    operation.referenceStart = Int32(self.references.count)
    operation.referenceCount = Int32(references.count)
    self.references.append(contentsOf: references)
    operations.append(operation)
  }

  /// How much there is that few other formats have: marks, integers beyond 64 bits with sign, and
  /// values of types that this version does not know.
  package var countOfForeignValues: (marks: Int, integers: Int, unknown: Int) {
    var counts = (marks: 0, integers: 0, unknown: 0)
    for operation in operations {
      switch operation.action {
      // A mark ends with an operation without a name.
      case .mark: counts.marks += operation.markName >= 0 ? 1 : 0
      case .set where operation.valueType > 9: counts.unknown += 1
      case .set:
        if case .unsigned(let value) = scalar(of: operation), value > UInt64(Int64.max) {
          counts.integers += 1
        }
      case .makeMap, .makeList, .makeText, .makeTable, .delete, .increment: break
      }
    }
    return counts
  }
}

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
