import AutomergeFormat
import Peernote

/// Makes a document of an Automerge one, change by change.
///
/// Each change becomes one change that leads to the content that Automerge shows at that version.
/// What it says follows from it and the changes before it alone: the agent from the actor, the
/// number from how many of the actor's changes did something, the edits from the content before and
/// after. So copies that were imported apart are copies of one document, and their merge is the
/// import of the merged copies, to the byte.
///
/// Where a change was made upon several others, these are merged by our own rules first, and it
/// begins with what is left to do to show what its author saw.
struct AutomergeImport {
  private let history: AutomergeHistory
  private let id: UniqueID
  private var replay: AutomergeReplay
  /// The changes that lead to where the replay stands.
  private var here: [Int32] = []
  /// The document with the changes up to the version at hand.
  private var document: Document
  /// Changes that were made, by name.
  private var made: [ChangeID: Peernote.Change] = [:]
  /// What each change became: itself, or what it was made upon if it did nothing.
  private var names: [[ChangeID]]

  /// Imports a document.
  ///
  /// O(n log n) for n operations that were made one after the other, and as much for each time that
  /// the history turns to another branch.
  ///
  /// - Throws: ``Failure`` if the content is more than a document can hold.
  static func document(of source: AutomergeDocument) throws(Failure) -> Document {
    var work = AutomergeImport(source)
    do throws(ImportError) {
      return try work.run()
    } catch {
      throw Failure(.damaged, file: source.copy.file, "cannot be imported: \(error.reason)")
    }
  }

  /// Why something cannot be imported.
  private struct ImportError: Error {
    var reason: String
  }

  private init(_ source: AutomergeDocument) {
    history = source.history
    id = history.documentID(source.copy.container.envelope)
    replay = AutomergeReplay(source.state)
    document = Document(id: id)
    names = Array(repeating: [], count: history.changes.count)
  }

  private mutating func run() throws(ImportError) -> Document {
    for number in history.order { try make(number) }
    try keepChanges()
    let heads = history.heads.compactMap { history.numbers[$0] }.flatMap { names[$0] }
    return Set(heads) == Set(document.heads) ? document : try document(at: heads)
  }

  /// Makes one change.
  private mutating func make(_ number: Int) throws(ImportError) {
    let change = history.changes[number]
    var parents: [ChangeID] = []
    for parent in history.parents[number] {
      for name in names[Int(parent)] where !parents.contains(name) { parents.append(name) }
    }
    if history.parents[number] != here { replay.go(to: history.parents[number]) }
    here = [Int32(number)]
    if Set(parents) != Set(document.heads) {
      try keepChanges()
      document = try document(at: parents)
    }
    try checkOwnChanges(number)
    // Several changes may show something else than Automerge when they are merged here.
    let seen =
      document.heads.count > 1
      ? AutomergeState(history, including: replay.isMade).root : nil
    let isOther = seen.map { $0 != document.root } ?? false
    var edits = AutomergeEdits()
    replay.make(number) { edits.add($0) }
    let session = Session(
      agent: history.agent(change.actor), author: history.author(number),
      time: history.time(number))
    let message =
      change.message.isEmpty ? nil : String(decoding: change.message, as: UTF8.self)
    let name: ChangeID?
    do throws(EditError) {
      name = try document.change(by: session, message: message) {
        (editor: inout Editor) throws(EditError) in
        if let seen, isOther {
          try editor.replaceContent(at: JSONPointer(), with: seen)
        }
        try edits.perform(in: &editor)
      }
    } catch {
      throw ImportError(reason: error.description)
    }
    names[number] = name.map { [$0] } ?? document.heads
  }

  /// An agent's changes follow one another; so do an actor's, but nothing in a file says so.
  private func checkOwnChanges(_ number: Int) throws(ImportError) {
    let change = history.changes[number]
    guard change.sequence > 1 else { return }
    let previous = history.changesByActor[Int(change.actor)][change.sequence - 2]
    guard replay.isMade[Int(previous)] else {
      throw ImportError(
        reason: "change \(change.hash.shortText)… was made without the one before it by its actor")
    }
  }

