import Peernote

/// Texts that many write at once, so that what is contested follows from many versions.
extension HostileFile {
  static let crowds: [HostileFile] = [
    HostileFile("letters of many, and of as many who saw most of them", bytesEach: 1) { size in
      crowd(levels: 2, of: max(2, Int((Double(size) / 2).squareRoot())))
    },
    HostileFile("letters of many in one place, at four levels", bytesEach: 1) { size in
      crowd(levels: 4, of: max(2, Int((Double(size) / 6).squareRoot())))
    },
  ]

  /// A letter of everybody at one place; who is of a later level has seen nine of ten of the one
  /// before.
  private static func crowd(levels: Int, of people: Int) -> [Change] {
    var changes = [HostileChanges.first]
    var before: [ChangeID] = []
    for level in 0..<levels {
      let new = (0..<people).map { number in
        let seen = before.enumerated().filter { ($0.offset * 7 + number * 3) % 10 != 0 }
        return Change(
          UInt64(2 + level * people + number), 1,
          after: level == 0 ? [HostileChanges.start] : seen.map(\.element),
          time: Int64(number * 31 % people),
          [.insertText(into: HostileChanges.body, at: 4, text: "x")])
      }
      changes += new
      before = new.map(\.id)
    }
    return changes
  }
}
