import Peernote
import PeernoteFuzzing

extension Rule {
  /// What is broken in the rows of a file of one change: `put /body text, insert "abc"`.
  static let onRows: [Rule] = [
    Rule("an unknown kind of operation", "an unknown kind of operation") {
      $0.log.operations = column(10 << 2 | 3)
    },
    Rule("a header of 64 bits", "an impossible operation") { $0.log.operations = column(.max) },
    text("a header of 34 bits", "an impossible operation", Row.insert(1 << 31)),
    Rule("a row that is not in its shortest form", "an integer is not in its shortest form") {
      $0.log.operations = column(Row.put, 0, Row.target, 1) + [UInt8(Row.insert(3)) | 0x80, 0x00]
    },
    text("a column that ends inside a jump", "a column ends where", Row.insert(3) | Row.jumps),
    Rule("no operations", "a column ends where") { $0.log.operations = [] },
    text("fewer operations than events", "a column ends where", Row.insert(2)),
    Rule("more operations than events", "operations after the last event") {
      $0.log.operations += column(Row.forward(1))
    },
    Rule("a container at the end", "operations after the last event") {
      $0.log.operations += column(Row.target, 0)
    },
    text("an operation longer than its chain", "an operation reaches over the end", Row.insert(4)),
    text("an operation of 2^28 events", "an operation reaches over the end", Row.insert(1 << 28)),
    Rule("an unknown container", "an operation names a container that does not exist") {
      $0.log.operations = column(Row.put, 0, Row.target, 2, Row.insert(3))
    },
    Rule("a container named without need", "a container is named without need") {
      $0.log.operations = column(Row.target, 0, Row.put, 0, Row.target, 1, Row.insert(3))
    },
    text(
      "a container named twice", "a container is named without need", Row.insert(1), Row.target, 1,
      Row.insert(2)),
    text(
      "two containers named before one row", "a container is named without need", Row.target, 0,
      Row.target, 1, Row.insert(3)),
    Rule("a text edit of a map", "an operation does not fit") {
      $0.log.operations = column(Row.put, 0, Row.insert(3))
    },
    text("a put into a text", "an operation does not fit", Row.remove, 0, Row.insert(2)),
    text(
      "insertions that belong together", "operations that belong together are apart", Row.insert(1),
      Row.insert(2)),
    text("a jump of nothing", "an impossible position", Row.insert(3) | Row.jumps, 0),
    text("a jump of 63 bits", "an impossible position", Row.insert(3) | Row.jumps, zigzag(.max)),
    text("a jump of -2^63", "an impossible position", Row.insert(3) | Row.jumps, zigzag(.min)),
    text(
      "a negative position", "an operation's position lies outside the text",
      Row.insert(3) | Row.jumps, zigzag(-1)),
    text(
      "a position two before the first", "an operation's position lies outside the text",
      Row.insert(3) | Row.jumps, zigzag(-2)),
    text(
      "a position above 2^30", "an operation's position lies outside the text",
      Row.insert(3) | Row.jumps, zigzag((1 << 30) + 1)),
    text(
      "an insertion that ends above 2^30", "an operation's position lies outside the text",
      Row.insert(3) | Row.jumps, zigzag((1 << 30) - 1)),
    text(
      "a deletion backward beyond the start", "an operation's position lies outside the text",
      Row.backward(3)),
    Rule("a value too many", "values that no operation writes") { $0.log.values.append(0xF6) },
    value("a value too few", ""),
    value("a value that is no CBOR", "", 0xFF),
    value("a string that is not UTF-8", "a text that is not UTF-8", 0x61, 0xFF),
    Rule("a counter that is given a string", "a set or a counter is given what it cannot hold") {
      $0.log.values = [0xD9, 0xF0, 0x63, 0x00, 0x61, 0x61]
      $0.log.counts = column(1, 2)
      $0.log.operations = column(Row.put, 0, Row.target, 1, Row.increment)
    },
    value("a value of a type that is none", "an item of a type that is no value", 0xC1, 0x00),
    value("a container that is not empty", "an item of a type that is no value", 0x81, 0x00),
    value("a text that is not empty", "a new container is not empty", 0xD9, 0xF0, 0x74, 0x61, 0x61),
    value("a counter that is not 0", "a new container is not empty", 0xD9, 0xF0, 0x63, 0x01),
    Rule("an integer of 65 bits", "an integer of more than 64 bits") {
      $0.log.values = [0x3B] + [UInt8](repeating: 0xFF, count: 8)
    },
    value("a UUID of two bytes", "a UUID is not 16 bytes long", 0xD8, 0x25, 0x42, 0, 0),
    value(
      "a time of 1000 milliseconds", "a time is not written as it should be", 0xD9, 0x03, 0xE9,
      0xA2, 0x01, 0x00, 0x22, 0x19, 0x03, 0xE8),
    value(
      "a time of 0 milliseconds", "a time is not written as it should be", 0xD9, 0x03, 0xE9, 0xA2,
      0x01, 0x00, 0x22, 0x00),
    Rule("a time beyond 64 bits of milliseconds", "a time is not written as it should be") {
      $0.log.values =
        [0xD9, 0x03, 0xE9, 0xA1, 0x01, 0x1B, 0x7F] + [UInt8](repeating: 0xFF, count: 7)
    },
    value(
      "a time whose milliseconds lead beyond 64 bits", "a time is not written as it should be",
      0xD9, 0x03, 0xE9, 0xA2, 0x01, 0x1B, 0x00, 0x20, 0xC4, 0x9B, 0xA5, 0xE3, 0x53, 0xF7, 0x22,
      0x19, 0x03, 0x84),
    value(
      "a time of three members", "a time is not written as it should be", 0xD9, 0x03, 0xE9, 0xA3,
      0x01, 0x00, 0x22, 0x01, 0x23, 0x01),
    numbers(\.redactions, "a redaction without deletions", "more redactions than deletions", 0, 1),
    Rule("deleted text without deletions", "the deleted text is not as long") {
      $0.log.deleted = [0x61]
    },
  ]

