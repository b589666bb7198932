/// Reads the rows of a column that hold chains: agent, changes and parents of each (see
/// peernote(5)).
///
/// Keeps what it needs in pools of its own, and of earlier chains only where they begin: a history
/// of two people typing has a chain for every few words.
struct ChainReader: ~Copyable {
  /// A parent of a chain's first event, and the chain that holds it.
  struct Parent: BitwiseCopyable {
    var event: LocalVersion
    var chain: ChainIndex
  }

  /// Where a chain begins, and whether anything comes after its last event.
  struct Place: BitwiseCopyable {
    var start: LocalVersion
    var lamport: Int32
    var isFollowed = false
  }

  /// The last change of an agent, how many it has made, and the chain that holds the last, if there
  /// is one.
  struct LastChange: BitwiseCopyable {
    var change = ChangeIndex.beforeAll
    var count: Int32 = 0
    var chain = ChainIndex.first
  }

  private let agents: [AgentID]
  private let changesEnd: ChangeIndex
  private var firstEvents: EventCounts.Finder
  /// The first change and event of the next chain.
  private var change: ChangeIndex
  private var event: LocalVersion
  private var places: Pool<Place>
  private var last: Pool<LastChange>
  /// What the canonical order compares of the chain before; nothing is less than none.
  private var before = (lamport: Int32(0), agent: AgentID(rawValue: 0), sequence: Int32(0))
  /// How many parents the chains have that were there before.
  private let knownParents: Int
  /// The parents of the chains that were read, and where each row begins.
  private var parents: Pool<Parent>
  private(set) var starts: Pool<Int32>
  /// How many of the chains nothing comes after so far.
  private var headCount: Int

  /// Goes on after the chains of a graph with at most so many bytes of rows.
  init(
    after graph: borrowing Graph, agents: [AgentID], counts: EventCounts, reading byteCount: Int
  ) {
    self.agents = agents
    changesEnd = counts.changes.upperBound
    firstEvents = EventCounts.Finder(counts)
    change = graph.changes.upperBound
    event = graph.end
    places = Pool(minimumCapacity: graph.chains.count + byteCount / Self.leastRow)
    last = Pool(minimumCapacity: agents.count)
    knownParents = graph.parentPool.count
    // A row of four bytes can name two.
    parents = Pool(minimumCapacity: byteCount / 2)
    starts = Pool(minimumCapacity: byteCount / Self.leastRow)
    headCount = graph.openHeads.count
    graph.chains.forEach(ofFirst: graph.chains.count) { chain in
      if chain.agent.number == last.count { _ = last.append(LastChange()) }
      last[chain.agent].change = chain.changes.upperBound - 1
      last[chain.agent].count += chain.changeCount
      last[chain.agent].chain = ChainIndex(
        rawValue: places.append(
          Place(start: chain.start, lamport: chain.lamport, isFollowed: true)))
    }
    for head in graph.heads { places[chainIndex(of: head)].isFollowed = false }
    if let chain = graph.chains.last {
      before = (chain.lamport, agents[chain.agent], chain.firstSequence)
    }
  }

  /// How many bytes a row takes at least.
  static let leastRow = 3

  /// The events that nothing comes after so far, ascending.
  ///
  /// O(chains after the least of them).
  var heads: Version {
    var heads: Version = []
    heads.reserveCapacity(headCount)
    var chain = placesEnd
    while heads.count < headCount {
      chain -= 1
      if !places[chain].isFollowed { heads.append(lastEvent(ofChain: chain)) }
    }
    heads.reverse()
    return heads
  }

  /// Appends the parents of the chains that were read, up to those that are so many with the ones
  /// that were there before.
  func appendParents(
    upTo count: Int, to events: inout [LocalVersion], _ chains: inout [ChainIndex]
  ) {
    let own = 0..<Int32(truncatingIfNeeded: count - knownParents)
    // Nothing is written to the storage that all empty arrays share.
    if own.isEmpty { return }
    events.append(addingCapacity: own.count) { events in
      for index in own { events.append(parents[index].event) }
    }
    chains.append(addingCapacity: own.count) { chains in
      for index in own { chains.append(parents[index].chain) }
    }
  }

  /// Reads rows to their end; those before a fault have been appended if it throws.
  mutating func readChains(
    _ rows: ColumnReader, into chains: inout ChainList
  ) throws(DocumentError) {
    var rows = rows
    if !rows.isAtEnd {
      try chains.append(addingCapacity: max(1, rows.remaining / Self.leastRow)) {
        new throws(DocumentError) in
        while !rows.isAtEnd { new.append(try readChain(&rows)) }
      }
    }
    guard change == changesEnd, last.count == agents.count else {
      throw rows.fault("the chains do not cover the changes", at: rows.offset)
    }
  }

