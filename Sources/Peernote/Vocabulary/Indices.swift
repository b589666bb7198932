/// The place of something in one table of a log, or in a table with a place for each of those.
///
/// Each table has a type of its own, so that none of its indices is taken for one of another table.
package protocol LogIndex: RawRepresentable, Hashable, Strideable, Sendable, BitwiseCopyable
where RawValue == Int32, Stride == Int {
  init(rawValue: Int32)
}

extension LogIndex {
  @inline(__always)
  package init(_ index: Int) { self.init(rawValue: Int32(index)) }

  @inline(__always)
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  @inline(__always)
  package func distance(to other: Self) -> Int { Int(other.rawValue) - Int(rawValue) }

  @inline(__always)
  package func advanced(by distance: Int) -> Self { Self(Int(rawValue) + distance) }

  @inline(__always)
  static func + (index: Self, distance: Int32) -> Self {
    Self(rawValue: index.rawValue + distance)
  }

  @inline(__always)
  static func += (index: inout Self, distance: Int32) { index = index + distance }
}

/// The place of a key in the keys of a log.
package struct KeyIndex: LogIndex {
  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a content in the contents of a log.
package struct ContentIndex: LogIndex {
  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a container in the containers of a log.
package struct ContainerIndex: LogIndex {
  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The document itself.
  package static let root = ContainerIndex(rawValue: 0)
}

extension Array {
  /// What a table holds for one place of a log's table.
  @inline(__always)
  package subscript(index: some LogIndex) -> Element {
    get { self[Int(index.rawValue)] }
    _modify { yield &self[Int(index.rawValue)] }
  }
}
