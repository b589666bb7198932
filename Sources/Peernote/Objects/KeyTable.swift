/// The keys of all maps by number, in the order of their first write, those of one map linked.
///
/// Sixteen bytes a key and eight a map. Most maps have few keys, which are looked at one after the
/// other; those of larger maps are found by name.
struct KeyTable: Sendable {
  /// A key with its place in the chain of its map.
  private struct Place: BitwiseCopyable {
    var key: Objects.MapKey
    /// The next key of the same map; `nil` at the end.
    @Compact var next: MapKeyIndex? = nil
  }

  private struct Name: Hashable {
    var map: ContainerIndex
    var key: KeyIndex
  }

  /// How many keys of a map are looked at before it counts as a large one.
  private static let fewKeys = 8

  private var places: [Place] = []
  /// The first key of each map, and the last one.
  private var firstKeys = ContainerNumbers<MapKeyIndex>()
  private var lastKeys = ContainerNumbers<MapKeyIndex>()
  /// The keys of maps after their first ``fewKeys``.
  private var numbers: [Name: MapKeyIndex] = [:]

  /// How many bytes the keys take; a hash table is counted as if it was half full.
  var byteCount: Int {
    places.count * MemoryLayout<Place>.stride + firstKeys.byteCount + lastKeys.byteCount
      + numbers.count * 2 * 24
  }

  /// Makes room for this many keys in all.
  mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }

  /// The number of a key in a map; `nil` if it was never written there.
  ///
  /// O(1).
  func number(of key: KeyIndex, in map: ContainerIndex) -> MapKeyIndex? {
    find(key, in: map).number
  }

  /// The number of a key in a map, and whether it comes, or would come, after those that are looked
  /// at one after the other.
  private func find(
    _ key: KeyIndex, in map: ContainerIndex
  ) -> (number: MapKeyIndex?, isLate: Bool) {
    var next = firstKeys[map]
    for _ in 0..<Self.fewKeys {
      guard let number = next else { return (nil, false) }
      let place = places[number]
      if place.key.key == key { return (number, false) }
      next = place.next
    }
    return (next == nil ? nil : numbers[Name(map: map, key: key)], true)
  }

  /// The number of a key in a map, which is added if it is new.
  ///
  /// Amortized O(1).
  mutating func insert(_ key: KeyIndex, in map: ContainerIndex) -> MapKeyIndex {
    let (known, isLate) = find(key, in: map)
    if let known { return known }
    let number = endIndex
    places.append(Place(key: Objects.MapKey(map: map, key: key)))
    if let last = lastKeys[map] { places[last].next = number } else { firstKeys[map] = number }
    lastKeys[map] = number
    if isLate { numbers[Name(map: map, key: key)] = number }
    return number
  }

  /// The keys of a map, in the order of their first write.
  func keys(ofMap map: ContainerIndex) -> some Sequence<Objects.MapKey> {
    sequence(state: firstKeys[map]) { next in
      guard let number = next else { return nil }
      let place = places[number]
      next = place.next
      return place.key
    }
  }
}

extension KeyTable: RandomAccessCollection {
  var startIndex: MapKeyIndex { MapKeyIndex(0) }
  var endIndex: MapKeyIndex { MapKeyIndex(places.count) }
  var count: Int { places.count }

  /// A key; only its last write can be changed.
  subscript(number: MapKeyIndex) -> Objects.MapKey {
    get { places[number].key }
    set { places[number].key.lastWrite = newValue.lastWrite }
  }
}

/// An index for each container; `nil` for those that were given none.
struct ContainerNumbers<Index: LogIndex>: Sendable {
  private var numbers: [Compact<Index>] = []

  /// How many bytes they take.
  var byteCount: Int { numbers.count * MemoryLayout<Compact<Index>>.stride }

  subscript(container: ContainerIndex) -> Index? {
    get { container < ContainerIndex(numbers.count) ? numbers[container].wrappedValue : nil }
    set {
      while ContainerIndex(numbers.count) <= container {
        numbers.append(Compact(wrappedValue: nil))
      }
      numbers[container].wrappedValue = newValue
    }
  }
}
