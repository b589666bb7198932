public import PeernoteEngine
import PeernoteFormat

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
  /// Reading finds faults one at a time, so the first one in the envelope, the log's columns or the
  /// structure of the view is the only one reported. In a file that can be read, all faults of the
  /// history are.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - quick: stops before the history is replayed.
  /// - Returns: what is wrong; nothing for a sound file.
  public static func validate(bytes: [UInt8], quick: Bool = false) -> [Finding] {
    var file: DocumentFile
    do throws(FormatError) {
      file = try DocumentFile(bytes)
    } catch {
      return [Finding(error)]
    }
    let log = file.log
    var found = log.faults(critical: CriticalVersions(of: log.graph)).map {
      Finding(FormatError($0, in: log))
    }
    if quick { return found }
    do throws(HistoryError) {
      try Replay(log).check(texts: file.texts)
    } catch {
      let section: FormatError.Section = error.reason == .viewDisagrees ? .view : .log
      found.append(Finding(FormatError(error, in: log, section: section)))
    }
    // Nothing may be copied from the file that is being checked.
    file.layout = nil
    let again = file.encoded()
    if again != bytes {
      let offset = zip(again, bytes).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      found.append(
        Finding(
          section: "envelope", offset: offset ?? min(again.count, bytes.count), change: nil,
          message: "the same content would be written differently"))
    }
    return found
  }
}
