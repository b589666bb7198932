import ArgumentParser
import Peernote
import PeernoteTestSupport

/// How the changes of a synthetic history hang together.
enum GrowthShape: String, CaseIterable, ExpressibleByArgument {
  case sequential
  case twoBranches = "two-branches"
  case thousandBranches = "thousand-branches"
  case pingPong = "ping-pong"
  case crissCross = "criss-cross"

  /// What it is, for people.
  var title: String {
    switch self {
    case .sequential: "one author"
    case .twoBranches: "two long branches"
    case .thousandBranches: "a thousand short branches"
    case .pingPong: "two people by turns"
    case .crissCross: "deep criss-cross"
    }
  }

  /// How it is made.
  var explanation: String {
    switch self {
    case .sequential: "changes of 500 events by one author; the copies hold the first half and all"
    case .twoBranches: "a tenth, then two authors apart; each copy holds one of them"
    case .thousandBranches: "half, then 1000 authors apart; each copy holds 500 of them"
    case .pingPong: "two authors by turns of 200 events; the copies hold the first half and all"
    case .crissCross:
      "two authors who save every 100 events, and always see the other's last save but one; "
        + "no version is ever critical; the copies hold the first half and all"
    }
  }
}

/// A synthetic history of one text, and two copies that hold parts of it.
struct GrowthHistory {
  private(set) var changes: [Change] = []
  /// How many leading changes the first copy holds.
  private(set) var ours = 0
  /// Which changes the second copy lacks.
  private(set) var missingInTheirs = 0..<0

  static let id = UniqueID(high: 0x6772_6F77_7468_4E74, low: 0xA000_0000_0000_0001)
  private static let body = ContainerID.created(
    EventID(change: ChangeID(agent: AgentID(rawValue: 1), sequence: 1), index: 0))
  private static let eventsPerSave = 500

  /// Someone who edits, with what their copy holds.
  private struct Author {
    var typist: Typist
    var agent: UInt64
    var sequence = 0
    var heads: [ChangeID]
  }

  /// The first copy's changes.
  var ourChanges: [Change] { Array(changes[..<ours]) }
  /// The second copy's changes.
  var theirChanges: [Change] {
    Array(changes[..<missingInTheirs.lowerBound] + changes[missingInTheirs.upperBound...])
  }

  /// Makes a history of a shape with about so many events.
  ///
  /// O(events).
  init(_ shape: GrowthShape, events: Int) {
    let first = Change(
      id: ChangeID(agent: AgentID(rawValue: 1), sequence: 1), parents: [],
      time: Timestamp(milliseconds: 1_700_000_000_000),
      edits: [.put(map: .root, key: "body", content: .container(.text))])
    changes = [first]
    switch shape {
    case .sequential: addSequence(events)
    case .twoBranches: addBranches(2, after: events / 10, events)
    case .thousandBranches: addBranches(1000, after: events / 2, events)
    case .pingPong: addTurns(events)
    case .crissCross: addCrossings(events)
    }
  }

  private func author(_ number: Int) -> Author {
    Author(
      typist: Typist(seed: UInt64(number)), agent: UInt64(number + 2), heads: [changes[0].id])
  }

