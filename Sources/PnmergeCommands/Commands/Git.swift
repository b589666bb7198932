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

/// Which of git's files to write to.
struct GitPlace: ParsableArguments {
  /// For those who are in no repository.
  static let hint = "; --global works outside of one"

  @Flag(help: "For all repositories of this user, not only the current one.")
  var global = false

  @Flag(help: "Write attributes to .git/info/attributes, which is not committed.")
  var infoAttributes = false

  func validate() throws {
    if global && infoAttributes {
      throw ValidationError("--global and --info-attributes exclude each other.")
    }
  }
}