  /// Reads a row.
  ///
  /// O(p log n) for p parents, amortized.
  @inline(__always)
  private mutating func readChain(_ rows: inout ColumnReader) throws(DocumentError) -> Chain {
    let offset = rows.offset
    let header = try rows.readVarint(limit: 2 * agents.count - 1, "an unknown agent")
    let agent = AgentIndex(rawValue: Int32(truncatingIfNeeded: header >> 1))
    guard agent.number <= last.count else { throw rows.fault("agents out of order", at: offset) }
    let left = Int(changesEnd - change)
    let further = try rows.readVarint(limit: left - 1, "more changes than event counts")
    let count = Int32(truncatingIfNeeded: further) + 1
    if agent.number == last.count { _ = last.append(LastChange()) }
    let own = last[agent]
    let firstParent = Int32(truncatingIfNeeded: parents.count)
    guard let greatest = try readParents(&rows, own: own, followsOwn: header & 1 == 1) else {
      throw rows.fault("a chain is not written as it should be", at: offset)
    }
    let sequence = own.count + 1
    let lamport = greatest + 1
    let name = agents[agent]
    guard lamport > before.lamport || before < (lamport, name, sequence) else {
      throw rows.fault("chains out of order", at: offset)
    }
    before = (lamport, name, sequence)
    let parentCount = Int32(truncatingIfNeeded: parents.count) - firstParent
    let start = event
    let joinsEverything = follow(parentsFrom: firstParent)
    event = firstEvents.firstEvent(ofChange: change + count)
    let place = places.append(Place(start: start, lamport: lamport))
    last[agent] = LastChange(
      change: change + count - 1, count: own.count + count, chain: ChainIndex(rawValue: place))
    _ = starts.append(Int32(truncatingIfNeeded: offset))
    change += count
    return Chain(
      agent: agent, firstSequence: sequence, firstChange: change - count, changeCount: count,
      start: start, end: event, lamport: lamport,
      parentStart: Int32(truncatingIfNeeded: knownParents) + firstParent,
      parentCount: parentCount, joinsEverything: joinsEverything)
  }

  /// Reads the parents of the next chain, and gives the greatest Lamport timestamp of one, 0
  /// without any.
  ///
  /// They stand there descending, as distances, without its agent's last change, and are kept
  /// ascending. `own` is the last change of that agent, which is a parent as well if the chain
  /// `followsOwn`. `nil` if they are not as they should be: the agent's own last change stands in
  /// the header, and never alone, since the chain would go on then.
  @inline(__always)
  private mutating func readParents(
    _ rows: inout ColumnReader, own: LastChange, followsOwn: Bool
  ) throws(DocumentError) -> Int32? {
    let count = try rows.readVarint(limit: change.number, "more parents than changes")
    if followsOwn, own.change == .beforeAll || count == 0 { return nil }
    var low = Int32(truncatingIfNeeded: parents.count)
    var ownIsLeft = followsOwn
    var greatest: Int32 = 0
    var above = change
    for _ in 0..<count {
      let distance = try rows.readVarint(
        limit: above.number - 1, "a parent that does not come earlier")
      above -= Int32(truncatingIfNeeded: distance) + 1
      if above <= own.change {
        if above == own.change { return nil }
        if ownIsLeft { greatest = max(greatest, appendLastEvent(ofChain: own.chain)) }
        ownIsLeft = false
      }
      let parent = firstEvents.firstEvent(ofChange: above + 1) - 1
      greatest = max(greatest, append(Parent(event: parent, chain: chainIndex(of: parent))))
    }
    if ownIsLeft { greatest = max(greatest, appendLastEvent(ofChain: own.chain)) }
    var high = Int32(truncatingIfNeeded: parents.count) - 1
    while low < high {
      (parents[low], parents[high]) = (parents[high], parents[low])
      low += 1
      high -= 1
    }
    return greatest
  }

  /// Adds a parent of the next chain; returns its Lamport timestamp.
  @inline(__always)
  private mutating func append(_ parent: Parent) -> Int32 {
    _ = parents.append(parent)
    return places[parent.chain].lamport + (parent.event - places[parent.chain].start)
  }

  /// Adds the last event of a chain as a parent of the next one; returns its Lamport timestamp.
  @inline(__always)
  private mutating func appendLastEvent(ofChain chain: ChainIndex) -> Int32 {
    append(Parent(event: lastEvent(ofChain: chain), chain: chain))
  }

  /// Notes that the next chain follows its parents; returns whether they were all the heads.
  @inline(__always)
  private mutating func follow(parentsFrom first: Int32) -> Bool {
    let end = Int32(truncatingIfNeeded: parents.count)
    var left = headCount
    for index in first..<end {
      let parent = parents[index]
      guard !places[parent.chain].isFollowed, parent.event == lastEvent(ofChain: parent.chain)
      else { continue }
      places[parent.chain].isFollowed = true
      left -= 1
    }
    let joinsEverything = left == 0 && headCount == end - first
    headCount = left + 1
    return joinsEverything
  }

  /// One past the last chain.
  @inline(__always)
  private var placesEnd: ChainIndex {
    ChainIndex(rawValue: Int32(truncatingIfNeeded: places.count))
  }

  /// The last event of a chain.
  @inline(__always)
  private func lastEvent(ofChain chain: ChainIndex) -> LocalVersion {
    (chain.number + 1 < places.count ? places[chain + 1].start : event) - 1
  }

  /// The index of the chain that holds an event, looked for from the end.
  ///
  /// O(log d) for d chains after it.
  @inline(__always)
  private func chainIndex(of event: LocalVersion) -> ChainIndex {
    var high = placesEnd
    var low = high - 1
    var step: Int32 = 1
    while low > .first, places[low].start > event {
      high = low
      low = max(.first, low - step)
      step &*= 2
    }
    return (low + 1..<high).partitionPoint { places[$0].start > event } - 1
  }
}
