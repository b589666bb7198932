/// The place of a key in the keys of a log.
package struct KeyIndex: Hashable, Comparable, Sendable, BitwiseCopyable {
  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }

  @inline(__always)
  init(_ index: Int) { rawValue = Int32(index) }

  @inline(__always)
  package static func < (left: KeyIndex, right: KeyIndex) -> Bool { left.rawValue < right.rawValue }
}

/// The place of a content in the contents of a log.
package struct ContentIndex: Hashable, Sendable, BitwiseCopyable {
  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }

  @inline(__always)
  init(_ index: Int) { rawValue = Int32(index) }

  @inline(__always)
  static func + (index: ContentIndex, distance: Int32) -> ContentIndex {
    ContentIndex(rawValue: index.rawValue + distance)
  }

  @inline(__always)
  static func += (index: inout ContentIndex, distance: Int32) { index = index + distance }
}

extension ContentIndex: Strideable {
  @inline(__always)
  package func distance(to other: ContentIndex) -> Int { Int(other.rawValue) - Int(rawValue) }

  @inline(__always)
  package func advanced(by distance: Int) -> ContentIndex {
    ContentIndex(rawValue: rawValue + Int32(distance))
  }

  @inline(__always)
  package static func < (left: ContentIndex, right: ContentIndex) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Array {
  /// What a table that has a place for each key of a log holds for one of them.
  @inline(__always)
  package subscript(key: KeyIndex) -> Element {
    get { self[Int(key.rawValue)] }
    set { self[Int(key.rawValue)] = newValue }
  }

  /// What a table that has a place for each content of a log holds for one of them.
  @inline(__always)
  subscript(content: ContentIndex) -> Element {
    get { self[Int(content.rawValue)] }
    set { self[Int(content.rawValue)] = newValue }
  }
}
