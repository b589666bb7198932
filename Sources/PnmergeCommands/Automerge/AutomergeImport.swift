import AutomergeFormat
package import Peernote

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
package struct AutomergeImport {
  private let history: AutomergeHistory
  private let id: UniqueID
  private var replay: AutomergeReplay
  /// The changes that lead to where the replay stands.
  private var here: [Int32] = []
  /// The document with the changes up to the version at hand.
  private var document: Document
  /// How many changes the document had when it came here.
  private var knownCount = 0
  /// Changes that were made, each after its parents.
  private var made: [Peernote.Change] = []
  /// Their numbers, by name.
  private var numbers: [ChangeID: Int32] = [:]
  /// What each change became: itself, or what it was made upon if it did nothing.
  private var names: [[ChangeID]]
  private var effort: AutomergeImportEffort

  /// As many edits take no more memory than a history without any.
  private static let fewEdits = 8

  /// Imports a document: O(n log n) for n operations that were made one after the other, and as much for
  /// each time that the history turns to another branch, which ``AutomergeImportEffort`` bounds.
  static func document(of source: AutomergeDocument) throws(Failure) -> Document {
    var work = AutomergeImport(source)
    do {
      return try work.run()
    } catch {
      throw Failure(.damaged, file: source.copy.file, "cannot be imported: \(error)")
    }
  }

  /// Imports the bytes of a file, which is meant as an Automerge document.
  package static func document(
    of bytes: [UInt8], from file: FileName
  ) throws(Failure) -> Document {
    try document(of: AutomergeDocument([AutomergeCopy(required: bytes, from: file)]))
  }

  private init(_ source: AutomergeDocument) {
    effort = AutomergeImportEffort(source.history)
    history = source.history
    id = source.id
    replay = AutomergeReplay(source.state, stepLimit: AutomergeImportEffort.stepLimit)
    document = Document(id: id)
    names = Array(repeating: [], count: history.changes.count)
  }

  private mutating func run() throws -> Document {
    try effort.checkTurns()
    for number in history.order { try make(number) }
    try keepChanges()
    let heads = history.heads(of: history.order).flatMap { names[$0] }
    return Set(heads) == Set(document.heads) ? document : try document(at: heads)
  }

  /// Makes one change.
  private mutating func make(_ number: Int) throws {
    let change = history.changes[number]
    var parents = Set<ChangeID>()
    for parent in history.parents[number] { parents.formUnion(names[Int(parent)]) }
    if history.parents[number] != here { replay.go(to: history.parents[number]) }
    here = [Int32(number)]
    if parents != Set(document.heads) {
      try keepChanges()
      document = try document(at: Array(parents))
      knownCount = document.changeCount
    }
    try checkOwnChanges(number)
    // Several changes may show something else than Automerge when they are merged here.
    var seen: DocumentNode?
    if document.heads.count > 1 {
      let root = replay.state.root
      if root != document.root { seen = root }
    }
    let session = DocumentSession(
      agent: history.agent(change.actor), author: history.author(number),
      time: history.time(number))
    let message =
      change.message.isEmpty ? nil : String(decoding: change.message, as: UTF8.self)
    // No edit is kept, however many there are.
    let name = try document.change(by: session, message: message) { editor in
      if let seen { try editor.replaceContent(at: JSONPointer(), with: seen) }
      var edits = AutomergeEdits()
      try replay.make(number) { edit in
        try effort.count(edit)
        try edits.make(edit, in: &editor)
      }
      try effort.check(replay)
      try edits.finish(in: &editor)
    }
    names[number] = name.map { [$0] } ?? document.heads
    try effort.count(names: names[number].count)
  }

  /// An agent's changes follow one another; so do an actor's, but nothing in a file says so.
  private func checkOwnChanges(_ number: Int) throws(AutomergeError) {
    let change = history.changes[number]
    guard change.sequence > 1 else { return }
    let previous = history.changesByActor[Int(change.actor)][change.sequence - 2]
    guard replay.state.isMade[Int(previous)] else {
      throw AutomergeError(
        "change \(change.hash.shortText)… was made without the one before it by its actor")
    }
  }

  /// Keeps the changes of the document at hand for other versions.
  private mutating func keepChanges() throws {
    // Those that were made here stand last.
    let new = try document.exportedChanges.suffix(document.changeCount - knownCount)
    // A change keeps the whole history that it is read from; a few do with what they say.
    let isFew =
      new.lazy.map(\.edits.count).reduce(0, +) < Self.fewEdits + document.eventCount / 16
    for var change in new where numbers[change.id] == nil {
      if isFew { change.edits = EditList(Array(change.edits)) }
      numbers[change.id] = Int32(made.count)
      made.append(change)
    }
    knownCount = document.changeCount
  }

  /// The document with some changes and all before them.
  private func document(at heads: [ChangeID]) throws -> Document {
    var isWanted = Array(repeating: false, count: made.count)
    var open = heads
    while let name = open.popLast() {
      guard let number = numbers[name].map(Int.init), !isWanted[number] else { continue }
      isWanted[number] = true
      open += made[number].parents
    }
    let wanted = made.indices.filter { isWanted[$0] }
    return try Document(id: id, changes: wanted.lazy.map { made[$0] })
  }
}

