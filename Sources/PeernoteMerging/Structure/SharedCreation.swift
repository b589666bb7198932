package import PeernoteEngine

/// Containers that every copy of a document creates alike.
///
/// When a new version of an app writes a property that older ones did not know, every copy gets it
/// on its own. Created as usual, each copy's set, text, counter, list or map is another one, and a
/// merge shows only one of them. So such a container is created by a change of its own that says
/// nothing but this, and that is the same wherever it is made:
///
/// - its parent is the change that created the map that it stands in, for the root the changes that
///   nothing precedes; every copy that has the map has these;
/// - its time is that of its parents, its author is empty, and it has no message;
/// - its one edit creates the container under the key;
/// - its agent is a digest of all of that and the document's identity.
///
/// An agent must never name two different changes. It does not here: all that the change says is in
/// the digest, so that a change that says anything else has another agent; and the agent makes no
/// second change. ``ruleNumber`` is part of the digest, and is to change with the rules.
package struct SharedCreation {
  private static let ruleNumber: UInt64 = 1

  private let document: Document
  /// What tells elements of lists apart.
  private let keys: [String]
  /// The maps that are enumerations: two copies that write other cases would both be in one map.
  private let enumerations: Set<JSONPointer>
  /// The changes found so far, each after its parents.
  package private(set) var changes: [Change] = []
  /// Where the containers stand.
  package private(set) var paths: [JSONPointer] = []

  /// Finds the containers that content has and a document lacks under keys that nobody has written
  /// yet; O(size of the content + elements of the lists in its place).
  package init(
    of wanted: DocumentNode, at path: JSONPointer, in document: Document, matching: ContentMatching
  ) {
    self.document = document
    keys = matching.identityKeys
    enumerations = matching.maps.enumerations
    // What is in a document's first change nobody else creates.
    guard document.changeCount > 0, let target = Target(path, in: objects),
      let container = target.container(in: objects)
    else { return }
    find(wanted, in: container, at: path)
  }

  private var objects: Objects { document.file.objects }

  /// Looks through content and what stands in its place.
  private mutating func find(
    _ wanted: DocumentNode, in container: ContainerIndex, at path: JSONPointer
  ) {
    if enumerations.contains(path) { return }
    switch (wanted, objects.log.containers[container].kind) {
    case (.map(let entries), .map):
      for entry in entries { find(entry, inMap: container, at: path.appending(entry.key)) }
    case (.list(let nodes), .list): find(nodes, inList: container, at: path)
    case (_, _): break
    }
  }

  private mutating func find(
    _ entry: DocumentNode.MapEntry, inMap map: ContainerIndex, at path: JSONPointer
  ) {
    if let number = objects.number(ofKey: entry.key),
      objects.mapKeys.number(of: number, in: map) != nil
    {
      // Once written, a key is in the hands of those who write it.
      guard let shown = objects.child(number, ofMap: map)?.resolved.shown,
        let container = objects.container(createdBy: shown.event)
      else { return }
      return find(entry.node, in: container, at: path)
    }
    let log = objects.log
    let created = log.containers[map].created
    let creators =
      created.isEvent
      ? [log.eventID(of: created).change]
      : document.changes.lazy.filter { $0.parents.isEmpty }.map(\.id).sorted()
    let time = document.places(ofChanges: creators)
      .compactMap { $0.map { document.changes[$0].time } }.max()
    create(
      entry, in: log.containerID(map), after: creators,
      at: time ?? Timestamp(milliseconds: 0), path)
  }

  /// Elements of lists are those with the same identity.
  private mutating func find(
    _ nodes: [DocumentNode], inList list: ContainerIndex, at path: JSONPointer
  ) {
    let numbered = objects.numbered(keys)
    if numbered.isEmpty { return }
    var known: [ListIdentity: ContainerIndex] = [:]
    for child in objects.children(ofList: list) {
      guard let identity = objects.identity(of: child, numbered)?.identity,
        let shown = child.resolved.shown
      else { continue }
      known[identity] = objects.container(createdBy: shown.event)
    }
    for (index, node) in nodes.enumerated() {
      guard let identity = node.identity(keys), let element = known[identity] else { continue }
      find(node, in: element, at: path.appending(String(index)))
    }
  }

  /// Makes the change that creates a container under a key, and those for the containers in it.
  private mutating func create(
    _ entry: DocumentNode.MapEntry, in map: ContainerID, after parents: [ChangeID],
    at time: Timestamp,
    _ path: JSONPointer
  ) {
    guard case .container(let kind) = entry.node.shell, !parents.isEmpty,
      !enumerations.contains(path)
    else { return }
    let agent = Self.agent(
      of: kind, entry.key, in: map, of: document.id, after: parents, at: time)
    let id = ChangeID(agent: agent, sequence: 1)
    var edit = Edit(.put, in: map)
    (edit.key, edit.contents) = (.init(entry.key), [.container(kind)])
    changes.append(Change(id: id, parents: parents, time: time, edits: [edit]))
    paths.append(path)
    guard case .map(let entries) = entry.node else { return }
    for inner in entries {
      create(
        inner, in: .created(EventID(change: id, index: 0)), after: [id], at: time,
        path.appending(inner.key))
    }
  }

  /// The change that did nothing but create a container under a key of a map, the same in every copy;
  /// `nil` if there is none.
  static func change(creating container: ContainerIndex, in objects: Objects, of id: UniqueID)
    -> ChangeID?
  {
    let log = objects.log
    guard let parent = log.containers[container].parent,
      case .key(_, let key)? = objects.creationSpot(of: container)
    else { return nil }
    let change = ChangeSummary(
      of: log.eventCounts.change(of: log.containers[container].created), in: log)
    guard change.eventCount == 1, change.author.isEmpty, change.message == nil else { return nil }
    let agent = agent(
      of: log.containers[container].kind, log.keys[key], in: log.containerID(parent), of: id,
      after: change.parents, at: change.time)
    return change.id.agent == agent ? change.id : nil
  }

  private static func agent(
    of kind: ContainerKind, _ key: String, in map: ContainerID, of id: UniqueID,
    after parents: [ChangeID], at time: Timestamp
  ) -> AgentID {
    var text = Array("peernote creation".utf8)
    text += ruleNumber.bigEndianBytes + id.bytes + UInt64(parents.count).bigEndianBytes
    text += parents.flatMap(\.digestedBytes)
    text += UInt64(bitPattern: time.milliseconds).bigEndianBytes
    switch map {
    case .root: text += UInt64(0).bigEndianBytes
    case .created(let event):
      text += UInt64(1).bigEndianBytes + event.change.digestedBytes
      text += UInt64(event.index).bigEndianBytes
    }
    text += UInt64(kind.rawValue).bigEndianBytes + UInt64(key.utf8.count).bigEndianBytes
    text += key.utf8
    return AgentID(digestOf: text)
  }
}