  /// What is broken in a file of one change: `put /body text, insert "abcdefgh", delete "c", then
  /// "d" at the same place, "b", "a"`.
  static let onDeletions: [Rule] = [
    deletion(
      "a jump to where a backward row would be", "a deletion is not written in its shortest",
      Row.forward(1) | Row.jumps, zigzag(-1), Row.forward(3) | Row.jumps, zigzag(-5)),
    deletion(
      "a single backward row with a jump", "a deletion is not written in its shortest",
      Row.backward(1) | Row.jumps, zigzag(-5), Row.forward(3)),
    deletion(
      "deletions at one place apart", "operations that belong together are apart",
      Row.forward(1) | Row.jumps, zigzag(-6), Row.forward(3)),
    deletion(
      "a single deletion that belongs to the run before", "operations that belong together",
      Row.backward(3) | Row.jumps, zigzag(-3), Row.backward(1)),
    // Two at 2, then 1 and 0 backward: the run at 2 takes in nothing, but one at 1 would.
    deletion(
      "a first event that belongs to the run before", "operations that belong together",
      Row.forward(1) | Row.jumps, zigzag(-6), Row.backward(3) | Row.jumps, zigzag(1)),
    numbers(\.redactions, "more redactions than deletions", "more redactions than deletions", 2, 3),
    numbers(\.redactions, "a redaction of nothing", "the deleted text is not as long", 1, 0),
    Rule("redactions that touch", "the deleted text is not as long") {
      $0.log.redactions = column(0, 1, 0, 1)
      $0.log.deleted = Array("ba".utf8)
    },
    numbers(\.redactions, "half a pair of redactions", "a column ends where", 1),
    deletion(
      "a deletion of 2^32 scalars", "an impossible operation", Row.forward(1 << 32) | Row.jumps,
      zigzag(-6)),
    numbers(
      \.redactions, "a redaction after 2^40 deletions", "more redactions than deletions", 1 << 40, 1
    ),
    numbers(
      \.redactions, "a redaction of 2^63 deletions", "more redactions than deletions", 0, 1 << 63),
    numbers(\.redactions, "redacted text that is there", "the deleted text is not as long", 0, 1),
    Rule("a scalar of deleted text too few", "the deleted text is not as long") {
      $0.log.deleted.removeLast()
    },
    Rule("a scalar of deleted text too many", "the deleted text is not as long") {
      $0.log.deleted.append(0x61)
    },
  ]

  private static let notNeighbours =
    "an operation places a list element between two that did not"

