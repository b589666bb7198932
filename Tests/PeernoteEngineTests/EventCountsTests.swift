import Peernote
import PeernoteTestSupport
import Testing

/// Event counts as runs, against a list of counts.
@Suite struct EventCountsTests {
  @Test("first events, changes of events and runs are those of a list", arguments: 1...60)
  func againstList(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var counts = EventCounts()
    var model: [Int32] = []
    for _ in 0..<random.within(1...12) {
      let (changes, each) = (Int32(random.below(4)), Int32(random.within(1...3)))
      counts.append(changes: changes, eventsEach: each)
      model += [Int32](repeating: each, count: Int(changes))
    }
    #expect(counts.changeCount == Int32(model.count))
    #expect(counts.end == .first + model.reduce(0, +))
    #expect(zip(counts.runs, counts.runs.dropFirst()).allSatisfy { $0.eventsEach != $1.eventsEach })
    var event = LocalVersion.first
    for (change, count) in model.enumerated() {
      #expect(counts.firstEvent(ofChange: ChangeIndex(change)) == event)
      #expect(counts.run(at: ChangeIndex(change)).eventsEach == count)
      for _ in 0..<count {
        #expect(counts.change(of: event) == ChangeIndex(change))
        event = event + 1
      }
    }
    #expect(counts.firstEvent(ofChange: ChangeIndex(model.count)) == event)
    for start in 0...model.count {
      for end in start...model.count {
        var spelled: [Int32] = []
        counts.forEachRun(in: ChangeIndex(start)..<ChangeIndex(end)) { count, each in
          spelled += [Int32](repeating: each, count: Int(count))
        }
        #expect(spelled == Array(model[start..<end]))
      }
    }
  }
}
