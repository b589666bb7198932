import ArgumentParser
import Peernote
import PeernoteJSON

struct Status: OptionsCommand, FilesCommand {
  static let configuration = configured(
    "Show how copies relate, or what a document has.", takes: "<file> ...",
    """
    Of one file it tells who changed it, and what is contested; of several how they relate to \
    the first one. Of a directory it tells what 'tidy' would do, and what is left to you; of \
    several what 'sync' would. --verbose lists what each copy did. The status is 1 if copies \
    differ or something is contested, and 3 if some are other documents.

    Example:
      pnmerge status notes.peernote /media/usb/notes.peernote
    """)

  @Argument(help: .of("file", "The copies; - is standard input."))
  var files: [FileName]

  @OptionGroup var options: ReportOptions

  func run(_ invocation: Invocation) throws -> ExitStatus {
    try invocation.checkStandardInput(files)
    if files.contains(where: invocation.isDirectory) {
      try invocation.checkAreDirectories(files)
      let invocation = invocation.onTrial(if: true)
      var sync = FolderSync(try OpenFolder.opening(files, invocation), invocation)
      sync.backups.noBackup = true
      sync.tellsOpen = files.count == 1
      let outcome = try sync.run(json: json)
      return max(outcome.status, outcome.isSettled ? .done : .different)
    }
    let base = try invocation.operand(files[0])
    let first = try base.document()
    if files.count == 1 {
      return try base.report(on: first, json: json, invocation)
    }
    var status = ExitStatus.done
    var copies: [JSON] = []
    for file in files.dropFirst() {
      let operand = try invocation.operand(file)
      guard (operand.foreign == nil) == (base.foreign == nil) else {
        throw Failure(
          .notSameDocument, file: file,
          "is \(operand.foreign == nil ? "no" : "an") Automerge document, and "
            + "\(files[0].inputName) is \(operand.foreign == nil ? "one" : "none")")
      }
      let other = try operand.document(beside: first)
      let relation: Relation
      do {
        relation = try other.relation(to: first)
      } catch {
        var failure = error.failure(file, other, comparedWith: files[0], first)
        // Nothing is ever written here.
        failure.message = failure.message.replacing("; nothing was written", with: "")
        throw failure
      }
      status = max(status, relation.facts.status)
      let divergence =
        invocation.console.isVerbose
        ? try first.divergence(fromCopies: [other], in: files[0]) : nil
      if json {
        copies.append(try relation.json(file, divergence))
      } else {
        let sentence = relation.sentence(file, other, comparedWith: files[0], first)
        let wayOut = relation.wayOut(operand, comparedWith: files[0]).map { "; " + $0 } ?? ""
        try invocation.console.report(sentence + wayOut)
        let (here, there) = (files[0].inputName, file.inputName)
        let words = DivergenceWords(
          ours: "only in \(here):", theirs: "only in \(there):", both: "changed in both:",
          here: here, there: there)
        try divergence?.report(words, invocation)
      }
    }
    if json {
      try invocation.console.printResult([
        "file": .string(files[0].visible), "document": .string(first.id.description),
        "copies": .array(copies),
      ])
    }
    return status
  }
}

