/// Where the larger containers of a view stand in a file.
///
/// What a container shows follows from the edits of it and of all that was created inside it. So
/// the bytes of one that no edit has reached since are those of the next file, too: they are copied
/// (``ViewWriter``), and compared instead of read (``ViewReader``).
struct ViewLayout: Sendable {
  private struct Place: BitwiseCopyable {
    var container: ContainerIndex
    var start: Int32
    var end: Int32
  }

  /// How deep containers are at most whose places are kept, the root included.
  ///
  /// With the least size of those, this bounds the memory: 12 bytes for each 16 of the file.
  static let depth = 4

  /// Ascending by container, once all have been noted.
  private var places: [Place] = []
  /// The texts that stand in no container that is shown, ascending.
  private(set) var removedTexts: [ContainerIndex] = []
  /// The place after the one that was looked for last: most often it is the next one.
  private var next = 0

  /// Records where a container stands.
  mutating func record(_ container: ContainerIndex, at range: Range<Int>) {
    places.append(
      Place(
        container: container, start: Int32(range.lowerBound), end: Int32(range.upperBound)))
  }

  /// Takes over the places that another reader recorded.
  mutating func take(_ other: ViewLayout) { places += other.places }

  /// Says that all places have been noted, and which texts stand in no container that is shown.
  mutating func finish(removedTexts: [ContainerIndex]) {
    places.sort { $0.container < $1.container }
    self.removedTexts = removedTexts
  }

  /// Where a container stands; `nil` if that is not kept.
  ///
  /// O(log n), or O(1) for the one after that which was asked for last.
  mutating func place(of container: ContainerIndex) -> Range<Int>? {
    var index = next
    if index >= places.count || places[index].container != container {
      index = places.partitionPoint { $0.container >= container }
    }
    guard index < places.count, places[index].container == container else { return nil }
    next = index + 1
    return Int(places[index].start)..<Int(places[index].end)
  }

  /// Says of each container whether a place is kept.
  func isKept(ofFirst count: Int) -> [Bool] {
    var result = [Bool](repeating: false, count: count)
    for place in places where place.container < ContainerIndex(count) {
      result[place.container] = true
    }
    return result
  }

  /// Traps unless the places, once all have been noted, are those of containers in a file, of which
  /// each lies inside another one or apart from it.
  ///
  /// O(n log n); for tests.
  func checkInvariants(containers: Int, bytes: Int) {
    for numbers in [places.map(\.container), removedTexts] {
      precondition(
        zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "containers are listed once")
      precondition(numbers.allSatisfy { $0 < ContainerIndex(containers) }, "and are in the file")
    }
    precondition((0...places.count).contains(next), "the next place is one, or the end")
    var ends = [Int32(bytes)]
    for place in places.sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) {
      while place.start >= ends[ends.count - 1], ends.count > 1 { ends.removeLast() }
      precondition(
        place.start < place.end && place.end <= ends[ends.count - 1],
        "a container stands inside another one, or apart from it")
      ends.append(place.end)
    }
  }
}

/// What of a file's view stands in that of another version of the document, too.
struct KeptView: Sendable {
  /// The file.
  let bytes: [UInt8]
  private var layout: ViewLayout
  /// The containers that were made or edited since, inside or themselves, and those in them of
  /// which nobody knows where they stand; by container number.
  let needed: [Bool]

  /// Finds what stays of the file that the document was read from.
  ///
  /// O(containers + operations after the prefix). The file has `prefix` of the other version's log
  /// in the same form. `contested` are the texts that have passages in that version.
  init(
    of file: FileLayout, after prefix: LogPrefix, in log: Log,
    contested: some Sequence<ContainerIndex>
  ) {
    bytes = file.log.bytes
    layout = file.view
    var needed = log.containersEdited(after: prefix)
    // Those that came later may have had other numbers in the file.
    for number in prefix.containers..<needed.count { needed[number] = true }
    for text in contested { needed[text] = true }
    for text in file.contestedTexts { needed[text] = true }
    // What is created inside a container has a greater number.
    for (number, container) in log.containers.enumerated().reversed() where needed[number] {
      if let parent = container.parent { needed[parent] = true }
    }
    let isKept = layout.isKept(ofFirst: needed.count)
    for (number, container) in log.containers.enumerated()
    where !needed[number] && !isKept[number] {
      if let parent = container.parent { needed[number] = needed[parent] }
    }
    self.needed = needed
  }