  /// Keeps the changes of the document at hand for other versions.
  private mutating func keepChanges() throws(ImportError) {
    do throws(DocumentError) {
      for change in try document.exportedChanges where made[change.id] == nil {
        made[change.id] = change
      }
    } catch {
      throw ImportError(reason: error.description)
    }
  }

  /// The document with some changes and all before them.
  private func document(at heads: [ChangeID]) throws(ImportError) -> Document {
    var wanted: [ChangeID: Peernote.Change] = [:]
    var open = heads
    while let name = open.popLast() {
      guard wanted[name] == nil, let change = made[name] else { continue }
      wanted[name] = change
      open += change.parents
    }
    do throws(DocumentError) {
      return try Document(id: id, changes: wanted.values.sorted { $0.id < $1.id })
    } catch {
      throw ImportError(reason: error.description)
    }
  }
}

/// Edits of one change, with neighbouring edits of a text as one.
private struct AutomergeEdits {
  private var edits: [AutomergeReplay.Edit] = []

  mutating func add(_ edit: AutomergeReplay.Edit) {
    guard case .splice(let path, let range, let text) = edit,
      case .splice(path, let last, let inserted)? = edits.last
    else {
      edits.append(edit)
      return
    }
    let end = last.lowerBound + inserted.unicodeScalars.count
    let joined: AutomergeReplay.Edit
    if range.lowerBound == end {
      joined = .splice(path, last.lowerBound..<last.upperBound + range.count, inserted + text)
    } else if range.upperBound == last.lowerBound, text.isEmpty, inserted.isEmpty {
      joined = .splice(path, range.lowerBound..<last.upperBound, "")
    } else {
      edits.append(edit)
      return
    }
    edits[edits.count - 1] = joined
  }

  func perform(in editor: inout Editor) throws(EditError) {
    for edit in edits {
      switch edit {
      case .set(let path, let content): try write(content, at: JSONPointer(path), &editor)
      case .insert(let path, let content):
        let place = JSONPointer(path)
        switch content {
        case .object(let kind):
          try editor.insert(.container(ContainerKind(kind)), at: place)
        case .scalar(let scalar):
          guard case .value(let value) = Node(scalar) else {
            try editor.insert(.container(.counter), at: place)
            try count(scalar, at: place, &editor)
            continue
          }
          try editor.insert(.value(value), at: place)
        }
      case .remove(let path): try editor.remove(at: JSONPointer(path))
      case .splice(let path, let range, let text):
        try editor.spliceText(at: JSONPointer(path), scalars: range, with: text)
      case .increment(let path, let amount):
        try editor.increment(by: amount, at: JSONPointer(path))
      }
    }
  }

  private func write(
    _ content: AutomergeReplay.Content, at place: JSONPointer, _ editor: inout Editor
  ) throws(EditError) {
    switch content {
    case .object(let kind): try editor.putContainer(ContainerKind(kind), at: place)
    case .scalar(let scalar):
      guard case .value(let value) = Node(scalar) else {
        try editor.putContainer(.counter, at: place)
        try count(scalar, at: place, &editor)
        return
      }
      try editor.put(value, at: place)
    }
  }

  private func count(
    _ scalar: ScalarValue, at place: JSONPointer, _ editor: inout Editor
  ) throws(EditError) {
    if case .counter(let start) = scalar, start != 0 { try editor.increment(by: start, at: place) }
  }
}

extension ContainerKind {
  /// The kind of container that stands for a kind of object.
  fileprivate init(_ kind: AutomergeState.ObjectKind) {
    switch kind {
    case .map: self = .map
    case .list: self = .list
    case .text: self = .text
    }
  }
}
