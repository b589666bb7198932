import Peernote
import PeernoteTestSupport
import Testing

/// What a log makes of changes in portable form, by their names and parents.
@Suite struct ChangeOrderTests {
  private static func name(_ agent: UInt64, _ sequence: Int) -> ChangeID {
    ChangeID(agent: AgentID(rawValue: agent), sequence: sequence)
  }

  /// A change that writes a key, once for each event.
  private static func change(
    _ id: ChangeID, after parents: [ChangeID], key: String = "k", events: Int = 1
  ) -> Change {
    Change(
      id: id, parents: parents, time: Timestamp(milliseconds: 1),
      edits: (0..<events).map { .put(map: .root, key: key, content: .value(.integer(Int64($0)))) })
  }

  /// Changes that no history can have, and what is wrong with them.
  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var changes: [Change]
    var reason: HistoryError.Reason

    static let all: [Fault] = {
      let (first, second, third) = (name(1, 1), name(1, 2), name(1, 3))
      let (other, another) = (name(2, 1), name(3, 1))
      return [
        Fault(
          testDescription: "a parent that is not there",
          changes: [change(first, after: []), change(second, after: [another])],
          reason: .unknownParent),
        Fault(
          testDescription: "a parent that is an agent's later change",
          changes: [change(first, after: []), change(other, after: [third])],
          reason: .unknownParent),
        Fault(
          testDescription: "a change after itself", changes: [change(first, after: [first])],
          reason: .cyclicParents),
        Fault(
          testDescription: "three changes, each after another",
          changes: [
            change(first, after: [other]), change(other, after: [another]),
            change(another, after: [first]),
          ], reason: .cyclicParents),
        Fault(
          testDescription: "a first change that is not the first",
          changes: [change(second, after: [])], reason: .sequenceGap),
        Fault(
          testDescription: "a change left out",
          changes: [change(first, after: []), change(third, after: [first])],
          reason: .sequenceGap),
        Fault(
          testDescription: "a change before the first",
          changes: [change(name(1, 0), after: [])], reason: .sequenceGap),
        Fault(
          testDescription: "a number that is too large",
          changes: [change(first, after: []), change(name(1, .max), after: [first])],
          reason: .sequenceGap),
        Fault(
          testDescription: "a change without events",
          changes: [change(first, after: [], events: 0)],
          reason: .changeWithoutEvents),
        Fault(
          testDescription: "one name for two changes",
          changes: [change(first, after: []), change(first, after: [], key: "other")],
          reason: .duplicateChange),
        Fault(
          testDescription: "an agent that parts from itself",
          changes: [
            change(first, after: []), change(second, after: []), change(third, after: [second]),
          ], reason: .agentForksItself),
      ]
    }()
  }

  @Test(
    "changes that no history can have are refused, in whatever order they come:",
    arguments: Fault.all)
  func refused(fault: Fault) {
    for changes in [fault.changes, fault.changes.reversed()] {
      #expect(Self.fault(in: changes) == fault.reason)
    }
  }

  /// What is wrong with changes; `nil` if nothing is.
  private static func fault(in changes: [Change]) -> HistoryError.Reason? {
    do throws(HistoryError) {
      let log = try Log.make(from: changes).log
      return log.faults(critical: CriticalVersions(of: log.graph)).first?.reason
    } catch {
      return error.reason
    }
  }

  @Test("a change that stands twice, word for word, counts once, wherever it stands")
  func repeated() throws {
    let changes = [
      Self.change(Self.name(2, 1), after: [], events: 3),
      Self.change(Self.name(1, 1), after: [Self.name(2, 1)]),
      Self.change(Self.name(2, 2), after: [Self.name(2, 1)]),
      Self.change(Self.name(3, 1), after: [Self.name(1, 1), Self.name(2, 2)]),
    ]
    let expected = try Log.make(from: changes).log
    #expect(expected.changeCount == 4 && expected.headChanges == [Self.name(3, 1)])
    for first in changes.indices {
      for second in changes.indices {
        let twice = [changes[second]] + changes.reversed() + [changes[first], changes[second]]
        let log = try Log.make(from: twice).log
        #expect(log.headChanges == expected.headChanges && log.changeCount == 4)
        #expect(
          (0..<4).map { log.changeID(ofChange: ChangeIndex($0)) }
            == (0..<4).map { expected.changeID(ofChange: ChangeIndex($0)) })
      }
    }
  }

  @Test("a chain of parents may be as long as there are changes, in either direction")
  func longChains() throws {
    // Each agent follows the one before, so that no two changes share a chain.
    let count = 20_000
    let changes = (1...count).map { number in
      Self.change(
        Self.name(UInt64(number), 1), after: number > 1 ? [Self.name(UInt64(number - 1), 1)] : [])
    }
    for changes in [changes, changes.reversed()] {
      let log = try Log.make(from: changes).log
      #expect(log.graph.chains.count == count)
      #expect(log.headChanges == [Self.name(UInt64(count), 1)])
      #expect(log.graph.chains.last?.lamport == Int32(count))
    }
  }
}
