import Peernote
import PeernoteJSON

/// What differs in two contents, and of copies of one document what each did since they parted, as
/// `diff` shows it.
struct Comparison {
  /// A content: what it is called, all that it is, and what people are shown of it.
  private typealias Side = (name: String, root: DocumentNode, shown: DocumentNode)

  private let old, new: Side
  /// What each did; `nil` if they are no copies of one document.
  private var divergence: Divergence?

  /// Compares contents as they stand.
  init(_ old: (name: String, root: DocumentNode), _ new: (name: String, root: DocumentNode)) {
    self.old = (old.name, old.root, old.root)
    self.new = (new.name, new.root, new.root)
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
      return (heading.joined(separator: "\t"), root, file.content(of: root))
    }
    self.old = side(old.file, first, divergence.ours)
    self.new = side(new.file, second, divergence.theirs)
    self.divergence = divergence
  }

  private var isSame: Bool { ContentDifference.isNone(from: old.root, to: new.root) }

  /// What was found, for programs.
  var members: [(name: String, value: JSONReport.Value)] {
    let places = divergence?.members(ours: "a_places", theirs: "b_places") ?? []
    return [
      ("same", .json(.bool(isSame))), ("differences", .differences(from: old.root, to: new.root)),
    ] + places.map { ($0.name, .json($0.value)) }
  }

  /// Says what was found, for programs or in the unified format, and whether the contents differ.
  func report(isJSON: Bool, _ invocation: Invocation) throws -> ExitStatus {
    if isJSON {
      try invocation.console.printResult(JSONReport(members))
      return isSame ? .done : .different
    }
    // Of copies the order of keys is no difference.
    if divergence == nil ? old.root == new.root : isSame { return .done }
    if !invocation.console.isQuiet {
      let difference = unifiedDifference(
        from: PlainText.readableForm(of: old.shown), to: PlainText.readableForm(of: new.shown),
        oldName: old.name, newName: new.name)
      try invocation.console.writeDifference(difference[...])
    }
    return .different
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
