import Testing

/// Plain files whose history is kept beside them, with both in a work tree of git.
@Suite("git: tracked plain files")
struct GitTrackedFileTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// A tracked file in a commit, and `tidied` for a run that finds what was saved long enough ago.
  private let start = """
    git init -q r; cd r; pnmerge git install -q
    printf 'one\\ntwo\\nthree\\nfour\\n' > trip.md; touch -d '20 min ago' trip.md
    pnmerge track -q trip.md; save base
    line() { sed -i "$1" trip.md; touch -d "$2" trip.md; pnmerge tidy -q .; }
    settle() { sleep 6; pnmerge tidy -q .; }
    """

  @Test("what git takes back stays so", .timeLimit(.minutes(2)))
  func revert() throws {
    try git.expect(
      "one two three four\nno conflicts\nclean\none 2 three four\nno conflicts",
      from: """
        \(start)
        line s/two/2/ '15 min ago'; save second
        git revert --no-edit HEAD > "$T/log"; settle
        paste -sd' ' trip.md; pnmerge conflicts .; git diff --quiet && echo clean
        git reset -q --hard HEAD~1; settle; paste -sd' ' trip.md; pnmerge conflicts .
        """)
  }

  @Test("a branch gets nothing of another one by a switch", .timeLimit(.minutes(2)))
  func switched() throws {
    try git.expect(
      "clean\none two three 4\none 2 three four\none 2 three 4\nno conflicts",
      from: """
        \(start)
        git branch side; line s/two/2/ '15 min ago'; save second
        git switch -q side; settle; git diff --quiet && echo clean
        line s/four/4/ '6 sec ago'; save fourth; paste -sd' ' trip.md
        git switch -q main; settle; paste -sd' ' trip.md
        git merge -q --no-edit side > "$T/log"; settle; paste -sd' ' trip.md; pnmerge conflicts .
        """)
  }

  @Test("where git does not keep the history, an old one takes nothing back")
  func ignored() throws {
    try git.expect(
      "one 2 three four",
      from: """
        \(start)
        git rm -rq --cached .peernote; echo .peernote > .gitignore; save ignored
        cp -p .peernote/trip.md.peernote trip.md "$T"
        line s/two/2/ '15 min ago'
        cp -p "$T/trip.md.peernote" .peernote/; pnmerge tidy -q .; paste -sd' ' trip.md
        """)
  }
}
