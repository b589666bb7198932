import Peernote

extension HostileFile {
  private typealias Make = HostileChanges

  /// Graphs that send a walk over a text to and fro.
  static let walks: [HostileFile] = [
    HostileFile("a text in pieces deleted at once", bytesEach: 42) { count in
      let text = Make.oneMore(
        (0..<2 * count).map { _ in .insertText(into: Make.body, at: 4, text: "x") })
      return text
        + (0..<count).map { number in
          Change(
            UInt64(number + 2), 1, after: [text[1].id], time: Int64(number),
            [
              .deleteText(
                from: Make.body, at: 0, count: 2 * count + 9, backward: false, text: nil)
            ])
        }
    },
    HostileFile("backward typing on two sides", bytesEach: 3) { count in
      Make.concurrent(2) { _ in
        (0..<count / 2).map { _ in .insertText(into: Make.body, at: 4, text: "x") }
      }
    },
    HostileFile("backward typing on many sides", bytesEach: 4) { count in
      let sides = max(2, Int(Double(count).squareRoot()) / 4)
      return Make.concurrent(sides) { _ in
        (0..<count / sides).map { _ in .insertText(into: Make.body, at: 4, text: "x") }
      }
    },
    HostileFile("leaves of a long chain in a bad order", bytesEach: 26) { count in
      // Leaves are taken by how much they hold, and hang where that sends the walk far.
      var changes = Make.chain(count) { number, last in
        Change(
          1, number + 2, after: [last],
          [.insertText(into: Make.body, at: number % 2 == 0 ? 0 : 6, text: "x")])
      }
      for number in 0..<count {
        let stem = 1 + number * 7919 % count
        changes.append(
          Change(
            UInt64(number + 2), 1, after: [changes[stem].id],
            [
              .insertText(
                into: Make.body, at: 1, text: String(repeating: "x", count: 1 + number % 50))
            ]))
      }
      return changes
    },
    HostileFile("edits between chains without text", bytesEach: 40) { count in
      // Two ladders of changes by people in turn that edit no text; what does merges one of each.
      var ladders: [[ChangeID]] = [[], []]
      var changes = [Make.first]
      var agents = UInt64(1)
      func add(_ parents: [ChangeID], _ edit: Edit) -> ChangeID {
        agents += 1
        changes.append(Change(agents, 1, after: parents, [edit]))
        return changes[changes.count - 1].id
      }
      for side in 0..<2 {
        for _ in 0..<count {
          let last = ladders[side].last ?? Make.start
          ladders[side].append(add([last], .increment(counter: Make.counter, by: 1)))
        }
      }
      for number in 0..<count {
        let parents = [ladders[0][number * 7919 % count], ladders[1][number * 104_729 % count]]
        _ = add(parents, .insertText(into: Make.body, at: number % 9, text: "x"))
      }
      return changes
    },
    HostileFile("merges of all before and of one", bytesEach: 54) { count in
      // Everyone deletes everything; each deletion is merged with all before.
      let text = Make.oneMore(
        (0..<count).map { _ in .insertText(into: Make.body, at: 4, text: "x") })
      var changes = text
      let everything = Edit.deleteText(
        from: Make.body, at: 0, count: count + 9, backward: false, text: nil)
      var all: ChangeID?
      for number in 0..<count / 2 {
        let agent = UInt64(3 * number + 2)
        let one = Change(agent, 1, after: [text[1].id], [everything])
        changes.append(one)
        if let before = all {
          let both = Change(
            agent + 1, 1, after: [before, one.id],
            [.insertText(into: Make.body, at: 0, text: "x")])
          changes.append(both)
          all = both.id
        } else {
          all = one.id
        }
      }
      return changes
    },
  ]
}
