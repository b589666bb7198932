import Peernote
import PeernoteJSON

/// What two copies of one document did since they parted, as `diff` shows it.
struct CopyComparison {
  private let files: (old: FileName, new: FileName)
  private let roots: (old: DocumentNode, new: DocumentNode)
  private let divergence: Divergence

  /// Compares two copies; `nil` if they are no copies of one document, or disagree on a change,
  /// which is said.
  ///
  /// One walk over the whole history of the first one, if both did something.
  ///
  /// - Parameters:
  ///   - old: the first file and what it holds.
  ///   - new: the second file and what it holds.
  ///   - invocation: the run of the program.
  /// - Throws: ``Failure`` if one of them cannot be read.
  init?(_ old: Operand, _ new: Operand, _ invocation: Invocation) throws {
    // What the app shows may differ from the documents that are made of its files.
    guard old.foreign == nil, new.foreign == nil else { return nil }
    let first = try old.document()
    let second = try new.document(beside: first)
    let relation: Relation
    do {
      relation = try first.relation(to: second)
    } catch {
      try invocation.console.printError(
        "\(old.file.inputName) and \(new.file.inputName) cannot be merged (\(error)); "
          + "compared as they stand")
      return nil
    }
    switch relation {
    case .unrelated, .differentDocument: return nil
    case .same, .behind, .ahead, .diverged: break
    }
    divergence = try old.file.parsing(first.divergence(from: second))
    files = (old.file, new.file)
    roots = (first.rootInOrderOfWriting, second.rootInOrderOfWriting)
  }

  /// Whether the contents are the same.
  var isSame: Bool { ContentDifference.isNone(from: roots.old, to: roots.new) }

  /// What was found, for programs.
  var members: [(name: String, value: JSONReport.Value)] {
    let places = divergence.members(ours: "a_places", theirs: "b_places")
    return [
      ("same", .json(.bool(isSame))),
      ("differences", .differences(from: roots.old, to: roots.new)),
    ] + places.map { ($0.name, .json($0.value)) }
  }

  /// Says what was found.
  ///
  /// - Parameters:
  ///   - isJSON: whether it is for programs.
  ///   - invocation: the run of the program.
  /// - Returns: whether the contents differ.
  /// - Throws: ``Failure`` if it cannot be written.
  func report(isJSON: Bool, _ invocation: Invocation) throws -> ExitStatus {
    if isJSON {
      var report = JSONReport([("schema", .json(1))])
      for member in members { report.append(member.name, member.value) }
      try invocation.console.printResult(report)
      return isSame ? .done : .different
    }
    if isSame { return .done }
    if !invocation.console.isQuiet { try show(invocation) }
    return .different
  }

  /// The difference in the unified format, with who did what since the copies parted.
  private func show(_ invocation: Invocation) throws {
    func heading(_ file: FileName, _ changes: PlaceChanges) -> String {
      ([file.shown.inputName] + [changes.signature(invocation)].compactMap(\.self))
        .joined(separator: "\t")
    }
    let difference = unifiedDifference(
      from: PlainText.readableForm(of: files.old.content(of: roots.old)),
      to: PlainText.readableForm(of: files.new.content(of: roots.new)),
      oldName: heading(files.old, divergence.ours), newName: heading(files.new, divergence.theirs))
    try invocation.console.writeDifference(difference[...])
  }
}

extension PlaceChanges {
  /// Who made the changes, and when the last one.
  fileprivate func signature(_ invocation: Invocation) -> String? {
    var last = places.max {
      ($0.time ?? .init(milliseconds: 0)) < ($1.time ?? .init(milliseconds: 0))
    }
    var names: [String] = []
    for author in places.flatMap(\.authors) where !names.contains(author) { names.append(author) }
    last?.authors = names
    return last?.signature(invocation)
  }
}
