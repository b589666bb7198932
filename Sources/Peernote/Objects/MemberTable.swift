/// What was ever added to a set or discarded from it, found by set and value.
///
/// The value itself stands in the log's contents; here are its number and an open hash table of
/// numbers: twenty bytes a member or so.
struct MemberTable: Sendable {
  struct Member: BitwiseCopyable {
    var set: ContainerIndex
    /// The content that named the value first.
    var content: ContentIndex
    /// The last of its additions and discards.
    var lastWrite: WriteIndex
  }

  /// In the order in which they were first named.
  private(set) var members: [Member] = []
  /// Numbers of members, each at or after the place that its hash gives it.
  private var slots: [Compact<MemberIndex>] = []

  /// How many bytes the members take.
  var byteCount: Int {
    members.count * MemoryLayout<Member>.stride
      + slots.count * MemoryLayout<Compact<MemberIndex>>.stride
  }

  /// The number of a member; `nil` if a set never had the value.
  ///
  /// O(1).
  func number(of value: Value, in set: ContainerIndex, _ contents: ContentTable) -> MemberIndex? {
    slots.isEmpty ? nil : slots[slot(of: value, in: set, contents)].wrappedValue
  }

  /// The last write of a member.
  subscript(number: MemberIndex) -> WriteIndex {
    get { members[number].lastWrite }
    set { members[number].lastWrite = newValue }
  }

  /// Appends a member that is not there yet.
  ///
  /// Amortized O(1).
  mutating func append(_ member: Member, value: Value, _ contents: ContentTable) {
    if 4 * (members.count + 1) > 3 * slots.count { grow(contents) }
    slots[slot(of: value, in: member.set, contents)].wrappedValue = MemberIndex(members.count)
    members.append(member)
  }

  /// Where a member stands, or would stand.
  private func slot(of value: Value, in set: ContainerIndex, _ contents: ContentTable) -> Int {
    var place = hash(of: value, in: set) & (slots.count - 1)
    while let number = slots[place].wrappedValue {
      let member = members[number]
      if member.set == set, contents[member.content] == .value(value) { return place }
      place = (place + 1) & (slots.count - 1)
    }
    return place
  }

  private func hash(of value: Value, in set: ContainerIndex) -> Int {
    var hasher = Hasher()
    hasher.combine(set)
    hasher.combine(value)
    return hasher.finalize()
  }

  private mutating func grow(_ contents: ContentTable) {
    slots = Array(repeating: Compact(wrappedValue: nil), count: max(8, slots.count * 2))
    for (number, member) in members.enumerated() {
      guard case .value(let value) = contents[member.content] else {
        preconditionFailure("a set's members are values")
      }
      var place = hash(of: value, in: member.set) & (slots.count - 1)
      while slots[place].wrappedValue != nil { place = (place + 1) & (slots.count - 1) }
      slots[place].wrappedValue = MemberIndex(number)
    }
  }

  /// Traps unless every member is found by its value, and the hash table holds nothing else.
  ///
  /// O(n); for tests.
  func checkInvariants(_ contents: ContentTable) {
    let count = slots.count { $0.wrappedValue != nil }
    precondition(count == members.count, "every member has a place in the hash table")
    precondition(
      slots.count & (slots.count - 1) == 0 && 4 * count <= 3 * slots.count,
      "the hash table is a power of two long, and a quarter of it is free")
    for (number, member) in members.enumerated() {
      guard case .value(let value) = contents[member.content] else {
        preconditionFailure("a set's members are values")
      }
      precondition(
        self.number(of: value, in: member.set, contents) == MemberIndex(number),
        "members are found by value")
    }
  }
}
