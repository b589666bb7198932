import PeernoteFuzzing

/// A file at the edge of what the manual page allows, on one side of it or the other.
struct Corner: Sendable, CustomStringConvertible {
  var description: String
  /// Whether the file is a document.
  var isSound: Bool
  var make: @Sendable () -> [UInt8]

  static let all: [Corner] =
    nesting + lists + times + byteReferences + removedTexts + containers + depths

  private init(
    _ description: String, isSound: Bool, in file: ForgedFile = RuleTests.oneChange,
    _ change: @escaping @Sendable (inout ForgedFile) -> Void
  ) {
    self.description = description
    self.isSound = isSound
    make = {
      var file = file
      change(&file)
      return file.bytes
    }
  }
}

extension Corner {
  /// Optional sections: an empty array counts as one that is open.
  private static let nesting = [
    section(
      "64 arrays, the innermost empty", isSound: true, Array(repeating: 0x81, count: 63), 0x80),
    section(
      "65 arrays, the innermost empty", isSound: false, Array(repeating: 0x81, count: 64), 0x80),
    section("64 arrays around a number", isSound: true, Array(repeating: 0x81, count: 64), 0x00),
    section("64 tags around a number", isSound: true, Array(repeating: 0xC1, count: 64), 0x00),
    section("65 tags around a number", isSound: false, Array(repeating: 0xC1, count: 65), 0x00),
    section("64 tags around an empty map", isSound: false, Array(repeating: 0xC1, count: 64), 0xA0),
  ]

  private static func section(
    _ description: String, isSound: Bool, _ outer: [UInt8], _ inner: UInt8
  ) -> Corner {
    Corner("an optional section of \(description)", isSound: isSound) {
      $0.sections = [(number: 128, content: outer + [inner])]
    }
  }

  private static let lists = [
    Corner("an element to the right of a slot in which nothing is shown", isSound: true) {
      list(&$0, shown: [3, 2], lastRow: [Row.insertElements, 0, 3, 2])
    },
    Corner("an element beyond a slot in which nothing is shown", isSound: false) {
      list(&$0, shown: [3, 2], lastRow: [Row.insertElements, 0, 0, 2])
    },
    Corner("an element between the start and a slot in which nothing is shown", isSound: true) {
      list(&$0, shown: [3, 2], lastRow: [Row.insertElements, 0, 0, 3])
    },
  ]

  /// A list of 1 and 2, of which 1 is removed, and one more row.
  private static func list(_ file: inout ForgedFile, shown: [UInt64], lastRow: [UInt64]) {
    file.view = .array([.map([.string("body"), .array(shown.map(CBORTree.unsigned))]), .array([])])
    file.log.counts = column(1, 5)
    file.log.values = [0x80, 1, 2, 3]
    file.log.operations = column(
      [Row.put, 0, Row.target, 1, Row.insertElements, 1, 0, 0, Row.removeElement, 2] + lastRow)
  }

  private static let times = [
    // From one end to the other it is one step backward.
    Corner("the last time there is after the first", isSound: true) { file in
      file.setHeads([(1, 2)])
      file.log.chains = column(0, 1, 0)
      file.log.counts = column(1, 1, 1, 3)
      file.log.metadata = column(1, zigzag(.min), 0, 0, 1, zigzag(-1), 0, 0)
    }
  ]

  /// Which of two equal byte strings the view names.
  private static let byteReferences = [
    references("two keys, each with its own", isSound: true, keys: [0, 1], [0, 1]),
    references("two keys, each with the other's", isSound: false, keys: [0, 1], [1, 0]),
    references("two keys, both with the first", isSound: false, keys: [0, 1], [0, 0]),
    references("one key, the later", isSound: true, keys: [0, 0], [1]),
    references("one key, the earlier", isSound: false, keys: [0, 0], [0]),
  ]

  private static func references(
    _ description: String, isSound: Bool, keys: [UInt64], _ numbers: [UInt64]
  ) -> Corner {
    Corner("equal byte strings: \(description)", isSound: isSound) { file in
      file.log.keys = Array(["a", "b"].prefix(numbers.count))
      file.view = .array([
        .map(
          zip(file.log.keys, numbers).flatMap { key, number in
            [.string(key), .tag(61538, .unsigned(number))]
          }), .array([]),
      ])
      file.log.counts = column(1, 2)
      let bytes = [0x59, 0x01, 0x00] + [UInt8](repeating: 7, count: 256)
      file.log.values = bytes + bytes
      file.log.operations = column(keys.flatMap { [Row.put, $0] })
    }
  }

  private static let removedTexts = [true, false].map { isListed in
    Corner("a removed text that is empty\(isListed ? "" : " and left out")", isSound: isListed) {
      $0.view = .array([.map([]), .array(isListed ? [.string("")] : [])])
      $0.log.counts = column(1, 2)
      $0.log.operations = column(Row.put, 0, Row.remove, 0)
    }
  }

  /// The root and a list count among the containers, as the maps in it do.
  private static let containers = [(349_523, true), (349_524, false)].map { count, isSound in
    Corner("a list of \(count) maps", isSound: isSound) {
      $0.view = .array([
        .map([.string("body"), .array(Array(repeating: .map([]), count: count))]), .array([]),
      ])
      $0.log.counts = column(1, 1 + UInt64(count))
      $0.log.values = [0x80] + [UInt8](repeating: 0xA0, count: count)
      $0.log.operations = column(
        Row.put, 0, Row.target, 1, Row.insertElements, UInt64(count) - 1, 0, 0)
    }
  }

  /// Values and members inside the innermost container that there may be.
  private static let depths = [
    deep("a point in time in a list", new: [0x80], Row.insertElements, 0, 0, 0) { .array([$0]) },
    deep("a point in time in a map", new: [0xA0], Row.put, 0) { .map([.string("m"), $0]) },
    deep("a point in time in a set", new: [0xD9, 0x01, 0x02, 0x80], Row.add) {
      .tag(258, .array([$0]))
    },
  ]

  private static func deep(
    _ description: String, new container: [UInt8], _ row: UInt64...,
    shown: @escaping @Sendable (CBORTree) -> CBORTree
  ) -> Corner {
    Corner("\(description) at the greatest depth", isSound: true) { file in
      let time = CBORTree.tag(1001, .map([.unsigned(1), .unsigned(0), .negative(2), .unsigned(5)]))
      file.log.keys = ["m"]
      file.log.values = [UInt8](repeating: 0xA0, count: 62) + container + time.encoded
      file.log.counts = column(1, 64)
      file.log.operations = column(
        [Row.put, 0] + (1..<63).flatMap { [Row.target, $0, Row.put, 0] } + [Row.target, 63] + row)
      file.view = .array([
        (0..<63).reduce(shown(time)) { inner, _ in .map([.string("m"), inner]) }, .array([]),
      ])
    }
  }
}
