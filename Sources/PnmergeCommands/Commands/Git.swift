import ArgumentParser

/// What git runs by itself is no part of it; see ``GitPlumbing``.
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
      GitInstall.self, GitUninstall.self, GitStatus.self, GitResolve.self,
    ])
}
