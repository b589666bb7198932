import Peernote
import PeernoteTestSupport
import Testing

/// The runs that events are written as.
@Suite struct OperationRunTests {
  /// One event on a text or list.
  private enum Event: Hashable {
    case insert(Int32)
    case delete(Int32)
    /// Inserts an element after the one inserted by the event this many before; 0 for the start.
    case element(Int32)
  }

  /// The events as operations of one event each.
  private static func singles(_ events: [Event]) -> [Operation] {
    var inserted: Int32 = 0
    var deleted: Int32 = 0
    var contents: Int32 = 0
    return events.enumerated().map { offset, event in
      let first = LocalVersion(offset)
      switch event {
      case .insert(let position):
        inserted += 1
        return textEdit(first, .insertText, at: position, scalar: inserted - 1)
      case .delete(let position):
        deleted += 1
        return textEdit(first, .deleteForward, at: position, scalar: deleted - 1)
      case .element(let distance):
        var operation = Operation(
          first: first, length: 1, kind: .insertElements, container: ContainerIndex(2))
        operation.left = distance == 0 ? .edge : Neighbour(first - distance)
        operation.right = .edge
        operation.content = ContentIndex(rawValue: contents)
        contents += 1
        return operation
      }
    }
  }

  private static func textEdit(
    _ first: LocalVersion, _ kind: Operation.Kind, at position: Int32, scalar: Int32,
    in container: ContainerIndex = ContainerIndex(1)
  ) -> Operation {
    var operation = Operation(first: first, length: 1, kind: kind, container: container)
    operation.position = position
    operation.firstScalar = scalar
    return operation
  }

  /// Appends operations one after the other, joining them as a log does.
  private static func joined(_ operations: [Operation]) -> [Operation] {
    var result: [Operation] = []
    for operation in operations {
      var rest: Operation? = operation
      while let next = rest, !result.isEmpty {
        let taken = result[result.count - 1].take(from: next)
        if taken == 0 { break }
        rest = taken == next.length ? nil : next.slice(next.first + taken..<next.end)
      }
      if let rest { result.append(rest) }
    }
    return result
  }

  /// The events that operations stand for, one by one.
  private static func takenApart(_ operations: [Operation]) -> [Operation] {
    operations.flatMap { operation in operation.events.map { operation.slice($0..<$0 + 1) } }
  }

  /// All sequences of up to five events, of deletions and insertions at three places.
  private static func sequences(
    of events: [Event], upTo length: Int, _ body: ([Event]) -> Void
  ) {
    func extend(_ sequence: [Event]) {
      body(sequence)
      if sequence.count == length { return }
      for event in events { extend(sequence + [event]) }
    }
    extend([])
  }

  @Test("runs depend on their events alone, however these were grouped")
  func grouping() {
    let kinds: [[Event]] = [
      [.delete(0), .delete(1), .delete(2), .delete(3)],
      [.insert(0), .insert(1), .insert(2), .delete(1)],
      [.element(0), .element(1), .element(2), .insert(0)],
    ]
    var failures = 0
    for events in kinds {
      Self.sequences(of: events, upTo: 6) { sequence in
        let singles = Self.singles(sequence)
        let runs = Self.joined(singles)
        let again = Self.takenApart(runs)
        var isSame = again == singles
        // Cut the sequence in two in every way, join the halves, then the halves' runs.
        for cut in sequence.indices {
          let halves = Self.joined(Array(singles[..<cut])) + Self.joined(Array(singles[cut...]))
          isSame = isSame && Self.joined(halves) == runs
        }
        // Runs of one event before, each run cut in two before it is joined again.
        for cut in sequence.indices {
          let parts = runs.flatMap { run -> [Operation] in
            let middle = run.first + min(run.length, Int32(cut))
            return [run.first..<middle, middle..<run.end].filter { !$0.isEmpty }.map(run.slice)
          }
          isSame = isSame && Self.joined(parts) == runs
        }
        if !isSame {
          failures += 1
          if failures < 5 { Issue.record("\(sequence): \(runs)") }
        }
      }
    }
  }

  @Test("a run of deletions goes one way only, and a single one has no direction")
  func directions() {
    let runs = Self.joined(Self.singles([.delete(3), .delete(2), .delete(2), .delete(2)]))
    #expect(runs.map(\.kind) == [.deleteBackward, .deleteForward])
    #expect(runs.map(\.length) == [2, 2])
    #expect(runs.map(\.position) == [2, 2])
    #expect(runs[0].slice(.first ..< .first + 1).kind == .deleteForward)
    #expect(runs[0].slice(.first ..< .first + 1).position == 3)
    #expect(runs[0].slice(.first + 1 ..< .first + 2).position == 2)
  }

  @Test("nothing is joined over containers, gaps or kinds")
  func boundaries() {
    var first = Self.textEdit(.first, .insertText, at: 0, scalar: 0)
    var next = Self.textEdit(.first + 1, .insertText, at: 1, scalar: 1, in: ContainerIndex(2))
    #expect(first.take(from: next) == 0)
    next.container = ContainerIndex(1)
    next.first = .first + 2
    #expect(first.take(from: next) == 0)
    for kind in Operation.Kind.allCases where !kind.editsText && kind != .insertElements {
      let one = Operation(first: .first, length: 1, kind: kind, container: ContainerIndex(1))
      let next = Operation(
        first: .first + 1, length: 1, kind: kind, container: ContainerIndex(1))
      var copy = one
      #expect(copy.take(from: next) == 0)
      #expect(copy == one)
    }
  }
}
