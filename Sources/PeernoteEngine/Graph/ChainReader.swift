/// Reads the rows of a column that hold chains: agent, changes and parents of each (see
/// peernote(5)).
///
/// Keeps what it needs in pools of its own, and of earlier chains only where they begin: a history
/// of two people typing has a chain for every few words.
struct ChainReader: ~Copyable {
  /// Where a chain begins.
  struct Place: BitwiseCopyable {
    var start: LocalVersion
    var lamport: Int32
  }

  /// The last change of an agent, how many it has made, and the chain that holds the last.
  struct LastChange: BitwiseCopyable {
    var change: Int32 = -1
    var count: Int32 = 0
    var chain: Int32 = -1
  }

  private(set) var rows: VarintReader
  private let agents: [AgentID]
  private let changeCount: Int32
  private var firstEvents: EventCounts.Finder
  /// The first change and event of the next chain.
  private var change: Int32
  private var event: LocalVersion
  private var places: Pool<Place>
  private var last: Pool<LastChange>
  /// What the canonical order compares of the chain before; nothing is less than none.
  private var before = (lamport: Int32(0), agent: AgentID(rawValue: 0), sequence: Int32(0))
  /// How many parents the chains have that were there before.
  private let knownParents: Int
  /// The parents of the chains that were read, the chains that hold them, and where each row
  /// begins.
  private(set) var parents: Pool<LocalVersion>
  private(set) var parentChains: Pool<Int32>
  private(set) var starts: Pool<Int32>
  /// The events that nothing comes after so far.
  private(set) var heads: Heads

  /// Goes on after the chains of a graph.
  init(_ rows: VarintReader, after graph: Graph, agents: [AgentID], counts: EventCounts) {
    self.rows = rows
    self.agents = agents
    changeCount = counts.changeCount
    firstEvents = EventCounts.Finder(counts)
    change = graph.changeCount
    event = graph.eventCount
    // A chain takes at least three bytes.
    places = Pool(minimumCapacity: graph.chains.count + rows.remaining / 3)
    last = Pool(minimumCapacity: agents.count)
    knownParents = graph.parentPool.count
    parents = Pool(minimumCapacity: rows.remaining / 2)
    parentChains = Pool(minimumCapacity: rows.remaining / 2)
    starts = Pool(minimumCapacity: rows.remaining / 3)
    heads = graph.openHeads
    for chain in graph.chains {
      if Int(chain.agent) == last.count { _ = last.append(LastChange()) }
      last[chain.agent].change = chain.changes.upperBound - 1
      last[chain.agent].count += chain.changeCount
      last[chain.agent].chain = places.append(Place(start: chain.start, lamport: chain.lamport))
    }
    if let chain = graph.chains.last {
      before = (chain.lamport, agents[Int(chain.agent)], chain.firstSequence)
    }
  }

  var isAtEnd: Bool { rows.isAtEnd }

  /// Checks that the chains that were read are all that there should be.
  func finish() throws(VarintReader.Fault) {
    guard change == changeCount, last.count == agents.count else {
      throw .init("the chains do not cover the changes", at: rows.offset)
    }
  }

