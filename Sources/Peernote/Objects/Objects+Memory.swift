extension Objects {
  /// About how many bytes everything but the log takes.
  ///
  /// Hash tables are counted as if they were half full. O(sets).
  package var byteCount: Int {
    let lists = slots.byteCount + slotsWithLeftChild.count * 2 * 4
    let places = firstSlot.byteCount + (membersOfSet.count + counters.count) * 2 * 16
    let numbers = membersOfSet.values.reduce(0) { $0 + Self.arrayByteCount($1) }
    return writes.count * MemoryLayout<Write>.stride + mapKeys.byteCount + lists
      + members.byteCount + places + numbers + (edits?.byteCount ?? 0)
  }

  /// What an array of numbers takes: a header, and up to twice the room that it needs.
  private static func arrayByteCount(_ numbers: [ContentIndex]) -> Int { 48 + 8 * numbers.count }
}
