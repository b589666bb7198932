import Peernote
import PeernoteTestSupport

extension GoldenDocument {
  /// Several live values under keys and in elements, and what decides between them.
  static let registers = GoldenDocument("registers") { story in
    let base = story.change(
      5, .put("by time", .string("base")), .put("by Lamport", .string("base")),
      .put("by agent", .string("base")), .put("against removal", .string("base")),
      .put("settled", .string("base")), .put("list", new: .list), .put("gone", .null),
      .put("container", .string("base")))
    let list = base.container(5)
    let elements = story.change(
      5,
      .insertElements(
        list: list, at: ListPlace(left: nil, right: nil),
        contents: [.value(.string("base")), .value(.null)]))
    let left = story.change(
      1, after: [elements], time: goldenTime + 2, .put("by agent", .integer(1)),
      .put("by time", .string("later")), .put("by Lamport", .string("earlier")),
      .remove(map: .root, key: "against removal"), .remove(map: .root, key: "gone"),
      .putElement(list: list, element: elements.event(0), content: .value(.string("left"))),
      .put("settled", .string("left")), .put("container", new: .text))
    let right = story.change(
      2, after: [elements], time: goldenTime + 1, .put("by time", .string("earlier")),
      .remove(map: .root, key: "gone"), .put("against removal", .string("right")),
      .putElement(list: list, element: elements.event(0), content: .container(.map)),
      .put("settled", .string("right")), .put("settled", .string("right again")))
    story.change(
      3, after: [elements], time: goldenTime + 2, .put("by agent", .integer(3)),
      .put("filler", .null), .put("filler", .bool(true)), .put("by Lamport", .string("later")),
      .put("container", new: .counter))
    story.change(
      4, after: [left, right], .put("settled", .string("by one who saw both")),
      .insertText(into: left.container(7), at: 0, text: "in the text"))
  }

  /// Removals against edits inside, of keys and elements, at several depths.
  static let deletions = GoldenDocument("deletions") { story in
    let base = story.change(
      1, .put("edited", new: .map), .put("not edited", new: .map), .put("replaced", new: .text),
      .put("list", new: .list), .put("seen", new: .counter))
    let list = base.container(3)
    let inner = story.change(
      1, .put(map: base.container(0), key: "deep", content: .container(.list)),
      .put(map: base.container(1), key: "deep", content: .value(.null)),
      .insertText(into: base.container(2), at: 0, text: "replaced"),
      .insertElements(
        list: list, at: ListPlace(left: nil, right: nil),
        contents: [
          .container(.map), .container(.set), .value(.string("written")), .value(.string("moved")),
          .value(.string("removed")),
        ]), .increment(counter: base.container(4), by: 1))
    func element(_ index: Int) -> EventID { inner.event(10 + index) }
    let removed = story.change(
      2, after: [inner], time: goldenTime + 10,
      ["edited", "not edited", "seen"].map { .remove(map: .root, key: $0) } + [
        .put("replaced", .string("by a string"))
      ] + (0..<5).map { .removeElement(list: list, element: element($0)) })
    story.change(
      3, after: [inner], time: goldenTime + 5,
      .insertElements(
        list: inner.container(0), at: ListPlace(left: nil, right: nil),
        contents: [.value(.string("unseen"))]),
      .insertText(into: base.container(2), at: 8, text: ", or not"),
      .put(map: .created(element(0)), key: "unseen", content: .value(.bool(true))),
      .putElement(list: list, element: element(2), content: .value(.string("unseen"))),
      .moveElement(list: list, element: element(3), to: ListPlace(left: nil, right: element(0))))
    // A container comes back with any edit that follows its removal.
    story.change(2, time: goldenTime + 11, .increment(counter: base.container(4), by: 10))
    story.change(
      4, after: [removed], time: goldenTime + 12,
      .put("edited", .string("a new value, which has not seen the edit")))
  }

  /// An element whose map one person edits, another removes knowing that, and a third replaces
  /// knowing neither: the element stays, and the map is gone.
  static let replaced = GoldenDocument("replaced") { story in
    let made = story.change(1, .put("list", new: .list))
    let list = made.container(0)
    let base = story.change(
      1,
      .insertElements(
        list: list, at: ListPlace(left: nil, right: nil), contents: [.container(.map)]))
    let edited = story.change(
      2, after: [base], time: goldenTime + 1,
      .put(map: base.container(0), key: "edited", content: .value(.null)))
    story.change(
      3, after: [edited], time: goldenTime + 2, .removeElement(list: list, element: base.event(0)))
    story.change(
      4, after: [base], time: goldenTime + 3,
      .putElement(list: list, element: base.event(0), content: .value(.string("replaced"))))
  }

