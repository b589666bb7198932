/// The versions of a history that a plain file may have shown, with their texts.
///
/// These are the version of each change, that of its parents, and the merged ones that are kept.
struct PlainVersions {
  /// A version.
  struct Version {
    /// Ascending.
    var heads: [ChangeID]
    /// The changes, by their number in the document.
    var changes: SeenChanges
    /// With the marker for what was redacted since.
    var text: String
    /// The latest time of a change.
    var time: Timestamp
  }

  /// A set of changes, by their number in the document.
  struct SeenChanges: Hashable {
    private var words: [UInt64]
    private(set) var count = 0

    init(capacity: Int) { words = Array(repeating: 0, count: (capacity + 63) / 64) }

    func contains(_ number: Int) -> Bool { words[number / 64] >> UInt64(number % 64) & 1 == 1 }

    mutating func insert(_ number: Int) {
      if contains(number) { return }
      words[number / 64] |= 1 << UInt64(number % 64)
      count += 1
    }

    mutating func formUnion(_ other: SeenChanges) {
      for index in words.indices { words[index] |= other.words[index] }
      count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    func isSubset(of other: SeenChanges) -> Bool {
      zip(words, other.words).allSatisfy { $0 & ~$1 == 0 }
    }
  }

  private(set) var versions: [Version] = []
  /// The past of each change, itself included.
  private let pasts: [SeenChanges]
  private let numbers: [ChangeID: Int]
  private let times: [Timestamp]
  private let marker: RedactionMarker

  /// The newest changes that are looked at, beside the kept versions.
  static let limit = 64

  /// Finds the versions of a history.
  ///
  /// A walk over the history for each, of which there are 2 · ``limit`` and those that are kept.
  ///
  /// - Throws: ``DocumentError`` if the history takes more than the limits.
  init(of history: PlainHistory) throws(DocumentError) {
    let document = history.document
    let changes = Array(document.changes)
    var numbers: [ChangeID: Int] = [:]
    var pasts: [SeenChanges] = []
    for (number, change) in changes.enumerated() {
      numbers[change.id] = number
      var past = SeenChanges(capacity: changes.count)
      for parent in change.parents {
        if let index = numbers[parent] { past.formUnion(pasts[index]) }
      }
      past.insert(number)
      pasts.append(past)
    }
    self.numbers = numbers
    self.pasts = pasts
    times = changes.map(\.time)
    var wanted: [[ChangeID]] = [document.heads]
    var known: Set<[ChangeID]> = [document.heads]
    for change in changes.suffix(Self.limit) {
      for heads in [[change.id], change.parents] where known.insert(heads).inserted {
        wanted.append(heads)
      }
    }
    for heads in history.shown.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where heads.allSatisfy({ numbers[$0] != nil }) && known.insert(heads).inserted {
      wanted.append(heads)
    }
    let (all, marker) = try document.markedChanges()
    self.marker = marker
    for heads in wanted where !heads.isEmpty {
      let text =
        heads == document.heads
        ? document.bodyText : try document.at(version: heads, of: all).bodyText
      let changes = self.changes(of: heads)
      versions.append(
        Version(heads: heads, changes: changes, text: text, time: time(of: changes)))
    }
  }

  /// The present version.
  var present: Version { versions[0] }

  /// The versions with a text, whatever stood where something was redacted since.
  func versions(with text: String) -> [Version] {
    versions.filter { version in
      let old = version.text
      return marked(text, as: version).utf8.elementsEqual(old.utf8)
        || marker.removed(from: old).utf8.elementsEqual(text.utf8)
    }
  }

  /// A text with the marker where a version has it.
  func marked(_ text: String, as version: Version) -> String {
    guard let scalar = marker.scalar else { return text }
    var stretches = RedactedStretches(marker: scalar)
    guard
      case .text(let marked) = stretches.marked(
        .text(text), as: .text(version.text), at: PlainHistory.path)
    else { return text }
    return marked
  }

  /// The changes of the version with some heads; `nil` if one of them is not there.
  func known(_ heads: [ChangeID]) -> SeenChanges? {
    heads.allSatisfy { numbers[$0] != nil } ? changes(of: heads) : nil
  }

  private func changes(of heads: [ChangeID]) -> SeenChanges {
    var result = SeenChanges(capacity: pasts.count)
    for head in heads { if let number = numbers[head] { result.formUnion(pasts[number]) } }
    return result
  }

  private func time(of changes: SeenChanges) -> Timestamp {
    times.indices.lazy.filter { changes.contains($0) }.map { times[$0] }.max()
      ?? Timestamp(milliseconds: 0)
  }
}
