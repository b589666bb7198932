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

  /// Appends an operation of another store that has the same actors.
  ///
  /// - Throws: ``AutomergeError`` if the tables would grow beyond what the limits allow.
  mutating func append(
    _ operation: Operation, from other: borrowing OperationStore, limits: AutomergeLimits
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
    if copy.key >= 0 { copy.key = texts.number(of: other.texts[copy.key]) }
    if copy.markName >= 0 { copy.markName = texts.number(of: other.texts[copy.markName]) }
    operations.append(copy)
  }
}
