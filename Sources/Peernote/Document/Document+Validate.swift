extension Document {
  /// Checks a file from the envelope to the history of every text.
  ///
  /// Goes on behind a fault as far as the rest still means something, so that one look tells how
  /// much is wrong. O(n log n), and at most a few replays of the history.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - quick: stops before the history is replayed.
  /// - Returns: what is wrong; nothing for a sound file.
  public static func validate(bytes: [UInt8], quick: Bool = false) -> [DocumentError] {
    validate(bytes: bytes, quick: quick, limits: Limits())
  }

  /// Checks a file under other limits than those of the format.
  package static func validate(
    bytes: [UInt8], quick: Bool = false, limits: Limits
  ) -> [DocumentError] {
    FileCheck(bytes, quick: quick, limits: limits).faults
  }
}
