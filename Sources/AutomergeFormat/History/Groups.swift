/// Lists of numbers by number, one after the other in memory.
struct Groups: Sendable {
  private var starts: [Int32]
  private var members: [Int32]

  /// Groups the members of some pairs, each list in the order of the pairs; O(n).
  init(count: Int, _ pairs: some Collection<(of: Int32, member: Int32)>) {
    starts = Array(repeating: 0, count: count + 1)
    for (of, _) in pairs { starts[Int(of) + 1] += 1 }
    for number in 0..<count { starts[number + 1] += starts[number] }
    members = Array(repeating: 0, count: Int(starts[count]))
    var filled = starts
    for (of, member) in pairs {
      members[Int(filled[Int(of)])] = member
      filled[Int(of)] += 1
    }
  }

  subscript(number: Int) -> ArraySlice<Int32> {
    members[Int(starts[number])..<Int(starts[number + 1])]
  }
}
