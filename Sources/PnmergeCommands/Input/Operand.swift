import Peernote
import PeernoteJSON

/// A document that an argument names, whatever program wrote it.
///
/// An Automerge document answers by the document that `import` makes of it, so that commands read
/// both alike. Its own are only what the app shows at present, and holds as conflicts.
struct Operand {
  let file: FileName
  let bytes: [UInt8]
  /// The Automerge document, if it is one.
  let foreign: AutomergeDocument?
  private let invocation: Invocation

  init(_ bytes: [UInt8], from file: FileName, _ invocation: Invocation) throws(Failure) {
    (self.bytes, self.file, self.invocation) = (bytes, file, invocation)
    foreign = try AutomergeDocument(bytes, from: file)
  }

  /// The whole document; faster beside another copy of it.
  func document(beside other: Document? = nil) throws(Failure) -> Document {
    if let foreign { return try AutomergeImport.document(of: foreign) }
    return try invocation.parseDocument(bytes, from: file, beside: other)
  }

  /// The present content; of a document of our own it is read without the history.
  var root: DocumentNode {
    get throws(Failure) {
      if let foreign { return foreign.state.root }
      return try invocation.parsing(file, bytes, DocumentReader(bytes: bytes)).root
    }
  }

  /// What is undecided in the document, which has been read.
  func conflicts(in document: Document) -> [Conflict] { foreign?.conflicts ?? document.conflicts }

  /// Says if Automerge may show something else at a path as of some changes than their document has there:
  /// several that do not know of each other are merged by our own rules.
  func sayIfOther(
    _ node: DocumentNode?, at path: JSONPointer, asOf heads: [ChangeID], of present: [ChangeID]
  ) throws {
    guard let foreign, heads.count > 1,
      heads != present || foreign.state.root[path] != node
    else { return }
    try invocation.console.warn(
      "\(file.visible): as 'pnmerge import' merges these changes; Automerge may show something else"
    )
  }

  /// What is wrong with it.
  func findings(quick: Bool) -> [DocumentError] {
    foreign?.findings(quick: quick) ?? Document.validate(bytes: bytes, quick: quick)
  }

  /// What stands at a path as of the changes with these names, as it is printed: with the keys of maps
  /// in the order in which they were written.
  ///
  /// Those of an Automerge document stand in the order of the format. What was redacted since is left
  /// out, and that is said. The history is read only where several keys are to be put in order; those
  /// of a note that is printed as one have theirs.
  func printed(
    at path: JSONPointer = JSONPointer(), asOf names: [String] = [], asNote isNote: Bool = false
  ) throws -> DocumentNode? {
    if names.isEmpty {
      let root = try root
      let known = isNote && Note.isNote(root) ? Note.Key.all + [Note.Key.frontMatter] : []
      if foreign != nil || !root.hasOrder(besides: known) { return root[path] }
    }
    return try version(asOf: names, at: path).node
  }

  /// What stands at a path, with the keys of maps in the order in which they were written, and the
  /// version of the document that this is.
  func version(asOf names: [String], at path: JSONPointer = JSONPointer()) throws -> ReadVersion {
    if let foreign, names.isEmpty {
      return ReadVersion(id: nil, heads: [], node: foreign.state.root[path])
    }
    let document = try document()
    let id = foreign == nil ? document.id : nil
    guard !names.isEmpty else {
      return ReadVersion(id: id, heads: document.heads, node: document.rootInOrderOfWriting[path])
    }
    let heads = document.heads
    let content = try (consume document).content(
      named: names, at: path, inOrderOfWriting: foreign == nil, in: file)
    try sayIfOther(content.node, at: path, asOf: content.version, of: heads)
    try invocation.say(content.gaps, in: file)
    return ReadVersion(id: id, heads: content.version, node: content.node)
  }
}

extension DocumentNode {
  /// Whether a map in it has several keys, besides some at the top.
  fileprivate func hasOrder(besides known: [String] = []) -> Bool {
    if case .map(let entries) = self, entries.count(where: { !known.contains($0.key) }) > 1 {
      return true
    }
    return children.contains { $0.node.hasOrder() }
  }
}

/// What a document holds at a version, or at a path of it.
struct ReadVersion {
  /// The document; `nil` for one of Automerge, whose versions `import` does not know.
  var id: UniqueID?
  var heads: [ChangeID]
  /// `nil` if nothing stands there.
  var node: DocumentNode?

  /// The content of the whole version.
  var root: DocumentNode { node ?? .map([]) }
}

extension Invocation {
  /// Reads a document.
  func operand(_ file: FileName) throws(Failure) -> Operand {
    try Operand(readDocumentBytes(file), from: file, self)
  }
}

/// What came from standard input and pipes, which can be read only once.
struct InputStreams {
  private var contents: [FileName: [UInt8]] = [:]
  /// The changes that were left out of what was read.
  var leftOut: Set<ChangeID> = []

  /// Reads a file; what a stream gave is kept for the next time.
  mutating func read(
    _ file: FileName, _ invocation: Invocation
  ) throws(Failure) -> [UInt8] {
    if let bytes = contents[file] { return bytes }
    let bytes = try invocation.readDocumentBytes(file)
    if file.isStandardStream || Self.isPipe(file, invocation) { contents[file] = bytes }
    return bytes
  }

  /// Whether a name leads to neither a file nor a directory.
  static func isPipe(_ file: FileName, _ invocation: Invocation) -> Bool {
    invocation.kind(of: file) == .other
  }
}
