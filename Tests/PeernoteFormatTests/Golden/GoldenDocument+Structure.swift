import Peernote
import PeernoteTestSupport

extension GoldenDocument {
  /// A plain note that one person wrote in three sessions.
  static let note = GoldenDocument("note") { story in
    let first = story.change(
      0x5F0C_21AB_9D3E_4477, .put("body", new: .text), .put("tags", new: .set),
      .put("title", .string("Groceries")),
      .put("created", .timestamp(Timestamp(milliseconds: goldenTime))))
    let body = first.container(0)
    let tags = first.container(1)
    story.change(
      0x5F0C_21AB_9D3E_4477, time: goldenTime + 60_000,
      .insertText(into: body, at: 0, text: "- bread\n- milk\n- coffee beans\n"),
      .add(set: tags, value: .string("home")), .add(set: tags, value: .string("shopping")))
    let second = story.change(
      0x0BAD_F00D_0000_0002, after: [ChangeID(first, 2)], time: goldenTime + 3_600_000,
      .insertText(into: body, at: 8, text: "- a dozen eggs\n"), .put("priority", .string("high")))
    story.change(
      0x0000_0000_0000_0003, after: [second], time: goldenTime + 86_400_000,
      .deleteText(from: body, at: 23, count: 7, backward: false, text: "- milk\n"),
      .discard(set: tags, value: .string("home")), .put("priority", .string("low")),
      .put("shop", .string("Corner store")))
  }

  /// A nested document of lists and maps, whose elements are moved, written and removed.
  static let nested = GoldenDocument("nested") { story in
    let made = story.change(1, .put("agenda", new: .list))
    let agenda = made.container(0)
    let items = story.change(
      1, time: goldenTime + 1,
      .insertElements(
        list: agenda, at: ListPlace(left: nil, right: nil),
        contents: [
          .container(.map), .container(.map), .value(.string("break")), .container(.map),
          .container(.list),
        ]))
    story.change(
      1, time: goldenTime + 2,
      ["Budget", "Venue", "Speakers"].enumerated().flatMap { index, title -> [Edit] in
        let item = items.container([0, 1, 3][index])
        return [
          .put(map: item, key: "title", content: .value(.string(title))),
          .put(map: item, key: "minutes", content: .value(.integer(Int64(10 * index + 5)))),
          .put(map: item, key: "notes", content: .container(.text)),
        ]
      })
    let inner = story.change(
      1, time: goldenTime + 3,
      .insertElements(
        list: items.container(4), at: ListPlace(left: nil, right: nil),
        contents: ["a", "b", "c", "d"].map { .value(.string($0)) }))
    // The last item goes first, the break last; the inner list is turned round.
    let toStart = story.change(
      2, after: [inner], time: goldenTime + 4,
      .moveElement(
        list: agenda, element: items.event(3), to: ListPlace(left: nil, right: items.event(0))))
    let toEnd = story.change(
      2, time: goldenTime + 5,
      .moveElement(
        list: agenda, element: items.event(2), to: ListPlace(left: items.event(4), right: nil)))
    let turned = story.change(
      2, time: goldenTime + 6,
      .moveElement(
        list: items.container(4), element: inner.event(3),
        to: ListPlace(left: nil, right: inner.event(0))),
      .moveElement(
        list: items.container(4), element: inner.event(0),
        to: ListPlace(left: inner.event(2), right: inner.event(3))),
      .removeElement(list: items.container(4), element: inner.event(1)),
      .putElement(list: items.container(4), element: inner.event(2), content: .value(.string("C"))))
    story.change(
      1, after: [turned, toStart, toEnd], time: goldenTime + 7,
      .moveElement(
        list: agenda, element: items.event(2),
        to: ListPlace(left: toStart.event(0), right: items.event(0))),
      .putElement(list: agenda, element: items.event(1), content: .value(.string("Place"))),
      .insertElements(
        list: agenda, at: ListPlace(left: items.event(4), right: toEnd.event(0)),
        contents: [.value(.string("Any other business"))]))
  }

