/// The name of an operation: a counter, and the actor who counted.
///
/// Ordered by counter and then by the actors' bytes, which is what decides between concurrent
/// operations. Actors are numbered in the order of their bytes.
package struct OperationID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The counter in the upper half, the actor's number in the lower one.
  let packed: UInt64

  init(counter: UInt32, actor: UInt32) { packed = UInt64(counter) << 32 | UInt64(actor) }
  init(packed: UInt64) { self.packed = packed }

  /// No operation: the root map as an object, the beginning of a list as an element.
  package static let none = OperationID(packed: 0)

  package var counter: UInt32 { UInt32(packed >> 32) }
  /// The actor's number in the history.
  package var actor: UInt32 { UInt32(truncatingIfNeeded: packed) }
  /// The actor's number before the counter, which sorts by actor first.
  var byActor: UInt64 { packed << 32 | packed >> 32 }

  @inline(__always)
  package static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }
}

/// One operation: what it does, and to what.
///
/// Its name is not in it: a change's operations are numbered one after the other.
package struct Operation: Sendable, BitwiseCopyable {
  /// What an operation does.
  package enum Action: UInt8, Sendable, BitwiseCopyable {
    case makeMap = 0
    case set = 1
    case makeList = 2
    case delete = 3
    case makeText = 4
    case increment = 5
    case makeTable = 6
    case mark = 7

    /// Whether it makes an object.
    var makesObject: Bool {
      switch self {
      case .makeMap, .makeList, .makeText, .makeTable: true
      case .set, .delete, .increment, .mark: false
      }
    }

    /// Whether what it writes can be seen.
    var writes: Bool {
      switch self {
      case .makeMap, .makeList, .makeText, .makeTable, .set: true
      case .delete, .increment, .mark: false
      }
    }
  }

  /// The object that is changed.
  package var object: OperationID
  /// In a list or text the element that is changed, or behind which something is inserted.
  package var element: OperationID
  /// In a map the key's number in the history; else -1.
  package var key: Int32
  /// The number of the mark's name in the history; -1 for none.
  package var markName: Int32 = -1
  /// Where the value begins among the history's bytes, and how many it has.
  var valueStart: Int32 = 0
  var valueSize: Int32 = 0
  /// Where the operations that this one replaces begin among the history's references.
  var referenceStart: Int32 = 0
  var referenceCount: Int32 = 0
  package var action: Action
  /// The value's type.
  package var valueType: UInt8 = 0
  /// Whether it inserts a new element.
  package var isInsertion: Bool
  /// Of a mark: whether it reaches over what is inserted at its end.
  package var expands: Bool
}
