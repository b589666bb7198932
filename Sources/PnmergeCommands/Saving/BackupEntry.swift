import Peernote

/// The description of a kept state of a document.
struct BackupEntry: Hashable, Sendable {
  /// What was done to the file after the state was kept.
  enum Action: String, CaseIterable, Sendable {
    case merge
    case edit
    case undo
    case redo
  }

  var number: Int
  var action: Action
  var time: Timestamp
  /// The file, absolute and without links.
  var file: FileName
  /// The heads that the file had afterwards, in ascending order.
  var heads: [ChangeID]

  /// The description as text; the file's name is percent-encoded.
  func bytes() -> [UInt8] {
    let lines = [
      "action \(action.rawValue)", "time \(time.milliseconds)", "file \(file.percentEncoded)",
      "heads " + heads.map(\.description).joined(separator: " "),
    ]
    return Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
  }
}

extension BackupEntry {
  /// Reads what ``bytes()`` wrote; `nil` for anything else, such as a half-written description.
  init?(number: Int, encoded bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else {
      return nil
    }
    let lines = text.splitAtLineFeeds().map { $0.split(separator: " ").map(String.init) }
    guard lines.map(\.first) == ["action", "time", "file", "heads"],
      lines[0...2].allSatisfy({ $0.count == 2 }), let action = Action(rawValue: lines[0][1]),
      let milliseconds = Int64(lines[1][1]), let file = FileName(percentEncoded: lines[2][1])
    else { return nil }
    let heads = lines[3].dropFirst().map { ChangeID($0) }
    guard !heads.contains(nil) else { return nil }
    self.init(
      number: number, action: action, time: Timestamp(milliseconds: milliseconds), file: file,
      heads: heads.compactMap(\.self))
  }
}
