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
    guard !edits.isTooDeep else {
      throw ImportError(
        reason: "maps and lists nested deeper than \(AutomergeEdits.depthLimit) levels")
    }
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
