import Peernote
import PeernoteTestSupport
import Testing

/// The trees of the tracker and its index, against plain lists.
@Suite struct TrackerTests {
  @Test("insertions and removals without history are those of an array", arguments: 1...12)
  func fastForward(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var tracker = Tracker()
    tracker.addSequence(for: ContainerIndex(5), placeholder: 0)
    guard let sequence = tracker.sequences[ContainerIndex(5)] else {
      Issue.record("a sequence that was added is there")
      return
    }
    var model: [LocalVersion] = []
    var event = LocalVersion.first
    for step in 0..<1500 {
      if model.isEmpty || random.chance(step < 1000 ? 65 : 35) {
        let position = random.chance(40) ? model.count : random.within(0...model.count)
        let length = Int32(random.within(1...8))
        let fits = tracker.insertForward(
          event, length: length, at: Int32(position), of: sequence)
        #expect(fits)
        model.insert(contentsOf: event..<event + length, at: position)
        event = event + length + Int32(random.below(2))
      } else {
        let position = random.below(model.count)
        let length = min(random.within(1...12), model.count - position)
        var removed: [LocalVersion] = []
        let fits = tracker.removeForward(Int32(length), at: Int32(position), of: sequence) {
          removed += Array($0..<$0 + $1)
        }
        #expect(fits)
        #expect(removed == Array(model[position..<position + length]))
        model.removeSubrange(position..<position + length)
      }
      tracker.checkInvariants()
      let count = Int(tracker.length(of: sequence))
      #expect(count == model.count)
    }
    var found: [LocalVersion] = []
    tracker.forEachItem(of: sequence) { found += Array($0.first..<$0.first + $0.length) }
    #expect(found == model)
    let count = Int32(model.count)
    let fits = [
      tracker.insertForward(event, length: 1, at: count + 1, of: sequence),
      tracker.removeForward(1, at: count, of: sequence) { _, _ in },
    ]
    #expect(fits == [false, false])
  }

  @Test(
    "prepared for any version, a text is as long as it was then",
    arguments: [HistoryProfile.text, .crowdedText, .everything])
  func prepared(profile: HistoryProfile) throws {
    for seed: UInt64 in 1...25 {
      let history = History(seed: seed, profile: profile)
      let oracle = history.oracle
      let whole = try EngineCase(oracle, at: oracle.everything)
      let log = whole.log
      let texts = log.containers.indices.filter { log.containers[$0].kind == .text }
      var walker = Walker(
        log: log, after: .start,
        texts: texts.map { (container: ContainerIndex($0), placeholder: 0) })
      try walker.walk(sides: .allBoth)
      var random = SplitMix64(seed: seed)
      for _ in 0..<12 {
        var version = random.pick(oracle.pasts)
        version.formUnion(random.pick(oracle.pasts))
        walker.prepare(localVersion(of: version, in: whole))
        walker.tracker.checkInvariants()
        for number in texts {
          guard let sequence = walker.tracker.sequences[ContainerIndex(number)] else { continue }
          let visible = oracle.visibleScalars(of: whole.containers[number], in: version)
          let length = Int(walker.tracker.length(of: sequence))
          #expect(
            length == visible.count,
            "seed \(seed), text \(number) at \(oracle.heads(of: version))")
        }
      }
    }
  }

  private func localVersion(of version: OracleVersion, in whole: EngineCase) -> Version {
    let heads = Set(whole.oracle.heads(of: version))
    let log = whole.log
    return log.graph.changes.filter { heads.contains(log.changeID(ofChange: $0)) }
      .map { log.eventCounts.firstEvent(ofChange: $0 + 1) - 1 }
  }
}
