import Peernote
import PeernoteTestSupport
import Testing

/// What a union says about the two logs that it was made of.
@Suite struct LogUnionTests {
  @Test(
    "each event's sides and each container's place are those of its name",
    arguments: HistoryProfile.all)
  func sides(profile: HistoryProfile) throws {
    for seed: UInt64 in 1...25 {
      let history = History(seed: seed, profile: profile)
      for index in history.replicas.indices.dropFirst() {
        try check(
          EngineCase(history.oracle, at: history.replicas[index - 1]).log,
          EngineCase(history.oracle, at: history.replicas[index]).log, "seed \(seed)")
      }
    }
  }

  private func check(_ ours: Log, _ theirs: Log, _ comment: Comment) throws {
    let union = try LogUnion(ours, theirs)
    let log = union.log
    for log in [ours, theirs, log] {
      let chains = log.graph.chains.count
      #expect(LogPrefix(all: log) == LogPrefix(of: log, chains: chains), comment)
    }
    let (own, other) = (Self.names(of: ours), Self.names(of: theirs))
    let all = Self.names(of: log)
    #expect(Set(all) == Set(own).union(other), comment)
    #expect(all.count == Set(all).count, comment)
    let (ownSet, otherSet) = (Set(own), Set(other))
    var onlyOurs: [LocalVersion] = []
    var onlyTheirs: [LocalVersion] = []
    for (event, name) in all.enumerated() {
      let event = LocalVersion(event)
      let sides = union.sides.run(at: event).sides
      switch (ownSet.contains(name), otherSet.contains(name)) {
      case (true, true): #expect(sides == .both, comment)
      case (true, false):
        #expect(sides == .ours, comment)
        onlyOurs.append(event)
      case (false, true):
        #expect(sides == .theirs, comment)
        onlyTheirs.append(event)
      case (false, false): Issue.record(comment)
      }
    }
    #expect(union.onlyOurs.flatMap { $0 } == onlyOurs, comment)
    #expect(union.onlyTheirs.flatMap { $0 } == onlyTheirs, comment)
    for (map, source) in [(union.ourContainers, ours), (union.theirContainers, theirs)] {
      #expect(map.count == source.containers.count, comment)
      for (number, target) in map.enumerated() {
        #expect(log.containerID(target) == source.containerID(ContainerIndex(number)), comment)
      }
    }
    let shared = Set(ours.graph.changes.map { ours.changeID(ofChange: $0) })
      .intersection(theirs.graph.changes.map { theirs.changeID(ofChange: $0) })
    #expect(union.sharedChangeCount == shared.count, comment)
  }

  private static func names(of log: Log) -> [EventID] {
    log.graph.events.map { log.eventID(of: $0) }
  }
}