  /// Containers as deep as the limit allows: 64 with the root.
  static let depth = GoldenDocument("depth") { story in
    var inner = story.change(1, .put("list", new: .list)).container(0)
    for level in 3...64 {
      let change = story.change(
        1,
        .insertElements(
          list: inner, at: ListPlace(left: nil, right: nil),
          contents: [.container(level < 64 ? .list : .text)]))
      inner = change.container(0)
    }
    story.change(1, .insertText(into: inner, at: 0, text: "deep"))
  }

  /// Names, messages and times of changes.
  static let metadata = GoldenDocument("metadata") {
    let people: [(agent: UInt64, time: Int64, author: String, message: String?)] = [
      (0, 0, "", nil), (0, 0, "", nil), (0, 0, "", ""), (.max, 0, "desk", "first"),
      (.max, -1, "desk", "first"), (.max, .min, "desk", "first"), (.max, .max, "phone", "first"),
      (7, .min, "Zo\u{EB}", "second"), (7, .min, "Zoe\u{308}", "second"),
      (7, goldenTime, "Zo\u{EB}", nil), (7, goldenTime, "Zo\u{EB}", nil),
      (7, goldenTime, "", "several\nlines\n"),
    ]
    var story = Story(time: goldenTime)
    var previous: [ChangeID] = []
    for (number, person) in people.enumerated() {
      previous = [
        story.change(
          person.agent, after: previous, time: person.time, .put("number", .integer(Int64(number))))
      ]
    }
    let changes = zip(story.changes, people).map { change, person in
      var change = change
      change.author = person.author
      change.message = person.message
      return change
    }
    return try GoldenDocument.file(of: "metadata", changes)
  }

  /// Optional sections, which are carried along.
  static let sections = GoldenDocument("sections") {
    var story = Story(time: goldenTime)
    story.change(1, .put("title", .string("With extras")))
    var file = try GoldenDocument.file(of: "sections", story.changes)
    file.unknownSections = [
      .init(number: 128, content: [0xF6]),
      .init(number: 200, content: [0xA2, 0x01, 0x82, 0x02, 0x03, 0x61, 0x61, 0xD8, 0x64, 0x41, 0]),
      .init(number: 70_000, content: [0x64] + Array("more".utf8)),
    ]
    return file
  }

  /// Many chains: agents that come and go, changes with several parents, an own parent among them.
  static let graph = GoldenDocument("graph") { story in
    let start = story.change(100, .put("body", new: .text), .put("count", new: .counter))
    let (body, count) = (start.container(0), start.container(1))
    var tips: [ChangeID] = []
    for agent: UInt64 in 1...9 {
      let tip = story.change(
        // Agents are not in the order of their numbers in the file.
        agent &* 0x1F3D_5B79_A1C3_E5F7, after: [start], time: goldenTime + Int64(agent),
        (0..<agent).map { _ in .increment(counter: count, by: 1) })
      tips.append(tip)
    }
    let all = story.change(
      100, after: tips, time: goldenTime + 20, .insertText(into: body, at: 0, text: "all"))
    let some = story.change(
      1 &* 0x1F3D_5B79_A1C3_E5F7, after: Array(tips[2...4]), time: goldenTime + 21,
      .insertText(into: body, at: 0, text: "some"), .increment(counter: count, by: -5))
    story.change(
      50, after: [tips[8]], time: goldenTime + 22, .insertText(into: body, at: 0, text: "one"))
    story.change(50, time: goldenTime + 22, .insertText(into: body, at: 3, text: "!"))
    story.change(50, after: [all], time: goldenTime + 23, .increment(counter: count, by: 100))
    story.change(
      100, after: [some], time: goldenTime + 24, .increment(counter: count, by: 1000),
      .increment(counter: count, by: .max))
  }
}

extension ChangeID {
  /// Another change of the same agent.
  init(_ other: ChangeID, _ sequence: Int) {
    self.init(agent: other.agent, sequence: sequence)
  }
}
