import Testing

/// Branches as people keep them, with prose, numbers and an agenda in one note.
@Suite("git: release branches, backports, hotfixes and squashes")
struct GitBranchingTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// A note, and functions for commits that each change prose, a number and the agenda.
  private let start = """
    repository r
    put() { pnmerge set -q n.peernote "$@"; }
    add() { pnmerge insert -q n.peernote "/agenda/$1" "\\"$2\\""; }
    put /budget 100; put /rooms 3; put /agenda '["open", "plan", "close"]'; save start
    feature() { body s/one/ONE/; put /budget 120; add 1 vote; save feature; }
    fix() { body s/three/THREE/; put /rooms 4; add 2 fix; save fix; }
    brief() { show | sed -n '/^- \\| - /{s/ *- //p;d};/^[a-z]*: [0-9]/p;/^[a-zA-Z]*$/p' | paste -sd' ' -; }
    quietly() { "$@" > "$T/log" 2> "$T/words"; ! grep pnmerge "$T/words"; }
    """

  @Test("a backport, and the merge back")
  func backport() throws {
    try git.expect(
      """
      notes open plan fix close budget: 100 rooms: 4 one two THREE four FIVE
      notes open vote plan fix close budget: 120 rooms: 4 ONE two THREE four FIVE
      notes open vote plan close budget: 120 rooms: 3 ONE two three four FIVE
      """,
      from: """
        \(start)
        # Not beside what the feature puts in, where its place would be that of the greater agent.
        fix() { body s/three/THREE/; put /rooms 4; add 3 fix; save fix; }
        git branch release; feature; fix
        git checkout -q release; body s/five/FIVE/; add 0 notes; save release
        quietly git cherry-pick main; brief
        git checkout -q main; git branch old; quietly git merge release; brief
        git checkout -q release; quietly git merge old; test "$(blob main)" = "$(blob release)"
        quietly git revert --no-edit old; brief
        """)
  }

  @Test("a release branch that is merged again and again")
  func release() throws {
    try git.expect(
      """
      open vote plan fix close budget: 120 rooms: 4 ONE two THREE four five
      notes open vote plan fix close budget: 120 rooms: 5 ONE two THREE four FIVE
      notes open vote plan fix close budget: 130 rooms: 5 ONE TWO THREE four FIVE
      """,
      from: """
        \(start)
        git checkout -qb release; fix; git checkout -q main; feature; quietly git merge release; brief
        git checkout -q release; body s/five/FIVE/; put /rooms 5; add 0 notes; save more
        git checkout -q main; quietly git merge release; brief
        body s/two/TWO/; put /budget 130; save on
        git checkout -q release; quietly git merge main; brief
        test "$(blob main)" = "$(blob release)"
        """)
  }

  @Test("a squash, a second one after more work, and a merge of what was squashed")
  func squash() throws {
    try git.expect(
      """
      open vote fix plan close any budget: 120 rooms: 5 uno two THREE four FIVE
      notes open vote fix plan close any budget: 120 rooms: 5 uno TWO THREE four FIVE
      notes open vote fix plan close any budget: 120 rooms: 5 uno TWO THREE four FIVE
      """,
      from: """
        \(start)
        git checkout -qb work; feature; fix; body s/ONE/uno/; put /rooms 5; save again
        git checkout -q main; body s/five/FIVE/; add 3 any; save main
        quietly git merge --squash work; save squashed; brief
        git checkout -q work; body s/two/TWO/; add 0 notes; save more
        git checkout -q main; quietly git merge --squash work; save squashed; brief
        quietly git merge work; brief
        """)
  }

  @Test("a hotfix that is picked to two branches, which are merged, and with it")
  func hotfix() throws {
    try git.expect(
      """
      open vote plan fix close budget: 120 rooms: 4 ONE two THREE four five
      open plan fix close budget: 100 rooms: 4 one two THREE four FIVE
      open vote plan fix close budget: 120 rooms: 4 ONE two THREE four FIVE
      open vote plan fix close budget: 120 rooms: 4 ONE two THREE FOUR FIVE
      """,
      from: """
        \(start)
        git branch release; git branch hot; feature
        git checkout -q release; body s/five/FIVE/; save release
        git checkout -q hot; body s/four/FOUR/; save before; fix
        for branch in main release; do
          git checkout -q $branch; quietly git cherry-pick hot; brief
        done
        git checkout -q main; git branch mine; quietly git merge release; brief
        git checkout -q release; quietly git merge mine; test "$(blob main)" = "$(blob release)"
        quietly git merge hot; brief
        git checkout -q hot; quietly git merge main; test "$(blob hot)" = "$(blob release)"
        """)
  }
}
