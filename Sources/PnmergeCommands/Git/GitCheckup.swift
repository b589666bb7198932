import Peernote
import PeernoteJSON

/// Finds out what git would do with documents in this repository, and what is wrong about it.
struct GitCheckup {
  /// How a finding is meant.
  enum State: String {
    case ok
    /// Left to a person, who knows.
    case hint
    /// Something that is needed is not set up.
    case missing
    /// Something may damage documents or run what it should not.
    case danger
  }

  struct Finding {
    var state: State
    /// What it is about: `driver`, `attributes`, `text`, `tool` or `document`.
    var topic: String
    var sentence: String

    /// Whether it is missing or dangerous.
    var isTrouble: Bool { state == .missing || state == .danger }
  }

  private let invocation: Invocation
  private let repository: GitRepository
  private(set) var findings: [Finding] = []

  var isHealthy: Bool { !findings.contains(where: \.isTrouble) }

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    repository = GitRepository(host: invocation.host)
    let configuration = try GitConfiguration(repository)
    try checkSettings(configuration)
    if let top = try repository.top {
      let documents = try repository.trackedDocuments(top: top)
      try checkAttributes(configuration, documents, top: top)
      checkContents(documents, top: top)
      try checkConflicts(documents, top: top)
    } else if try repository.name("rev-parse", "--is-bare-repository") == "true" {
      try checkAttributes(configuration, [], top: nil)
    }
  }

  private mutating func add(_ state: State, _ topic: String, _ sentence: String) {
    findings.append(Finding(state: state, topic: topic, sentence: sentence))
  }

  // MARK: Configuration

  private mutating func checkSettings(_ configuration: GitConfiguration) throws(Failure) {
    let isInside = try repository.isInside
    let installHint =
      isInside
      ? "run 'pnmerge git install'"
      : "outside of a repository, run 'pnmerge git install --global'"
    guard let driver = configuration[.driver] else {
      return add(
        .missing, "driver",
        "no merge driver is configured, so notes changed on both sides stay in conflict; "
          + installHint)
    }
    guard let end = driver.value.range(of: GitSetting.driver.command.call)?.lowerBound else {
      return add(
        .danger, "driver",
        "the merge driver (\(driver.scope)), \(driver.text), does not call 'pnmerge git driver'; to "
          + "have ours: git config \(driver.scope == "global" ? "--global " : "")--unset "
          + "\(driver.key), and then pnmerge git install")
    }
    add(.ok, "driver", "merge driver (\(driver.scope)): \(driver.text)")
    if let text = configuration[.textconv] {
      add(.ok, "text", "text for diff and log (\(text.scope))")
    } else {
      add(.missing, "text", "diff and log show no text; \(installHint)")
    }
    if let tool = configuration[.toolCommand] {
      add(.ok, "tool", "merge tool (\(tool.scope)): git mergetool --tool=peernote")
    }
    // What git makes of percent signs in the command.
    let word = Array(driver.value[..<end].replacing("%%".utf8, with: "%".utf8))
    for setting in GitSetting.allCases {
      guard let entry = configuration[setting],
        entry.value != setting.value(word, isStrict: configuration.isStrict)
      else { continue }
      add(
        setting == .driver ? .danger : .missing, "driver",
        "\(entry.key) (\(entry.scope)) is not what this version sets; run 'pnmerge git install' "
          + "again")
    }
    try checkProgram(word)
    if isInside, try repository.keepsTexts(withoutProgram: true) {
      add(
        .missing, "text",
        "a git that did not find the program keeps texts without content for diff and log; "
          + "'pnmerge git install' removes them")
    }
  }

  /// Checks that git will find the program, by its word in a command.
  private mutating func checkProgram(_ word: [UInt8]) throws(Failure) {
    // A repository may bring this. So the shell, which finds the program as git will, is given
    // nothing to expand or run; of what it would have to nothing is said.
    let quote = UInt8(ascii: "'")
    let isQuoted = word.count > 1 && word.first == quote && word.last == quote
    let program = isQuoted ? Array(word.dropFirst().dropLast()) : word
    guard isQuoted ? !program.contains(quote) : program.allSatisfy(FileName.standsForItself),
      let found = try? invocation.host.run(
        ["sh", "-c", "command -v \"$1\"", "sh", FileName(bytes: program)], input: []),
      found.status != 0
    else { return }
    add(
      .danger, "driver",
      "\(visibleText(of: word)) is not found in the path, so that notes changed on both sides stay in "
        + "conflict; 'pnmerge git install --absolute-path' helps")
  }

  // MARK: Attributes

  private mutating func checkAttributes(
    _ configuration: GitConfiguration, _ documents: [FileName], top: FileName?
  ) throws(Failure) {
    // A name that stands for documents to come, and all that there are.
    let files = ["new.peernote"] + documents
    var troubles: [(state: State, sentence: String, files: [FileName])] = []
    for (file, attributes) in try repository.attributes(of: files, top: top) {
      func note(_ state: State, _ sentence: String) {
        if let index = troubles.firstIndex(where: { $0.sentence == sentence }) {
          troubles[index].files.append(file)
        } else {
          troubles.append((state, sentence, [file]))
        }
      }
      let merge = attributes["merge"] ?? "unspecified"
      switch merge {
      case GitSetting.name: break
      case "unspecified" where configuration["merge.default"]?.text == GitSetting.name: break
      case "unspecified", "unset":
        note(.missing, "no attribute merge=peernote, so that the driver is not used")
      case "set", "union":
        note(.danger, "the attribute merge=\(merge) merges documents by lines")
      default: note(.danger, "the attribute merge=\(merge) names another driver")
      }
      switch attributes["text"] {
      case "unset": break
      case "set":
        note(.danger, "the attribute text lets git convert line ends, which damages documents")
      default:
        let converts = configuration["core.autocrlf"].map { $0.text != "false" } ?? false
        note(
          converts ? .danger : .missing,
          "no attribute -text, so that only a zero byte keeps git from converting line ends")
      }
      if attributes["diff"] != GitSetting.name {
        note(.missing, "no attribute diff=peernote, so that no text is shown")
      }
      if attributes["filter"] == "lfs" {
        note(.danger, "Git LFS stores the document, so the driver cannot merge it")
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

  /// Reads every document in the work tree.
  private mutating func checkContents(_ documents: [FileName], top: FileName) {
    var sound = 0
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
      }
    }
    if sound > 0 { add(.ok, "document", "\(counted(sound, "document")) in the work tree, sound") }
  }

  /// Names what git has left in conflict: a commit would take one side of it, unless the work tree has
  /// both.
  private mutating func checkConflicts(_ documents: [FileName], top: FileName) throws {
    let known = Set(documents)
    let all = try repository.unmergedFiles([])
    let unmerged = all.filter { known.contains($0.path) }
    for file in all where !known.contains(file.path) && known.contains(file.path.history) {
      add(.hint, "document", "\(file.path.visible): \(UnmergedFile.plainFileWords)")
    }
    if unmerged.isEmpty { return }
    var conflictMerge = try ConflictMerge(repository, top: top)
    try repository.readVersions(of: unmerged) { file, versions in
      if conflictMerge.holds([versions.current, versions.incoming], at: file.path) {
        add(
          .hint, "document",
          "\(file.path.visible): git has left it to you, with both sides in the work tree; "
            + "settle it (pnmerge resolve -i), and 'git add' it")
        return
      }
      do throws(Failure) {
        guard try conflictMerge(file, versions) != nil else { return }
        let plain = file.path.plainFile
        add(
          .danger, "document",
          "\((plain ?? file.path).visible): \(UnmergedFile.words(isHistory: plain != nil))")
      } catch {
        add(
          .danger, "document",
          "\(file.path.visible): git has left it in conflict: \(error.message)")
      }
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
      if Document(withConvertedLineEnds: bytes) != nil {
        return "its line ends were converted; set the attribute -text and check it out again"
      }
      return "damaged, perhaps merged by lines or with line ends converted: \(error.message)"
    }
  }
}
