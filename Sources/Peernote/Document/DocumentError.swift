/// Why bytes or changes are not a usable document.
public struct DocumentError: Error, Hashable, Sendable {
  /// What a program has to do about it.
  public enum Kind: Hashable, Sendable {
    /// The bytes are no sound document.
    case damaged
    /// The document needs a newer version of this library.
    case newerFormat
    /// The document is larger or deeper than this version allows.
    case limit
  }

  /// What a program has to do about it.
  public var kind: Kind
  /// The byte of the file where the fault lies, where it has a place.
  public var offset: Int?
  /// The part of the file: `envelope`, `heads`, `view`, `log` or `checksum`; or `delta`.
  public var section: String?
  /// The change concerned, where one is known.
  public var change: ChangeID?
  /// A clause for people, such as "the heads are not those of the log".
  public var reason: String
}

extension DocumentError: CustomStringConvertible {
  /// The place and the reason, as in `byte 4711: log: change 5f0c….12: an unknown key`.
  public var description: String {
    [
      offset.map { "byte \($0)" }, section, change.map { "change \($0)" }, reason,
    ].compactMap(\.self).joined(separator: ": ")
  }
}

extension DocumentError {
  init(_ error: FormatError) {
    let kind: Kind =
      switch error.kind {
      case .damaged: .damaged
      case .newerFormat: .newerFormat
      case .limit: .limit
      }
    self.init(
      kind: kind, offset: error.offset, section: error.section.rawValue, change: error.change,
      reason: error.reason)
  }

  init(_ error: HistoryError, in log: Log) {
    self.init(FormatError(error, in: log))
  }

  init(_ error: HistoryError) {
    self.init(FormatError(error, in: Log()))
  }
}
