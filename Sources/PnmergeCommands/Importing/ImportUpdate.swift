import Peernote
import PeernoteJSON

/// The import of content into a document that exists.
struct ImportUpdate {
  /// The document's identity.
  let document: UniqueID
  let base: ImportBase
  /// The names of what changed; `nil` if nothing did.
  private(set) var names: [String]?
  /// What the content's file now holds.
  private(set) var entry: ExportMemory.Entry
  /// The version that was chosen, for people.
  private let baseWords: String
  private let isBasePresent: Bool
  /// Whether this machine knows the file to hold a version that the document lacks, as after `undo`.
  private let lacksRemembered: Bool

  /// Finds the version that content is an edit of, makes the edit there and merges it.
  ///
  /// The command line may name its heads.
  init(
    of document: inout Document, with content: IncomingContent, named: [ChangeID]?,
    _ memory: ExportMemory.Entry?, _ change: FileChange
  ) throws {
    self.document = document.id
    // Changes that `undo` took away are known no more.
    let remembered = memory.flatMap { $0.heads.allSatisfy(document.contains) ? $0 : nil }
    lacksRemembered = memory != nil && remembered == nil
    let search = ImportBaseSearch(document: document, content: content, remembered: remembered)
    do {
      base =
        if let named {
          try search.edited(from: named) ?? ImportBase(heads: named, reason: .named)
        } else {
          try search.base()
        }
    } catch let error as DocumentError {
      throw error.failure(in: change.file)
    }
    baseWords = document.words(forVersion: base.heads, change.invocation)
    isBasePresent = document.isPresent(base.heads)
    entry = ExportMemory.Entry(
      file: content.file, origin: content.isWhole ? .edited : .started, heads: base.heads,
      mark: content.mark?.heads ?? [])
    if base.isSame {
      if memory?.origin == .exported { entry.origin = .exported }
      return
    }
    let known = Set(document.elementsInsertedTwice(change.identityKeys).map(\.id))
    let before = document
    names = try change.edit(&document, at: base.heads) { version in
      let report = try content.update(&version)
      if report != nil { entry.heads = Array(version.heads.prefix(1)) }
      return report
    }
    // Elements may stand elsewhere than they did in the version that was edited.
    if !isBasePresent, names?.allSatisfy({ $0.hasPrefix("/") }) ?? false {
      let places = document.places(changedSince: before).places.map(\.path.visible)
      if !places.isEmpty { names = places.distinct }
    }
    let told = Set(change.conflicts.map(\.id)).union(known)
    change.conflicts += document.elementsInsertedTwice(change.identityKeys)
      .filter { !told.contains($0.id) }
  }

  /// Says what was done.
  ///
  /// `advice` is the command that takes the content for an edit of the present version.
  func report(_ advice: String, _ change: FileChange) throws {
    let console = change.invocation.console
    let (name, file) = (change.file.inputName, entry.file)
    guard let names else {
      guard !isBasePresent else { return try console.report("\(name): unchanged") }
      try console.report("\(name): unchanged; \(file.visible) is the version of \(baseWords)")
      let heads = base.heads.map { " --at \($0)" }.joined()
      try console.report(
        "  to bring that version back: pnmerge restore \(shellQuoted(change.file))\(heads)")
      return try change.say(leftRedacted: base.gaps)
    }
    let verb = change.options.dryRun ? "would change" : "changed"
    let since = isBasePresent ? "" : ", as an edit of \(baseWords)\(words(for: base.reason))"
    try console.report("\(name): \(verb) \(enumerated(names))\(since)")
    if lacksRemembered, base.reason == .present || base.reason == .nearest {
      try console.report(
        "  the version that \(file.visible) last held here is not in the document, as after undo")
    }
    // Of what was redacted that would bring it back, and standard input is read.
    if !isBasePresent, base.reason != .named, change.leftRedacted.isEmpty, !file.isStandardStream {
      try console.report("  to make it read like \(file.visible) instead: \(advice)")
    }
    try change.reportConflicts()
    try change.sayDoubts(placesOf: isBasePresent ? nil : file)
  }

  private func words(for reason: ImportBase.Reason) -> String {
    switch reason {
    case .named, .present: ""
    case .marked: ", which \(entry.file.visible) names"
    case .remembered: ", which \(entry.file.visible) last held here"
    case .nearest: ", the version nearest to \(entry.file.visible)"
    }
  }
}

extension Document {
  /// The elements of lists that were inserted on several sides with one identity under other keys
  /// than `id`, which every merge looks for; none if no keys are given.
  fileprivate func elementsInsertedTwice(_ keys: [String]) -> [Conflict] {
    keys.isEmpty ? [] : conflicts(identityKeys: keys).filter { $0.kind == .sameIdentity }
  }
}

/// Content that comes in from another program's file, to be compared with versions of a document.
struct IncomingContent {
  /// What the content and a version of the document are in one form.
  struct Forms {
    /// How often each line stands in what the version would be exported as.
    private(set) var version: [Substring: Int]
    /// The same of what comes in, as far as that depends on what the version holds.
    private var incoming: [Substring: Int]
    /// Whether what comes in is exactly the version.
    let isSame: Bool
    /// Where it was left without what was redacted since.
    let gaps: [RedactedGap]

    /// Compares a version with what comes in, by how often each line or other part stands in either.
    init(
      _ old: [Substring: Int], _ new: [Substring: Int], isSame: Bool, of version: Document,
      _ gaps: [RedactedGap]
    ) {
      // What was redacted since counts on neither side.
      let marker = version.redactionMarker
      func parts(_ counts: [Substring: Int]) -> [Substring: Int] {
        marker.map { marker in counts.filter { !$0.key.unicodeScalars.contains(marker) } } ?? counts
      }
      (self.version, incoming) = (parts(old), parts(new))
      (self.isSame, self.gaps) = (isSame, gaps)
    }

    /// What an edit from the version to it takes, by the lines of what the edit is merged with, and
    /// of the version that it was made from, or of a later one.
    func cost(_ present: [Substring: Int], since start: [Substring: Int]) -> EditCost {
      EditCost(from: version, to: incoming, known: present, start)
    }
  }

  var file: FileName
  /// The version that it says it holds.
  var mark: VersionMark?
  /// Whether what it leaves out is meant to go: when a note was started is told to the document
  /// alone, unless an export told it the file.
  var isWhole: Bool
  /// The two in one form; `nil` for a version of another kind.
  var forms: (_ version: Document) throws -> Forms?
  /// Makes a version read like what comes in, and names what changed; `nil` if nothing did.
  var update: (_ version: inout Document) throws -> [String]?
}

extension DocumentNode {
  /// How often each part stands there, with its place: a member of a map, an element of a list, a member
  /// of a set, or a line of a text.
  var partCounts: [Substring: Int] {
    var counts: [Substring: Int] = [:]
    func add(_ part: some StringProtocol, _ path: JSONPointer) {
      counts["\(path): \(part)", default: 0] += 1
    }
    func json(_ node: DocumentNode) -> String {
      String(decoding: node.exactJSON.bytes(), as: UTF8.self)
    }
    func walk(_ node: DocumentNode, _ path: JSONPointer) {
      switch node {
      case .map(let entries):
        for entry in entries { walk(entry.node, path.appending(entry.key)) }
      case .list(let elements): for element in elements { add(json(element), path) }
      case .set(let members): for member in members { add(json(.value(member)), path) }
      case .text(let text): for line in text.splitAtLineFeeds() { add(line, path) }
      default: add(json(node), path)
      }
    }
    walk(self, JSONPointer())
    return counts
  }
}
