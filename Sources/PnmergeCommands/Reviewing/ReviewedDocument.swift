import JSONSchema
package import Peernote
import PeernoteJSON

/// A document under review: what its file holds, what is to be decided of, and what it was when the
/// copies parted.
package struct ReviewedDocument {
  /// The file that is written in the end.
  package var file: FileName
  /// What that holds now.
  package var ours: Document
  /// The document that decisions are made of.
  package var merged: Document
  /// What the merged document was when the copies parted; `nil` if nothing is merged.
  package var parting: Document?
  /// The copies, which tell who did what; none if nothing is merged.
  package var copies: [Document] = []
  /// The document as the reader had it before it was merged; `nil` if nobody knows.
  package var mine: Document?
  /// What tells elements of lists apart.
  package var identityKeys = ContentMatching.exact.identityKeys
  /// Whether a note, or the history of a tracked file, may become something else.
  var isForced = false

  package init(_ file: FileName, ours: Document, merged: Document) {
    (self.file, self.ours, self.merged) = (file, ours, merged)
  }

  /// A merge of copies.
  ///
  /// Walks the whole history of each.
  ///
  /// - Throws: what merging throws.
  init(_ file: FileName, ours: Document, with others: [Document], merged: Document) throws {
    self.init(file, ours: ours, merged: merged)
    var theirs = others.first ?? ours
    try theirs.merge(Array(others.dropFirst()))
    let parting = try ours.parting(from: theirs)
    // A pick of git's brings less than the whole of the other side.
    if parting.heads.allSatisfy(merged.contains) { self.parting = parting }
    copies = [ours] + others
  }
}

extension Review {
  /// A document with what was decided of it.
  ///
  /// Everything outside of what was decided is as in the merge, and what was chosen stands there as it
  /// was shown: that is checked before anything can be written.
  ///
  /// - Parameters:
  ///   - number: the number of the document.
  ///   - session: who decided it.
  ///   - message: an optional message.
  /// - Returns: the document; `nil` if nothing is to be done for it.
  /// - Throws: ``Failure`` if a place cannot be written so.
  package func settled(
    _ number: Int, by session: DocumentSession, message: String? = nil
  ) throws(Failure) -> Document? {
    let reviewed = documents[number]
    let chosen = answers(of: number).chosen
    let promised = content(of: number, chosen)
    let lists = promised.lists.map { (reviewed.merged.steps(to: $0.path), $0.elements) }
    var document = reviewed.merged
    let change: ChangeID?
    do throws(EditError) {
      change = try document.change(by: session, message: message) { (editor) throws(EditError) in
        // From the end, so that no path or place moves that is still to come.
        for answer in chosen.reversed() {
          switch answer.choice.action {
          case .settle(let resolution):
            try editor.settle([resolution], identityKeys: reviewed.identityKeys)
          case .edit(let patch):
            if answer.place.leftOutElement(by: patch) == nil { try editor.apply(patch) }
          case nil: break
          }
        }
        for case (let steps?, let elements) in lists {
          try editor.arrange(elements, inListAt: steps)
        }
      }
    } catch {
      throw Failure(.usage, file: reviewed.file, "\(error); nothing was written")
    }
    guard change != nil else { return nil }
    if !reviewed.isForced {
      if let fault = document.noteFault, reviewed.merged.noteFault == nil {
        throw Failure(
          .usage, file: reviewed.file,
          "decided so, /\(fault) would be nothing that a note has there; nothing was written")
      }
      let wasHistory =
        reviewed.file.plainFile != nil && PlainHistory(document: reviewed.merged) != nil
      if wasHistory, PlainHistory(document: document) == nil {
        throw Failure(
          .usage, file: reviewed.file,
          "decided so, it would be the history of a text no more; nothing was written")
      }
    }
    if promised.root.isSameToTheByte(as: document.root) { return document }
    var places: [String] = []
    ContentDifference.forEachPlace(from: promised.root, to: document.root) {
      places.append(
        "\($0.path.visible) would be \($0.new?.preview ?? "missing"), not "
          + "\($0.old?.preview ?? "missing") as shown")
    }
    throw Failure(
      .damaged, file: reviewed.file,
      "decided so, \(enumerated(Array(places.prefix(3)))), which is a fault of this program; nothing "
        + "was written")
  }

  /// The content that the decisions about a document lead to.
  ///
  /// Made of the content as merged alone, without the history: what somebody was shown.
  func content(of number: Int) -> DocumentNode {
    content(of: number, answers(of: number).chosen).root
  }

