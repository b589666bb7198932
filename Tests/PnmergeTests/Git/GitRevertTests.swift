import Testing

@Suite("git: what is taken back")
struct GitRevertTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// Three commits on main, of which the second is to be reverted.
  private let threeCommits = """
    repository r
    body 's/two/TWO/; /three/d'; pnmerge edit -q n.peernote --title U --tag t; save second
    body 's/five/FIVE/'; save third
    """
  private let withoutSecond = "title: T\none\ntwo\nthree\nfour\nFIVE"
  private let withSecond = "title: U\ntags:\n  - t\none\nTWO\nfour\nFIVE"

  @Test("revert undoes exactly the edits of its commit")
  func revert() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      git revert --no-edit HEAD~1 > "$T/log"; show; pnmerge validate -q n.peernote
      pnmerge log --max-count 1 n.peernote | grep -o 'pnmerge.*takes back .*'
      """)
    #expect(run.status == 0)
    #expect(run.output.hasPrefix(withoutSecond + "\npnmerge "))
    #expect(run.errors == "")
  }

  @Test("a revert of the revert brings the edits back, and one of that takes them away again")
  func revertOfRevert() throws {
    try git.expect(
      [withSecond, withoutSecond, withSecond].joined(separator: "\n"),
      from: """
        \(threeCommits)
        git revert --no-edit HEAD~1 > "$T/log" 2>&1; git tag first; body 's/one/ONE/'; save more
        git revert --no-edit first > "$T/log" 2>&1; git tag again; show | sed s/ONE/one/
        pnmerge edit -q n.peernote --priority low; save more
        git revert --no-edit again > "$T/log" 2>&1; git tag third; show | sed s/ONE/one/ | grep -v prio
        body 's/ONE/one/'; save last
        git revert --no-edit third > "$T/log" 2>&1; show | sed s/ONE/one/ | grep -v prio
        """)
  }

  @Test("text that another revert brought back goes with the revert of the commit that wrote it")
  func broughtBackText() throws {
    try git.expect(
      "title: T\ntwo\nthree\nfour\nfive",
      from: """
        repository r; body 's/one/zero\\none\\nmore/'; save both; git tag both
        body '/zero/d'; save deletion; git tag deletion; body '/one/d'; save last
        git revert --no-edit deletion > "$T/log" 2>&1; pnmerge cat --body n.peernote | grep -q zero
        git revert --no-edit both > "$T/log" 2>&1; show
        """)
  }

  @Test("a revert of the revert stops where a new line stands in its place, as with plain text")
  func besideLineThatWent() throws {
    try git.expect(
      "UU n.peernote\nfive four new one three two zero",
      from: """
        repository r; body '1i zero'; save zero; git tag zero
        body '1a between'; save between; body '/between/d'; save gone
        git revert --no-edit zero > "$T/log" 2>&1; git tag reverted; body '1i new'; save new
        git revert --no-edit reverted > "$T/log" 2>&1 && exit 1; git status --porcelain
        pnmerge cat --body n.peernote | sort | paste -sd ' ' -
        """)
  }

  @Test("the same commit can be reverted again after its revert was reverted")
  func revertAgain() throws {
    try git.expect(
      withoutSecond,
      from: """
        \(threeCommits)
        git tag target HEAD~1
        git revert --no-edit target > "$T/log" 2>&1; body 's/one/ONE/'; save more
        git revert --no-edit HEAD~1 > "$T/log" 2>&1; body 's/ONE/one/'; save more; show | grep -q TWO
        git revert --no-edit target > "$T/log" 2>&1; show
        """)
  }

  @Test("the same revert made twice, apart, gives the same blob")
  func sameBlob() throws {
    try git.expect(
      withoutSecond,
      from: """
        \(threeCommits)
        git checkout -qb other; git revert --no-edit HEAD~1 > "$T/log" 2>&1
        git checkout -q main; PNMERGE_AUTHOR=you SOURCE_DATE_EPOCH=1 git revert --no-edit HEAD~1 \
          > "$T/log" 2>&1
        test "$(blob main)" = "$(blob other)"; show
        """)
  }

  @Test("branches that revert the same deletion, each for itself, bring the text back once")
  func revertedTwice() throws {
    try git.expect(
      "title: T\nONE\ntwo\nthree\nfour\nFIVE\ntitle: T\nONE\ntwo\nfour\nFIVE",
      from: """
        repository r; body '/three/d'; save deletion
        git checkout -qb other; body 's/one/ONE/'; save other
        git revert --no-edit HEAD~1 > "$T/log" 2>&1; git checkout -q main; body 's/five/FIVE/'; save main
        PNMERGE_AUTHOR=you git revert --no-edit HEAD~1 > "$T/log" 2>&1
        merge other; show; git checkout -q other; merge main~1; test "$(blob main)" = "$(blob other)"
        pnmerge validate -q n.peernote; git revert --no-edit HEAD~1 > "$T/log" 2>&1; show
        """)
  }

  @Test("a branch that still has the edits does not bring them back, and its own arrive")
  func laterMerge() throws {
    try git.expect(
      "title: T\nONE\ntwo\nthree\nfour\nFIVE",
      from: """
        \(threeCommits)
        git checkout -qb other HEAD~1; body 's/one/ONE/'; save other; git checkout -q main
        git revert --no-edit HEAD~1 > "$T/log" 2>&1; merge other; show
        git checkout -q other; merge main~1; test "$(blob main)" = "$(blob other)"
        """)
  }

  @Test("reverting the revert of a branch that was merged again brings its edits back")
  func revertedMerge() throws {
    try git.expect(
      "title: T\none\nTWO\nthree\nFOUR\nFIVE",
      from: """
        repository r
        git checkout -qb other; body 's/two/TWO/'; save other; git checkout -q main
        body 's/five/FIVE/'; save main; merge other
        git revert --no-edit -m 1 HEAD > "$T/log" 2>&1; git tag taken
        git checkout -q other; body 's/four/FOUR/'; save more; git checkout -q main
        merge other 2> "$T/log"; ! pnmerge cat n.peernote | grep -q TWO
        git revert --no-edit taken > "$T/log" 2>&1; show
        git checkout -qb aside taken; git cherry-pick other~1 > "$T/log" 2>&1
        pnmerge cat n.peernote | grep -q TWO
        """)
  }

  @Test("bytes put back, as a revert of the last commit does, count as taken back, on either side")
  func bytesPutBack() throws {
    try git.expect(
      "title: T\nONE\ntwo\nthree\nfour\nFIVE",
      from: """
        repository r
        body 's/two/TWO/; /three/d'; pnmerge edit -q n.peernote --title U --tag t; save second
        git checkout -qb other; body 's/one/ONE/'; save other; git checkout -q main
        git revert --no-edit HEAD > "$T/log" 2>&1; test "$(blob main)" = "$(blob main~2)"
        body 's/five/FIVE/'; save third
        merge other 2> "$T/log"; show; git checkout -q other; merge main~1 2> "$T/log"
        test "$(blob main)" = "$(blob other)"
        git checkout -q main; body 's/four/FOUR/'; save fourth; git checkout -q other; merge main
        git diff --quiet main other
        """)
  }

  @Test(
    "a rebase onto a branch that took edits back leaves them taken back",
    arguments: [
      "merge", "apply",
    ])
  func rebase(backend: String) throws {
    try git.expect(
      "title: T\nONE\ntwo\nthree\nfour\nFIVE",
      from: """
        repository r
        body 's/two/TWO/; /three/d'; pnmerge edit -q n.peernote --title U --tag t; save second
        git checkout -qb other; body 's/one/ONE/'; save other; git checkout -q main
        git revert --no-edit HEAD > "$T/log" 2>&1; body 's/five/FIVE/'; save third
        git checkout -q other; git rebase -q --\(backend) main > "$T/log" 2>&1; show
        """)
  }

  @Test("a merge commit can be reverted")
  func revertMerge() throws {
    try git.expect(
      "title: T\none\nTWO\nthree\nfour\nFIVE",
      from: """
        repository r; git checkout -qb other; body 's/four/FOUR/'; pnmerge edit -q n.peernote --tag t
        save other; git checkout -q main; body 's/two/TWO/'; save ours; merge other
        body 's/five/FIVE/'; save more; git revert --no-edit -m 1 HEAD~1 > "$T/log" 2>&1; show
        """)
  }

  @Test("what cannot come back since its text is redacted is a conflict, with a clear word")
  func redacted() throws {
    let run = try git.sh(
      """
      \(threeCommits)
      pnmerge redact -q n.peernote; save redacted
      before=$(blob HEAD); git revert --no-edit HEAD~2 > "$T/log" 2>&1 && exit 1
      test "$(git hash-object n.peernote)" = $before; grep ^pnmerge "$T/log"
      """)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output.contains("cannot be applied: "))
    #expect(run.output.contains("redacted"))
  }

  @Test(
    "git resolve and git mergetool take back, too",
    arguments: [
      "pnmerge git resolve", "git mergetool -y --tool=peernote",
    ])
  func finish(command: String) throws {
    try git.expect(
      withoutSecond,
      from: """
        \(threeCommits)
        PNMERGE=0 git revert --no-edit HEAD~1 > "$T/log" 2>&1 && exit 1
        \(command) > "$T/log" 2>&1; git diff --quiet HEAD && exit 1; show
        """)
  }

  @Test("what is taken back of a passage that was settled leaves no word of both")
  func revertSettled() throws {
    try git.expect(
      "main: 8\ntwo",
      from: """
        repository r; body '1,3d;s/four/main: 8/;s/five/two/'; save start
        cp n.peernote "$T/other"; body 's/8/9/' "$T/other"
        body 's/8/10/'; save ten; pnmerge merge -q n.peernote "$T/other"
        pnmerge resolve -q n.peernote --all --take mine
        save settled; pnmerge cat --body n.peernote | head -n 1 | grep -q 10
        git revert --no-edit HEAD~1 > "$T/log"; pnmerge cat --body n.peernote
        """)
  }

  @Test("a commit that only brings what was there already takes nothing back when it is reverted")
  func revertOfNothing() throws {
    try git.expect(
      "title: T\nONE\ntwo\nthree\nfour\nfive",
      from: """
        repository r; git checkout -q -b other; body 's/one/ONE/'; save there
        git checkout -q main; body 's/one/ONE/'; save here; git checkout -q other
        git cherry-pick main > "$T/log"; git revert --no-edit HEAD > "$T/log" 2>&1 || :; show
        """)
  }

  @Test("what is taken back of a contested sum stops, and shows no word of both")
  func contested() throws {
    try git.expect(
      "UU n.peernote\nUU n.peernote",
      from: """
        repository r; body '1c Pay 12,000 on time.'; body '2,$d'; save sum
        git checkout -qb p; body 's/12,000/1,111/'; save p
        git checkout -qb q main; body 's/12,000/2,222/'; save q; merge p 2> "$T/log"
        for commit in p q~1; do
          git revert --no-edit $commit > "$T/log" 2>&1 && exit 1; git status --porcelain
          pnmerge cat --body n.peernote | grep -qx -e 'Pay [12],[12]* on time.' -e 'Pay 12,000 on time.'
          pnmerge validate -q n.peernote; git revert --abort
        done
        """)
  }

  @Test("what is taken back of a text that was edited since reads as somebody wrote it")
  func editedSince() throws {
    let run = try git.sh(
      """
      repository r; body '1c Lamps 12.'; body '2,$d'; save sum
      body 's/12/57/'; save c1; body 's/ 57.//'; save c2
      git revert --no-edit HEAD~1 > "$T/log" || :; pnmerge cat --body n.peernote
      pnmerge conflicts n.peernote || true
      """)
    #expect(run.output.hasPrefix("Lamps 12.\n") || run.output.hasPrefix("Lamps\n"), "\(run.output)")
    #expect(!run.output.contains("1257"), "\(run.output)")
    #expect(run.errors.contains("it meets what was changed here since: /body:1"), "\(run.errors)")
  }

  @Test(
    "what one branch takes back and the other one edits reads as one of both, in any order",
    arguments: [
      ["Rooms 12", "Rooms 3 12", "Rooms 4 12"],
      ["Pay now", "Pay 1,350 now", "Pay 1,375 now"],
      ["Sums:\\n4\\n7", "Sums:\\n4\\n250\\n7", "Sums:\\n4\\n350\\n7"],
      ["1. a\\n2. b", "1. a\\n2. c\\n3. b", "1. a\\n2. see\\n3. b"],
      [
        "Milk\\nTotal 17.30", "Milk\\nCake 1.20 x 3\\nTotal 17.30",
        "Milk\\nCake 1.35 x 3\\nTotal 17.30",
      ],
    ])
  func takenBackAndEdited(texts: [String]) throws {
    let run = try git.sh(
      """
      write() { printf "$1\\n" | pnmerge edit -q --body-file - n.peernote; }
      repository r; write '\(texts[0])'; save base; write '\(texts[1])'; save added
      git checkout -qb other; write '\(texts[2])'; save edited
      git checkout -q main; git revert --no-edit HEAD > "$T/log" 2>&1; git checkout -qb both
      git merge -q -m m other > "$T/log" 2>&1 || git commit -qam m
      pnmerge cat --body n.peernote; pnmerge validate -q n.peernote
      git checkout -q other; git merge -q -m m main > "$T/log" 2>&1 || git commit -qam m
      git diff --quiet both || echo unlike
      """)
    let readings = [texts[0], texts[2]].map {
      $0.split(separator: "\\n").joined(separator: "\n") + "\n"
    }
    #expect(readings.contains(run.output), "\(run.output)\(run.errors)")
  }

  @Test("what was settled since is taken back as text, or it is said that nothing is")
  func settledSince() throws {
    let settled = """
      repository r; git checkout -qb other; body '/three/a added'; save other
      git checkout -q main; body '/three/s/.*/drei/;/four/d'; save ours
      git merge -q -m m other > "$T/log" 2>&1
      pnmerge resolve -q n.peernote /body:3 --value '"three\\nadded\\nfour"'; save settled
      """
    try git.expect(
      "one\ntwo\nthree\nfour\nFIVE",
      from: """
        \(settled)
        body 's/five/FIVE/'; save since
        git revert --no-edit other > "$T/log" 2>&1 || :; pnmerge cat --body n.peernote
        """)
    let run = try git.sh(
      """
      \(settled.replacing("repository r", with: "repository again"))
      body 's/added/Added/'; save since
      git revert --no-edit other > "$T/log" || :; pnmerge cat --body n.peernote
      """)
    #expect(run.output == "one\ntwo\nthree\nAdded\nfour\nfive\n")
    #expect(run.errors.contains("it meets what was changed here since: /body:3"), "\(run.errors)")
  }

  @Test("what comes back in the place of what was written there since stops")
  func comesBackBeside() throws {
    let run = try git.sh(
      """
      write() { echo "$1" | pnmerge edit -q --body-file - n.peernote; }
      repository r; write 'Pay 12,000 now'; save base; write 'Pay now'; save removed
      write 'Pay 5 now'; save added; git revert --no-edit HEAD~1 > "$T/log" && exit 1
      pnmerge cat --body n.peernote; pnmerge conflicts n.peernote
      """)
    // Beside each other they would read as a number that nobody wrote.
    #expect(run.output.hasPrefix("Pay 5 now\n"), "\(run.output)")
    #expect(run.output.contains("Pay 12,000 now"), "\(run.output)")
    #expect(
      run.errors.contains("it meets what was changed here since: /body"), "\(run.errors)")
  }

  @Test(
    "what was reverted and brought back comes through where the revert was merged in between",
    arguments: ["s/two/two\\nnew/", "/two/d", "s/two/TWO/"], ["main", "branch"])
  func mergedBetween(edit: String, into side: String) throws {
    // The commits on main are each the last one, so git puts back older bytes without the driver.
    let run = try git.sh(
      """
      repository r; body '\(edit)'; save edit; pnmerge cat --body n.peernote | sed s/five/FIVE/ > "$T/all"
      git checkout -qb branch; body s/five/FIVE/; save more
      git checkout -q main; git revert --no-edit HEAD > "$T/log"
      git checkout -q branch; git merge --no-edit main > "$T/log"
      git checkout -q main; git revert --no-edit HEAD > "$T/log"
      git branch other; git checkout -qb third branch
      git checkout -q \(side == "main" ? "main; merge branch" : "branch; merge main")
      pnmerge cat --body n.peernote | cmp - "$T/all"; pnmerge conflicts n.peernote
      git checkout -q \(side == "main" ? "third; merge other" : "other; merge third")
      test "$(blob HEAD)" = "$(blob \(side))"; pnmerge validate -q n.peernote
      """)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output == "n.peernote: no conflicts\n")
    #expect(run.errors == "")
  }

  @Test("a line that two branches deleted is back once both deletions are reverted")
  func deletedTwice() throws {
    try git.expect(
      "one two three four FIVE",
      from: """
        repository r; git checkout -qb other; body /three/d; save theirs
        git checkout -q main; body /three/d; save ours; body s/five/FIVE/; save more; merge other
        git revert --no-edit main~2 > "$T/log" 2>&1; git revert --no-edit other > "$T/log" 2>&1 || :
        pnmerge cat --body n.peernote | tr '\\n' ' ' | sed 's/ $//'
        """)
  }

  @Test(
    "what is deleted again after a revert that was merged in between is gone, in any order",
    arguments: [
      "body /three/d", "pnmerge edit -q n.peernote --untag a",
    ])
  func deletedAgain(edit: String) throws {
    let run = try git.sh(
      """
      repository r; pnmerge edit -q n.peernote --tag a --tag b; save tags
      \(edit); save deleted; pnmerge cat --body n.peernote | sed s/five/FIVE/ > "$T/all"
      pnmerge cat n.peernote /tags > "$T/tags"
      git checkout -qb branch; body s/five/FIVE/; save more
      git checkout -q main; git revert --no-edit HEAD > "$T/log"; git tag back
      \(edit); save again
      for order in 'back main' main; do
        git checkout -q --detach branch
        for next in $order; do git merge --no-edit $next > "$T/log"; done
        pnmerge cat --body n.peernote | cmp - "$T/all"
        pnmerge cat n.peernote /tags | cmp - "$T/tags"; pnmerge conflicts n.peernote
      done
      git checkout -q --detach branch; git merge --no-edit back > "$T/log"; git tag merged
      git checkout -q main; git merge --no-edit merged > "$T/log"; ours=$(blob HEAD)
      git checkout -q --detach merged; git merge --no-edit main^ > "$T/log"; test $ours = $(blob HEAD)
      """)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output == "n.peernote: no conflicts\nn.peernote: no conflicts\n")
  }
}
