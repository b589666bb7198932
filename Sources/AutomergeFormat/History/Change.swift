/// A change: operations that one actor made together, and what they were made upon.
package struct Change: Sendable {
  package internal(set) var hash: ChangeHash
  /// The actor's number in the history.
  package internal(set) var actor: UInt32
  /// The place among the actor's changes, from 1.
  package internal(set) var sequence: Int
  /// The counter of the first operation.
  package internal(set) var firstCounter: UInt32
  /// The operations in the history's table.
  package internal(set) var operations: Range<Int>
  /// When it was made, in seconds since 1970; 0 if that is not known.
  package internal(set) var time: Int64
  /// A message as UTF-8, empty if there is none.
  package internal(set) var message: [UInt8]
  /// The changes that it was made upon.
  package internal(set) var dependencies: [ChangeHash]
  /// Bytes behind the operations, which mean nothing to this version.
  var extra: [UInt8]
  /// The body of the chunk, if writing the change anew would give other bytes and so another hash.
  var verbatim: [UInt8]?

  /// The name of its operation at a place of the table.
  func id(ofOperation place: Int) -> OperationID {
    OperationID(
      counter: firstCounter + UInt32(place - operations.lowerBound), actor: actor)
  }

  /// The counter of the last operation; one less than that of the first if there is none.
  var lastCounter: UInt32 { firstCounter &+ UInt32(operations.count) &- 1 }
}
