import ArgumentParser
import Peernote
import PeernoteJSON

struct Diff: HistoryCommand {
  static let configuration = configured(
    "Show how documents or states differ.", takes: "<a> [<b>]",
    """
    Prints a unified difference; of two copies of a document its headings say who did what since \
    they parted. Directories are compared note by note. The status is 1 if anything differs.

    Example:
      pnmerge diff notes.peernote /media/usb/notes.peernote
      pnmerge diff notes.peernote --at 5f0c.12
    """)

  @Argument(help: .of("a", "The first document; - is standard input."))
  var old: FileName

  @Argument(help: .of("b", "The second document. None with --at."))
  var new: FileName?

  @Option(
    name: .customLong("at"),
    help: .of("change", "Compare from this change to the present, or twice."))
  var versions: [String] = []

  @Flag(help: "Print one JSON object with the places that differ.")
  var json = false

  @OptionGroup var verbosity: Verbosity

  var mistakes: Mistakes {
    [
      "give a second document, or --at for an earlier state of this one":
        versions.isEmpty && new == nil,
      "--at compares two states of one document; give one": !versions.isEmpty && new != nil,
      "--at is given twice at most": versions.count > 2,
    ]
  }

  var files: [FileName] {
    get { [old] + [new].compactMap(\.self) }
    set { (old, new) = (newValue[0], newValue.dropFirst().first) }
  }

  func run(_ invocation: Invocation) throws -> ExitStatus {
    guard let new else {
      if old.isStandardStream {
        throw Failure(.usage, "standard input can be read only once; give a file")
      }
      let name = old.shown.inputName
      let names = versions.map { "\(name) (\($0))" } + [name]
      let roots = try [[versions[0]], Array(versions.dropFirst())].map { version in
        old.content(of: try invocation.operand(old).printed(asOf: version) ?? .map([]))
      }
      return try Comparison((names[0], roots[0]), (names[1], roots[1]))
        .report(isJSON: json, invocation)
    }
    try invocation.checkStandardInput([old, new])
    if invocation.isDirectory(old) || invocation.isDirectory(new) {
      try invocation.checkAreDirectories([old, new])
      return try compareFolders(old, new, invocation)
    }
    return try comparison(of: old, new, invocation).report(isJSON: json, invocation)
  }

  /// What differs in two files: what each did, if they are copies of one document.
  private func comparison(
    of old: FileName, _ new: FileName, _ invocation: Invocation
  ) throws -> Comparison {
    let (first, second) = try (invocation.operand(old), invocation.operand(new))
    return try Comparison(ofCopies: first, second, invocation)
      ?? Comparison(
        (old.shown.inputName, old.content(of: first.printed() ?? .map([]))),
        (new.shown.inputName, new.content(of: second.printed() ?? .map([]))))
  }

  /// Compares the notes of two folders.
  private func compareFolders(
    _ old: FileName, _ new: FileName, _ invocation: Invocation
  ) throws -> ExitStatus {
    let folders = try OpenFolder.opening([old, new], invocation)
    let pairs = FolderPairs(folders[0], folders[1])
    let faults = folders.flatMap(\.faults)
    let status = faults.map(\.status).max() ?? .done
    if json { return max(status, try report(pairs, faults, invocation)) }
    for fault in faults { try invocation.console.printError(fault.line) }
    for pair in pairs.pairs where !pair.isSame {
      let names = (pair.files.0.visible, pair.files.1.visible)
      if let texts = pair.saved {
        if verbosity.quiet { continue }
        let difference = unifiedDifference(
          from: texts.0, to: texts.1, oldName: names.0, newName: names.1)
        try invocation.console.writeDifference(difference[...])
      } else if try comparison(of: pair.files.0, pair.files.1, invocation)
        .report(isJSON: false, invocation) == .done
      {
        try invocation.console.report("\(names.0) and \(names.1): only the history differs")
      }
    }
    for file in pairs.onlyInFirst + pairs.onlyInSecond {
      try invocation.console.report("only here: \(file.visible)")
    }
    return max(status, pairs.isSame ? .done : .different)
  }