  /// Where a container stands in the file that stands in the same bytes in the other version; `nil`
  /// if that is not known.
  mutating func place(of container: ContainerIndex) -> Range<Int>? {
    needed[container] ? nil : layout.place(of: container)
  }

  /// Whether a text that was not come by stands in one of the containers that stayed as they are.
  ///
  /// `isKept` says of each container whether it was come by, and stayed as it is.
  func shows(text: ContainerIndex, _ isKept: [Bool], _ log: Log) -> Bool {
    var above = log.containers[text].parent
    while let container = above {
      if isKept[container] { return !isRemoved(text) }
      above = log.containers[container].parent
    }
    return false
  }

  private func isRemoved(_ text: ContainerIndex) -> Bool {
    let index = layout.removedTexts.partitionPoint { $0 >= text }
    return index < layout.removedTexts.count && layout.removedTexts[index] == text
  }
}

extension Log {
  /// The texts that stand in no container that is shown, ascending.
  ///
  /// `isShown` says of each container whether it was come by as a text, or as one that stayed as it
  /// is; `kept`, what stayed.
  func removedTexts(_ isShown: [Bool], beside kept: KeptView?) -> [ContainerIndex] {
    containers(of: .text).filter {
      !isShown[$0] && !(kept?.shows(text: $0, isShown, self) ?? false)
    }
  }

  /// For each container whether an operation after the first ones edits it.
  fileprivate func containersEdited(after prefix: LogPrefix) -> [Bool] {
    var result = [Bool](repeating: false, count: containers.count)
    for index in prefix.operations..<operations.count {
      result[operations.container(of: index)] = true
    }
    return result
  }
}

/// How the file that a document was read from is laid out, and how much of it still stands.
package struct FileLayout: Sendable {
  var log: LogLayout
  var view: ViewLayout
  /// The texts that have passages there.
  var contestedTexts: [ContainerIndex]
  /// All of the log that stands there.
  private let all: LogPrefix
  /// How many of its leading chains the document still has in the same form.
  private(set) var chains: Int

  /// The layout of a file that a log has just been read from.
  init(of log: Log, at layout: LogLayout, view: ViewLayout, contestedTexts: [ContainerIndex]) {
    (self.log, self.view, self.contestedTexts) = (layout, view, contestedTexts)
    all = LogPrefix(all: log)
    chains = all.chains
  }

  /// Says that only so many leading chains stand as they are.
  package mutating func keepChains(_ count: Int) { chains = min(chains, count) }

  /// What of a document's log stands there in the same form.
  ///
  /// O(1) while that is all of the file's log, else as ``LogPrefix/init(of:chains:)``.
  func prefix(of log: Log) -> LogPrefix {
    chains == all.chains ? all : LogPrefix(of: log, chains: chains)
  }

  /// Traps unless what is known of the file is in it.
  ///
  /// O(n log n); for tests.
  func checkInvariants() {
    view.checkInvariants(containers: all.containers, bytes: log.bytes.count)
    precondition(
      zip(contestedTexts, contestedTexts.dropFirst()).allSatisfy { $0 < $1 },
      "contested texts are listed once")
    precondition(
      contestedTexts.allSatisfy { $0 < ContainerIndex(all.containers) }, "and are in the file")
    precondition((0...all.chains).contains(chains), "the chains that stand are some of the file's")
  }
}
