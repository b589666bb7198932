/// A column of a table of operations, or of changes.
enum Column: Int, CaseIterable {
  // Of operations.
  case idActor, idCounter, objectActor, objectCounter, keyActor, keyCounter, keyString, insert
  case action, valueMetadata, expand, markName, referenceCount, referenceActor, referenceCounter
  case value
  // Of changes.
  case actor, sequence, maxOperation, time, message, dependencyCount, dependencyIndex
  case extraMetadata, extra

  /// A column as it is in files: its number, an identifier and in the lowest three bits the type,
  /// without the bit for compression; and what it holds in words.
  typealias Entry = (column: Column, number: UInt32, content: String)

  /// The bit of a number that says that the bytes are compressed.
  static let deflateBit: UInt32 = 8

  // Types, of which the others are runs of unsigned numbers.
  static let delta: UInt32 = 3
  static let boolean: UInt32 = 4
  static let text: UInt32 = 5
  static let bytes: UInt32 = 7

  /// The columns of a document chunk's changes.
  static let changes: [Entry] = [
    (.actor, 1, "actors"),
    (.sequence, 3, "changes' numbers"),
    (.maxOperation, 19, "changes' last operations"),
    (.time, 35, "times"),
    (.message, 53, "messages"),
    (.dependencyCount, 64, "counts of links"),
    (.dependencyIndex, 67, "links"),
    (.extraMetadata, 86, "further bytes"),
    (.extra, 87, "further bytes that belong to no change"),
  ]

  /// The columns of a document chunk's operations, which have names, and what replaces them.
  static let rows: [Entry] =
    [(.idActor, 33, "names"), (.idCounter, 35, "names")] + operations(references: 128)

  /// The columns of a change chunk's operations, with what they replace.
  static let operations = operations(references: 112)

  private static func operations(references: UInt32) -> [Entry] {
    [
      (.objectActor, 1, "objects"),
      (.objectCounter, 2, "objects"),
      (.keyActor, 17, "elements"),
      (.keyCounter, 19, "elements"),
      (.keyString, 21, "keys"),
      (.insert, 52, "insertions"),
      (.action, 66, "actions"),
      (.valueMetadata, 86, "values"),
      (.expand, 148, "marks"),
      (.markName, 165, "marks"),
      (.referenceCount, references, "counts of references"),
      (.referenceActor, references + 1, "references"),
      (.referenceCounter, references + 3, "references"),
      (.value, 87, "values that belong to no operation"),
    ]
  }
}

/// The sizes of columns, as they stand in front of them.
struct ColumnSizes {
  fileprivate var entries: [(number: UInt32, size: Int)] = []

  init(_ reader: inout ByteReader) throws(AutomergeError) {
    let place = reader.offset
    let count = try reader.count()
    guard count <= AutomergeLimits.columns else {
      throw AutomergeError(
        .limit, at: reader.place ?? place, "more than \(AutomergeLimits.columns) columns")
    }
    var last: UInt32?
    var total = 0
    for _ in 0..<count {
      let start = reader.offset
      guard let number = UInt32(exactly: try reader.unsigned()) else {
        throw reader.error("a column's number of more than 32 bits", at: start)
      }
      let plain = number & ~Column.deflateBit
      if let last, plain <= last {
        throw reader.error("columns that are out of order", at: start)
      }
      last = plain
      let size = try reader.unsigned()
      guard size <= UInt64(max(0, reader.remaining - total)) else {
        throw reader.error("a column of \(size) bytes, which are more than are left", at: start)
      }
      entries.append((number, Int(size)))
      total += Int(size)
    }
  }
}

/// The columns of a table as they are read, row by row; those that are left out have no rows.
struct ColumnReaders {
  /// By column, of which there are so many; a fixed array is read faster than another one.
  private var readers: InlineArray<25, ColumnReader>
  private let table: [Column.Entry]
  /// The numbers of the columns that the table does not have.
  private(set) var unknown: [UInt32] = []

  /// Takes the bytes of all columns, of which only those of a document chunk may be compressed.
  init(
    _ table: [Column.Entry], _ sizes: ColumnSizes, _ reader: inout ByteReader, ofDocument: Bool,
    _ limits: inout AutomergeLimits
  ) throws(AutomergeError) {
    self.table = table
    let missing = ColumnReader(
      ByteReader([], 0..<0, place: reader.place ?? reader.offset), type: Column.bytes)
    readers = InlineArray(repeating: missing)
    for (number, size) in sizes.entries {
      let range = try reader.range(size)
      var bytes = ByteReader(reader.bytes, range, place: reader.place)
      if number & Column.deflateBit != 0 {
        guard ofDocument else {
          throw reader.error("a compressed column where there can be none", at: range.lowerBound)
        }
        let inflated = try limits.inflated(reader.bytes, range)
        bytes = ByteReader(inflated, inflated.indices, place: range.lowerBound)
      }
      let plain = number & ~Column.deflateBit
      if let entry = table.first(where: { $0.number == plain }) {
        self[entry.column] = ColumnReader(bytes, type: plain & 7)
      } else {
        unknown.append(plain)
      }
    }
  }

  subscript(column: Column) -> ColumnReader {
    _read { yield readers[column.rawValue] }
    _modify { yield &readers[column.rawValue] }
  }

  /// Throws if any column has further rows.
  func finish() throws(AutomergeError) {
    for (column, number, content) in table where !self[column].isAtEnd {
      throw self[column].error(
        number & 7 == Column.bytes
          ? content : "more rows in the column of \(content) than elsewhere")
    }
  }
}

/// The columns of a table as they are written, row by row, and again after ``appendColumns(to:)``.
struct ColumnWriters {
  private var writers = Array(repeating: ColumnWriter(type: 0), count: Column.allCases.count)
  /// The columns with their numbers, which ascend.
  private let table: [Column.Entry]

  init(_ table: [Column.Entry]) {
    self.table = table.sorted { $0.number < $1.number }
    for (column, number, _) in table { self[column] = ColumnWriter(type: number & 7) }
  }

  subscript(column: Column) -> ColumnWriter {
    _read { yield writers[column.rawValue] }
    _modify { yield &writers[column.rawValue] }
  }

  /// Ends all columns, and appends what stands in front of them; one without bytes is left out.
  mutating func appendSizes(to body: inout [UInt8]) {
    var count: UInt64 = 0
    for (column, _, _) in table {
      self[column].end()
      if !self[column].bytes.isEmpty { count += 1 }
    }
    body.append(unsigned: count)
    for (column, number, _) in table where !self[column].bytes.isEmpty {
      body.append(unsigned: UInt64(number))
      body.append(unsigned: UInt64(self[column].bytes.count))
    }
  }

  /// Appends the columns, and begins anew.
  mutating func appendColumns(to body: inout [UInt8]) {
    for (column, _, _) in table {
      body.append(contentsOf: self[column].bytes)
      self[column].removeAll()
    }
  }
}
