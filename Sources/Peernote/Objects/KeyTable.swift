/// The keys of all maps by number, in the order of their first write, those of one map linked.
///
/// Sixteen bytes a key and eight a map. Most maps have few keys, which are looked at one after the
/// other; those of larger maps are found by name.
struct KeyTable: Sendable {
  /// The keys of one map.
  private struct Members: BitwiseCopyable {
    /// Its first key and its last one; -1 for none.
    var first: Int32 = -1
    var last: Int32 = -1
  }

  /// A key with its place in the chain of its map.
  private struct Place: BitwiseCopyable {
    var key: Objects.MapKey
    /// The next key of the same map; -1 at the end.
    var next: Int32 = -1
  }

  private struct Name: Hashable {
    var map: ContainerIndex
    var key: KeyIndex
  }

  /// How many keys of a map are looked at before it counts as a large one.
  private static let fewKeys = 8

  private var places: [Place] = []
  /// By container number; maps without keys at the end are not there.
  private var members: [Members] = []
  /// The keys of maps after their first ``fewKeys``.
  private var numbers: [Name: Int32] = [:]

  /// How many bytes the keys take; a hash table is counted as if it was half full.
  var byteCount: Int {
    places.count * MemoryLayout<Place>.stride + members.count * MemoryLayout<Members>.stride
      + numbers.count * 2 * 24
  }

  /// Makes room for this many keys in all.
  mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }

  /// The number of a key in a map; `nil` if it was never written there.
  ///
  /// O(1).
  func number(of key: KeyIndex, in map: ContainerIndex) -> Int32? {
    var number = first(ofMap: map)
    for _ in 0..<Self.fewKeys {
      if number < 0 { return nil }
      let place = places[Int(number)]
      if place.key.key == key { return number }
      number = place.next
    }
    return number < 0 ? nil : numbers[Name(map: map, key: key)]
  }

  /// The number of a key in a map, which is added if it is new.
  ///
  /// Amortized O(1).
  mutating func insert(_ key: KeyIndex, in map: ContainerIndex) -> Int32 {
    if let known = number(of: key, in: map) { return known }
    let number = Int32(places.count)
    places.append(Place(key: Objects.MapKey(map: map, key: key)))
    while ContainerIndex(members.count) <= map { members.append(Members()) }
    let last = members[map].last
    if last < 0 {
      members[map].first = number
    } else {
      places[Int(last)].next = number
    }
    members[map].last = number
    if isLate(number, in: map) { numbers[Name(map: map, key: key)] = number }
    return number
  }

  /// Whether a key of a map comes after those that are looked at one after the other.
  private func isLate(_ number: Int32, in map: ContainerIndex) -> Bool {
    var early = first(ofMap: map)
    for _ in 0..<Self.fewKeys {
      if early == number { return false }
      early = places[Int(early)].next
    }
    return true
  }

  /// The keys of a map, in the order of their first write.
  func keys(ofMap map: ContainerIndex) -> some Sequence<Objects.MapKey> {
    sequence(state: first(ofMap: map)) { number in
      guard number >= 0 else { return nil }
      let place = places[Int(number)]
      number = place.next
      return place.key
    }
  }

  /// The first key of a map; -1 for none.
  private func first(ofMap map: ContainerIndex) -> Int32 {
    map < ContainerIndex(members.count) ? members[map].first : -1
  }
}

extension KeyTable: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { places.count }
  var count: Int { places.count }

  /// A key; only its last write can be changed.
  subscript(number: Int) -> Objects.MapKey {
    get { places[number].key }
    set { places[number].key.lastWrite = newValue.lastWrite }
  }
}

/// A number for each container; -1 for those that were given none.
struct ContainerNumbers: Sendable {
  private var numbers: [Int32] = []

  /// How many bytes they take.
  var byteCount: Int { numbers.count * MemoryLayout<Int32>.stride }

  subscript(container: ContainerIndex) -> Int32 {
    get { container < ContainerIndex(numbers.count) ? numbers[container] : -1 }
    set {
      while ContainerIndex(numbers.count) <= container { numbers.append(-1) }
      numbers[container] = newValue
    }
  }
}
