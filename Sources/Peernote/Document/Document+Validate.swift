/// Something in a file that is not as it should be.
public struct Finding: Hashable, Sendable {
  /// The part of the file: `envelope`, `heads`, `view`, `log` or `checksum`.
  public var section: String
  /// The byte of the file, where the fault has a place.
  public var offset: Int?
  /// The change concerned, where one is known.
  public var change: ChangeID?
  /// What is wrong, as a clause.
  public var message: String
}

extension Finding: CustomStringConvertible {
  /// The place and what is wrong, as in `byte 4711: log: an unknown key`.
  public var description: String {
    [offset.map { "byte \($0)" }, section, change.map { "change \($0)" }, message]
      .compactMap(\.self).joined(separator: ": ")
  }

  init(_ error: FormatError) {
    self.init(
      section: error.section.rawValue, offset: error.offset, change: error.change,
      message: error.reason)
  }
}

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
  public static func validate(bytes: [UInt8], quick: Bool = false) -> [Finding] {
    validate(bytes: bytes, quick: quick, limits: Limits())
  }

  /// Checks a file under other limits than those of the format.
  package static func validate(
    bytes: [UInt8], quick: Bool = false, limits: Limits
  ) -> [Finding] {
    FileCheck(bytes, quick: quick, limits: limits).faults.map { Finding($0) }
  }
}
