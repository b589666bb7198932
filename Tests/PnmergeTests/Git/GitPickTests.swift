import Testing

/// A commit that is picked brings what it changed, as with plain text, and says nothing more than git.
@Suite("git: picked commits")
struct GitPickTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// A repository whose branch work has three commits that main lacks, and main one of its own.
  private let threeCommits = """
    repository r
    git checkout -qb work
    body 's/one/ONE/'; save first; body 's/two/TWO/'; save second; body 's/three/THREE/'; save third
    git checkout -q main; body 's/five/FIVE/'; save main; git checkout -q work
    """
  private let everything = "title: T\nONE\nTWO\nTHREE\nfour\nFIVE"

  @Test(
    "a rebase keeps every edit and all commits, with both backends", arguments: ["merge", "apply"])
  func rebase(backend: String) throws {
    try git.expect(
      "third second first main base\n\(everything)",
      from: """
        \(threeCommits)
        git rebase -q --\(backend) main; git log --format=%s | paste -sd ' ' -; show
        git show HEAD~2:n.peernote > "$T/f"; pnmerge cat --body "$T/f" | grep -q ONE
        ! pnmerge cat --body "$T/f" | grep -q TWO
        """)
  }

  @Test("a rebase of a branch that was merged before is no conflict")
  func rebaseTwice() throws {
    try git.expect(
      everything,
      from: """
        \(threeCommits)
        git checkout -q main; merge work~1; git checkout -q work; git rebase -q main; show
        """)
  }

  @Test("rebase -i without a commit leaves its change out")
  func drop() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      GIT_SEQUENCE_EDITOR='sed -i /second/d' git rebase -q -i main
      git log --format=%s | paste -sd ' ' -; show
      """)
    #expect(run.status == 0)
    #expect(run.output == "third first main base\ntitle: T\nONE\ntwo\nTHREE\nfour\nFIVE\n")
    #expect(run.errors == "")
  }

  @Test("rebase -i in another order ends with the same text")
  func reorder() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      GIT_SEQUENCE_EDITOR="sed -i -n '2{h;d};3{p;x};p'" git rebase -q -i --empty=drop main
      git log --format=%s | paste -sd ' ' -; show
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "second third first main base\n\(everything)\n")
    #expect(
      run.errors
        == "pnmerge: n.peernote: merged; both sides changed lines next to each other at 1 place\n")
  }

  @Test("cherry-pick of a commit whose parent is not there brings the commit alone")
  func cherryPick() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      git checkout -q main; git cherry-pick work~1 > "$T/log"; show
      """)
    #expect(run.status == 0)
    #expect(run.output == "title: T\none\nTWO\nthree\nfour\nFIVE\n")
    #expect(run.errors == "")
  }

  @Test("when a branch is merged of which commits were picked before, their edits are there once")
  func mergeAfterPicks() throws {
    try git.expect(
      "\(everything)\nsix\n\(everything)\nsix",
      from: """
        \(threeCommits)
        body '$a six'; save fourth; git checkout -q main
        git cherry-pick work~2 work~1 work > "$T/log" 2>&1
        git branch picked; merge work 2> "$T/log"; show
        git checkout -q work; merge picked 2> "$T/log"; show
        test "$(blob main)" = "$(blob work)"
        """)
  }

  @Test("a pick of a commit that builds on one that is not there stops, as with plain text")
  func pickWithParent() throws {
    let run = try git.sh(
      """
      repository r; git checkout -qb work; body 's/two/2 apples/'; save first
      body 's/apples/pears/'; save second
      git checkout -q main; body 's/five/FIVE/'; save main
      git cherry-pick work > "$T/log" && exit 1; git status --porcelain
      """)
    #expect(run.output == "UU n.peernote\n")
    #expect(
      run.errors.hasPrefix(
        "pnmerge: n.peernote: merged; it meets what was changed here since: /body:2; resolve it"))
  }

  @Test("cherry-pick of a commit whose parent is there, and a later merge, are clean")
  func cherryPickNext() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      git checkout -q main; git cherry-pick work~2 > "$T/log"; merge work; show
      """)
    #expect(run.output == "\(everything)\n")
    #expect(run.errors == "")
  }

  @Test("a pick is not hindered by what is contested elsewhere in the text")
  func pickBesideContested() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      cp n.peernote "$T/other"; body 's/five/5/'; save five; body 's/five/V/' "$T/other"
      pnmerge merge -q n.peernote "$T/other"; save contested
      body 's/four/FOUR/'; save fourth; body 's/FOUR/IV/'; save fifth
      git checkout -q main; git cherry-pick work~1 work > "$T/log"; show
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "title: T\none\ntwo\nthree\nIV\nFIVE\n")
  }

  @Test("a commit of a merge that was reverted brings what it changed back")
  func pickOfReverted() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      git checkout -q main; git merge -q --no-edit work > "$T/log" 2>&1; body 's/four/4/'; save since
      git revert --no-edit -m 1 HEAD~1 > "$T/log" 2>&1; show
      git cherry-pick work~1 > "$T/log"; show
      git checkout -q work; git rebase -q --reapply-cherry-picks --no-ff --onto main HEAD~3 2> "$T/log"
      show
      """)
    #expect(run.status == 0, "\(run.errors)")
    let reverted = "title: T\none\ntwo\nthree\n4\nFIVE\n"
    #expect(
      run.output
        == reverted + "title: T\none\nTWO\nthree\n4\nFIVE\n"
        + "title: T\nONE\nTWO\nTHREE\n4\nFIVE\n")
    #expect(run.errors == "")
  }

  @Test(
    "a commit that was taken back by hand is picked, as with plain text",
    arguments: [
      ["/two/a X", "/X/d", "one two X three 4 five"],
      ["s/two/TWO/", "s/TWO/two/", "one TWO three 4 five"],
      ["/two/d", "/one/a two", "one three 4 five"],
    ])
  func pickOfTakenBack(edits: [String]) throws {
    let run = try git.sh(
      """
      repository r; body '\(edits[0])'; save picked; body '\(edits[1])'; save back
      body 's/four/4/'; save since; git cherry-pick HEAD~2 > "$T/log"
      pnmerge cat --body n.peernote | tr '\\n' ' '
      """)
    #expect(run.output == "\(edits[2]) ", "\(run.errors)")
    #expect(run.errors == "")
  }

  @Test("what is there is not picked again, whatever was taken back before it")
  func pickOfPresentAfterReversal() throws {
    let run = try git.sh(
      """
      repository r; body 's/two/Bread/;s/four/Ham/;/five/d;/one/d;s/three/Cheese/'; save list
      git checkout -qb other; body '/Cheese/a Eggs'; save eggs; git revert --no-edit HEAD > "$T/log"
      git checkout -q main; body '/Cheese/a Milk'; save milk
      git checkout -q other; git cherry-pick main > "$T/log"
      git checkout -q main; body '/Cheese/d'; save without
      git checkout -q other; git rebase -q --reapply-cherry-picks main
      pnmerge cat --body n.peernote
      """)
    #expect(run.output == "Bread\nMilk\nHam\n", "\(run.errors)")
    #expect(!run.errors.contains("brought back"), "\(run.errors)")
  }

  @Test("a commit that made only what was there already brings nothing back")
  func pickOfSameEdit() throws {
    let run = try git.sh(
      """
      repository r; git checkout -qb other; body 's/two/TWO/'; save ours
      git checkout -q main; body 's/two/TWO/'; save theirs
      body 's/five/FIVE/'; save since; git revert --no-edit HEAD~1 > "$T/log" 2>&1
      git checkout -q other; git show main~2:n.peernote > "$T/copy.peernote"
      pnmerge merge -q n.peernote "$T/copy.peernote"; save same; git checkout -q main
      git cherry-pick --allow-empty --keep-redundant-commits other > "$T/log"
      pnmerge cat --body n.peernote
      """)
    #expect(run.output == "one\ntwo\nthree\nfour\nFIVE\n", "\(run.errors)")
  }

  @Test("the revert of a commit whose edits were picked is picked, too")
  func pickOfRevert() throws {
    try git.expect(
      "title: T\none\nTWO\nthree\nfour\nFIVE\ntitle: T\none\ntwo\nthree\nfour\nFIVE",
      from: """
        \(threeCommits)
        git reset -q --hard work~1; git revert --no-edit HEAD > "$T/log"; git checkout -q main
        git cherry-pick work~1 > "$T/log" 2>&1; show; git cherry-pick work > "$T/log" 2>&1; show
        """)
  }

  @Test("a revert of a revert brings what it shows again where neither was")
  func pickOfRevertedRevert() throws {
    try git.expect(
      "title: T\none\nTWO\nthree\nfour\nFIVE",
      from: """
        \(threeCommits)
        git revert --no-edit HEAD~1 > "$T/log" 2>&1; git revert --no-edit HEAD > "$T/log" 2>&1
        git checkout -q main; git cherry-pick work > "$T/log" 2>&1; show
        """)
  }

  @Test("a commit of several people's changes that were contested in between is picked alone")
  func pickOfSettled() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      cp n.peernote "$T/other"; body 's/five/5/'; save five
      pnmerge cat --body "$T/other" | sed 's/five/V/' > "$T/b"
      pnmerge edit -q --author other "$T/other" --body-file "$T/b"
      pnmerge merge -q n.peernote "$T/other"
      pnmerge resolve -q --author third n.peernote --all --take mine
      git commit -q --amend -a --no-edit
      git checkout -q main~1; git cherry-pick work > "$T/log"; show
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "title: T\none\ntwo\nthree\nfour\n5\n")
  }

  @Test(
    "a line is picked without the one above it where nothing else is beside it",
    arguments: ["git cherry-pick bob~1 bob", "git rebase -q -i main"])
  func pickBelowLeftOutLine(pick: String) throws {
    let run = try git.sh(
      """
      repository r; git checkout -qb bob
      body '/five/a bread'; save bread; body '/bread/a jam'; save jam; body '/jam/a honey'; save honey
      git checkout -q main; body '/one/i tea'; save tea
      case '\(pick)' in *rebase*) git checkout -q -b b2 bob;; esac
      GIT_SEQUENCE_EDITOR='sed -i 1d' \(pick) > "$T/log" 2>&1
      lines() { pnmerge cat --body n.peernote | paste -sd ' ' -; }
      lines; merge bob; lines; pnmerge conflicts n.peernote
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        tea one two three four five jam honey
        tea one two three four five bread jam honey
        n.peernote: no conflicts

        """, "\(run.errors)")
  }

  @Test(
    "a copy of a picked element that was edited is told beside its original, and against its revert"
  )
  func editedCopy() throws {
    try git.expect(
      "UU n.peernote\n/agenda\nUU n.peernote\n/agenda\n- open - vote now - close",
      from: """
        repository r; pnmerge set -q n.peernote /agenda '["open", "close"]'; save agenda
        git checkout -qb work; body s/one/ONE/; save before
        pnmerge insert -q n.peernote /agenda/1 '"vote"'; save added
        git checkout -q main; body s/five/FIVE/; save main; git cherry-pick work > "$T/log"
        pnmerge set -q n.peernote /agenda/1 '"vote now"'; save edited
        meets() { git status --short; grep -o 'here since: /[a-z]*' "$T/words" | cut -c13-; }
        git merge work > "$T/log" 2> "$T/words" && exit 1; meets
        git add -A; git commit -q --no-edit
        git revert --no-edit work > "$T/log" 2> "$T/words" && exit 1; meets
        show | grep '^ *- ' | paste -sd' ' - | tr -s ' ' | sed 's/^ //'
        """)
  }

  @Test("picking a commit brings its edits though the same ones were picked before and taken back")
  func pickAfterPickedRevert() throws {
    let run = try git.sh(
      """
      repository r; git tag start
      body '/two/a new'; body 's/five/FIVE/'; save A; git tag A; body 's/one/ONE/'; save E
      git revert --no-edit A > "$T/log" 2>&1; git tag R
      git checkout -q -b other start
      { git cherry-pick A; git cherry-pick R; git tag R2; git revert --no-edit HEAD; git tag RR
      } >> "$T/log" 2>&1
      git checkout -q -b last start
      { git cherry-pick RR; git cherry-pick R2; } >> "$T/log" 2>&1
      pnmerge cat --body n.peernote | paste -sd ' ' -
      git cherry-pick A 2>> "$T/log" > "$T/log"
      pnmerge cat --body n.peernote | paste -sd ' ' -
      """)
    #expect(
      run.output == """
        one two three four five
        one two new three four FIVE

        """, "\(run.errors)")
  }

  @Test("stash pop merges what was not committed")
  func stash() throws {
    try git.expect(
      everything,
      from: """
        \(threeCommits)
        git checkout -q main; git reset -q --hard HEAD~1; body 's/five/FIVE/'; git stash -q
        merge work; git stash pop -q > "$T/log"; show
        """)
  }

  @Test("a rebase with autostash merges what was not committed")
  func autostash() throws {
    try git.expect(
      "title: T\nONE\nTWO\nTHREE\nFOUR\nFIVE",
      from: """
        \(threeCommits)
        body 's/four/FOUR/'; git rebase -q --autostash main > "$T/log" 2>&1; show
        git diff --quiet && exit 1; git commit -qam rest
        """)
  }

  @Test("checkout -m takes what was not committed along")
  func checkout() throws {
    try git.expect(
      "main\ntitle: T\none\ntwo\nthree\nFOUR\nFIVE",
      from: """
        repository r; git checkout -qb work; git checkout -q main; body 's/five/FIVE/'; save main
        git checkout -q work; body 's/four/FOUR/'; git checkout -q -m main > "$T/log" 2>&1
        git branch --show-current; show
        """)
  }

  @Test("a patch is applied with am -3, and with apply -3")
  func patches() throws {
    try git.expect(
      "title: T\nONE\ntwo\nthree\nfour\nFIVE\ntitle: T\nONE\nTWO\nthree\nfour\nFIVE",
      from: """
        \(threeCommits)
        git format-patch -q -o "$T/p" main..work
        git checkout -q main; git am -q -3 "$T"/p/0001* > "$T/log" 2>&1; show
        git apply -3 "$T"/p/0002* 2> "$T/log"; show
        """)
  }
}
