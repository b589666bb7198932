package import Peernote

extension HostileFile {
  /// The changes of two copies of which each takes fewer steps to replay, and deletes fewer pieces,
  /// than what merging them makes, though the merge replays but a part of it.
  ///
  /// Twice somebody types, and many delete all that at once; one copy has one half of the deletions
  /// of the second time, the other one the other half. The document shows `base`.
  ///
  /// - Parameter count: how many delete each time; they delete twice as many pieces.
  /// - Returns: the changes of both copies.
  package static func halves(count: Int) -> [[Change]] {
    var all = [start]
    var copies: [[Change]] = [[], []]
    for round in 0..<2 {
      let heads = round == 0 ? [start.id] : Array(all.suffix(count).map(\.id))
      let typed = Change(
        1, round + 2, after: heads,
        (0..<2 * count).map { _ in .insertText(into: body, at: 4, text: "x") })
      all.append(typed)
      let deletions = (0..<count).map { number in
        Change(
          UInt64((round + 1) * count + number + 2), 1, after: [typed.id], time: Int64(number),
          [
            .deleteText(
              from: body, at: 4, count: 2 * count + (round == 0 ? 5 : 0), backward: false,
              text: nil)
          ])
      }
      if round == 0 {
        all += deletions
      } else {
        copies = [Array(deletions[..<(count / 2)]), Array(deletions[(count / 2)...])]
      }
    }
    return copies.map { all + $0 }
  }
}
