import Peernote
import PeernoteTestSupport

extension GoldenDocument {
  /// Every type of value at its edges: as registers, list elements and members of a set.
  static let values = GoldenDocument("values") { story in
    var edits: [Edit] = []
    for (name, values) in allValues {
      for (index, value) in values.enumerated() { edits.append(.put("\(name) \(index)", value)) }
    }
    let everything = allValues.flatMap(\.values)
    let list = edits.count
    edits += [.put("list", new: .list), .put("set", new: .set)]
    let change = story.change(1, edits)
    story.change(
      1, time: goldenTime + 1,
      [
        .insertElements(
          list: change.container(list), at: ListPlace(left: nil, right: nil),
          contents: everything.map { .value($0) })
      ] + everything.map { .add(set: change.container(list + 1), value: $0) })
  }

  private static let allValues: [(name: String, values: [Value])] = [
    ("null", [.null]),
    ("bool", [.bool(false), .bool(true)]),
    (
      "integer",
      [
        0, 1, 23, 24, 255, 256, 65_535, 65_536, 0xFFFF_FFFF, 0x1_0000_0000, .max, -1, -24, -25,
        -256, -257, -65_536, -65_537, -0x1_0000_0000, -0x1_0000_0001, .min,
      ].map { .integer($0) }
    ),
    ("half", halves.map { .double($0) }),
    ("single", singles.map { .double($0) }),
    ("double", doubles.map { .double($0) }),
    (
      "string",
      [
        "", "a", String(repeating: "b", count: 23), String(repeating: "c", count: 24),
        String(repeating: "d", count: 256), "\u{0}\u{1F}\u{7F}\"\\/", "na\u{EF}ve",
        "nai\u{308}ve", "\u{FEFF}\u{202E}\u{10FFFF}", "\u{1F469}\u{200D}\u{1F680}",
      ].map { .string($0) }
    ),
    ("bytes", [0, 1, 23, 24, 255, 256, 257, 1000].map { .bytes(bytes($0)) }),
    (
      "timestamp",
      [
        0, 1, 999, 1000, -1, -999, -1000, -1001, goldenTime, goldenTime + 1, .max, .max - 807,
        .min, .min + 808,
      ].map { .timestamp(Timestamp(milliseconds: $0)) }
    ),
    (
      "uuid",
      [
        UniqueID(high: 0, low: 0), UniqueID(high: .max, low: .max),
        UniqueID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF),
      ].map { .uuid($0) }
    ),
  ]

  /// Kept by 16 bits: zeros, subnormal and normal limits, infinities, NaN.
  private static let halves: [Double] = [
    0, -0.0, 1, -1.5, 65_504, 0x1p-24, 0x1.FF8p-15, 0x1p-14, .infinity, -.infinity, .nan,
  ]

  /// Kept by 32 bits and not by 16.
  private static let singles: [Double] = [
    65_505, 65_536, 0x1p-25, 0x1.002p0, 16_777_216, 0x1p-149, 0x1.FFFFFCp-127, 0x1p-126,
    0x1.FFFFFEp127,
  ]

  /// Kept by 64 bits only.
  private static let doubles: [Double] = [
    0.1, -1.1, 16_777_217, 0x1p128, 0x1p-150, -.leastNonzeroMagnitude,
    Double.leastNormalMagnitude.nextDown,
    .leastNormalMagnitude, .greatestFiniteMagnitude, -9_007_199_254_740_994,
  ]

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + $0 >> 8) }
  }

  /// One of each container, empty and filled, in a map and in a list.
  static let containers = GoldenDocument("containers") { story in
    let kinds: [ContainerKind] = [.map, .list, .text, .set, .counter]
    let empty = story.change(1, kinds.map { .put("empty \($0)", new: $0) })
    let full = story.change(
      1, time: goldenTime + 1000,
      kinds.map { .put("full \($0)", new: $0) } + [.put("list of all", new: .list)])
    let elements = story.change(
      1, time: goldenTime + 2000,
      .insertElements(
        list: full.container(5), at: ListPlace(left: nil, right: nil),
        contents: kinds.map { .container($0) } + kinds.map { .container($0) }))
    story.change(1, time: goldenTime + 3000, fill((0..<5).map { full.container($0) }))
    story.change(1, time: goldenTime + 3000, fill((0..<5).map { elements.container($0) }))
    // What is taken out again leaves an empty container.
    story.change(
      1, time: goldenTime + 4000,
      .put(map: empty.container(0), key: "gone", content: .value(.null)),
      .remove(map: empty.container(0), key: "gone"), .add(set: empty.container(3), value: .null),
      .discard(set: empty.container(3), value: .null),
      .insertText(into: empty.container(2), at: 0, text: "gone"),
      .deleteText(from: empty.container(2), at: 0, count: 4, backward: false, text: "gone"))
  }

  private static func fill(_ containers: [ContainerID]) -> [Edit] {
    [
      .put(map: containers[0], key: "key", content: .value(.string("value"))),
      .insertElements(
        list: containers[1], at: ListPlace(left: nil, right: nil),
        contents: [.value(.integer(1)), .container(.list), .value(.null)]),
      .insertText(into: containers[2], at: 0, text: "text"),
      .add(set: containers[3], value: .string("member")),
      .add(set: containers[3], value: .integer(7)),
      .increment(counter: containers[4], by: 40),
      .increment(counter: containers[4], by: 2),
    ]
  }
}