extension ExitStatus: Comparable {
  /// Orders by severity, which is the order of the numbers.
  package static func < (left: ExitStatus, right: ExitStatus) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Relation {
  /// What programs are told of it: the status, its name, and how many changes are only here and only
  /// there.
  fileprivate var facts: (status: ExitStatus, name: String, onlyHere: Int, onlyThere: Int) {
    switch self {
    case .same: (.done, "same", 0, 0)
    case .behind(let count): (.different, "behind", 0, count)
    case .ahead(let count): (.different, "ahead", count, 0)
    case .diverged(let ours, let theirs): (.different, "diverged", ours, theirs)
    case .unrelated: (.notSameDocument, "unrelated", 0, 0)
    case .differentDocument: (.notSameDocument, "different-document", 0, 0)
    }
  }

  fileprivate func sentence(
    _ file: FileName, _ document: Document, comparedWith base: FileName, _ baseDocument: Document
  ) -> String {
    let (name, baseName) = (file.inputName, base.inputName)
    return switch self {
    case .same: "\(name): same as \(baseName)"
    case .behind(let count): "\(name): behind \(baseName) by \(counted(count, "change"))"
    case .ahead(let count): "\(name): ahead of \(baseName) by \(counted(count, "change"))"
    case .diverged(let ours, let theirs):
      "\(name): diverged from \(baseName): \(counted(ours, "change")) only here, "
        + "\(theirs) only there"
    case .unrelated:
      "\(name): has no history in common with \(baseName), though both say they are "
        + "document \(document.id.shortText)"
    case .differentDocument:
      "\(name): a different document \(titleAndID(document.id, document.root)), not a copy "
        + "of \(baseName) \(titleAndID(baseDocument.id, baseDocument.root))"
    }
  }

  /// What to do where the files are not copies of one document, and can be named; else `nil`.
  fileprivate func wayOut(_ operand: Operand, comparedWith base: FileName) -> String? {
    let file = operand.file
    if file.isStandardStream || base.isStandardStream { return nil }
    return switch self {
    case .same, .behind, .ahead, .diverged: nil
    case .unrelated where operand.foreign != nil, .differentDocument where operand.foreign != nil:
      "to compare them: pnmerge diff \(shellQuoted(base)) \(shellQuoted(file))"
    case .unrelated: MergeError.wayOut(ofUnrelated: file, comparedWith: base)
    case .differentDocument: MergeError.wayOut(ofDifferent: file, comparedWith: base)
    }
  }

  fileprivate func json(_ file: FileName, _ divergence: Divergence?) throws -> JSON {
    var report = JSONReport([
      "file": .json(.string(file.visible)), "relation": .json(.string(facts.name)),
      "only_here": .json(.count(facts.onlyHere)), "only_there": .json(.count(facts.onlyThere)),
    ])
    // The names are those of the counts: here is this file, there the first one.
    report.append(divergence?.members(ours: "places_there", theirs: "places_here") ?? [])
    return try report.json()
  }
}

extension Operand {
  /// Says what the document has, which has been read; the status is 1 if something is contested.
  func report(
    on document: Document, json isJSON: Bool, _ invocation: Invocation
  ) throws -> ExitStatus {
    let (changes, heads) = (Array(document.changes), document.heads)
    let conflictCount = conflicts(in: document).count
    let status = conflictCount > 0 ? ExitStatus.different : .done
    // Clocks differ: the change that was made last, as far as they tell.
    let last = changes.indices.max { (changes[$0].time, $0) < (changes[$1].time, $1) }
      .map { changes[$0] }
    if isJSON {
      try invocation.console.printResult([
        "file": .string(file.visible), "document": .string(document.id.description),
        "changes": .count(changes.count), "last": last?.json ?? .null,
        "heads": .array(heads.map { .string($0.description) }), "conflicts": .count(conflictCount),
      ])
      return status
    }
    let name = file.isStandardStream ? "-" : shellQuoted(file)
    var lines = [
      "\(file.inputName) \(titleAndID(document.id, document.root)): "
        + ChangeTally(authors: changes.lazy.map(\.author)).summary
    ]
    if let last {
      let message = last.message.map { " \(quoted($0))" } ?? ""
      let who = invocation.signature(authorName(last.author), last.time)
      lines.append("  last change: \(who)\(message), \(last.id)")
    }
    if heads.count > 1 {
      lines.append("  not merged by an edit yet: \(enumerated(heads.map(\.description)))")
    }
    lines.append(
      conflictCount == 0
        ? "  no conflicts" : "  \(counted(conflictCount, "conflict")): pnmerge conflicts \(name)")
    for line in lines { try invocation.console.report(line) }
    return status
  }
}
