/// A kind of value that columns of runs hold.
protocol RunValue: Equatable {
  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> Self
  func append(to bytes: inout [UInt8])
}

extension UInt64: RunValue {
  @inline(__always)
  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> UInt64 {
    try reader.unsigned()
  }

  @inline(__always)
  func append(to bytes: inout [UInt8]) { bytes.append(unsigned: self) }
}

extension Int64: RunValue {
  @inline(__always)
  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> Int64 {
    try reader.signed()
  }

  @inline(__always)
  func append(to bytes: inout [UInt8]) { bytes.append(signed: self) }
}

/// A text as UTF-8, whose bytes all rows of a run share.
struct TextBytes: RunValue {
  let bytes: [UInt8]

  static func read(_ reader: inout ByteReader) throws(AutomergeError) -> TextBytes {
    TextBytes(bytes: Array(reader.bytes[try reader.text()]))
  }

  func append(to target: inout [UInt8]) { target.append(counted: bytes) }
}
