import Peernote

extension HostileFile {
  private typealias Make = HostileChanges

  /// Graphs that are all corners.
  static let graphs: [HostileFile] = [
    HostileFile("agents at once", bytesEach: 34) { count in
      Make.concurrent(count) { _ in [Make.increment] }
    },
    HostileFile("agents in turn", bytesEach: 16) { count in
      Make.chain(count) { number, last in
        Change(UInt64(number + 2), 1, after: [last], [Make.increment])
      }
    },
    HostileFile("changes in one chain", bytesEach: 6) { count in
      Make.chain(count) { number, last in
        Change(1, number + 2, after: [last], time: Int64(number % 2), [Make.increment])
      }
    },
    HostileFile("two agents that always cross", bytesEach: 11) { count in
      Make.crossing(rounds: count / 2) { round, _ in
        [.insertText(into: Make.body, at: round % 9, text: "x")]
      }
    },
    HostileFile("branches merged in pairs", bytesEach: 16) { count in
      // Half of the bytes for branches, half for the merges of two of them each.
      let branches = max(2, Int(Double(count).squareRoot()))
      let length = max(1, count * 8 / (branches * 6))
      var changes = [Make.first]
      for branch in 0..<branches {
        let edits = (0..<length).map { number in
          Edit.insertText(into: Make.body, at: number % 2 == 0 ? 0 : 5, text: "x")
        }
        changes.append(Change(UInt64(branch + 2), 1, after: [Make.start], edits))
      }
      for number in 0..<count / 2 {
        let (one, other) = (1 + number % branches, 1 + (number * 7 + number / branches) % branches)
        if one == other { continue }
        changes.append(
          Change(
            UInt64(branches + 10 + number), 1, after: [changes[one].id, changes[other].id],
            [.insertText(into: Make.body, at: 1, text: "y")]))
      }
      return changes
    },
    HostileFile("many parents again and again", bytesEach: 30) { count in
      let width = max(2, Int(Double(count).squareRoot()))
      var changes = Make.concurrent(width) { _ in [Make.increment] }
      let parents = changes.dropFirst().map(\.id)
      for number in 0..<width {
        changes.append(Change(UInt64(width + 10 + number), 1, after: parents, [Make.write]))
      }
      return changes
    },
  ]

  /// Values, members and counters that many write at once.
  static let registers: [HostileFile] = [
    HostileFile("writes of one key at once", bytesEach: 36) { count in
      Make.concurrent(count) { _ in [Make.write] }
    },
    HostileFile("writes of one key in turn", bytesEach: 6) { count in
      Make.oneMore((0..<count / 2).map { _ in Make.write })
    },
    HostileFile("containers put at one key at once", bytesEach: 36) { count in
      Make.concurrent(count) { _ in
        [.put(map: .root, key: "k", content: .container(.map))]
      }
    },
    HostileFile("writes of one key in turn on two sides", bytesEach: 4) { count in
      // Two groups, each written in turn, side by side: every write is superseded by some.
      var changes = [Make.first]
      for side in 0..<2 {
        var last = Make.start
        for number in 0..<count / 2 {
          changes.append(Change(UInt64(2 + side), number + 1, after: [last], [Make.write]))
          last = changes[changes.count - 1].id
        }
      }
      return changes
    },
    HostileFile("keys written before and after many chains", bytesEach: 22) { count in
      // To know whether one writer has seen the other takes going through all chains between.
      let keys = (0..<count).map { number in
        Edit.put(map: .root, key: String(number, radix: 36), content: .value(.null))
      }
      var changes = [Make.first, Change(2, 1, after: [Make.start], keys)]
      for number in 0..<count {
        changes.append(
          Change(
            UInt64(number + 3), 1, after: [number == 0 ? Make.start : changes[number + 1].id],
            [Make.increment]))
      }
      changes.append(
        Change(UInt64(count + 3), 1, after: [changes[count + 1].id], keys))
      return changes
    },
    HostileFile("one member added and discarded at once", bytesEach: 36) { count in
      Make.concurrent(count) { number in
        number % 2 == 0
          ? [.add(set: Make.set, value: .null)] : [.discard(set: Make.set, value: .null)]
      }
    },
    HostileFile("members", bytesEach: 8) { count in
      Make.oneMore((0..<count).map { .add(set: Make.set, value: .integer(Int64($0))) })
    },
    HostileFile("keys", bytesEach: 12) { count in
      Make.oneMore(
        (0..<count).map { .put(map: .root, key: String($0, radix: 36), content: .value(.null)) })
    },
    HostileFile("small containers", bytesEach: 6) { count in
      Make.oneMore([Make.elements(count, .container(.counter))])
    },
    HostileFile("times far in the future", bytesEach: 50) { count in
      let far = Content.value(.timestamp(Timestamp(milliseconds: .max)))
      var changes = Make.concurrent(count) { _ in [.put(map: .root, key: "k", content: far)] }
      for number in 0..<count {
        let time: Int64 = number % 2 == 0 ? .max - Int64(number) : .min + Int64(number)
        changes[number + 1].time = Timestamp(milliseconds: time)
      }
      return changes
    },
  ]