  /// The content that some decisions lead to, and the lists of which elements come, are moved or left
  /// out, each after those inside: where it stands in the merge, and its elements then.
  private func content(of number: Int, _ chosen: [(place: Place, choice: Choice)]) -> (
    root: DocumentNode, lists: [(path: JSONPointer, elements: [ListOrder.Element])]
  ) {
    let merged = documents[number].merged
    var root = merged.root
    let keys = documents[number].identityKeys
    // What comes, goes or moves in lists does so last, so that every path leads where it did in the
    // merge.
    var shifts: [JSONPointer: ListOrder] = [:]
    var removedKeys: [Patch] = []
    // What is replaced in one text is so at one go.
    var text: (path: JSONPointer, parts: [TextReplacement])?
    func write() {
      guard let path = text?.path, let parts = text?.parts, case .text(let old)? = root[path]
      else { return }
      root.apply(Patch(path: path, action: .put(.text(old.replacing(parts)))))
      text = nil
    }
    for answer in chosen.reversed() {
      if answer.place.conflict?.elements.isEmpty == false { write() }
      for patch in answer.place.patches(for: answer.choice, in: root, keys) {
        switch patch.action {
        case .remove, .insert, .move:
          guard case .list? = root[patch.path.parent] else {
            removedKeys.append(patch)
            continue
          }
          shifts[patch.path.parent, default: ListOrder()].add(patch, answer.place, answer.choice)
        case .splice(let part):
          if text?.path != patch.path { write() }
          text = (patch.path, (text?.parts ?? []) + [part])
        case .put, .add, .discard, .increment:
          write()
          root.apply(patch)
        }
      }
    }
    write()
    for patch in removedKeys { root.apply(patch) }
    var lists: [(JSONPointer, [ListOrder.Element])] = []
    // What is inside comes before what it is in.
    for (path, order) in shifts.sorted(by: {
      ($0.key.tokens.count, $0.key.description) > ($1.key.tokens.count, $1.key.description)
    }) {
      guard case .list(let nodes)? = root[path] else { continue }
      let elements = order.elements(of: nodes, named: merged.elements(ofListAt: path))
      root.apply(Patch(path: path, action: .put(.list(elements.map(\.node)))))
      if order.isOfMore { lists.append((path, elements)) }
    }
    return (root, lists)
  }

  /// Notes at each choice what a schema would refuse if nothing else was decided.
  ///
  /// Checks the whole content once for each choice, as long as that is not too much.
  ///
  /// - Throws: ``Failure`` if the schema takes too long to check.
  mutating func check(_ schema: Schema?) throws(Failure) {
    guard let schema else { return }
    for number in documents.indices {
      let document = documents[number]
      let known = Set(try schema.violations(in: document.merged.root, of: document.file))
      let old = Set(try schema.violations(in: document.ours.root, of: document.file))
      let indices = places.indices.filter { places[$0].document == number }
      let count = indices.reduce(0) { $0 + places[$1].choices.count }
      let size = document.merged.root.exactJSON.bytes().count
      if count * size > Self.checkedBytes { continue }
      for index in indices {
        for choice in places[index].choices.indices {
          let root = content(of: number, [(places[index], places[index].choices[choice])]).root
          places[index].choices[choice].faults =
            try schema.violations(in: root, of: document.file)
            .filter { !known.contains($0) && !old.contains($0) }.map(\.description)
        }
        guard let shown = places[index].shown, places[index].isContested, !shown.hasParts else {
          continue
        }
        // What stands there already may be at fault.
        let faults = known.subtracting(old).filter { $0.place.tokens == places[index].path.tokens }
        for choice in places[index].choices.indices
        where places[index].choices[choice].content == shown {
          places[index].choices[choice].faults += faults.map(\.description)
        }
      }
    }
  }

  /// The most bytes of content that are checked for choices.
  private static let checkedBytes = 60_000_000
}

extension Review.Place {
  /// The element of a list that comes, goes or moves if a change is left out so; `nil` if none does.
  fileprivate func leftOutElement(by patch: Patch) -> EventID? {
    guard case .element(let name)? = change?.steps.last else { return nil }
    switch patch.action {
    case .remove, .insert, .move: return name
    case .put, .splice, .add, .discard, .increment: return nil
    }
  }

  /// At which index of its list that stood which a change moved or removed.
  fileprivate var earlierIndex: Int {
    switch change?.action {
    case .moved(let index): index
    case .removed: change?.path.tokens.last.flatMap { Int($0) } ?? 0
    case .added, .replaced, .text, .memberAdded, .memberRemoved, .counted, nil: -1
    }
  }

  /// What a choice does to some content, without the history.
  ///
  /// What was decided inside of elements that are joined is done already.
  fileprivate func patches(
    for choice: Review.Choice, in root: DocumentNode, _ keys: [String]
  ) -> [Patch] {
    switch choice.action {
    case nil: return []
    case .edit(let patch): return [patch]
    case .settle(let resolution): return patches(for: resolution, in: root, keys)
    }
  }

