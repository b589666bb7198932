public import PeernoteEngine
import PeernoteFormat

/// A place where a merge decided something that a person may want to look at.
public struct Conflict: Hashable, Sendable {
  /// What happened there.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Several values were written without one's author having seen the other.
    case register
    /// Both sides changed the same passage of a text.
    case overlap
    /// Something was removed on one side and written or edited on the other; it stays.
    case deleteEdit = "delete-edit"
  }

  /// Where it stands in the merged document.
  public var path: JSONPointer
  /// For overlaps the line of the text on which the passage starts, from 1.
  public var line: Int?
  /// For overlaps where the passage stands in the merged text, in Unicode scalars.
  public var scalars: Range<Int>?
  /// What happened.
  public var kind: Kind
  /// Names the conflict: the same in every copy that has it.
  public var id: String
  /// What stands in the merged document; for overlaps the passage as merged.
  public var kept: Side
  /// The other values; for overlaps the passage as either side left it.
  public var others: [Side]

  /// One of the values that compete.
  public struct Side: Hashable, Sendable {
    /// The value or container; `nil` if it is a removal.
    public var node: Node?
    /// Who made the change that wrote it.
    public var author: String
    /// When that was.
    public var time: Timestamp
    /// The change that wrote it.
    public var change: ChangeID
  }
}

extension Document {
  /// What is undecided: registers that hold several values, and what was removed by someone who had
  /// not seen what was written there or inside.
  ///
  /// In the order of the content. O(n).
  ///
  /// A conflict ends when someone who has seen it writes or removes what it is about.
  public var conflicts: [Conflict] {
    var finder = ConflictFinder(objects: file.objects, texts: file.texts)
    finder.search(container: 0, path: JSONPointer())
    return finder.found
  }
}

/// Walks the content of a document and notes what is undecided, and where each container stands.
struct ConflictFinder {
  let objects: Objects
  let texts: [TextBuffer]
  private(set) var found: [Conflict] = []
  /// The path of each container that is shown.
  private(set) var paths: [Int32: JSONPointer] = [:]

  init(objects: Objects, texts: [TextBuffer]) {
    self.objects = objects
    self.texts = texts
  }

  mutating func search(container: Int32, path: JSONPointer) {
    paths[container] = path
    switch objects.log.containers[Int(container)].kind {
    case .map:
      for child in objects.children(ofMap: container) {
        search(child: child, path: path.appending(objects.log.keys[Int(child.key)]))
      }
    case .list:
      for (index, child) in objects.children(ofList: container).enumerated() {
        search(child: child, path: path.appending(String(index)))
      }
    case .text, .set, .counter:
      break
    }
  }

  private mutating func search(child: Objects.Child, path: JSONPointer) {
    guard let shown = child.resolved.shown else { return }
    note(child, shown: shown, path: path)
    if let container = objects.container(createdBy: shown.event) {
      search(container: container, path: path)
    }
  }

  private mutating func note(_ child: Objects.Child, shown: Objects.Entry, path: JSONPointer) {
    let resolved = child.resolved
    let others = resolved.others
    let removal = child.keptAgainst ?? resolved.removals.first
    if others.isEmpty, removal == nil { return }
    let isPlain = child.keptAgainst == nil && !resolved.hasKeptEntry
    found.append(
      Conflict(
        path: path, line: nil, kind: isPlain && !others.isEmpty ? .register : .deleteEdit,
        id: objects.log.eventID(of: shown.event).description, kept: side(shown),
        others: others.map { side($0) }
          + (removal.map { [objects.log.side($0, node: nil)] } ?? [])))
  }

  private func side(_ entry: Objects.Entry) -> Conflict.Side {
    objects.log.side(entry.event, node: objects.node(of: entry, texts: texts))
  }
}

extension Log {
  /// A competing value with the change that wrote it.
  func side(_ event: LocalVersion, node: Node?) -> Conflict.Side {
    let change = eventCounts.change(of: event)
    let metadata = metadata(ofChange: change)
    return Conflict.Side(
      node: node, author: authors[Int(metadata.author)], time: metadata.time,
      change: changeID(ofChange: change))
  }
}
