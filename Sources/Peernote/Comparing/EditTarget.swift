/// What an operation works on, as far as a person is told who did something: a key, an element, or
/// a value in a set, or a text or counter as a whole.
struct EditTarget: Hashable {
  /// A part of a container, or all of it.
  enum Member: Hashable {
    case whole
    case key(KeyIndex)
    /// By its insertion.
    case element(LocalVersion)
    /// A value in a set.
    case value(Value)
  }

  /// The container.
  var container: ContainerIndex
  /// The part of it.
  var member = Member.whole

  /// Who worked on something.
  struct Writers {
    /// The authors, the last one first.
    var authors: [String]
    /// When that was last.
    var time: Timestamp
  }

  /// The most authors that are told for one place.
  private static let authorLimit = 5

  /// Who worked on each of some targets; `nil` where nobody did.
  ///
  /// O(events in the ranges + targets).
  static func writers(
    of targets: [EditTarget], in log: Log, _ ranges: [Range<LocalVersion>]
  ) -> [Writers?] {
    var last: [EditTarget: [(author: AuthorIndex, event: LocalVersion)]] = [:]
    for target in targets { last[target] = [] }
    func record(_ target: EditTarget, _ event: LocalVersion) {
      guard var writers = last[target] else { return }
      let author = log.metadata(ofChange: log.eventCounts.change(of: event)).author
      // The latest event of each author, in no order yet.
      if let index = writers.firstIndex(where: { $0.author == author }) {
        if log.isLaterWrite(event, than: writers[index].event) { writers[index].event = event }
      } else if writers.count < authorLimit {
        writers.append((author, event))
      }
      last[target] = writers
    }
    for range in ranges {
      for index in log.operations.indices(in: range, of: log) {
        let operation = log.operations[index]
        let events = operation.events.clamped(to: range)
        let operands = operation.kind.operands
        func note(_ member: Member, _ event: LocalVersion) {
          record(EditTarget(container: operation.container, member: member), event)
        }
        if operation.kind == .insertElements {
          for event in events { note(.element(event), event) }
        } else if operands.contains(.key) {
          note(.key(operation.key), events.lowerBound)
        } else if operands.contains(.element) {
          note(.element(operation.element), events.lowerBound)
        } else if operands.contains(.contents), operation.kind.containerKind == .set {
          for event in events {
            let place = operation.contents.lowerBound + (event - operation.first)
            if case .value(let value) = log.contents[place] { note(.value(value), event) }
          }
        } else {
          note(.whole, events.upperBound - 1)
        }
      }
    }
    return targets.map { target in
      let writers = (last[target] ?? []).sorted { log.isLaterWrite($0.event, than: $1.event) }
      guard let latest = writers.first else { return nil }
      return Writers(
        authors: writers.map { log.authors[$0.author] },
        time: log.metadata(ofChange: log.eventCounts.change(of: latest.event)).time)
    }
  }
}

extension OperationList {
  /// The places of the operations that hold events of a range.
  ///
  /// O(log n).
  fileprivate func indices(in range: Range<LocalVersion>, of log: Log) -> Range<Int> {
    if range.isEmpty { return 0..<0 }
    return log.operationIndex(
      endingAfter: range.lowerBound)..<log.operationIndex(endingAfter: range.upperBound - 1) + 1
  }
}

extension Log {
  /// The events that another log lacks of which this one holds all changes, and those that it has.
  ///
  /// O(c log c) for c chains.
  func events(
    since earlier: Log
  ) -> (since: [Range<LocalVersion>], before: [Range<LocalVersion>]) {
    let heads = version(of: earlier.headChanges)
    return (
      graph.difference(graph.heads, heads).onlyFirst.reversed(), graph.closure(of: heads)
    )
  }
}
