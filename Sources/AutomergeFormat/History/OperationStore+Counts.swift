extension OperationStore {
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
