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
  func revert() async throws {
    try await git.expect(
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
  func switched() async throws {
    try await git.expect(
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

  @Test(
    "what git carries to another commit comes without what this machine knows",
    .timeLimit(.minutes(2)))
  func carried() async throws {
    try await git.expect(
      "one three three four\n0\none two three three four\n0\n0\n0",
      from: """
        \(start)
        git switch -qc side; line /two/d '15 min ago'; save second
        line 's/three/&\\n&/' '6 sec ago'; paste -sd' ' trip.md
        git stash -q; pnmerge status . >/dev/null; echo $?
        git switch -q main; git stash pop > "$T/log" 2>&1; settle; paste -sd' ' trip.md
        pnmerge status . >/dev/null; echo $?
        save third; git switch -q --detach HEAD~1; pnmerge status . >/dev/null; echo $?
        git switch -q side; pnmerge status . >/dev/null; echo $?
        """)
  }

  /// How two branches come together, and how that is ended.
  enum Meeting: CaseIterable {
    case merge, strictMerge, mergeWithoutDriver, cherryPick, rebase

    var script: (set: String, come: String, end: String) {
      switch self {
      case .merge: (":", "merge side", "commit --no-edit")
      case .strictMerge: ("pnmerge git install -q --strict", "merge side", "commit --no-edit")
      case .mergeWithoutDriver:
        ("git config --remove-section merge.peernote", "merge side", "commit --no-edit")
      case .cherryPick: (":", "cherry-pick side", "cherry-pick --continue")
      case .rebase: (":", "rebase side", "rebase --continue")
      }
    }
  }

  @Test(
    "what a conflict was resolved to stays, whenever it was saved, and all say so of one that is open",
    .timeLimit(.minutes(3)), arguments: Meeting.allCases)
  func resolved(meeting: Meeting) async throws {
    let (set, come, end) = meeting.script
    try await git.expect(
      "8 8\n8 left alone\nno conflicts\n8 kept\n8 notes, nothing to do",
      from: """
        git init -q r; cd r; pnmerge git install -q; \(set)
        for n in ours theirs both other; do
          for t in now old; do printf 'one\\ntwo\\nthree\\nfour\\n' > $n-$t.md; done
        done
        touch -d '40 min ago' *.md; pnmerge track -q *.md; save base
        git switch -qc side; sed -i s/two/TWO/ *.md; touch -d '30 min ago' *.md; pnmerge tidy -q .
        save side; git switch -q main; sleep 6; pnmerge tidy -q .
        sed -i s/two/2/ *.md; touch -d '20 min ago' *.md; pnmerge tidy -q .; save main
        git \(come) > "$T/log" 2>&1 && exit 1
        open='git has left it in conflict; settle it, then .git add. or .git rm. it'
        all() { grep -c "md: $open" || :; }
        echo $(pnmerge git status | all) $(pnmerge git resolve 2>&1 | all)
        for f in ours-*; do printf 'one\\n2\\nthree\\nfour\\n' > $f; done
        for f in theirs-*; do printf 'one\\nTWO\\nthree\\nfour\\n' > $f; done
        for f in both-*; do printf 'one\\n2\\nTWO\\nthree\\nfour\\n' > $f; done
        for f in other-*; do printf 'one\\nzwei\\nthree\\nfour\\n' > $f; done
        touch -d '2 days ago' *-old.md; cp *.md "$T"
        echo $(pnmerge tidy . 2>&1 | all) left alone
        git add -A; git \(end) > "$T/log"; sleep 6; pnmerge tidy -q .; pnmerge conflicts .
        count=0; for f in *.md; do
          cmp $f "$T/$f"; pnmerge cat .peernote/$f.peernote | cmp - $f; count=$((count + 1))
        done; echo $count kept; pnmerge tidy .
        """)
  }

  @Test("a history in conflict is left alone, and status and tidy say how to go on")
  func historyInConflict() async throws {
    try await git.expect(
      "1 1\nmerged\none 2 three 4",
      from: """
        \(start)
        git config --remove-section merge.peernote
        git switch -qc side; line s/four/4/ '15 min ago'; save side; git switch -q main; settle
        line s/two/2/ '10 min ago'; save main; git merge side > "$T/log" 2>&1 && exit 1
        words='trip.md: git has left its history in conflict, and a commit would lose one side; '
        echo $(pnmerge git status | grep -c "$words") $(pnmerge tidy . 2>&1 | grep -c "$words")
        pnmerge git resolve | grep -o merged; git commit -q --no-edit; settle
        paste -sd' ' trip.md
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
