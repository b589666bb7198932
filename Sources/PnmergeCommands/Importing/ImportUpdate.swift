import Peernote

/// The import of content into a document that exists.
struct ImportUpdate {
  /// The document's identity.
  let document: UniqueID
  let base: ImportBase
  /// What became of it.
  let outcome: EditOutcome<[String]>
  /// The heads of the version that the content's file now holds.
  let heads: [ChangeID]
  /// The heads of the version that the file itself names; empty if it names none.
  let mark: [ChangeID]
  /// How the file came to hold it.
  let origin: ExportMemory.Origin
  /// The version that was chosen, for people.
  private let baseWords: String
  private let isBasePresent: Bool
  /// Whether this machine knows the file to hold a version that the document lacks, as after `undo`.
  private let lacksRemembered: Bool
  private let file: FileName

  /// Finds the version that content is an edit of, makes the edit there and merges it.
  ///
  /// The command line may name its heads, and what tells elements of lists apart.
  init(
    of document: inout Document, with content: IncomingContent, named: [ChangeID]?,
    _ memory: ExportMemory.Entry?, identityKeys: [String], _ change: FileChange
  ) throws {
    self.document = document.id
    file = content.file
    mark = content.mark?.heads ?? []
    let taken: ExportMemory.Origin = content.isWhole ? .edited : .started
    // Changes that `undo` took away are known no more.
    let remembered = memory.flatMap { $0.heads.allSatisfy(document.contains) ? $0 : nil }
    lacksRemembered = memory != nil && remembered == nil
    let search = ImportBaseSearch(document: document, content: content, remembered: remembered)
    do {
      base =
        if let named {
          try search.edited(from: named)
            ?? ImportBase(heads: named, reason: .named, isSame: false)
        } else {
          try search.base()
        }
    } catch let error as DocumentError {
      throw error.failure(in: change.file)
    }
    baseWords = document.words(forVersion: base.heads, change.invocation)
    isBasePresent = Set(base.heads).isSuperset(of: document.heads)
    if base.isSame {
      outcome = EditOutcome(report: nil, conflicts: [])
      heads = base.heads
      origin = memory?.origin == .exported ? .exported : taken
      return
    }
    let known = Set(document.elementsInsertedTwice(identityKeys).map(\.id))
    let before = document
    var made: ChangeID?
    var edited = try change.edit(&document, at: base.heads) { version in
      let report = try content.update(&version)
      if report != nil { made = version.heads.first }
      return report
    }
    // Elements may stand elsewhere than they did in the version that was edited.
    if !isBasePresent, let names = edited.report, names.allSatisfy({ $0.hasPrefix("/") }) {
      let places = document.places(changedSince: before).places.map(\.path.visible)
      var seen: Set<String> = []
      if !places.isEmpty { edited.report = places.filter { seen.insert($0).inserted } }
    }
    let told = Set(edited.conflicts.map(\.id)).union(known)
    edited.conflicts += document.elementsInsertedTwice(identityKeys)
      .filter { !told.contains($0.id) }
    outcome = edited
    heads = made.map { [$0] } ?? base.heads
    origin = taken
  }

  /// Says what was done.
  ///
  /// `advice` is the command that takes the content for an edit of the present version.
  func report(_ advice: String, _ change: FileChange) throws {
    let console = change.invocation.console
    let name = change.file.inputName
    guard let names = outcome.report else {
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
    if !isBasePresent, base.reason != .named, !change.leftRedacted, !file.isStandardStream {
      try console.report("  to make it read like \(file.visible) instead: \(advice)")
    }
    try change.report(outcome.conflicts)
    try change.sayDoubts(placesOf: isBasePresent ? nil : file)
  }

  private func words(for reason: ImportBase.Reason) -> String {
    switch reason {
    case .named, .present: ""
    case .marked: ", which \(file.visible) names"
    case .remembered: ", which \(file.visible) last held here"
    case .nearest: ", the version nearest to \(file.visible)"
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
