import Peernote
import PeernoteTestSupport

extension PlainFileWorld {
  /// What went wrong in a schedule: a word is gone that nobody deleted, and was never listed as taken
  /// out, or was; stands there twice; stands there though it was deleted; the program does not come to
  /// rest; machines differ.
  enum Fault: String, CaseIterable { case lost, listed, doubled, back, restless, differ }

  /// Runs a schedule.
  ///
  /// - Returns: what went wrong.
  static func faults(
    ofSchedule seed: UInt64, _ weights: [Int], isMarked: Bool, isTraced: Bool
  ) throws -> Set<Fault> {
    var generator = SplitMix64(seed: seed)
    let machines = generator.pick([2, 3, 3, 4])
    // With insertions only clocks are right.
    let isExact = weights[1] + weights[2] == 0
    let setting = Setting(
      machineCount: machines, programCount: machines == 2 ? 1 : 1 + generator.below(machines - 1),
      skew: (0..<machines).map { _ in isExact ? 0 : generator.pick([0, 0, 0, -3000, 4000]) },
      grain: (0..<machines).map { _ in isExact ? 1 : generator.pick([1, 1, 2000]) },
      hasMarker: isMarked)
    var world = try PlainFileWorld(setting, seed: seed)
    world.isTraced = isTraced
    world.trace("\(setting)")
    for _ in 0..<(12 + generator.below(128)) {
      world.clock += generator.pick([1000, 2000, 5000, 30_000, 300_000])
      let choice = generator.below(100)
      if choice < 15 {
        world.edit(generator.below(machines), generator.weighted(weights), &generator)
      } else if choice < 35 {
        try world.tick(generator.below(setting.programCount))
      } else if choice < 39 {
        world.isOnline[generator.below(machines)].toggle()
      } else {
        let pair = generator.shuffled(Array(0..<machines))
        let names = world.disks[pair[1]].keys.sorted()
        world.pull(generator.pick(names), to: pair[0], from: pair[1])
      }
    }
    return try world.settle(&generator)
  }

  /// Somebody edits the file: inserts a word, deletes one, or goes back to an earlier text.
  mutating func edit(_ machine: Int, _ kind: Int, _ generator: inout SplitMix64) {
    guard let entry = live(machine, "P"), case .text(let text, let base) = entry.content else {
      return
    }
    var words = text.split(separator: "\n").map(String.init)
    let old = Set(words)
    switch kind {
    case 0:
      wordCount += 1
      words.insert("word\(wordCount)", at: generator.below(words.count + 1))
    case 1:
      guard !words.isEmpty else { return }
      words.remove(at: generator.below(words.count))
    default:
      let earlier = texts[machine].suffix(4).filter { $0 != text }
      guard !earlier.isEmpty else { return }
      words = generator.pick(earlier).split(separator: "\n").map(String.init)
    }
    let new = Set(words)
    var seen = entry.seen
    for word in old.subtracting(new).sorted() {
      events.append(.deleted(word, seen: entry.seen))
      seen.insert(events.count - 1)
    }
    for word in new.subtracting(old).sorted() {
      events.append(.inserted(word, seen: entry.seen))
      seen.insert(events.count - 1)
    }
    let result = words.map { $0 + "\n" }.joined()
    texts[machine] += [text, result]
    trace("\(machine) saves [\(line(text))] -> [\(line(result))]")
    put(
      machine, "P", .text(result, base: base), modified: clock + setting.skew[machine], seen: seen)
  }

  /// Delivers everything until nothing happens any more, and compares with the model.
  mutating func settle(
    _ generator: inout SplitMix64
  ) throws -> Set<Fault> {
    isOnline = isOnline.map { _ in true }
    var faults: Set<Fault> = []
    var quiet = 0
    for _ in 0..<60 where quiet < 3 {
      let before = disks.map { $0.mapValues(\.versions) }
      for _ in 0..<2 {
        for to in generator.shuffled(Array(0..<setting.machineCount)) {
          for from in generator.shuffled(Array(0..<setting.machineCount)) where from != to {
            for name in generator.shuffled(disks[from].keys.sorted()) {
              pull(name, to: to, from: from)
            }
          }
          clock += 10_000
          try tick(to)
        }
      }
      quiet = disks.map { $0.mapValues(\.versions) } == before ? quiet + 1 : 0
      // What waits for a history waits no longer.
      if quiet > 0 { clock += 700_000 }
    }
    if quiet < 3 { faults.insert(.restless) }
    if Set((0..<setting.machineCount).map { text($0) ?? "" }).count > 1 { faults.insert(.differ) }
    var insertions: [String: [Int]] = [:]
    for (number, event) in events.enumerated() {
      if case .inserted(let word, _) = event { insertions[word, default: []].append(number) }
    }
    /// Whether all that was inserted of a word was deleted.
    func isGone(_ word: String) -> Bool {
      var left = Set(insertions[word, default: []])
      for case .deleted(word, let seen) in events { left.subtract(seen) }
      return left.isEmpty
    }
    // A merge may put two words on one line; that is not what is looked at here.
    let words = (text(0) ?? "").replacing("word", with: "\nword").split(separator: "\n")
      .map(String.init)
    for word in insertions.keys {
      let count = words.count { $0 == word }
      let isExpected = !isGone(word)
      let isDeleted = events.contains {
        if case .deleted(word, _) = $0 { true } else { false }
      }
      var found: Set<Fault> = []
      if count == 0, !isDeleted { found.insert(told.contains(word) ? .listed : .lost) }
      if count > 1 { found.insert(.doubled) }
      if !isExpected, count > 0 { found.insert(.back) }
      for fault in found { trace("\(fault): \(word)") }
      faults.formUnion(found)
    }
    trace("in the end [\(line(text(0) ?? ""))], \(faults)")
    return faults
  }
}
