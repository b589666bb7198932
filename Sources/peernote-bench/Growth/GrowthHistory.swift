import ArgumentParser
import Peernote
import PeernoteTestSupport

/// How the changes of a synthetic history hang together, which the help of ``Growth`` tells.
enum GrowthShape: String, CaseIterable, ExpressibleByArgument {
  case sequential
  case twoBranches = "two-branches"
  case thousandBranches = "thousand-branches"
  case pingPong = "ping-pong"
  case crissCross = "criss-cross"
}

/// A synthetic history of one text, and two copies that hold parts of it.
struct GrowthHistory {
  private(set) var changes = [Trace.first]
  /// How many leading changes the first copy holds; the second holds all others.
  private var ours = 0
  /// How many leading changes the second copy holds besides.
  private var shared = 0

  private static let eventsPerSave = 500

  /// The first copy's changes.
  var ourChanges: [Change] { Array(changes[..<ours]) }
  /// The second copy's changes.
  var theirChanges: [Change] { Array(changes[..<shared] + changes[ours...]) }

  /// Makes a history of a shape with about so many events.
  ///
  /// O(events).
  init(_ shape: GrowthShape, events: Int) {
    switch shape {
    case .sequential: addTurns(of: 1, each: Self.eventsPerSave, events)
    case .twoBranches: addBranches(2, after: events / 10, events)
    case .thousandBranches: addBranches(1000, after: events / 2, events)
    case .pingPong: addTurns(of: 2, each: 200, events)
    case .crissCross: addTurns(of: 2, each: 100, lag: 1, events)
    }
  }

  /// Lets somebody type so many events and save; returns by how much the text is longer then.
  @discardableResult
  private mutating func save(_ typist: inout Typist, events: Int) -> (id: ChangeID, growth: Int) {
    let before = typist.length
    let edits = typist.type(events: events)
    typist.saves += 1
    let change = Change(
      typist.agent, typist.saves, after: typist.heads,
      time: Trace.start + Int64(changes.count) * 60_000, edits)
    changes.append(change)
    typist.heads = [change.id]
    return (change.id, typist.length - before)
  }

  /// Adds what one or two write by turns, who see the other's saves but the last one, or all.
  private mutating func addTurns(of people: Int, each: Int, lag: Int = 0, _ events: Int) {
    var typists = (0..<people).map { Typist(number: $0, heads: [changes[0].id]) }
    /// The saves of each that the other has not seen yet.
    var unseen: [[(id: ChangeID, growth: Int)]] = [[], []]
    let turns = max(2, events / each)
    for turn in 0..<turns {
      if turn == turns / 2 { (ours, shared) = (changes.count, changes.count) }
      let side = turn % people
      // In a round the second one comes after the first one's save of the same round.
      let others = unseen[1 - side]
      let onTheirWay = lag * (1 + side)
      for save in others.dropLast(onTheirWay) {
        typists[side].heads = (lag == 0 ? [] : [typists[side].heads[0]]) + [save.id]
        typists[side].length += save.growth
      }
      unseen[1 - side] = others.suffix(onTheirWay)
      unseen[side].append(save(&typists[side], events: each))
    }
  }

  /// Adds what one writes, and then many who do not see each other's.
  private mutating func addBranches(_ branches: Int, after base: Int, _ events: Int) {
    var first = Typist(number: 0, heads: [changes[0].id])
    write(&first, events: base)
    shared = changes.count
    for number in 0..<branches {
      if number == branches / 2 { ours = changes.count }
      var typist = Typist(number: number + 1, heads: first.heads)
      typist.length = first.length
      typist.jump()
      write(&typist, events: max(1, (events - base) / branches))
    }
  }

  /// Lets somebody type so many events, saving now and then.
  private mutating func write(_ typist: inout Typist, events: Int) {
    for start in stride(from: 0, to: events, by: Self.eventsPerSave) {
      save(&typist, events: min(Self.eventsPerSave, events - start))
    }
  }
}

/// Someone who types into a text: runs of words at a cursor, a quarter of the time the last few
/// characters are taken back, now and then a passage is cut or the cursor jumps, mostly not far.
///
/// About ten events an edit, as in recorded histories of single authors.
private struct Typist {
  let agent: UInt64
  /// How often they saved.
  var saves = 0
  /// What their copy holds.
  var heads: [ChangeID]
  /// A lower bound on the length of the text that they see, in scalars.
  ///
  /// What two people delete at once counts twice, so the text may be longer.
  var length = 0
  private var cursor = 0
  private var random: SplitMix64

  /// What is typed, from anywhere on.
  private static let words = Array(
    String(repeating: "some words to type, and a line.\nfurther ones; ", count: 1000).utf8)

  init(number: Int, heads: [ChangeID]) {
    agent = UInt64(number + 2)
    random = SplitMix64(seed: UInt64(number))
    self.heads = heads
  }

  /// Goes anywhere in the text.
  mutating func jump() {
    cursor = random.below(length + 1)
  }

  /// Types; O(events).
  mutating func type(events count: Int) -> [Edit] {
    var edits: [Edit] = []
    var left = count
    while left > 0 {
      moveCursor()
      let choice = random.below(100)
      let isTakenBack = choice < 25 && cursor > 0
      let size: Int
      if isTakenBack || choice < 28 && cursor < length {
        let most = isTakenBack ? cursor : length - cursor
        size = min(random.within(1...(isTakenBack ? 10 : 60)), left, most)
        if isTakenBack { cursor -= size }
        edits.append(
          .deleteText(
            from: Trace.body, at: cursor, count: size, backward: isTakenBack && size > 1,
            text: nil))
        length -= size
      } else {
        size = min(random.within(1...24), left)
        let start = random.below(Self.words.count - size)
        let typed = String(decoding: Self.words[start..<start + size], as: UTF8.self)
        edits.append(.insertText(into: Trace.body, at: cursor, text: typed))
        cursor += size
        length += size
      }
      left -= size
    }
    return edits
  }

  private mutating func moveCursor() {
    if random.chance(15) {
      if random.chance(80) { cursor += random.within(-200...200) } else { jump() }
    }
    cursor = min(max(cursor, 0), length)
  }
}
