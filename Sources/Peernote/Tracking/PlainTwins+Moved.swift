/// Lines that were typed once and came in at two places.
///
/// Two machines may show the same lines in another order where both wrote at one place. A file of
/// one that reaches the other before its history is recorded there as an edit of an older version:
/// then what it has in common with a version that it was not recorded as an edit of does not stand
/// at one place.
extension PlainTwins {
  /// How many other lines a change has to have in common with a version that it has not seen, each
  /// at one place, so that it counts as made from it; one is enough if the last change of that
  /// version brought in no more.
  private static let enoughInCommon = 2

  /// Pairs lines that say the same wherever they stand, if the change that brought one in has other
  /// lines in common with what whoever brought in the other one saw.
  mutating func pairMoved(_ sequence: PlainSequence) {
    if isEmpty { return }
    var shared: [Int: [Int]] = [:]
    let counts = lines.reduce(into: [Int: Int]()) { $0[$1.change, default: 0] += 1 }
    for line in lines.indices where !lines[line].twins.isEmpty {
      shared[lines[line].change, default: []].append(line)
    }
    var found: [(Int, Int)] = []
    for group in Dictionary(grouping: lines.indices, by: { lines[$0].text }).values
    where group.count > 1 {
      for (index, first) in group.enumerated() {
        for second in group[(index + 1)...]
        where !lines[first].twins.contains(where: { $0.line == second }) {
          guard step(group.count) else { return }
          let known = (lines[first].twins + lines[second].twins).map(\.line)
          let others = group.filter { $0 != first && $0 != second && !known.contains($0) }
          if areApart(first, second, beside: others, sequence),
            isMadeFrom(first, second, shared, counts) || isMadeFrom(second, first, shared, counts)
          {
            found.append((first, second))
          }
        }
      }
    }
    for (first, second) in found { pair(first, second) }
  }

  /// Whether the change of a line has other lines in common with what the change of another one saw.
  private func isMadeFrom(
    _ line: Int, _ other: Int, _ shared: [Int: [Int]], _ counts: [Int: Int]
  ) -> Bool {
    let past = history.pasts[lines[other].change]
    let common = (shared[lines[line].change] ?? []).filter { number in
      number != line
        && lines[number].twins.contains { $0.line != other && past.contains(lines[$0.line].change) }
    }
    let isAll = counts[lines[other].change] == 2
    return common.count >= (isAll ? 1 : Self.enoughInCommon)
  }
}