  /// Lists that many change at once.
  static let lists: [HostileFile] = [
    HostileFile("elements", bytesEach: 2) { count in
      Make.oneMore([Make.elements(count, .value(.null))])
    },
    HostileFile("elements inserted in one place at once", bytesEach: 36) { count in
      Make.concurrent(count) { _ in
        [
          .insertElements(
            list: Make.list, at: ListPlace(left: nil, right: Make.element),
            contents: [.value(.null)])
        ]
      }
    },
    HostileFile("moves of one element at once", bytesEach: 36) { count in
      Make.concurrent(count) { _ in
        [
          .moveElement(
            list: Make.list, element: Make.element, to: ListPlace(left: nil, right: Make.element))
        ]
      }
    },
    HostileFile("removals of one element at once", bytesEach: 36) { count in
      Make.concurrent(count) { number in
        number % 2 == 0
          ? [.removeElement(list: Make.list, element: Make.element)]
          : [.putElement(list: Make.list, element: Make.element, content: .container(.map))]
      }
    },
    HostileFile("moves of one element in turn", bytesEach: 6) { count in
      var slot = Make.element
      return Make.oneMore(
        (0..<count).map { number in
          let edit = Edit.moveElement(
            list: Make.list, element: Make.element, to: ListPlace(left: nil, right: slot))
          slot = ChangeID(agent: AgentID(rawValue: 1), sequence: 2).event(number)
          return edit
        })
    },
  ]

  /// Texts in many pieces.
  static let texts: [HostileFile] = [
    HostileFile("insertions in one place at once", bytesEach: 36) { count in
      Make.concurrent(count) { _ in [.insertText(into: Make.body, at: 3, text: "x")] }
    },
    HostileFile("deletions of one character at once", bytesEach: 36) { count in
      Make.concurrent(count) { _ in
        [.deleteText(from: Make.body, at: 3, count: 1, backward: false, text: "e")]
      }
    },
    HostileFile("a character typed and deleted again and again", bytesEach: 3) { count in
      Make.oneMore(Make.typingAndDeleting(count, text: "x"))
    },
    HostileFile("characters typed and deleted on two sides", bytesEach: 3) { count in
      Make.concurrent(2) { _ in Make.typingAndDeleting(count / 2, text: "x") }
    },
    HostileFile("redacted characters, typed and deleted", bytesEach: 2) { count in
      Make.oneMore(Make.typingAndDeleting(count, text: nil))
    },
    HostileFile("redacted characters, typed and deleted on two sides", bytesEach: 2) { count in
      Make.concurrent(2) { _ in Make.typingAndDeleting(count / 2, text: nil) }
    },
    HostileFile("a text deleted character by character on two sides", bytesEach: 2) { count in
      let half = count / 2
      let text = Make.oneMore([
        .insertText(into: Make.body, at: 4, text: String(repeating: "x", count: half))
      ])
      return text
        + (0..<2).map { side in
          Change(
            UInt64(side + 2), 1, after: [text[1].id],
            (0..<half).map { number in
              .deleteText(
                from: Make.body, at: number % 2 == 0 ? 4 : 5, count: 1, backward: false,
                text: number < half - 2 ? "x" : nil)
            })
        }
    },
    HostileFile("insertions all over a text", bytesEach: 3) { count in
      Make.oneMore(
        (0..<count).map { number in
          .insertText(into: Make.body, at: number % 2 == 0 ? 0 : 7, text: "x")
        })
    },
    HostileFile("empty texts", bytesEach: 8) { count in
      Make.oneMore([Make.elements(count, .container(.text))])
    },
    HostileFile("texts of one character", bytesEach: 16) { count in
      let change = ChangeID(agent: AgentID(rawValue: 1), sequence: 2)
      return Make.oneMore(
        [Make.elements(count, .container(.text))]
          + (0..<count).map { .insertText(into: change.container($0), at: 0, text: "x") })
    },
    HostileFile("texts changed on two sides", bytesEach: 30) { count in
      let change = ChangeID(agent: AgentID(rawValue: 1), sequence: 2)
      var changes = Make.oneMore([Make.elements(count, .container(.text))])
      for side in 0..<2 {
        changes.append(
          Change(
            UInt64(side + 2), 1, after: [change],
            (0..<count).map { .insertText(into: change.container($0), at: 0, text: "x") }))
      }
      return changes
    },
    HostileFile("long branches side by side", bytesEach: 4) { count in
      let branches = 16
      return Make.concurrent(branches) { _ in
        (0..<count / branches).map { number in
          .insertText(into: Make.body, at: number % 2 == 0 ? 1 : 5, text: "x")
        }
      }
    },
  ]
}
