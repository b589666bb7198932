import ArgumentParser

struct Git: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let git merge and show documents.",
    discussion: """
      After 'pnmerge git install' in a repository, git merge, rebase, cherry-pick, revert and stash \
      merge documents, and git diff, log -p and blame show them as text.

      Example:
        pnmerge git install
        git add .gitattributes && git commit -m "merge notes with pnmerge"
      """,
    subcommands: [
      GitInstall.self, GitUninstall.self, GitStatus.self, GitResolve.self, GitDriver.self,
      GitTextconv.self, GitMergetool.self,
    ])
}

/// `pnmerge git driver`: what git runs to merge a file; see ``MergeDriver``.
///
/// This and the next two are what the parser explains; ``GitPlumbing`` runs them.
struct GitDriver: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "driver",
    abstract: "Merge two versions of a file; run by git.",
    discussion: """
      Example:
        git config merge.peernote.driver 'pnmerge git driver -- %O %A %B %L %P %S %X %Y'
      """,
    shouldDisplay: false)

  @Flag(help: "Leave conflicts to a person.")
  var strict = false

  @Argument(help: "What git puts in for %O, %A, %B, %L, %P, %S, %X and %Y.")
  var files: [FileName]
}

/// `pnmerge git textconv`: what git runs to show a document.
struct GitTextconv: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "textconv",
    abstract: "Print a document as text; run by git.",
    discussion: """
      Example:
        git config diff.peernote.textconv 'pnmerge git textconv --'
      """,
    shouldDisplay: false)

  @Argument(help: "The file.")
  var files: [FileName]
}

/// `pnmerge git mergetool`: what `git mergetool` runs; see ``MergeTool``.
struct GitMergetool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mergetool",
    abstract: "Merge a file in conflict; run by git mergetool.",
    discussion: """
      Example:
        git mergetool --tool=peernote
      """,
    shouldDisplay: false)

  @Argument(help: "What git calls BASE, LOCAL, REMOTE and MERGED.")
  var files: [FileName]
}
