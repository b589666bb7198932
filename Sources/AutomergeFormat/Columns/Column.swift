/// What a column is: its number, and how its bytes are to be read.
struct ColumnSpec: Equatable {
  /// The identifier in the upper bits, the kind in the lowest three; the bit for compression clear.
  let number: UInt32

  init(_ number: UInt32) { self.number = number }

  /// The bit that says that the bytes are compressed.
  static let deflateBit: UInt32 = 8

  // Columns of operations.
  static let objectActor = ColumnSpec(1)
  static let objectCounter = ColumnSpec(2)
  static let keyActor = ColumnSpec(17)
  static let keyCounter = ColumnSpec(19)
  static let keyString = ColumnSpec(21)
  static let idActor = ColumnSpec(33)
  static let idCounter = ColumnSpec(35)
  static let insert = ColumnSpec(52)
  static let action = ColumnSpec(66)
  static let valueMetadata = ColumnSpec(86)
  static let value = ColumnSpec(87)
  static let predecessors = (
    count: ColumnSpec(112), actor: ColumnSpec(113), counter: ColumnSpec(115)
  )
  static let successors = (
    count: ColumnSpec(128), actor: ColumnSpec(129), counter: ColumnSpec(131)
  )
  static let expand = ColumnSpec(148)
  static let markName = ColumnSpec(165)

  // Columns of changes.
  static let changeActor = ColumnSpec(1)
  static let changeSequence = ColumnSpec(3)
  static let changeMaxOperation = ColumnSpec(19)
  static let changeTime = ColumnSpec(35)
  static let changeMessage = ColumnSpec(53)
  static let dependencyCount = ColumnSpec(64)
  static let dependencyIndex = ColumnSpec(67)
  static let extraMetadata = ColumnSpec(86)
  static let extra = ColumnSpec(87)
}

/// The columns of a chunk that are not read yet.
struct ColumnSet {
  /// Each column's bytes, inflated.
  private var columns: [(spec: ColumnSpec, reader: ByteReader)] = []
  /// Where the columns begin, for what is missing.
  private let place: Int

  /// The specifications and lengths, before the bytes are looked at.
  struct Metadata {
    fileprivate(set) var entries: [(spec: UInt32, size: Int)] = []
    /// How many bytes all columns have together.
    fileprivate(set) var totalSize = 0

    /// Reads the table in front of the columns.
    init(_ reader: inout ByteReader) throws(AutomergeError) {
      let place = reader.offset
      let count = try reader.count()
      guard count <= AutomergeLimits.columns else {
        throw AutomergeError(
          .limit, at: reader.place ?? place, "more than \(AutomergeLimits.columns) columns")
      }
      var last: UInt32?
      for _ in 0..<count {
        let start = reader.offset
        guard let number = UInt32(exactly: try reader.unsigned()) else {
          throw reader.error("a column's number of more than 32 bits", at: start)
        }
        let plain = number & ~ColumnSpec.deflateBit
        if let last, plain <= last {
          throw reader.error("columns that are out of order", at: start)
        }
        last = plain
        let size = try reader.unsigned()
        guard size <= UInt64(max(0, reader.remaining - totalSize)) else {
          throw reader.error("a column of \(size) bytes, which are more than are left", at: start)
        }
        entries.append((number, Int(size)))
        totalSize += Int(size)
      }
    }
  }

  /// Reads the bytes of the columns that a table tells of.
  ///
  /// Only those of a document chunk may be compressed.
  init(
    _ metadata: Metadata, _ reader: inout ByteReader, ofDocument: Bool,
    _ limits: inout AutomergeLimits
  ) throws(AutomergeError) {
    place = reader.place ?? reader.offset
    for (number, size) in metadata.entries {
      let range = try reader.range(size)
      let spec = ColumnSpec(number & ~ColumnSpec.deflateBit)
      guard number & ColumnSpec.deflateBit != 0 else {
        columns.append((spec, ByteReader(reader.bytes, range, place: reader.place)))
        continue
      }
      guard ofDocument else {
        throw reader.error("a compressed column where there can be none", at: range.lowerBound)
      }
      let inflated = try limits.inflated(reader.bytes, range)
      columns.append((spec, ByteReader(inflated, inflated.indices, place: range.lowerBound)))
    }
  }

  /// Takes the bytes of a column; none if it is left out.
  mutating func take(_ spec: ColumnSpec) -> ByteReader {
    guard let index = columns.firstIndex(where: { $0.spec == spec }) else {
      return ByteReader([], 0..<0, place: place)
    }
    return columns.remove(at: index).reader
  }

  /// The columns that nobody took.
  var left: [ColumnSpec] { columns.map(\.spec) }
}