  private func patches(for resolution: Resolution, in root: DocumentNode, _ keys: [String])
    -> [Patch]
  {
    let elements = conflict?.elements ?? []
    let nodes = elements.compactMap { root[$0] }
    if nodes.count < elements.count { return [] }
    func keeping(_ kept: JSONPointer, _ content: DocumentNode?) -> [Patch] {
      let put = content.map { [Patch(path: kept, action: .put($0))] } ?? []
      return put
        + elements.filter { $0 != kept }.map { Patch(path: $0, action: .remove) }
    }
    switch resolution.outcome {
    case .staying, .untouched: return []
    case .content(let node): return [Patch(path: resolution.path, action: .put(node))]
    case .removal: return [Patch(path: resolution.path, action: .remove)]
    case .reading(let scalars, let text), .passage(let scalars, let text):
      return [Patch(path: resolution.path, scalars: scalars, text: text)]
    case .element(let number, let content):
      return keeping(elements[0], content ?? (nodes[number] == nodes[0] ? nil : nodes[number]))
    case .joinedElement:
      return keeping(
        elements[0], DocumentNode.united(nodes, at: elements[0], identityKeys: keys)?.content)
    case .moved(let move):
      if move.isOfLines, case .text(let text)? = root[resolution.path] {
        return move.edits(of: text).map {
          Patch(path: resolution.path, scalars: $0.scalars, text: $0.text)
        }
      }
      guard let taken = move.taken else { return [] }
      let places = move.places
      if let kept = places[taken] {
        return keeping(
          kept, move.content(of: places.map { $0.flatMap { root[$0] } }, at: kept).content)
      }
      guard let (path, _, node, own) = move.newPlace,
        let index = path.tokens.last.flatMap({ Int($0) })
      else { return elements.map { Patch(path: $0, action: .remove) } }
      let removals = elements.filter { $0 != own }.map { Patch(path: $0, action: .remove) }
      guard let own else {
        return removals + [Patch(path: path, action: .insert([move.content ?? node]))]
      }
      let put = move.content.map { [Patch(path: own, action: .put($0))] } ?? []
      return put + removals + [Patch(path: own, action: .move(to: index))]
    case .allElements: return []
    }
  }
}

/// What comes, goes or moves in a list, all told by where things stand in the merge.
private struct ListOrder {
  /// An element, by its insertion, and whether it comes to where it stands.
  typealias Element = (name: EventID, node: DocumentNode, comes: Bool)

  /// What is done, in any order; the element, unless it stands there and something contested is settled;
  /// and at which index it stood when the copies parted.
  private var steps: [(patch: Patch, name: EventID?, rank: Int)] = []

  /// Whether that is more than elements that go where something contested is settled.
  var isOfMore: Bool {
    steps.contains { step in
      if case .remove = step.patch.action { step.name != nil } else { true }
    }
  }

  /// Adds what a choice does.
  mutating func add(_ patch: Patch, _ place: Review.Place, _ choice: Review.Choice) {
    var name = place.leftOutElement(by: patch)
    if case .insert = patch.action, case .settle(let resolution)? = choice.action,
      case .moved(let move) = resolution.outcome
    {
      name = move.newPlace?.element
    }
    steps.append((patch, name, place.earlierIndex))
  }

  /// The elements after all of that.
  func elements(of nodes: [DocumentNode], named names: [EventID]) -> [Element] {
    let old = zip(names, nodes).map { (name: $0, node: $1) }
    var gone: Set<Int> = []
    var coming: [Int: [(rank: Int, element: Element)]] = [:]
    for (patch, name, rank) in steps {
      guard let index = patch.path.tokens.last.flatMap({ Int($0) }), index <= old.count else {
        continue
      }
      switch patch.action {
      case .remove: gone.insert(index)
      case .move(let target) where index < old.count:
        gone.insert(index)
        coming[target < index ? target : target + 1, default: []]
          .append((rank, (old[index].name, old[index].node, true)))
      case .insert(let nodes):
        guard let name, let node = nodes.first else { continue }
        coming[index, default: []].append((rank, (name, node, true)))
      case .move, .put, .splice, .add, .discard, .increment: break
      }
    }
    var result: [Element] = []
    for index in 0...old.count {
      result += (coming[index] ?? []).sorted { $0.rank < $1.rank }.map(\.element)
      if index < old.count, !gone.contains(index) {
        result.append((old[index].name, old[index].node, false))
      }
    }
    return result
  }
}

extension String {
  /// The text with some parts replaced, in any order.
  fileprivate func replacing(_ parts: [TextReplacement]) -> String {
    let lines = TextLines(self)
    var result = ""
    var start = 0
    for part in parts.sorted(by: { $0.scalars.lowerBound < $1.scalars.lowerBound })
    where part.scalars.lowerBound >= start {
      result += lines.text(start..<part.scalars.lowerBound) + part.text
      start = part.scalars.upperBound
    }
    return result + lines.text(start..<(lines.starts.last ?? start))
  }
}

extension Patch {
  /// A part of a text that is replaced.
  init(path: JSONPointer, scalars: Range<Int>, text: String) {
    self.init(
      path: path,
      action: .splice(TextReplacement(scalars: scalars, text: text)))
  }
}

extension DocumentNode {
  /// Whether other content stands in it.
  var hasParts: Bool {
    if case .map = self { return true }
    if case .list = self { return true }
    return false
  }

  /// Whether two contents are the same to the byte, whatever the order of keys in their maps.
  ///
  /// `==` takes texts and keys for equal that are canonically equivalent.
  package func isSameToTheByte(as other: DocumentNode) -> Bool {
    let (one, other) = (sorted, other.sorted)
    return one == other && one.exactJSON.bytes() == other.exactJSON.bytes()
  }
}
