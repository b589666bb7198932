import Peernote

/// Documents that make little of much, and those that make much of the event graph.
extension HostileFile {
  private typealias Make = HostileChanges

  /// Writes that have a long history without critical versions between them.
  static let questions: [HostileFile] = [
    HostileFile("an element named all along a crossing", bytesEach: 13) { count in
      Make.crossing(rounds: count / 2) { round, side in
        switch (round, side) {
        case (0, 0): [elements(1, .value(.null))]
        case (0, _), (1, _): [Make.increment]
        case (_, _):
          [
            .putElement(
              list: Make.list, element: Make.crossingEvent(0), content: .value(.null))
          ]
        }
      }
    },
    HostileFile("a text edited all along a crossing", bytesEach: 13) { count in
      Make.crossing(rounds: count / 2) { round, side in
        switch (round, side) {
        case (0, 0): [.put(map: .root, key: "text", content: .container(.text))]
        case (0, _), (1, _): [Make.increment]
        case (_, _):
          [.insertText(into: .created(Make.crossingEvent(0)), at: 0, text: "x")]
        }
      }
    },
    HostileFile("keys written before and after a crossing", bytesEach: 26) { count in
      between(count) {
        (0..<count).map { put($0, .value(.null)) }
      } last: {
        (0..<count).map { put($0, .value(.null)) }
      } others: {
        [Make.increment]
      }
    },
    HostileFile("containers replaced after a crossing", bytesEach: 34) { count in
      between(count) {
        (0..<count).map { put($0, .container(.counter)) }
      } last: {
        (0..<count).map { put($0, .value(.null)) }
      } others: {
        (0..<count).map { .increment(counter: .created(Make.crossingEvent($0)), by: 1) }
      }
    },
    HostileFile("elements removed after a crossing", bytesEach: 26) { count in
      between(count) {
        [elements(count, .value(.null))]
      } last: {
        (0..<count).map { .removeElement(list: Make.list, element: Make.crossingEvent($0)) }
      } others: {
        (0..<count).map {
          .putElement(list: Make.list, element: Make.crossingEvent($0), content: .value(.null))
        }
      }
    },
    HostileFile("elements moved before and after a crossing", bytesEach: 31) { count in
      let moved = Make.crossingEvent(2 * count - 1)
      return between(count) {
        [elements(count, .value(.null))] + moves(count, from: count, before: Make.element)
      } last: {
        moves(count, in: last(2, count), before: moved)
      } others: {
        moves(count, in: last(3, count), before: moved)
      }
    },
  ]

  /// Very many small things.
  static let trifles: [HostileFile] = [
    HostileFile("empty maps", bytesEach: 2) { count in
      Make.oneMore([elements(count, .container(.map))])
    },
    HostileFile("increments", bytesEach: 2) { count in
      Make.oneMore((0..<count).map { _ in Make.increment })
    },
    HostileFile("one member added again and again", bytesEach: 2) { count in
      Make.oneMore((0..<count).map { _ in .add(set: Make.set, value: .null) })
    },
    HostileFile("an element written again and again", bytesEach: 5) { count in
      Make.oneMore(
        (0..<count).map { _ in
          .putElement(list: Make.list, element: Make.element, content: .value(.null))
        })
    },
    HostileFile("lists of one element", bytesEach: 12) { count in
      let change = ChangeID(agent: AgentID(rawValue: 1), sequence: 2)
      return Make.oneMore(
        [elements(count, .container(.list))]
          + (0..<count).map { number in
            .insertElements(
              list: change.container(number), at: ListPlace(left: nil, right: nil),
              contents: [.value(.null)])
          })
    },
    HostileFile("texts of two pieces", bytesEach: 18) { count in
      let change = ChangeID(agent: AgentID(rawValue: 1), sequence: 2)
      return Make.oneMore(
        [elements(count, .container(.text))]
          + (0..<2 * count).map { number in
            .insertText(into: change.container(number / 2), at: 0, text: "x")
          })
    },
    HostileFile("strings of one letter", bytesEach: 4) { count in
      Make.oneMore([elements(count, .value(.string("x")))])
    },
  ]

  private static func elements(_ count: Int, _ content: Content) -> Edit {
    Make.elements(count, content)
  }

  private static func put(_ number: Int, _ content: Content) -> Edit {
    .put(map: .root, key: String(number, radix: 36), content: content)
  }

  /// Moves of the elements of a crossing's first change to the start of the list, one by one.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - change: what makes the moves.
  ///   - first: the event of the change that is the first move.
  ///   - slot: the list's first slot before.
  /// - Returns: the moves.
  private static func moves(
    _ count: Int, in change: ChangeID = Make.crossingEvent(0).change, from first: Int = 0,
    before slot: EventID
  ) -> [Edit] {
    (0..<count).map { number in
      let right = number == 0 ? slot : change.event(first + number - 1)
      return .moveElement(
        list: Make.list, element: Make.crossingEvent(number),
        to: ListPlace(left: nil, right: right))
    }
  }

  /// An agent's last change in what ``between(_:first:last:others:)`` makes.
  private static func last(_ agent: UInt64, _ count: Int) -> ChangeID {
    ChangeID(agent: AgentID(rawValue: agent), sequence: rounds(count))
  }

  /// How many rounds there are in what ``between(_:first:last:others:)`` makes.
  private static func rounds(_ count: Int) -> Int { max(4, count / 2) }

  /// Two agents that cross: what the first one does first, and what both do last.
  private static func between(
    _ count: Int, first: () -> [Edit], last: () -> [Edit], others: () -> [Edit]
  ) -> [Change] {
    let rounds = rounds(count)
    return Make.crossing(rounds: rounds) { round, side in
      switch (round, side) {
      case (0, 0): first()
      case (rounds - 1, 0): last()
      case (rounds - 1, _): others()
      case (_, _): [Make.increment]
      }
    }
  }
}
