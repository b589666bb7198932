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
struct SharedCreation {
  private static let ruleNumber: UInt64 = 1

  private let document: Document
  /// What tells elements of lists apart.
  private let keys: [String]
  /// The changes found so far, each after its parents.
  private(set) var changes: [Change] = []
  /// The changes that they come after, besides each other.
  private(set) var parents: Set<ChangeID> = []
  /// Where the containers stand.
  private(set) var paths: [JSONPointer] = []

  /// Finds the containers that content has and a document lacks under keys that nobody has written
  /// yet.
  ///
  /// O(size of the content + elements of the lists in its place).
  ///
  /// - Parameters:
  ///   - wanted: the content.
  ///   - path: where it is to stand.
  ///   - document: the document.
  ///   - identityKeys: what tells elements of lists apart.
  init(of wanted: Node, at path: JSONPointer, in document: Document, identityKeys: [String]) {
    self.document = document
    keys = identityKeys
    // What is in a document's first change nobody else creates.
    guard document.changeCount > 0, let target = Target(path, in: objects),
      let container = target.container(in: objects)
    else { return }
    find(wanted, in: container, at: path)
  }

  private var objects: Objects { document.file.objects }

  /// Looks through content and what stands in its place.
  private mutating func find(_ wanted: Node, in container: ContainerIndex, at path: JSONPointer) {
    switch (wanted, objects.log.containers[container].kind) {
    case (.map(let entries), .map):
      for entry in entries { find(entry, inMap: container, at: path.appending(entry.key)) }
    case (.list(let nodes), .list): find(nodes, inList: container, at: path)
    case (.value, _), (.map, _), (.list, _), (.text, _), (.set, _), (.counter, _): break
    }
  }

  private mutating func find(
    _ entry: Node.MapEntry, inMap map: ContainerIndex, at path: JSONPointer
  ) {
    if let number = objects.number(ofAnyKey: entry.key),
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
    let creators: [ChangeID]
    if created < 0 {
      creators = document.changes.lazy.filter { $0.parents.isEmpty }.map(\.id).sorted()
    } else {
      creators = [log.eventID(of: created).change]
    }
    parents.formUnion(creators)
    let places = document.places(ofChanges: creators)
    let time = places.compactMap { $0.map { document.changes[$0].time } }.max()
    create(
      entry, in: log.containerID(map), after: creators,
      at: time ?? Timestamp(milliseconds: 0), path)
  }

  /// Elements of lists are those with the same identity.
  private mutating func find(_ nodes: [Node], inList list: ContainerIndex, at path: JSONPointer) {
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
    _ entry: Node.MapEntry, in map: ContainerID, after parents: [ChangeID], at time: Timestamp,
    _ path: JSONPointer
  ) {
    guard case .container(let kind) = entry.node.shell, !parents.isEmpty else { return }
    let id = ChangeID(
      agent: agent(of: kind, entry.key, in: map, after: parents, at: time), sequence: 1)
    changes.append(
      Change(
        id: id, parents: parents, time: time,
        edits: [.put(map: map, key: entry.key, content: .container(kind))]))
    paths.append(path)
    guard case .map(let entries) = entry.node else { return }
    for inner in entries {
      create(
        inner, in: .created(EventID(change: id, index: 0)), after: [id], at: time,
        path.appending(inner.key))
    }
  }

  private func agent(
    of kind: ContainerKind, _ key: String, in map: ContainerID, after parents: [ChangeID],
    at time: Timestamp
  ) -> AgentID {
    var text = Array("peernote creation".utf8)
    func append(_ number: UInt64) {
      for shift in stride(from: 56, through: 0, by: -8) {
        text.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
    }
    func append(_ change: ChangeID) {
      append(change.agent.rawValue)
      append(UInt64(change.sequence))
    }
    append(Self.ruleNumber)
    append(document.id.high)
    append(document.id.low)
    append(UInt64(parents.count))
    parents.forEach(append)
    append(UInt64(bitPattern: time.milliseconds))
    switch map {
    case .root: append(0)
    case .created(let event):
      append(1)
      append(event.change)
      append(UInt64(event.index))
    }
    append(UInt64(kind.rawValue))
    append(UInt64(key.utf8.count))
    text += key.utf8
    return AgentID(digestOf: text)
  }
}

extension Document {
  /// Makes the changes of a creation part of the document.
  ///
  /// One walk over the history if there are any.
  mutating func create(_ creation: SharedCreation) throws(ModelError) {
    if creation.changes.isEmpty { return }
    do {
      let past = try at(version: creation.parents.sorted())
      let made = try Document(id: id, changes: Array(past.exportedChanges) + creation.changes)
      _ = try merge(made)
    } catch {
      throw .model(error)
    }
  }

  /// Creates what a model has and the document lacks of sets, texts, counters, lists and maps, the
  /// same ones in every copy, and writes nothing else.
  ///
  /// For a new version of an app whose models have new properties: as each copy creates the same
  /// containers, what is written to them in different copies merges. ``encode(_:at:by:session:message:)``
  /// does it as well. A container under a key that was ever written, as by another version of the
  /// app, is left to ``Editor/put(node:at:)``; if two copies have created different ones already,
  /// see ``Editor/unite(at:identityKeys:)``.
  ///
  /// One walk over the history if anything is created.
  ///
  /// - Parameters:
  ///   - model: says what there should be.
  ///   - path: where the model stands; a map that is there.
  ///   - encoder: how models stand in documents.
  /// - Returns: where the new containers stand.
  /// - Throws: ``ModelError``; the document stays as it was.
  @discardableResult
  public mutating func migrate(
    to model: some Encodable, at path: JSONPointer = JSONPointer(),
    by encoder: PeernoteEncoder = PeernoteEncoder()
  ) throws(ModelError) -> [JSONPointer] {
    let creation = SharedCreation(
      of: try encoder.node(for: model), at: path, in: self, identityKeys: encoder.identityKeys)
    try create(creation)
    return creation.paths
  }
}
