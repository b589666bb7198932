extension String {
  /// The text with the line ends of another one, if all lines end in one way here and in another way
  /// there: editors that write the line ends of their own system edit nothing by that.
  ///
  /// O(n).
  package func withLineEnds(of other: String) -> String {
    switch (LineEnds(of: self), LineEnds(of: other)) {
    case (.carriageReturnAndLineFeed, .lineFeed): replacingLineEnds(by: [0x0A])
    case (.lineFeed, .carriageReturnAndLineFeed): replacingLineEnds(by: [0x0D, 0x0A])
    default: self
    }
  }

  /// The text, all lines of which end alike, with other line ends.
  private func replacingLineEnds(by end: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == 0x0A {
        if result.last == 0x0D { result.removeLast() }
        result += end
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// How the lines of a text end.
private enum LineEnds {
  case none
  case lineFeed
  case carriageReturnAndLineFeed
  case mixed

  init(of text: String) {
    self = .none
    var previous: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x0A {
        let found: LineEnds = previous == 0x0D ? .carriageReturnAndLineFeed : .lineFeed
        if self != .none, self != found {
          self = .mixed
          return
        }
        self = found
      }
      previous = byte
    }
  }
}
