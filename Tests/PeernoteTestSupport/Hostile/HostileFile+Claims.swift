import Peernote

extension HostileFile {
  private typealias Make = HostileChanges

  /// Little files that speak of much: many changes or events of which nothing is left but their
  /// number.
  static let claims: [HostileFile] = [
    HostileFile("redacted characters, a change each", bytesEach: 1) { count in
      Make.typing(count, changes: count, isRedacted: true)
    },
    HostileFile("characters of one moment, a change each", bytesEach: 1) { count in
      // More changes than that are refused, the file being as long as the text.
      Make.typing(count, changes: min(count, 1 << 16 + count / 4), isRedacted: false)
    },
    HostileFile("a redacted text", bytesEach: 1) { count in
      // As much as is spelled out where past versions are asked for.
      Make.typing(min(8 * count, 1 << 20), changes: 1, isRedacted: true)
    },
  ]
}

extension HostileChanges {
  /// The first change, and others of one moment, in which an agent types at the end of the body, one
  /// character in each but the last; and one that deletes it all, if it was redacted.
  fileprivate static func typing(_ count: Int, changes: Int, isRedacted: Bool) -> [Change] {
    chain(isRedacted ? changes + 1 : changes) { number, last in
      let length = number < changes - 1 ? 1 : count - number
      let edit: Edit =
        number < changes
        ? .insertText(into: body, at: 9 + number, text: String(repeating: "x", count: length))
        : .deleteText(from: body, at: 9, count: count, backward: false, text: nil)
      return Change(1, number + 2, after: [last], [edit])
    }
  }
}
