/// The events of a growing graph that nothing comes after.
///
/// Adding an event is O(1), and noting that another one comes after it O(log h) for h of them,
/// amortized: with as many heads as a document has copies that would soon be quadratic otherwise.
struct Heads: Sendable {
  /// The heads, ascending; one that has been followed stands there as its complement for a while.
  private var entries: [LocalVersion] = []
  /// How many have not been followed.
  private(set) var count = 0

  /// As many entries are cheaper to move than to keep.
  private static let smallCount = 16

  /// The heads of an empty graph.
  init() {}

  /// Begins with some heads, ascending.
  init(_ events: Version) {
    entries = events
    count = events.count
  }

  /// The heads, ascending.
  ///
  /// O(h); O(1) if few have been followed.
  var events: Version { count == entries.count ? entries : entries.filter(\.isEvent) }

  /// Adds an event that comes later than all others.
  mutating func append(_ event: LocalVersion) {
    entries.append(event)
    count += 1
  }

  /// Notes that an event has been followed.
  mutating func remove(_ event: LocalVersion) -> Bool {
    var place = entries.count - 1
    guard place >= 0 else { return false }
    if entries[place] != event {
      place = entries[..<place].partitionPoint { ($0.isEvent ? $0 : $0.complement) >= event }
      guard entries[place] == event else { return false }
    }
    count -= 1
    if place == entries.count - 1 {
      entries.removeLast()
    } else if entries.count <= Self.smallCount {
      entries.remove(at: place)
    } else {
      entries[place] = event.complement
      if entries.count > 2 * count { entries.removeAll { !$0.isEvent } }
    }
    return true
  }

  /// Notes that a new event, later than all others, follows its parents, and tells whether they
  /// were all the heads.
  mutating func append(
    _ event: LocalVersion, after parents: some Collection<LocalVersion>
  ) -> Bool {
    var followed = 0
    for parent in parents where remove(parent) { followed += 1 }
    let wereAll = count == 0 && followed == parents.count
    append(event)
    return wereAll
  }
}

extension LocalVersion {
  /// What stands for a head that has been followed; its own complement is the head.
  @inline(__always)
  fileprivate var complement: LocalVersion { LocalVersion(rawValue: ~rawValue) }
}

extension Heads: Hashable {
  static func == (left: Heads, right: Heads) -> Bool { left.events == right.events }

  func hash(into hasher: inout Hasher) { hasher.combine(events) }
}