/// How much work an import takes, counted before it is done.
///
/// A file of some bytes can hold a history that turns to another branch with each change, and each
/// turn costs as much as what was made before it; a path may lead over names of a megabyte, and an
/// object may come and go with all that is in it.
struct AutomergeImportEffort {
  /// The most steps, each of some ten nanoseconds: 2,147,483,648.
  static let stepLimit = 1 << 31
  /// What it takes to make a change and an operation once more, at a turn.
  private static let stepsOfChange = 200
  private static let stepsOfOperation = 32
  /// What it takes to look at an operation where a change was made upon several others.
  private static let stepsOfLook = 16
  /// What an edit takes besides the names in its path.
  private static let stepsOfEdit = 64

  private let history: AutomergeHistory
  private var steps = 0
  private var edits = 0
  private var names = 0

  init(_ history: AutomergeHistory) { self.history = history }

  /// Refuses a history that turns too often, or has too many actors and messages to tell apart, before
  /// anything is made: O(n + the limit / 200).
  mutating func checkTurns() throws(AutomergeError) {
    var seen = [Int32](repeating: -1, count: history.changes.count)
    var actors = Set<UInt32>()
    var messages = Set<[UInt8]>()
    var here: [Int32] = []
    for number in history.order {
      let change = history.changes[number]
      actors.insert(change.actor)
      if !change.message.isEmpty { messages.insert(change.message) }
      let actor = history.actors.actors[Int(change.actor)]
      let bytes = actor.count + change.message.count
      try count(2 * actors.count + messages.count + bytes / 4)
      let parents = history.parents[number]
      if parents.count > 1 {
        try count(Self.stepsOfLook * history.store.operations.count)
      }
      if parents != here {
        var open = parents
        while let other = open.popLast() {
          guard seen[Int(other)] != Int32(number) else { continue }
          seen[Int(other)] = Int32(number)
          try count(
            Self.stepsOfChange
              + Self.stepsOfOperation * history.changes[Int(other)].operations.count)
          open += history.parents[Int(other)]
        }
      }
      here = [Int32(number)]
    }
  }

  /// Counts an edit that is about to be made.
  mutating func count(_ edit: AutomergeReplay.Edit) throws(AutomergeError) {
    edits += 1
    let limit = 1 << 16 + 2 * history.store.operations.count
    guard edits <= limit else {
      throw AutomergeError(.limit, "its changes show and hide more than \(limit) values")
    }
    try count(Self.stepsOfEdit)
  }

  /// Refuses what the replay took too many steps for, at which it stopped.
  func check(_ replay: AutomergeReplay) throws(AutomergeError) {
    if steps + replay.steps > Self.stepLimit { throw Self.tooManySteps }
  }

  /// Counts names of changes that are kept for one.
  mutating func count(names more: Int) throws(AutomergeError) {
    names += more
    let limit = 1 << 18 + 4 * history.changes.count
    guard names <= limit else {
      throw AutomergeError(.limit, "its changes were made upon more than \(limit) others")
    }
  }

  private mutating func count(_ more: Int) throws(AutomergeError) {
    steps += more
    if steps > Self.stepLimit { throw Self.tooManySteps }
  }

  private static let tooManySteps = AutomergeError(
    .limit, "its history takes more than \(stepLimit) steps")
}

/// Makes the edits of one change as they are told, neighbouring edits of a text as one.
struct AutomergeEdits {
  /// The edit of a text that further ones may continue.
  private var splice: Splice?

  /// Replaces some scalars of a text.
  private struct Splice {
    let path: [String]
    var range: Range<Int>
    var text: String
    /// How many scalars the text has.
    var count: Int

    /// Takes in an edit that comes right after this one, if both are one; the time is that of the
    /// new text.
    mutating func join(_ path: [String], _ range: Range<Int>, _ text: String) -> Bool {
      guard path == self.path else { return false }
      if range.lowerBound == self.range.lowerBound + count {
        self.range = self.range.lowerBound..<self.range.upperBound + range.count
        self.text += text
        count += text.unicodeScalars.count
        return true
      }
      guard range.upperBound == self.range.lowerBound, text.isEmpty, count == 0 else {
        return false
      }
      self.range = range.lowerBound..<self.range.upperBound
      return true
    }
  }

  /// Makes an edit, which sees those before it, unless further ones may continue it.
  mutating func make(
    _ edit: AutomergeReplay.Edit, in editor: inout Editor
  ) throws(EditError) {
    guard case .splice(let path, let range, let text) = edit else {
      try finish(in: &editor)
      return try perform(edit, in: &editor)
    }
    if splice?.join(path, range, text) ?? false { return }
    try finish(in: &editor)
    splice = Splice(path: path, range: range, text: text, count: text.unicodeScalars.count)
  }

  /// Makes what further edits might have continued.
  mutating func finish(in editor: inout Editor) throws(EditError) {
    guard let splice = splice.take() else { return }
    try perform(.splice(splice.path, splice.range, splice.text), in: &editor)
  }

  private func perform(
    _ edit: AutomergeReplay.Edit, in editor: inout Editor
  ) throws(EditError) {
    switch edit {
    case .set(let path, let content):
      try editor.put(node: DocumentNode(content), at: JSONPointer(path))
    case .insert(let path, let content):
      try editor.insert(node: DocumentNode(content), at: JSONPointer(path))
    case .remove(let path): try editor.remove(at: JSONPointer(path))
    case .splice(let path, let range, let text):
      try editor.spliceText(at: JSONPointer(path), scalars: range, with: text)
    case .increment(let path, let amount):
      try editor.increment(by: amount, at: JSONPointer(path))
    }
  }
}
