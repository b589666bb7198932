extension String {
  /// The text with the line ends of another one, if all lines end in one way here and in another way
  /// there: editors that write the line ends of their own system edit nothing by that.
  ///
  /// O(n).
  package func withLineEnds(of other: String) -> String {
    guard let own = LineEnds(of: self), let wanted = LineEnds(of: other), own != wanted else {
      return self
    }
    return replacing(own, by: wanted)
  }

  /// The text, all lines of which end alike, with other line ends.
  private func replacing(_ own: LineEnds, by wanted: LineEnds) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    let last = own.rawValue.utf8.last
    for byte in utf8 {
      if byte == last {
        if own == .carriageReturnAndLineFeed { result.removeLast() }
        result += wanted.rawValue.utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// How all lines of a text end.
private enum LineEnds: String {
  case lineFeed = "\n"
  case carriageReturnAndLineFeed = "\r\n"
  /// As on systems of long ago.
  case carriageReturn = "\r"

  /// Finds them; `nil` if there are none, or several.
  init?(of text: String) {
    var found: LineEnds?
    var hasCarriageReturn = false
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0A {
        let next: LineEnds = previous == 0x0D ? .carriageReturnAndLineFeed : .lineFeed
        if let found, found != next { return nil }
        found = next
      }
      hasCarriageReturn = hasCarriageReturn || byte == 0x0D
      previous = byte
    }
    guard let ends = found ?? (hasCarriageReturn ? .carriageReturn : nil) else { return nil }
    self = ends
  }
}
