extension String {
  /// The text with the line ends of another one, if all lines end in one way here and in another
  /// way there: editors that write the line ends of their own system edit nothing by that; O(n).
  package func withLineEnds(of other: String) -> String {
    guard let own = lineEnd, let wanted = other.lineEnd, own != wanted else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    let last = own.last
    for byte in utf8 {
      if byte == last {
        result.removeLast(own.count - 1)
        result += wanted
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// How all lines end: with a line feed, a carriage return before it or, as on systems of long ago,
  /// a carriage return; `nil` if none has an end, or they end in several ways.
  private var lineEnd: [UInt8]? {
    var isPaired: Bool?
    var hasCarriageReturn = false
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte == 0x0A {
        if let isPaired, isPaired != (previous == 0x0D) { return nil }
        isPaired = previous == 0x0D
      }
      hasCarriageReturn = hasCarriageReturn || byte == 0x0D
      previous = byte
    }
    if let isPaired { return isPaired ? [0x0D, 0x0A] : [0x0A] }
    return hasCarriageReturn ? [0x0D] : nil
  }
}