  /// Lets an author type and save; returns by how much that makes the text longer.
  @discardableResult
  private mutating func save(_ author: inout Author, events: Int) -> Int {
    let (edits, growth) = author.typist.type(events: events, into: Self.body)
    author.sequence += 1
    let id = ChangeID(agent: AgentID(rawValue: author.agent), sequence: author.sequence)
    changes.append(
      Change(
        id: id, parents: author.heads.sorted(),
        time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(changes.count) * 60_000),
        edits: edits))
    author.heads = [id]
    return growth
  }

  /// Lets an author type so many events, saving now and then.
  @discardableResult
  private mutating func write(_ author: inout Author, events: Int) -> Int {
    var growth = 0
    var left = events
    while left > 0 {
      let now = min(left, Self.eventsPerSave)
      growth += save(&author, events: now)
      left -= now
    }
    return growth
  }

  private mutating func addSequence(_ events: Int) {
    var author = author(0)
    write(&author, events: events / 2)
    ours = changes.count
    write(&author, events: events - events / 2)
    missingInTheirs = changes.count..<changes.count
  }

  private mutating func addBranches(_ branches: Int, after base: Int, _ events: Int) {
    var first = author(0)
    let growth = write(&first, events: base)
    let start = changes.count
    for number in 0..<branches {
      if number == branches / 2 { ours = changes.count }
      var author = author(number + 1)
      author.heads = first.heads
      author.typist.see(growth: growth)
      author.typist.jump()
      write(&author, events: max(1, (events - base) / branches))
    }
    missingInTheirs = start..<ours
  }

  private mutating func addTurns(_ events: Int) {
    var authors = [author(0), author(1)]
    var heads = authors[0].heads
    let turns = max(2, events / 200)
    for turn in 0..<turns {
      if turn == turns / 2 { ours = changes.count }
      authors[turn % 2].heads = heads
      let growth = save(&authors[turn % 2], events: 200)
      authors[1 - turn % 2].typist.see(growth: growth)
      heads = authors[turn % 2].heads
    }
    missingInTheirs = changes.count..<changes.count
  }

  private mutating func addCrossings(_ events: Int) {
    var authors = [author(0), author(1)]
    /// The saves of each that the other has not seen yet, with their growth.
    var unseen: [[(id: ChangeID, growth: Int)]] = [[], []]
    let rounds = max(2, events / 200)
    for round in 0..<rounds {
      if round == rounds / 2 { ours = changes.count }
      for side in 0..<2 {
        let others = unseen[1 - side]
        // The other's save of the last round is still on its way; in a round the second author
        // comes after the first one's save of the same round.
        let onTheirWay = side == 0 ? 1 : 2
        for save in others.dropLast(onTheirWay) {
          authors[side].heads = [authors[side].heads[0], save.id]
          authors[side].typist.see(growth: save.growth)
        }
        unseen[1 - side] = others.suffix(onTheirWay)
        let growth = save(&authors[side], events: 100)
        unseen[side].append((authors[side].heads[0], growth))
      }
    }
    missingInTheirs = changes.count..<changes.count
  }
}

/// Someone who types into a text: runs of words at a cursor, a quarter of the time the last few
/// characters are taken back, now and then a passage is cut or the cursor jumps, mostly not far.
///
/// About ten events an edit, as in recorded histories of single authors.
struct Typist {
  private var random: SplitMix64
  private var cursor = 0
  /// A lower bound on the length of the text that the typist sees, in scalars.
  ///
  /// What two people delete at once counts twice, so the text may be longer.
  private(set) var length = 0

  /// Words to type, as ASCII.
  private static let words: [UInt8] = {
    var random = SplitMix64(seed: 7)
    let syllables = ["a", "be", "cor", "di", "en", "fa", "go", "hu", "il", "jo", "ka", "lun"]
    var words = ""
    while words.utf8.count < 1 << 16 {
      for _ in 0..<random.within(1...4) { words += random.pick(syllables) }
      words += random.chance(6) ? ".\n" : " "
    }
    return Array(words.utf8)
  }()

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Takes note of what others added to the text, less what they deleted.
  mutating func see(growth: Int) {
    length += growth
  }

  /// Goes anywhere in the text.
  mutating func jump() {
    cursor = random.below(length + 1)
  }

  /// Types, and tells by how much the text is longer then; O(events).
  mutating func type(events count: Int, into text: ContainerID) -> (edits: [Edit], growth: Int) {
    let before = length
    var edits: [Edit] = []
    var left = count
    while left > 0 {
      moveCursor()
      let choice = random.below(100)
      if choice < 25, cursor > 0 {
        let count = min(random.within(1...10), left, cursor)
        cursor -= count
        edits.append(
          .deleteText(from: text, at: cursor, count: count, backward: count > 1, text: nil))
        length -= count
        left -= count
      } else if choice < 28, cursor < length {
        let count = min(random.within(1...60), left, length - cursor)
        edits.append(.deleteText(from: text, at: cursor, count: count, backward: false, text: nil))
        length -= count
        left -= count
      } else {
        let count = min(random.within(1...24), left)
        let start = random.below(Self.words.count - count)
        let typed = String(decoding: Self.words[start..<start + count], as: UTF8.self)
        edits.append(.insertText(into: text, at: cursor, text: typed))
        cursor += count
        length += count
        left -= count
      }
    }
    return (edits, length - before)
  }

  private mutating func moveCursor() {
    if random.chance(15) {
      if random.chance(80) { cursor += random.within(-200...200) } else { jump() }
    }
    cursor = min(max(cursor, 0), length)
  }
}
