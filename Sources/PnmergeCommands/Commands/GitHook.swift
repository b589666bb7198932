import ArgumentParser
import Peernote

/// `pnmerge git hook`: what the hooks call that `git install --hooks` sets up.
struct GitHook: HostedCommand {
  static let configuration = CommandConfiguration(
    commandName: "hook",
    abstract: "Do a hook's work; run by git.",
    discussion: """
      pre-commit: checks every document that is about to be committed, and stops the commit if one \
      is damaged. Also tells what the merge driver said where perhaps nobody read it.

      Example:
        pnmerge git hook pre-commit
      """,
    shouldDisplay: false)

  @Argument(help: "The hook's name.")
  var event: HookFile.Event

  @Argument(help: .hidden)
  var rest: [String] = []

  @OptionGroup var verbosity: Verbosity

  func run(_ invocation: Invocation) throws -> ExitStatus {
    invocation.configure(verbosity)
    switch event {
    case .preCommit:
      try tellWords(invocation)
      return try checkStaged(invocation)
    }
  }

  /// Tells what the driver said, until somebody sees it at a terminal.
  private func tellWords(_ invocation: Invocation) throws {
    guard let kept = KeptWords(GitRepository(host: invocation.host)) else { return }
    let words = kept.entries
    for entry in words { try invocation.console.printError("pnmerge: \(entry.line(invocation))") }
    if invocation.host.isTerminal(.error) { kept.forget(words) }
  }

  /// Checks the documents in the index that differ from the last commit.
  private func checkStaged(_ invocation: Invocation) throws -> ExitStatus {
    let repository = GitRepository(host: invocation.host)
    var status = ExitStatus.done
    for file in try repository.stagedDocuments() {
      let bytes = try repository.blob(file.object)
      guard let fault = Self.fault(bytes, file.path, invocation) else { continue }
      status = .different
      try invocation.console.printError("pnmerge: \(file.path.visible): \(fault)")
    }
    if status != .done {
      try invocation.console.printError(
        "pnmerge: nothing was committed; to save what is intact: pnmerge repair FILE -o NEW-FILE; "
          + "'git commit --no-verify' commits all the same")
    }
    return status
  }

  /// The first fault of a document; `nil` if it is sound.
  private static func fault(
    _ bytes: [UInt8], _ file: FileName, _ invocation: Invocation
  ) -> String? {
    do throws(Failure) {
      return try Operand(bytes, from: file, invocation).findings(quick: false).first?.description
    } catch {
      return error.message
    }
  }
}

extension HookFile.Event: ExpressibleByArgument {}

extension GitRepository {
  /// A file in the index, and the object with its content.
  struct StagedFile {
    var path: FileName
    var object: String
  }

  /// The documents in the index that are new or differ from the last commit.
  fileprivate func stagedDocuments() throws(Failure) -> [StagedFile] {
    // ":100644 100644 <old object> <new object> M" NUL "<path>" NUL; without a last commit the
    // comparison is with nothing.
    let command = [
      "diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames",
      "--diff-filter=ACMT", try head(), "--",
    ]
    let patterns = AttributesFile.patterns.map { ":/\($0)" }
    let pieces = try output((command + patterns).map { FileName($0) }).splitAtNUL
    return stride(from: 0, to: pieces.count - 1, by: 2).compactMap { index in
      let words = pieces[index].split(separator: UInt8(ascii: " "))
      guard words.count == 5, words[1].starts(with: "100".utf8) else { return nil }
      return StagedFile(
        path: FileName(bytes: pieces[index + 1]),
        object: String(decoding: words[3], as: UTF8.self))
    }
  }

  /// The last commit, or the empty tree before the first one.
  private func head() throws(Failure) -> String {
    let arguments = ["rev-parse", "--verify", "--quiet", "HEAD"].map { FileName($0) }
    let result = try run(arguments)
    if result.status == 0 {
      return String(decoding: result.output.dropLast(), as: UTF8.self)
    }
    let tree = try output("hash-object", "-t", "tree", "/dev/null")
    return String(decoding: tree.dropLast(), as: UTF8.self)
  }
}
