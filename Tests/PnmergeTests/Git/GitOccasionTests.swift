import Testing

/// What the current version lacks of the ancestor's was taken back there only if that is certain.
@Suite("git: taken back here, or never here")
struct GitOccasionTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  @Test(
    "edits taken along to a branch that lacks a commit do not take it back from the one that has it",
    arguments: ["switch -q -m", "checkout -q -m"])
  func switchBranch(command: String) throws {
    try git.expect(
      """
      title: T
      one
      TWO
      three
      FOUR
      FIVE
      """,
      from: """
        repository r; git branch old; body 's/two/TWO/'; save E
        git checkout -q old; body 's/four/FOUR/'; save old
        git checkout -q main; body 's/five/FIVE/'; git \(command) old 2> "$T/errors"
        ! grep ^pnmerge "$T/errors"; save edit; git checkout -q main; merge old; show
        git checkout -q old; merge main; test "$(blob main)" = "$(blob old)"
        """)
  }

  @Test("a hook that picks a commit after a merge inherits the merge's variables, and no more")
  func hook() throws {
    try git.expect(
      """
      title: T
      ONE
      TWO
      three
      FOUR
      FIVE
      """,
      from: """
        repository r; git checkout -qb other; body 's/two/TWO/'; save E; body 's/four/FOUR/'; save F
        git checkout -qb side main; body 's/one/ONE/'; save side
        git checkout -q main; body 's/five/FIVE/'; save main
        printf '#!/bin/sh\\ngit cherry-pick other >&2\\n' > .git/hooks/post-merge
        chmod 755 .git/hooks/post-merge; merge side 2> "$T/errors"; ! grep ^pnmerge "$T/errors"
        rm .git/hooks/post-merge; merge other; show
        """)
  }

  /// A bare repository in whose branch main an edit was taken back that the branch other has.
  private let hub = """
    repository r; body 's/two/TWO/; /three/d'; save E
    git checkout -qb other; body 's/one/ONE/'; save other; git checkout -q main
    git revert --no-edit HEAD > "$T/log"; body 's/five/FIVE/'; save main
    git checkout -q --orphan away; save away
    git clone -q --bare . "$T/hub"; cd "$T/hub"; pnmerge git install -q
    """

  @Test(
    "merge-tree gives one blob in both orders, whatever HEAD is, and what was undone stays undone",
    arguments: ["main", "other", "away", "nowhere"])
  func mergeTree(head: String) throws {
    try git.expect(
      "same\ntitle: T\nONE\ntwo\nthree\nfour\nFIVE",
      from: """
        \(hub)
        git symbolic-ref HEAD refs/heads/\(head)
        one=$(git merge-tree --write-tree main other 2> "$T/log")
        two=$(git merge-tree --write-tree other main 2> "$T/log")
        test "$one" = "$two" && echo same; show "$one"
        """)
  }

  @Test("git merge makes of the same branches what merge-tree does")
  func mergeTreeAndMerge() throws {
    try git.expect(
      "same",
      from: """
        \(hub)
        tree=$(git merge-tree --write-tree other main 2> "$T/log"); cd "$T/r"; git checkout -q main
        merge other 2> "$T/log"; test "$(blob HEAD)" = "$(git -C "$T/hub" rev-parse "$tree:n.peernote")"
        echo same
        """)
  }

  @Test("a merge in a rebase of merges leaves taken back what a branch took back")
  func rebaseMerges() throws {
    try git.expect(
      "title: T\nONE\ntwo\nthree\nFOUR\nFIVE",
      from: """
        repository r; body 's/two/TWO/; /three/d'; save E
        git checkout -qb other; body 's/one/ONE/'; save other; git checkout -q main
        git revert --no-edit HEAD > "$T/log"; body 's/five/FIVE/'; save main; merge other 2> "$T/log"
        git checkout -qb base main~2; echo 1 > text; save base
        git checkout -q main; git rebase -q --rebase-merges base > "$T/log" 2>&1
        body 's/four/FOUR/'; show
        """)
  }

  @Test(
    "whatever git calls the versions, what was taken back does not come back",
    arguments: [
      ("0d50061", "HEAD", "other", true),
      ("merged common ancestors", "HEAD", "other", true),
      ("0d50061", "Temporary merge branch 1", "Temporary merge branch 2", true),
      ("0d50061", "main", "local", false),
      ("main~3", "0d50061 (subject)", "1e61172 (subject)", false),
      ("0d50061", "main", "local", true),
      ("parent of 0d50061 (subject)", "HEAD", "0d50061 (subject)", true),
      ("parent of 0d50061", "1e61172", "0d50061", false),
      ("Stash base", "Updated upstream", "Stashed changes", true),
      ("old branch", "new branch", "local", true),
      ("constructed merge base", "HEAD", "subject", true),
      ("base", "ours", "theirs", true),
      ("%S", "%X", "%Y", false),
      ("%S", "%X", "%Y", true),
    ])
  func labels(
    ancestor: String, current: String, incoming: String, isLocked: Bool
  ) throws {
    try git.expect(
      "ONE\ntwo\nthree\nfour\nFIVE",
      from: """
        \(hub)
        for v in main~2:o main:a other:b; do git show ${v%:*}:n.peernote > ${v#*:}; done
        git symbolic-ref HEAD refs/heads/away; \(isLocked ? "touch index.lock" : ":")
        pnmerge git driver -- o a b 7 n.peernote '\(ancestor)' '\(current)' '\(incoming)' 2> "$T/log"
        pnmerge cat --body a
        """)
  }

  @Test("merges of ancestors are told by their longer markers, unless an attribute sets these")
  func markers() throws {
    try git.expect(
      "two\ntwo",
      from: """
        \(hub)
        for v in main~2:o main:a other:b; do git show ${v%:*}:n.peernote > ${v#*:}; done; cp a c
        git symbolic-ref HEAD refs/heads/away; touch index.lock
        pnmerge git driver -- o a b 9 n.peernote; pnmerge cat --body a | grep -i two
        echo '*.peernote conflict-marker-size=9' >> info/attributes
        pnmerge git driver -- o c b 9 n.peernote 2> "$T/log"; pnmerge cat --body c | grep -i two
        """)
  }
}