  /// Reads a row and appends its chain.
  ///
  /// O(p log n) for p parents, amortized.
  ///
  /// - Throws: ``VarintReader/Fault`` with the place of what is not as it should be.
  @inline(__always)
  mutating func readChain(into chains: inout [Chain]) throws(VarintReader.Fault) {
    let offset = rows.offset
    let header = try rows.read(limit: 2 * agents.count - 1, "an unknown agent")
    let agent = Int32(truncatingIfNeeded: header >> 1)
    guard agent <= last.count else { throw .init("agents out of order", at: offset) }
    let left = Int(changeCount - change)
    let further = try rows.read(limit: left - 1, "more changes than event counts")
    let count = Int32(truncatingIfNeeded: further) + 1
    if agent == last.count { _ = last.append(LastChange()) }
    let own = last[agent]
    let firstParent = parents.count
    guard let greatest = try readParents(own: own, followsOwn: header & 1 == 1) else {
      throw .init("a chain is not written as it should be", at: offset)
    }
    let sequence = own.count + 1
    let lamport = greatest + 1
    guard lamport > before.lamport || before < (lamport, agents[Int(agent)], sequence) else {
      throw .init("chains out of order", at: offset)
    }
    before = (lamport, agents[Int(agent)], sequence)
    let end = firstEvents.firstEvent(ofChange: change + count)
    var followed = 0
    for place in firstParent..<parents.count where heads.remove(parents[Int32(place)]) {
      followed += 1
    }
    let joinsEverything = heads.count == 0 && followed == parents.count - firstParent
    heads.append(end - 1)
    chains.append(
      Chain(
        agent: agent, firstSequence: sequence, firstChange: change, changeCount: count,
        start: event, end: end, lamport: lamport,
        parentStart: Int32(truncatingIfNeeded: knownParents + firstParent),
        parentCount: Int32(truncatingIfNeeded: parents.count - firstParent),
        joinsEverything: joinsEverything))
    last[agent] = LastChange(
      change: change + count - 1, count: own.count + count,
      chain: places.append(Place(start: event, lamport: lamport)))
    _ = starts.append(Int32(truncatingIfNeeded: offset))
    event = end
    change += count
  }

  /// Reads the parents of the next chain.
  ///
  /// They stand there descending, as distances, without its agent's last change, and are kept
  /// ascending.
  ///
  /// - Parameters:
  ///   - own: the last change of the chain's agent.
  ///   - followsOwn: whether that is a parent as well.
  /// - Throws: ``VarintReader/Fault`` with the place of what is no distance.
  /// - Returns: the greatest Lamport timestamp of a parent, 0 without any; `nil` if they are not as
  ///   they should be: the agent's own last change stands in the header, and never alone, since the
  ///   chain would go on then.
  @inline(__always)
  private mutating func readParents(
    own: LastChange, followsOwn: Bool
  ) throws(VarintReader.Fault) -> Int32? {
    let count = try rows.read(limit: Int(change), "more parents than changes")
    if followsOwn, own.change < 0 || count == 0 { return nil }
    let firstParent = parents.count
    var ownIsLeft = followsOwn
    var greatest: Int32 = 0
    var above = change
    for _ in 0..<count {
      let distance = try rows.read(limit: Int(above) - 1, "a parent that does not come earlier")
      above -= Int32(truncatingIfNeeded: distance) + 1
      if above == own.change { return nil }
      if ownIsLeft, above < own.change {
        greatest = max(greatest, appendParent(lastEvent(of: own), in: own.chain))
        ownIsLeft = false
      }
      let parent = firstEvents.firstEvent(ofChange: above + 1) - 1
      greatest = max(greatest, appendParent(parent, in: chainIndex(of: parent)))
    }
    if ownIsLeft { greatest = max(greatest, appendParent(lastEvent(of: own), in: own.chain)) }
    var low = Int32(truncatingIfNeeded: firstParent)
    var high = Int32(truncatingIfNeeded: parents.count) - 1
    while low < high {
      (parents[low], parents[high]) = (parents[high], parents[low])
      (parentChains[low], parentChains[high]) = (parentChains[high], parentChains[low])
      low += 1
      high -= 1
    }
    return greatest
  }

  /// The last event of an agent's last change, which ends its chain.
  private func lastEvent(of own: LastChange) -> LocalVersion {
    (Int(own.chain) + 1 < places.count ? places[own.chain + 1].start : event) - 1
  }

  /// Adds a parent of the next chain; returns its Lamport timestamp.
  @inline(__always)
  private mutating func appendParent(_ parent: LocalVersion, in chain: Int32) -> Int32 {
    _ = parents.append(parent)
    _ = parentChains.append(chain)
    return places[chain].lamport + (parent - places[chain].start)
  }

  /// The index of the chain that holds an event, looked for from the end.
  ///
  /// O(log d) for d chains after it.
  @inline(__always)
  private func chainIndex(of event: LocalVersion) -> Int32 {
    var high = Int32(truncatingIfNeeded: places.count)
    var low = high - 1
    var step: Int32 = 1
    while low > 0, places[low].start > event {
      high = low
      low = max(0, low - step)
      step &*= 2
    }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if places[middle].start <= event { low = middle } else { high = middle }
    }
    return low
  }
}