  /// What is broken in a file of one change that makes two lists of two integers each, moves, puts
  /// and removes in the first one.
  ///
  ///     event 0 put /one list  1, 2 insert   3 move   4 put   5 remove
  ///           6 put /two list  7, 8 insert   9 put /set set   10 add 5
  static let onElements: [Rule] = [
    row(
      5, "an element that is the operation itself", "an operation names a list element that does",
      Row.removeElement, 0),
    row(
      5, "an element before the first event", "an operation names a list element that does not",
      Row.removeElement, 6),
    row(
      5, "an element 2^40 events ago", "an operation names a list element that does not exist",
      Row.removeElement, 1 << 40),
    Rule("elements that reach over the end of their chain", "an operation reaches over the end") {
      $0.setRows { $0[8] = [Row.insertElements, 5, 0, 0] }
      $0.log.values += [1, 2, 3, 4]
    },
    row(
      5, "an element that is a put", "an operation names a list element that does not exist",
      Row.removeElement, 1),
    row(
      5, "an element that is a move", "an operation names a list element that does not exist",
      Row.removeElement, 2),
    row(
      5, "an element that is a list", "an operation names a list element that does not exist",
      Row.removeElement, 5),
    row(
      8, "an element of another list", "an operation names an element of another list",
      Row.insertElements, 1, 6, 0),
    Rule("a move to a place in another list", "an operation names an element of another list") {
      $0.setRows {
        $0[8] = [Row.insertElements, 0, 0, 0]
        $0.insert([Row.moveElement, 1, 7, 0], at: 9)
      }
      $0.log.values.remove(at: 6)
    },
    row(
      3, "a place from which something follows that is not named", notNeighbours, Row.moveElement,
      2, 2, 0),
    row(
      3, "a place at the start before another than the first element", notNeighbours,
      Row.moveElement, 2, 0, 1),
    row(
      3, "a place between two that follow each other the other way round", notNeighbours,
      Row.moveElement, 2, 1, 2),
    row(
      3, "a place at the start and the end of a list that is not empty", notNeighbours,
      Row.moveElement, 2, 0, 0),
    row(
      2, "more elements than values", "more elements than there are values", Row.insertElements,
      1 << 40, 0, 0),
    row(2, "more elements than values are left for", "", Row.insertElements, 9, 0, 0),
    Rule("elements that belong together", "operations that belong together are apart") {
      $0.setRows {
        $0[2] = [Row.insertElements, 0, 0, 0]
        $0.insert([Row.insertElements, 0, 1, 0], at: 3)
      }
    },
    Rule("a container in a set", "a set or a counter is given what it cannot hold") {
      $0.log.values[$0.log.values.count - 1] = 0x80
    },
    Rule("an operation on lists in a set", "an operation does not fit") {
      $0.setRows { $0[11] = [Row.removeElement, 3] }
      $0.log.values.removeLast()
    },
  ]

  /// A rule that rows after those which make the body break.
  private static func text(_ name: String, _ reason: String, _ rows: UInt64...) -> Rule {
    Rule(name, reason) { $0.log.operations = column([Row.put, 0, Row.target, 1] + rows) }
  }

  /// A rule that rows after the insertion of "abcdefgh" break.
  private static func deletion(_ name: String, _ reason: String, _ rows: UInt64...) -> Rule {
    Rule(name, reason) {
      $0.log.operations = column([Row.put, 0, Row.target, 1, Row.insert(8)] + rows)
    }
  }

  /// A rule that a value breaks.
  private static func value(_ name: String, _ reason: String, _ bytes: UInt8...) -> Rule {
    Rule(name, reason) { $0.log.values = bytes }
  }

  /// A rule that one of the rows of ``onElements`` breaks.
  private static func row(
    _ index: Int, _ name: String, _ reason: String, _ row: UInt64...
  ) -> Rule {
    Rule(name, reason) { $0.setRows { $0[index] = row } }
  }
}

extension ForgedFile {
  /// Changes the rows of ``Rule/onElements``.
  mutating func setRows(_ change: (inout [[UInt64]]) -> Void) {
    var rows: [[UInt64]] = [
      [Row.put, 0], [Row.target, 1], [Row.insertElements, 1, 0, 0], [Row.moveElement, 2, 1, 0],
      [Row.putElement, 3], [Row.removeElement, 3], [Row.target, 0, Row.put, 1], [Row.target, 2],
      [Row.insertElements, 1, 0, 0], [Row.target, 0, Row.put, 2], [Row.target, 3], [Row.add],
    ]
    change(&rows)
    log.operations = column(rows.flatMap(\.self))
  }
}
