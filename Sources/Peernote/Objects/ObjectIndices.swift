/// The place of a write in ``Objects/writes``.
struct WriteIndex: LogIndex {
  let rawValue: Int32
}

/// The place of a key of a map in ``Objects/mapKeys``.
struct MapKeyIndex: LogIndex {
  let rawValue: Int32
}

/// The place of a slot in ``Objects/slots``.
package struct SlotIndex: LogIndex {
  package let rawValue: Int32

  @inline(__always)
  package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The place of a member of a set in ``Objects/members``.
struct MemberIndex: LogIndex {
  let rawValue: Int32
}
