package import PeernoteTestSupport

/// Random changes to the parts of a file.
package struct Mutation {
  private let original: ForgedFile
  private let others: [ForgedFile]
  private var random: SplitMix64
  /// What was done.
  package private(set) var steps: [String] = []

  package init(_ file: ForgedFile, others: [ForgedFile], random: SplitMix64) {
    original = file
    self.others = others
    self.random = random
  }

  /// The file with one to three changes.
  package mutating func file() -> ForgedFile {
    var file = original
    for _ in 0..<random.within(1...3) { change(&file) }
    return file
  }

  private mutating func change(_ file: inout ForgedFile) {
    switch random.weighted([6, 30, 8, 12, 3, 1]) {
    case 0: changeBytes(of: &file)
    case 1: changeNumbers(of: &file)
    case 2: changeTable(of: &file)
    case 3: changeView(of: &file)
    case 4: changeHeads(of: &file)
    default:
      steps.append("section")
      file.sections = [(UInt64(128 + random.below(3)), [UInt8(random.below(24))])]
    }
  }

  // MARK: Columns

  private static let names = [
    "agents", "chains", "counts", "metadata", "values", "operations", "redactions", "deleted",
  ]
  /// How often a column is chosen.
  private static let weights = [1, 4, 3, 3, 4, 10, 2, 1]

  private mutating func changeBytes(of file: inout ForgedFile) {
    let index = random.weighted(Self.weights)
    let column = ForgedFile.Log.columns[index]
    steps.append("bytes of \(Self.names[index])")
    var bytes = file.log[keyPath: column]
    change(&bytes, other: random.pick(others).log[keyPath: column]) {
      random in UInt8(truncatingIfNeeded: random.next())
    }
    // What stands as text in a file has to be text to get past the CBOR reader.
    if Self.names[index] == "deleted" { bytes = Array(String(decoding: bytes, as: UTF8.self).utf8) }
    file.log[keyPath: column] = bytes
  }

  private mutating func changeNumbers(of file: inout ForgedFile) {
    let index = [1, 2, 3, 5, 6][random.weighted([4, 3, 3, 12, 2])]
    let path = ForgedFile.Log.columns[index]
    steps.append("numbers of \(Self.names[index])")
    var list = numbers(in: file.log[keyPath: path])
    if list.isEmpty { list = [0] }
    change(&list, other: numbers(in: random.pick(others).log[keyPath: path])) { random in
      let near = UInt64(random.below(12))
      return switch random.below(8) {
      case 0...4: near
      case 5: UInt64(random.below(300))
      case 6: (1 << UInt64(random.below(64))) &- near / 4
      default: UInt64.max - near
      }
    }
    file.log[keyPath: path] = column(list)
  }

  /// Replaces, adds, inserts, removes, swaps or repeats elements.
  private mutating func change<Element>(
    _ list: inout [Element], other: [Element], _ make: (inout SplitMix64) -> Element
  ) {
    let place = list.isEmpty ? 0 : random.below(list.count)
    switch random.below(8) {
    case 0, 1, 2:
      if !list.isEmpty { list[place] = make(&random) }
    case 3:
      list.insert(make(&random), at: place)
    case 4:
      if !list.isEmpty { list.remove(at: place) }
    case 5:
      if !list.isEmpty { list.swapAt(place, random.below(list.count)) }
    case 6:
      let end = min(list.count, place + random.within(1...6))
      list.insert(contentsOf: list[place..<end], at: random.below(list.count + 1))
    default:
      if other.isEmpty {
        list.removeLast(list.count - place)
      } else {
        let start = random.below(other.count)
        let end = min(other.count, start + random.within(1...6))
        list.replaceSubrange(place..<min(list.count, place + end - start), with: other[start..<end])
      }
    }
  }

  // MARK: Tables, view and heads

  private mutating func changeTable(of file: inout ForgedFile) {
    steps.append("table")
    let table = random.pick(ForgedFile.Log.tables)
    var names = file.log[keyPath: table]
    change(&names, other: random.pick(others).log[keyPath: table]) { random in
      random.pick(["", "body", "x", "é", "e\u{301}"])
    }
    file.log[keyPath: table] = names
  }

  private mutating func changeHeads(of file: inout ForgedFile) {
    steps.append("heads")
    file.setHeads(
      (0..<random.below(3)).map { _ in
        (agent: random.pick([1, 2, 9]), sequence: UInt64(random.below(4)))
      })
  }

  private mutating func changeView(of file: inout ForgedFile) {
    steps.append("view")
    changeItem(&file.view, donor: random.pick(others).view)
  }

  private mutating func changeItem(_ item: inout CBORTree, donor: CBORTree) {
    if !item.items.isEmpty, random.chance(85) {
      var items = item.items
      if random.chance(25) {
        change(&items, other: donor.items) { _ in .null }
      } else {
        let place = random.below(items.count)
        changeItem(&items[place], donor: donor.items.isEmpty ? donor : random.pick(donor.items))
      }
      // A map has pairs.
      if case .map = item, items.count % 2 == 1 { items.append(.null) }
      item.items = items
      return
    }
    item =
      switch (item, random.below(5)) {
      case (_, 0): donor
      case (.text(let utf8), 1): .text(Array("x".utf8) + utf8)
      case (.text(let utf8), 2): .text(Array(String(decoding: utf8.dropLast(), as: UTF8.self).utf8))
      case (.text(let utf8), _): .text(Array(String(decoding: utf8.reversed(), as: UTF8.self).utf8))
      case (.unsigned(let number), 1): .unsigned(number &+ 1)
      case (.tag(_, let inner), 1): .tag(random.pick([37, 258, 1001, 61538, 61539, 61556]), inner)
      case (_, 2): .array([item])
      case (_, 3): .map([])
      default: .unsigned(random.next())
      }
  }
}
