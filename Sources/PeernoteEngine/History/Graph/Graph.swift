/// The event graph of a log: chains in canonical order with the parents of their first events.
///
/// Canonical order sorts chains by the Lamport timestamp of their first event, then agent, then
/// sequence number. It is a topological order that depends on the set of changes alone: a chain
/// that starts after some event of another chain has a greater Lamport timestamp than that event,
/// and so than that chain's first.
package struct Graph: Hashable, Sendable {
  /// The chains, in canonical order; their events tile ``events``.
  package internal(set) var chains = ChainList()
  /// The parents of the chains' first events, ascending for each chain.
  package internal(set) var parentPool: [LocalVersion] = []
  /// The chains that hold the parents, in the same order.
  package internal(set) var parentChains: [ChainIndex] = []
  var openHeads = Heads()
  /// The events that nothing comes after, ascending, in O(heads).
  package internal(set) var heads: Version {
    get { openHeads.events }
    set { openHeads = Heads(newValue) }
  }

  package init() {}

  /// One past the last event.
  package var end: LocalVersion { chains.last?.end ?? .first }

  /// Whether everybody had seen all that was made before, in O(chains).
  package var isLinear: Bool { chains.allSatisfy(\.joinsEverything) }
  package var events: Range<LocalVersion> { .first..<end }
  package var eventCount: Int32 { end - .first }
  package var changeCount: Int32 { changes.upperBound.rawValue }
  package var changes: Range<ChangeIndex> {
    .first..<(chains.last?.changes.upperBound ?? .first)
  }

  /// The first chains, shared with this graph as far as may be, in O(parents), and O(chains) after
  /// those that are shared.
  func prefix(
    chains count: Int, parents: Int, growingTo size: (chains: Int, parents: Int)
  ) -> Graph {
    var result = Graph()
    result.chains = chains.prefix(count)
    result.reserve(chains: size.chains, parents: size.parents)
    result.parentPool += parentPool[..<parents]
    result.parentChains += parentChains[..<parents]
    result.heads = heads(ofFirst: count, parents: parents)
    return result
  }

  /// The heads of the first chains, ascending, in O(c log c) for c chains after the least of them,
  /// and those that are left out.
  private func heads(ofFirst count: Int, parents: Int) -> Version {
    if count == chains.count { return heads }
    guard count > 0 else { return [] }
    let end = chains[ChainIndex(count) - 1].end
    // What follows a head, if anything does, is left out.
    let candidates = Set((heads + parentPool[parents...]).lazy.filter { $0 < end })
    return heads(among: candidates.sorted(by: >)).reversed()
  }

  /// Makes room for this many chains and parents in all.
  package mutating func reserve(chains chainCount: Int, parents parentCount: Int) {
    chains.reserve(chainCount)
    parentPool.reserveCapacity(parentCount)
    parentChains.reserveCapacity(parentCount)
  }

  /// Appends a chain whose parents (ascending) are all there already, and gives the Lamport
  /// timestamp of its first event, in O(p log n) for p parents, amortized.
  @discardableResult
  package mutating func append(
    agent: AgentIndex, firstSequence: Int32, changeCount: Int32, eventCount: Int32,
    parents: some Collection<LocalVersion>,
    unless isRefused: (_ lamport: Int32) -> Bool = { _ in false }
  ) -> Int32? {
    let last = chains.last
    let start = last?.end ?? .first
    let parentStart = parentPool.count
    var greatest: Int32 = 0
    for parent in parents {
      let owner = chainIndex(ofRecent: parent)
      parentPool.append(parent)
      parentChains.append(owner)
      greatest = max(greatest, chains[owner].lamport + (parent - chains[owner].start))
    }
    if isRefused(greatest + 1) {
      parentPool.removeLast(parents.count)
      parentChains.removeLast(parents.count)
      return nil
    }
    chains.append(
      Chain(
        agent: agent, firstSequence: firstSequence, firstChange: last?.changes.upperBound ?? .first,
        changeCount: changeCount, start: start, end: start + eventCount,
        lamport: greatest + 1, parentStart: Int32(parentStart),
        parentCount: Int32(parents.count),
        joinsEverything: openHeads.append(start + eventCount - 1, after: parents)))
    return greatest + 1
  }

  /// Lengthens the last chain, whose last event is then the only thing that its new events follow.
  package mutating func extendLastChain(changes: Int32, events: Int32) {
    chains.changeLast { last in
      _ = openHeads.remove(last.end - 1)
      last.changeCount += changes
      last.end += events
      openHeads.append(last.end - 1)
    }
  }

  /// The Lamport timestamp of an event, in O(log chains).
  package func lamport(of event: LocalVersion) -> Int32 {
    let chain = chains[chainIndex(of: event)]
    return chain.lamport + (event - chain.start)
  }

  /// The parents of a chain's first event.
  package func parents(ofChain index: ChainIndex) -> ArraySlice<LocalVersion> {
    let chain = chains[index]
    return parentPool[Int(chain.parentStart)..<Int(chain.parentStart + chain.parentCount)]
  }

  /// Where the parents of a chain's first event stand in ``parentPool``.
  @inline(__always)
  func parentRange(ofChain index: ChainIndex) -> Range<Int> {
    let start = Int(chains[index].parentStart)
    return start..<start + Int(chains[index].parentCount)
  }

  /// The index of the chain that holds one of ``events``, in O(log chains).
  package func chainIndex(of event: LocalVersion) -> ChainIndex { chains.index(of: event) }

  /// The last change of each agent in the first chains, for those who made any of them, by agent,
  /// in O(chains).
  package func lastChanges(ofFirst number: Int, agents: Int) -> [ChangeIndex?] {
    var changes = [ChangeIndex?](repeating: nil, count: agents)
    chains.forEach(ofFirst: number) { chain in
      changes[chain.agent] = chain.changes.upperBound - 1
    }
    return changes
  }

  /// The index of the chain that holds an event, looked for from the end, in O(log d) for d chains
  /// after it.
  private func chainIndex(ofRecent event: LocalVersion) -> ChainIndex {
    var step: Int32 = 1
    var high = chains.endIndex
    var low = high - 1
    while low > .first, chains[low].start > event {
      high = low
      low = max(.first, low - step)
      step *= 2
    }
    return (low + 1..<high).partitionPoint { chains[$0].start > event } - 1
  }

  /// The index of the first chain that ends after an event.
  package func firstChain(endingAfter event: LocalVersion) -> ChainIndex {
    !event.isEvent ? .first : event + 1 >= end ? chains.endIndex : chainIndex(of: event + 1)
  }
}

