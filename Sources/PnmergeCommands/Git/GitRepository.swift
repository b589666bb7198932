import PeernoteJSON

/// The git repository that the program was started in, or git outside of one.
///
/// All access goes through the program git, which knows about worktrees, sparse checkouts, index
/// formats and the environment.
struct GitRepository {
  let host: any Host

  // MARK: Running git

  /// Settings that keep git from running programs that the repository names, where it is only
  /// asked something.
  private static let settings: [FileName] = [
    "-c", "core.fsmonitor=false", "-c", "log.showSignature=false",
  ]

  func run(
    _ arguments: [FileName], in directory: FileName? = nil, input: [UInt8] = []
  ) throws(Failure) -> ProcessResult {
    let place: [FileName] = directory.map { ["-C", $0] } ?? []
    do throws(HostError) {
      return try host.run(["git"] + Self.settings + place + arguments, input: input)
    } catch {
      throw Self.cannotRun(error)
    }
  }

  /// Lets git itself say at the terminal why it refuses a command, which is run again for that; the
  /// failure to report after its words.
  func refusal(_ arguments: [FileName]) -> Failure {
    do throws(HostError) {
      _ = try host.run(["git"] + arguments, input: nil)
    } catch {
      return Self.cannotRun(error)
    }
    return Failure(.unreadable, "git does not work here, for the reason that it gives above")
  }

  private static func cannotRun(_ error: HostError) -> Failure {
    Failure(
      .unreadable,
      error.kind == .notFound
        ? "git is not in the path; install it, or set PATH" : "cannot run git: \(error.explanation)"
    )
  }

  /// Runs git, which has to succeed, and returns its output.
  func output(_ arguments: [FileName], in directory: FileName? = nil) throws(Failure) -> [UInt8] {
    let result = try run(arguments, in: directory)
    guard result.status == 0 else {
      let words = arguments.map(\.visible).joined(separator: " ")
      throw Failure(.ioError, "git \(words): failed with status \(result.status)")
    }
    return result.output
  }

  /// Runs git for one file name, which ends with a line feed; `nil` if it fails or says nothing.
  func name(_ arguments: FileName...) throws(Failure) -> FileName? {
    let result = try run(arguments)
    guard result.status == 0 else { return nil }
    let isEnded = result.output.last == UInt8(ascii: "\n")
    let name = result.output.dropLast(isEnded ? 1 : 0)
    return name.isEmpty ? nil : FileName(bytes: name)
  }

  // MARK: Places

  /// Checks that there is a repository; `hint` says what can be done without one.
  func requireRepository(hint: String = "") throws(Failure) {
    guard try isInside else {
      throw Failure(.unreadable, "not inside a git repository\(hint)")
    }
  }

  /// Whether there is a repository; throws if there is one that git cannot read, or does not trust.
  var isInside: Bool {
    get throws(Failure) {
      if try gitDirectory != nil { return true }
      if host.environment("GIT_DIR") != nil || host.isInsideRepository(host.workingDirectory) {
        throw refusal(["rev-parse", "--absolute-git-dir"])
      }
      return false
    }
  }

  /// The repository's own directory; `nil` outside of one.
  var gitDirectory: FileName? {
    get throws(Failure) { try name("rev-parse", "--absolute-git-dir") }
  }

  /// The top of the work tree; `nil` in a bare repository.
  var top: FileName? { get throws(Failure) { try name("rev-parse", "--show-toplevel") } }

  /// A file of the repository's own directory, wherever git keeps it.
  func path(_ name: FileName) throws(Failure) -> FileName {
    guard let path = try self.name("rev-parse", "--git-path", name) else {
      throw Failure(.unreadable, "not inside a git repository")
    }
    return path
  }

  /// Whether a merge of branches has stopped for a person to finish.
  var isMergingBranches: Bool {
    get throws(Failure) {
      let file = try path("MERGE_HEAD")
      return (try? host.identity(of: file, followingLinks: true)) != nil
    }
  }