  /// Reports for programs how the notes of two folders differ.
  private func report(
    _ pairs: FolderPairs, _ faults: [Failure], _ invocation: Invocation
  ) throws -> ExitStatus {
    try invocation.console.printResult(
      JSONReport([
        "same": .json(.bool(pairs.isSame)),
        "files": .list(pairs.pairs.filter { !$0.isSame }) { pair in
          let members =
            pair.saved != nil
            ? [("same", .json(false)), ("saved", .json(true))]
            : try comparison(of: pair.files.0, pair.files.1, invocation).members
          let files = [("a", pair.files.0), ("b", pair.files.1)]
          return try JSONReport(files.map { ($0, .json(.string($1.visible))) } + members).json()
        },
        "only_in_a": .list(pairs.onlyInFirst) { .string($0.visible) },
        "only_in_b": .list(pairs.onlyInSecond) { .string($0.visible) },
        "failures": .list(faults, \.json),
      ]))
    return pairs.isSame ? .done : .different
  }
}

extension FileName {
  /// What of a document in this file is compared: of the history of a plain file its text, since what
  /// else it holds is not in that file.
  func content(of root: DocumentNode) -> DocumentNode {
    plainText(in: root).map { .map([.init(key: "body", node: .text($0))]) } ?? root
  }
}

/// What differs in two contents, and of copies of one document what each did since they parted, as
/// `diff` shows it.
struct Comparison {
  /// A content: what it is called, all that it is, with sorted keys, and what people are shown of it.
  private typealias Side = (name: String, root: DocumentNode, shown: DocumentNode)

  private let old, new: Side
  /// What each did; `nil` if they are no copies of one document.
  private var divergence: Divergence?

  /// Compares contents as they stand.
  init(_ old: (name: String, root: DocumentNode), _ new: (name: String, root: DocumentNode)) {
    self.old = (old.name, old.root.sorted, old.root)
    self.new = (new.name, new.root.sorted, new.root)
  }

  /// Compares two copies; `nil` if they are no copies of one document, or disagree on a change,
  /// which is said.
  ///
  /// One walk over the whole history of the first one, if both did something.
  init?(ofCopies old: Operand, _ new: Operand, _ invocation: Invocation) throws {
    // What the app shows may differ from the documents that are made of its files.
    guard old.foreign == nil, new.foreign == nil else { return nil }
    let first = try old.document()
    let second = try new.document(beside: first)
    do {
      switch try first.relation(to: second) {
      case .unrelated, .differentDocument: return nil
      case .same, .behind, .ahead, .diverged: break
      }
    } catch {
      try invocation.console.printError(
        "\(old.file.inputName) and \(new.file.inputName) cannot be merged (\(error)); "
          + "compared as they stand")
      return nil
    }
    let divergence = try old.file.parsing(first.divergence(from: second))
    func side(_ file: FileName, _ document: Document, _ changes: PlaceChanges) -> Side {
      let heading = [file.shown.inputName, changes.signature(invocation)].compactMap(\.self)
      let root = document.rootInOrderOfWriting
      return (heading.joined(separator: "\t"), root.sorted, file.content(of: root))
    }
    self.old = side(old.file, first, divergence.ours)
    self.new = side(new.file, second, divergence.theirs)
    self.divergence = divergence
  }

  private var isSame: Bool { old.root == new.root }

  /// What was found, for programs.
  var members: [JSONReport.Member] {
    [("same", .json(.bool(isSame))), ("differences", .differences(from: old.root, to: new.root))]
      + (divergence?.members(ours: "a_places", theirs: "b_places") ?? [])
  }

  /// Says what was found, for programs or in the unified format, and whether the contents differ.
  func report(isJSON: Bool, _ invocation: Invocation) throws -> ExitStatus {
    if isJSON {
      try invocation.console.printResult(JSONReport(members))
    } else if !isSame, !invocation.console.isQuiet {
      let difference = unifiedDifference(
        from: PlainText.readableForm(of: old.shown), to: PlainText.readableForm(of: new.shown),
        oldName: old.name, newName: new.name)
      try invocation.console.writeDifference(difference[...])
    }
    return isSame ? .done : .different
  }
}

extension PlaceChanges {
  /// Who made the changes, and when the last one.
  fileprivate func signature(_ invocation: Invocation) -> String? {
    var last = places.max {
      ($0.time ?? .init(milliseconds: 0)) < ($1.time ?? .init(milliseconds: 0))
    }
    last?.authors = places.flatMap(\.authors).distinct
    return last?.signature(invocation)
  }
}
