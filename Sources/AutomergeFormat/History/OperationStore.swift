/// Operations in one table, with what they refer to in three more.
package struct OperationStore: Sendable {
  package internal(set) var operations: [Operation] = []
  /// The operations that each one replaces, ascending.
  var references: [OperationID] = []
  /// All values, one after the other.
  var values: [UInt8] = []
  /// The keys of maps, and the names of marks.
  package internal(set) var texts = TextTable()

  /// Makes room.
  mutating func reserve(_ count: Int) { operations.reserveCapacity(operations.count + count) }

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
  func scalar(of operation: Operation) -> ScalarValue {
    ScalarValue(operation.valueType, value(of: operation))
  }

  /// The text that an operation writes as UTF-8; `nil` if it writes something else.
  func text(of operation: Operation) -> ArraySlice<UInt8>? {
    operation.action == .set && operation.valueType == ScalarValue.stringType
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

  /// Appends an operation of another store that has the same actors, as far as the limits allow.
  ///
  /// The numbers are what ``TextTable/numbers(of:)`` says of its texts.
  mutating func append(
    _ operation: Operation, from other: borrowing OperationStore, textsAre numbers: [Int32],
    limits: AutomergeLimits
  ) throws(AutomergeError) {
    guard operations.count < limits.operations,
      references.count + Int(operation.referenceCount) <= limits.operations
    else { throw AutomergeError(.limit, "more than \(limits.operations) operations") }
    guard values.count + Int(operation.valueSize) <= Int(Int32.max) else {
      throw AutomergeError(.limit, "more than 2,147,483,647 bytes of values")
    }
    var copy = operation
    copy.referenceStart = Int32(references.count)
    references.append(contentsOf: other.references(of: operation))
    copy.valueStart = Int32(values.count)
    values.append(contentsOf: other.value(of: operation))
    if copy.key >= 0 { copy.key = numbers[Int(copy.key)] }
    if copy.markName >= 0 { copy.markName = numbers[Int(copy.markName)] }
    operations.append(copy)
  }
}