  /// Whose the sides are in a rebase that has stopped, which git takes the other way round; `nil` if
  /// none has.
  var sidesOfRebase: String? {
    get throws(Failure) {
      for name: FileName in ["rebase-merge/head-name", "rebase-apply/head-name"] {
        guard let contents = try? host.read(path(name), limit: 1 << 16) else { continue }
        let branch = String(decoding: contents.bytes.dropLast(), as: UTF8.self)
          .replacing("refs/heads/", with: "", maxReplacements: 1)
        return
          "in this rebase 'theirs' is what \(visibleText(branch)) changed, and 'mine' what it is "
          + "put on"
      }
      return nil
    }
  }

  // MARK: Files

  /// Some names or files for git at a time; the system limits the length of an argument list.
  static func batches<Item>(of items: [Item], _ size: Int = 500) -> [ArraySlice<Item>] {
    stride(from: 0, to: items.count, by: size).map { items[$0..<min($0 + size, items.count)] }
  }

  /// Takes files of the work tree into the index, by their names from the top.
  func add(_ paths: [FileName], top: FileName) throws(Failure) {
    let command: [FileName] = ["--literal-pathspecs", "add"]
    for batch in Self.batches(of: paths) {
      let operands = ["--"] + batch
      // Before version 2.34 git did not know the option and needed none.
      let result = try run(command + ["--sparse"] + operands, in: top)
      if result.status != 0 { _ = try output(command + operands, in: top) }
    }
  }

  /// Whether git tracks a file, by its name from the top of the work tree.
  func tracks(_ path: FileName, top: FileName) throws(Failure) -> Bool {
    try !output(["--literal-pathspecs", "ls-files", "--", path], in: top).isEmpty
  }

  /// The documents that git tracks, by their names from the top of the work tree.
  func trackedDocuments(top: FileName) throws(Failure) -> [FileName] {
    let patterns = AttributesFile.patterns.map { FileName($0) }
    let names = try output(["ls-files", "-z", "--"] + patterns, in: top).splitAtNUL
    // One in conflict is listed once for each version.
    return names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }
      .map { FileName(bytes: names[$0]) }
  }

  /// What the index says of the files of a directory that git tracks, which is asked once, by their
  /// names from there; `nil` outside of work trees.
  func fileStates(in directory: FileName) -> [FileName: GitFileState]? {
    let command: [FileName] = ["ls-files", "-z", "-t", "--cached", "--modified", "--deleted"]
    guard host.isInsideRepository(directory), let result = try? run(command, in: directory),
      result.status == 0
    else { return nil }
    var states: [FileName: GitFileState] = [:]
    for line in result.output.splitAtNUL where line.count > 2 {
      // "H name", and once more, as "C name" or "R name", where the work tree has something else.
      let name = FileName(bytes: line.dropFirst(2))
      switch line[line.startIndex] {
      case UInt8(ascii: "M"): states[name] = .inConflict
      case UInt8(ascii: "H") where states[name] == nil: states[name] = .held
      default: if states[name] != .inConflict { states[name] = .changed }
      }
    }
    return states
  }
}

/// What git's index says of a file.
enum GitFileState {
  /// The work tree has just what it holds.
  case held
  case changed
  /// It has several versions, between which somebody has to decide.
  case inConflict
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Where `text` first stands; O(n · length of `text`), O(n) in practice.
  func range(of text: String) -> Range<Int>? {
    let wanted = Array(text.utf8)
    return indices.first { self[$0] == wanted.first && self[$0...].starts(with: wanted) }
      .map { $0..<$0 + wanted.count }
  }
}

extension [UInt8] {
  /// The pieces that each end with a NUL.
  var splitAtNUL: [ArraySlice<UInt8>] {
    split(separator: 0, omittingEmptySubsequences: false).dropLast()
  }

  /// The lines of `ls-tree -z` or `ls-files --unmerged -z`: three words, a tab and a path.
  var listedFiles: [(words: [String], path: FileName)] {
    splitAtNUL.compactMap { line in
      guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let words = line[..<tab].split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
      }
      return words.count == 3 ? (words, FileName(bytes: line[(tab + 1)...])) : nil
    }
  }
}