  /// Moves of one element to several places, and insertions beside what moves.
  static let lists = GoldenDocument("lists") { story in
    let made = story.change(1, .put("list", new: .list))
    let list = made.container(0)
    let base = story.change(
      1,
      .insertElements(
        list: list, at: ListPlace(left: nil, right: nil),
        contents: ["a", "b", "c", "d"].map { .value(.string($0)) }))
    func move(_ element: Int, _ left: EventID?, _ right: EventID?) -> Edit {
      .moveElement(
        list: list, element: base.event(element), to: ListPlace(left: left, right: right))
    }
    func insert(_ text: String, _ left: EventID?, _ right: EventID?) -> Edit {
      .insertElements(
        list: list, at: ListPlace(left: left, right: right),
        contents: text.map { .value(.string(String($0))) })
    }
    story.change(
      2, after: [base], time: goldenTime + 1, move(0, base.event(3), nil),
      insert("xy", base.event(1), base.event(2)))
    let moved = ChangeID(agent: AgentID(rawValue: 3), sequence: 1).event(0)
    let second = story.change(
      3, after: [base], time: goldenTime + 2, move(0, base.event(1), base.event(2)),
      insert("zw", moved, base.event(2)))
    let inserted = ChangeID(agent: AgentID(rawValue: 4), sequence: 1).event(0)
    story.change(
      4, after: [base], time: goldenTime + 3, insert("1", base.event(1), base.event(2)),
      insert("2", base.event(1), inserted), .removeElement(list: list, element: base.event(2)))
    story.change(
      2, after: [second], move(3, nil, base.event(0)), insert("end", base.event(2), base.event(3)))
  }

  /// Containers that were removed or replaced, whose texts stay in the file.
  static let removed = GoldenDocument("removed") { story in
    let base = story.change(
      1, .put("a", new: .text), .put("b", new: .map), .put("c", new: .text), .put("d", new: .text))
    let inner = story.change(
      1, .insertText(into: base.container(0), at: 0, text: "removed"),
      .put(map: base.container(1), key: "inner", content: .container(.text)),
      .insertText(into: base.container(2), at: 0, text: "kept, and shown"),
      .insertText(into: base.container(3), at: 0, text: "replaced"))
    let filled = story.change(
      1, .insertText(into: .created(inner.event(7)), at: 0, text: "in a map that was removed"),
      .deleteText(from: base.container(3), at: 0, count: 2, backward: false, text: "re"))
    story.change(1, ["a", "b"].map { .remove(map: .root, key: $0) } + [.put("d", new: .text)])
    let other = story.change(2, after: [filled], time: goldenTime + 1, .put("c", new: .text))
    story.change(
      2, time: goldenTime + 2, .insertText(into: other.container(0), at: 0, text: "the one shown"))
    story.change(
      3, after: [filled], .put("c", new: .text),
      .insertText(
        into: .created(ChangeID(agent: AgentID(rawValue: 3), sequence: 1).event(0)), at: 0,
        text: "not shown"))
  }

  /// Additions against discards, and increments from several sides that wrap around.
  static let sets = GoldenDocument("sets") { story in
    let base = story.change(1, .put("tags", new: .set), .put("count", new: .counter))
    let (tags, count) = (base.container(0), base.container(1))
    func values(_ names: String...) -> [Value] { names.map { .string($0) } }
    let start = story.change(
      1, values("kept", "discarded", "added again", "both").map { .add(set: tags, value: $0) })
    story.change(
      2, after: [start],
      values("discarded", "added again", "both", "never there").map {
        .discard(set: tags, value: $0)
      } + [.add(set: tags, value: .double(-0.0)), .increment(counter: count, by: .max)])
    story.change(
      3, after: [start],
      values("added again", "both", "longer than the others").map { .add(set: tags, value: $0) } + [
        .discard(set: tags, value: .string("both")), .add(set: tags, value: .double(0)),
        .add(set: tags, value: .integer(0)), .increment(counter: count, by: .max),
        .increment(counter: count, by: 1),
      ])
  }
}
