/// How the log of a file is laid out: its columns, and where each chain begins in them.
///
/// Two copies of a document mostly begin alike, column by column. The bytes that are the same are
/// read once (``LogReader/read(_:beside:)``) and written by copying them (``LogWriter``).
package struct LogLayout: Sendable {
  package struct Columns {
    package var agents = 0..<0
    var chains = 0..<0
    var counts = 0..<0
    var metadata = 0..<0
    var values = 0..<0
    var operations = 0..<0
    var redactions = 0..<0
    package var deleted = 0..<0
  }

  /// The state of reading before a chain.
  package struct Mark: BitwiseCopyable {
    /// Offsets in the columns.
    var chains: Int32 = 0
    var operations: Int32 = 0
    var values: Int32 = 0
    /// The container that rows work on.
    var container = ContainerIndex.root
  }

  let bytes: [UInt8]
  package var columns = Columns()
  /// One mark before each chain, and one after the last.
  package var marks: [Mark] = []

  /// How many leading chains are the same bytes in another file, whatever their numbers name.
  func sharedChains(with other: LogLayout) -> Int {
    let chains = commonLength(columns.chains, other.columns.chains, other)
    let operations = commonLength(columns.operations, other.columns.operations, other)
    let values = commonLength(columns.values, other.columns.values, other)
    let next = marks.partitionPoint { mark in
      Int(mark.chains) > chains || Int(mark.operations) > operations || Int(mark.values) > values
    }
    return max(next - 1, 0)
  }

  /// The bytes of the largest columns after the first chains.
  func byteCount(after chains: Int) -> Int {
    let mark = marks[chains]
    return columns.chains.count + columns.operations.count + columns.values.count
      - Int(mark.chains) - Int(mark.operations) - Int(mark.values)
  }

  private func commonLength(_ ours: Range<Int>, _ theirs: Range<Int>, _ other: LogLayout) -> Int {
    bytes.span.extracting(ours).commonPrefixLength(other.bytes.span.extracting(theirs))
  }
}
