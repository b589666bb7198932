internal import CPeernoteCBOR

extension CBORReader {
  /// Skips the next item with all that is inside it, and returns where it stands.
  ///
  /// Everything skipped is held to the profile, but for the order of maps' keys and for UTF-8 in
  /// texts. At most `depthLimit` arrays, maps and tags may be open at once. Takes time linear in
  /// the number of items, and memory for at most `depthLimit` integers.
  package mutating func skipItem(depthLimit: Int) throws(CBORError) -> Range<Int> {
    var ahead = self
    var left = 1  // items still to come in the innermost container that is open
    var outer: [Int] = []  // the same for those around it, the outermost first
    var depth = 0

    while true {
      while left == 0 {
        guard let next = outer.popLast() else {
          let start = offset
          offset = ahead.offset
          return start..<offset
        }
        left = next
        depth -= 1
      }

      left -= ahead.passShortItems(most: left)
      if left == 0 { continue }
      let (item, end) = try ahead.itemAndEnd()
      left -= 1
      let inside: Int
      switch item {
      case .array(let count): inside = count
      case .map(let count): inside = 2 * count
      case .tag: inside = 1
      case .unsigned, .negative, .bytes, .text, .bool, .null, .double:
        ahead.offset = end
        continue
      }
      guard depth < depthLimit else { throw ahead.error(.tooDeep(limit: depthLimit)) }
      ahead.offset = end
      depth += 1
      // The outermost level has nothing left: not storing it spares flat items the allocation.
      if depth > 1 { outer.append(left) }
      left = inside
    }
  }

  /// Goes over items that hold no others and whose head is a single byte, up to any other item.
  ///
  /// - Returns: how many they were.
  private mutating func passShortItems(most: Int) -> Int {
    var size = 0
    let count = unsafe bytes.span.extracting(offset..<end).withUnsafeBufferPointer { left in
      unsafe pn_cbor_pass_short(left.baseAddress, left.count, most, &size)
    }
    offset += size
    return count
  }
}
