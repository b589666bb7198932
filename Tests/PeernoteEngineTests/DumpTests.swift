import Peernote
import PeernoteTestSupport
import Testing

/// What a debugger shows of a history.
@Suite struct DumpTests {
  @Test("a log's dump names each chain and operation, a tracker's each item")
  func lines() throws {
    var random = SplitMix64(seed: 7)
    let oracle = Oracle(changes: HostileGraph(using: &random).changes(12))
    let log = try EngineCase(oracle, at: oracle.everything).log.log
    let lines = log.dump().split(separator: "\n")
    #expect(lines.first == "log: 12 changes, \(log.graph.eventCount) events")
    #expect(lines.count { $0.hasPrefix("  chain ") } == log.graph.chains.count)
    #expect(lines.count { $0.hasPrefix("  operation ") } == log.operations.count)
    var walker = Walker(
      log: log, after: .start,
      texts: log.containers.indices.filter { log.containers[$0].kind == .text }
        .map { (container: ContainerIndex($0), placeholder: 0) })
    try walker.walk(sides: .allBoth)
    var count = 0
    for sequence in walker.tracker.sequences.values {
      walker.tracker.forEachItem(of: sequence) { _ in count += 1 }
    }
    let items = walker.tracker.dump().split(separator: "\n")
    #expect(items.first == "tracker: \(count) items")
    #expect(items.count { $0.hasPrefix("    ") } == count)
  }
}
