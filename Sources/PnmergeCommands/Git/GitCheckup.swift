import Peernote
import PeernoteJSON

/// Finds out what git would do with documents in this repository, and what is wrong about it.
struct GitCheckup {
  /// How a finding is meant.
  enum State: String {
    case ok
    /// What may be wrong elsewhere, or not be meant.
    case hint
    /// The merge driver said it, and perhaps nobody heard.
    case said
    /// Something that is needed is not set up.
    case missing
    /// Something may damage documents or run what it should not.
    case danger
  }

  struct Finding {
    var state: State
    /// What it is about: `driver`, `attributes`, `text`, `tool`, `hook`, `document` or `merge`.
    var topic: String
    var sentence: String
  }

  private let invocation: Invocation
  private let repository: GitRepository
  /// Whether there is a repository.
  private let isInside: Bool
  private(set) var findings: [Finding] = []
  /// The programs of which is said that they may not be found.
  private var hinted: Set<[UInt8]> = []
  /// What the merge driver said, and perhaps nobody heard.
  private(set) var words: [KeptWords.Entry] = []

  /// Whether nothing is missing or dangerous.
  var isHealthy: Bool { !findings.contains { $0.state == .missing || $0.state == .danger } }

  /// Looks at everything.
  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    repository = GitRepository(host: invocation.host)
    let configuration = try GitConfiguration(repository)
    isInside = try repository.isInside
    try checkDriver(configuration)
    try checkTextConversion(configuration)
    try checkTool(configuration)
    if isInside {
      try checkHooks()
      if let kept = KeptWords(repository) {
        words = kept.entries
        for entry in words { add(.said, "merge", entry.line(invocation)) }
      }
    }
    if let top = try repository.top {
      let documents = try repository.trackedDocuments(top: top)
      try checkAttributes(configuration, documents, top: top)
      let sound = checkContents(documents, top: top)
      let unmerged = try checkConflicts(documents, top: top)
      try checkCopies(sound.filter { !unmerged.contains($0.file) })
    } else if try repository.isBare {
      try checkAttributes(configuration, [], top: nil)
    }
  }

  /// What sets git up here.
  private var installHint: String {
    isInside
      ? "run 'pnmerge git install'"
      : "outside of a repository, run 'pnmerge git install --global'"
  }

  private mutating func add(_ state: State, _ topic: String, _ sentence: String) {
    findings.append(Finding(state: state, topic: topic, sentence: sentence))
  }

  // MARK: Configuration

  private mutating func checkDriver(_ configuration: GitConfiguration) throws(Failure) {
    guard let driver = configuration[GitSettings.Key.driver] else {
      add(
        .missing, "driver",
        "no merge driver is configured, so notes changed on both sides stay in conflict; "
          + installHint)
      return
    }
    let isOurs = GitSettings.isOurs(GitSettings.Key.driver, driver.value)
    if isOurs { add(.ok, "driver", "merge driver (\(driver.scope)): \(driver.text)") }
    if Self.quotesPath(driver.value) {
      add(
        .danger, "driver",
        "the merge driver has %P between quotation marks, so that a file's name can run commands; "
          + "run 'pnmerge git install' again")
    }
    if !isOurs {
      add(
        .danger, "driver",
        "the merge driver (\(driver.scope)), \(driver.text), does not call 'pnmerge git driver'; to "
          + "have ours: git config \(driver.scope == "global" ? "--global " : "")--unset "
          + "\(GitSettings.Key.driver), and then pnmerge git install")
    } else if !driver.text.contains("%O %A %B %L %P") {
      add(.danger, "driver", "the merge driver does not get '%O %A %B %L %P'")
    } else if !driver.text.contains("%P %S %X %Y") {
      add(
        .missing, "driver",
        "the merge driver is not told what git merges ('%S %X %Y'), so that picked commits bring "
          + "along more than they need; run 'pnmerge git install' again")
    }
    if let word = driver.value.range(of: " git driver ") {
      // What git makes of percent signs in the command.
      let program = ShellWord.literal(driver.value[..<word.lowerBound])?
        .replacing("%%".utf8, with: "%".utf8)
      try checkProgram(
        program, driver.value[..<word.lowerBound], "driver",
        "so that notes changed on both sides stay in conflict")
    }
    if let recursive = configuration[GitSettings.Key.recursive] {
      add(
        .danger, "driver",
        "\(recursive.key) is set (\(recursive.scope)), so that ancestors are merged differently")
    }
  }

  /// Whether a quotation mark stands before the path, or right after it.
  private static func quotesPath(_ command: [UInt8]) -> Bool {
    let marks = "'\"".utf8
    guard let path = command.range(of: "%P") else { return false }
    let word = command[..<path.lowerBound].reversed().prefix { $0 != UInt8(ascii: " ") }
    return word.contains { marks.contains($0) }
      || command[path.upperBound...].first.map { marks.contains($0) } ?? false
  }

  /// Where the programs of every system are, and what a program that is not started from a shell
  /// often gets for its path.
  private static let systemPath = "/usr/local/bin:/usr/bin:/bin"

  /// Checks that git will find a program, by a word in a command.
  private mutating func checkProgram(
    _ program: [UInt8]?, _ word: some Collection<UInt8>, _ topic: String, _ consequence: String
  ) throws(Failure) {
    // A repository may bring this. So the shell, which finds the program as git will, is given
    // nothing to expand or run; of what it would have to nothing is said.
    guard let program else { return }
    func isFound(_ script: String) -> Bool? {
      let arguments = ["sh", "-c", script, "sh"].map { FileName($0) } + [FileName(bytes: program)]
      return (try? invocation.host.run(arguments, capturing: true)).map { $0.status == 0 }
    }
    let name = visibleText(of: Array(word))
    if isFound("command -v \"$1\"") == false {
      add(
        .danger, topic,
        "\(name) is not found in the path, \(consequence); "
          + "'pnmerge git install --absolute-path' helps")
    } else if isFound("PATH=\(Self.systemPath); command -v \"$1\"") == false,
      hinted.insert(program).inserted
    {
      add(
        .hint, topic,
        "\(name) is not in \(Self.systemPath), where programs that are not started from a shell "
          + "look, \(consequence) there; 'pnmerge git install --absolute-path' helps")
    }
  }

  private mutating func checkTextConversion(
    _ configuration: GitConfiguration
  ) throws(Failure) {
    guard let text = configuration[GitSettings.Key.textconv] else {
      return add(.missing, "text", "diff and log show no text; \(installHint)")
    }
    add(.ok, "text", "text for diff and log (\(text.scope))")
    if !text.text.contains("||") {
      add(
        .danger, "text",
        "\(text.key) does not go on without the program, so that 'git log -p' would end there; "
          + "run 'pnmerge git install' again")
    } else if let word = Self.program(ofTextConversion: text.value) {
      let news = GitSettings(program: Array(word)).values.filter {
        [GitSettings.Key.textconv, GitSettings.Key.textCache].contains($0.key)
      }
      if news.contains(where: { configuration[$0.key]?.value != $0.value }) {
        add(
          .missing, "text",
          "the settings of the text for diff and log are not those of this version; "
            + "run 'pnmerge git install' again")
      }
      try checkProgram(
        ShellWord.literal(word), word, "text",
        "so that diff and log show only that notes changed")
    }
    if isInside, try repository.keepsTextsWithoutProgram {
      add(
        .missing, "text",
        "a git that did not find the program keeps texts without content for diff and log; "
          + "'pnmerge git install' removes them")
    }
  }

  /// The program in a command for text conversion, as a word for a shell.
  private static func program(ofTextConversion command: [UInt8]) -> ArraySlice<UInt8>? {
    guard let start = command.range(of: "f() { ")?.upperBound,
      let end = command[start...].range(of: " git textconv ")?.lowerBound
    else { return nil }
    return command[start..<end]
  }

  private mutating func checkTool(_ configuration: GitConfiguration) throws(Failure) {
    guard let tool = configuration[GitSettings.Key.toolCommand] else { return }
    add(.ok, "tool", "merge tool (\(tool.scope)): git mergetool --tool=peernote")
    guard isInside else { return }
    // git's script asks rerere what is left to do, which knows only files with markers.
    let rerere = try repository.path("MERGE_RR")
    if (try? invocation.host.identity(of: rerere, followingLinks: true)) != nil,
      try !repository.unmergedFiles([]).isEmpty
    {
      add(
        .hint, "tool",
        "with rerere.enabled 'git mergetool' passes over documents unless they are named; "
          + "'pnmerge git resolve' finds them")
    }
  }

  private mutating func checkHooks() throws(Failure) {
    for event in HookFile.Event.allCases {
      let file = try repository.path("hooks/\(event.rawValue)")
      guard let contents = try? invocation.host.read(file, limit: Invocation.inputLimit) else {
        continue
      }
      if HookFile.removing(from: contents.bytes) != nil {
        add(.ok, "hook", "hook: \(event.rawValue)")
      }
    }
  }

  // MARK: Attributes

  private mutating func checkAttributes(
    _ configuration: GitConfiguration, _ documents: [FileName], top: FileName?
  ) throws(Failure) {
    // A name that stands for documents to come, and all that there are.
    let files = [FileName("new.peernote")] + documents
    var troubles: [(state: State, sentence: String, files: [FileName])] = []
    for (file, attributes) in try repository.attributes(of: files, top: top) {
      for trouble in attributes.troubles(configuration) {
        if let index = troubles.firstIndex(where: { $0.sentence == trouble.sentence }) {
          troubles[index].files.append(file)
        } else {
          troubles.append((trouble.state, trouble.sentence, [file]))
        }
      }
    }
    if troubles.isEmpty {
      let patterns = AttributesFile.patterns.joined(separator: ", ")
      add(.ok, "attributes", "attributes of \(patterns)")
    }
    for (state, sentence, found) in troubles {
      let tracked = found.filter { $0 != files[0] || documents.contains($0) }
      let first = tracked.first.map { " (\($0.visible)" } ?? " (any new document"
      let more = tracked.count > 1 ? " and \(tracked.count - 1) more)" : ")"
      add(state, "attributes", sentence + first + more)
    }
  }

  // MARK: Documents

  /// A document in the work tree, and its version.
  private typealias SoundDocument = (file: FileName, heads: DocumentHeads)

  /// Reads every document in the work tree.
  ///
  /// - Returns: those that are sound, but for Automerge's.
  private mutating func checkContents(
    _ documents: [FileName], top: FileName
  ) -> [SoundDocument] {
    var sound = 0
    var result: [SoundDocument] = []
    for (index, name) in documents.enumerated() {
      invocation.console.progress("checking \(index + 1) of \(documents.count): \(name.visible)")
      let file = top.appending(name)
      // What is not checked out, or was deleted, cannot be wrong. A link is no document to git, and
      // may lead to a device.
      guard
        (try? invocation.host.identity(of: file, followingLinks: false))?.kind == .regular,
        let bytes = try? invocation.host.read(file, limit: Invocation.inputLimit).bytes
      else {
        continue
      }
      if let trouble = Self.trouble(with: bytes, name) {
        add(.danger, "document", "\(name.visible): \(trouble)")
      } else {
        sound += 1
        if let heads = try? DocumentHeads(bytes: bytes) { result.append((name, heads)) }
      }
    }
    if sound > 0 { add(.ok, "document", "\(counted(sound, "document")) in the work tree, sound") }
    return result
  }

  /// Names files that are one document and differ, as where both sides of a merge renamed it.
  private mutating func checkCopies(_ documents: [SoundDocument]) throws(Failure) {
    var first: [UniqueID: SoundDocument] = [:]
    var prefix: [UInt8]?
    for document in documents {
      guard let other = first[document.heads.id] else {
        first[document.heads.id] = document
        continue
      }
      if Set(other.heads.heads) == Set(document.heads.heads) { continue }
      if prefix == nil { prefix = try repository.name("rev-parse", "--show-cdup")?.bytes ?? [] }
      let words = [other, document].map { document in
        shellQuoted(FileName(bytes: (prefix ?? []) + document.file.bytes))
      }
      add(
        .hint, "document",
        "\(document.file.visible): is the same document as \(other.file.visible), and differs; to "
          + "make them one: pnmerge merge \(words[0]) \(words[1]) && git add \(words[0]) && "
          + "git rm \(words[1])")
    }
  }

  /// Names what git has left in conflict: a commit would take one side of it, unless the work tree has
  /// both.
  ///
  /// - Returns: what that is.
  private mutating func checkConflicts(
    _ documents: [FileName], top: FileName
  ) throws -> Set<FileName> {
    let known = Set(documents)
    let all = try repository.unmergedFiles([])
    let unmerged = all.filter { known.contains($0.path) }
    for file in all where !known.contains(file.path) && known.contains(file.path.history) {
      add(.said, "document", "\(file.path.visible): \(TrackedConflict.file)")
    }
    var unmergeable = Unmergeable(repository, top: top)
    try BlobReader(repository: repository).read(unmerged.map(\.objects)) { index, contents in
      let file = unmerged[index]
      if holdsAll(of: file, contents, top) {
        add(
          .said, "document",
          "\(file.path.visible): git has left it to you, with both sides in the work tree; "
            + "settle it (pnmerge resolve -i), and 'git add' it")
      } else if let reason = try unmergeable.reason(file, contents) {
        add(
          .danger, "document", "\(file.path.visible): git has left it in conflict: \(reason)")
      } else if let plain = file.path.plainFile {
        add(.danger, "document", "\(plain.visible): \(TrackedConflict.history)")
      } else {
        add(
          .danger, "document",
          "\(file.path.visible): git has left it in conflict, and a commit would lose one side; "
            + "'pnmerge git resolve' merges it")
      }
    }
    return Set(unmerged.map(\.path))
  }

  /// Whether the work tree has all changes of both sides.
  private func holdsAll(
    of file: UnmergedFile, _ contents: [String: [UInt8]], _ top: FileName
  ) -> Bool {
    guard
      let bytes = try? invocation.host.read(
        top.appending(file.path), limit: Invocation.inputLimit
      ).bytes, let document = try? Document(bytes: bytes)
    else { return false }
    let changes = Set(document.changes.map(\.id))
    return [file.current, file.incoming].allSatisfy { version in
      guard version?.kind == .file, let object = version?.object, let bytes = contents[object],
        let side = try? DocumentHeads(bytes: bytes)
      else { return false }
      return side.id == document.id && changes.isSuperset(of: side.heads)
    }
  }

  private static func trouble(with bytes: [UInt8], _ name: FileName) -> String? {
    do throws(Failure) {
      if try AutomergeDocument(bytes, from: name) != nil { return nil }
      _ = try name.parsing(DocumentReader(bytes: bytes))
      return nil
    } catch {
      if LFSPointer(bytes) != nil { return "a Git LFS pointer; fetch it with 'git lfs pull'" }
      if error.status == .newerFormat { return nil }
      if ["<<<<<<< ", "\n>>>>>>> "].contains(where: { bytes.range(of: $0) != nil }) {
        return "was merged by lines and holds conflict markers; take a version from before, and "
          + "merge with 'pnmerge merge'"
      }
      if ConvertedLineEnds.isConverted(bytes) {
        return "its line ends were converted; set the attribute -text and check it out again"
      }
      return "damaged, perhaps merged by lines or with line ends converted: \(error.message)"
    }
  }
}