/// A linear run of one agent's changes, the unit in which the event graph is kept.
///
/// A change continues the chain of its parent exactly if that is its only parent, by the same
/// agent. This is a property of the change alone, so that the chains of a union of two sets are
/// the unions of their chains. Inside a chain local versions are consecutive, and every event has
/// the one before it as its parent; only the first event has parents elsewhere.
package struct Chain: Hashable, Sendable {
  /// The agent, as an index into the log's agents.
  package var agent: AgentIndex
  package var firstSequence: Int32
  /// The index of the first change in the log's order.
  package var firstChange: ChangeIndex
  package var changeCount: Int32
  /// The first event.
  package var start: LocalVersion
  /// One past the last event.
  package var end: LocalVersion
  package var lamport: Int32
  /// Where the first event's parents stand in ``Graph/parentPool``.
  package var parentStart: Int32
  package var parentCount: Int32
  /// Whether the parents are the heads of everything before the chain.
  package var joinsEverything: Bool

  /// Whether a chain is the same in another graph, where agents, parents and all chains before it
  /// are the same.
  @inline(__always)
  func isLike(_ other: Chain) -> Bool {
    agent == other.agent && end == other.end && changeCount == other.changeCount
      && parentCount == other.parentCount
  }

  package var events: Range<LocalVersion> { start..<end }
  package var changes: Range<ChangeIndex> { firstChange..<firstChange + changeCount }
}

/// The chains of a graph, in canonical order.
package typealias ChainList = SharedList<ChainIndex, Chain>

extension ChainList {
  /// The index of the chain that holds an event, as one does, in O(log chains).
  func index(of event: LocalVersion) -> ChainIndex {
    ChainIndex((0..<count).partitionPoint { self[number: $0].start > event } - 1)
  }
}

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

  /// The heads, ascending, in O(h); O(1) if few have been followed.
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
