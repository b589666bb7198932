/// Where the larger containers of a view stand in a file.
///
/// What a container shows follows from the edits of it and of all that was created inside it. So
/// the bytes of one that no edit has reached since are those of the next file, too: they are copied
/// (``ViewWriter``), and compared instead of read (``ViewReader``).
struct ViewLayout: Sendable {
  /// How deep containers are at most whose places are kept, the root included.
  static let depth = 4

  /// Where each container stands; empty for one whose place is not kept.
  private var places: [Range<Int32>] = []
  /// The texts that stand in no container that is shown, ascending.
  let removedTexts: [ContainerIndex]

  /// A layout with the places of some of so many containers.
  init(
    _ places: [(container: ContainerIndex, range: Range<Int32>)], containers: Int,
    removedTexts: [ContainerIndex]
  ) {
    self.removedTexts = removedTexts
    if places.isEmpty { return }
    self.places = [Range<Int32>](repeating: 0..<0, count: containers)
    for place in places { self.places[place.container] = place.range }
  }

  /// Where a container stands; `nil` if that is not kept.
  func place(of container: ContainerIndex) -> Range<Int>? {
    guard container.number < places.count, !places[container].isEmpty else { return nil }
    return Int(places[container].lowerBound)..<Int(places[container].upperBound)
  }
}

/// What of a file's view stands in that of another version of the document, too.
struct KeptView: Sendable {
  let bytes: [UInt8]
  private let layout: ViewLayout
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
    var needed = [Bool](repeating: false, count: log.containers.count)
    for index in prefix.operations..<log.operations.count {
      needed[log.operations.container(of: index)] = true
    }
    // Those that came later may have had other numbers in the file.
    for number in prefix.containers..<needed.count { needed[number] = true }
    for text in contested { needed[text] = true }
    for text in file.contestedTexts { needed[text] = true }
    // What is created inside a container has a greater number.
    for (number, container) in log.containers.enumerated().reversed() where needed[number] {
      if let parent = container.parent { needed[parent] = true }
    }
    for (number, container) in log.containers.enumerated()
    where !needed[number] && layout.place(of: ContainerIndex(number)) == nil {
      if let parent = container.parent { needed[number] = needed[parent] }
    }
    self.needed = needed
  }

  /// Where a container stands in the file that stands in the same bytes in the other version; `nil`
  /// if that is not known.
  func place(of container: ContainerIndex) -> Range<Int>? {
    needed[container] ? nil : layout.place(of: container)
  }

  /// Whether a text that was not come by stands in a container that was, and stayed as it is, which
  /// `isKept` says of each.
  fileprivate func shows(text: ContainerIndex, _ isKept: [Bool], _ log: Log) -> Bool {
    let removed = layout.removedTexts
    let index = removed.partitionPoint { $0 >= text }
    if index < removed.count, removed[index] == text { return false }
    return sequence(first: text) { log.containers[$0].parent }.contains { isKept[$0] }
  }
}

extension Log {
  /// The texts that stand in no container that is shown, ascending; `isShown` says of each
  /// container whether it was come by as a text, or as one that stayed as it is; `kept`, what
  /// stayed.
  func removedTexts(_ isShown: [Bool], beside kept: KeptView?) -> [ContainerIndex] {
    containers(of: .text).filter {
      !isShown[$0] && !(kept?.shows(text: $0, isShown, self) ?? false)
    }
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

  /// What of a document's log stands there in the same form; O(1) while that is all of the file's
  /// log, else as ``LogPrefix/init(of:chains:)``.
  func prefix(of log: Log) -> LogPrefix {
    chains == all.chains ? all : LogPrefix(of: log, chains: chains)
  }
}
