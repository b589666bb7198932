import Testing

@Suite("git: what is taken back beside another edit")
struct GitRevertBesideTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  private static let lines = "one\\ntwo\\nthree\\nfour\\nfive\\nsix"
  private static let words = "one two three four five"

  @Test(
    "what the last but one commit did is taken back once, and what the last one did stays",
    arguments: [
      [lines, "/three/d", "s/two/6 brown/"],
      [lines, "/three/d", "/two/d"],
      [lines, "/three/d;/four/d", "s/two/6 brown/"],
      [lines, "/three/d;/four/d", "/two/d"],
      [lines, "/two/d", "/one/d"],
      [lines, "/six/d", "s/five/5/"],
      [lines, "/three/d", "s/four/4/"],
      [lines, "s/two/6 brown/", "/three/d"],
      [lines, "/two/d", "/three/d"],
      [words, "s/three //", "s/two/zwei/"],
      [words, "s/three four //", "s/two/zwei/"],
      [words, "s/two/zwei/", "s/three //"],
      // Lines that have words in common, so that they may be taken for one another.
      ["buy bread\\nbread\\njam", "2d", "1d"],
      ["oat milk\\nmilk\\nbread", "2d", "s/oat milk/buy 6 eggs/"],
      ["tea\\nbuy milk\\nbuy 6 eggs", "2d", "s/buy 6 eggs/milk/"],
      ["bread\\nbuy tea", "1a buy 6 eggs", "s/buy tea/eggs/"],
    ])
  func lastButOne(steps: [String]) throws {
    let run = try git.sh(
      """
      repository r; printf '\(steps[0])\\n' | pnmerge edit -q --body-file - n.peernote; save base
      pnmerge cat --body n.peernote | sed '\(steps[2])' > "$T/wanted"
      body '\(steps[1])'; save second; body '\(steps[2])'; save third
      git revert --no-edit HEAD~1 > "$T/log"; pnmerge cat --body n.peernote > "$T/shown"
      diff "$T/wanted" "$T/shown" || :; pnmerge conflicts n.peernote; pnmerge validate -q n.peernote
      """)
    #expect(run.output == "n.peernote: no conflicts\n", "\(run.errors)")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors == "")
  }

  @Test(
    "what the last but one commit did beside what the last one did is left to a person",
    arguments: [
      [Self.words, "s/three //", "s/two //"], [Self.lines, "/three/d", "s/two/6\\nbrown/"],
    ])
  func besideTheLast(steps: [String]) throws {
    try git.expect(
      "UU n.peernote",
      from: """
        repository r; printf '\(steps[0])\\n' | pnmerge edit -q --body-file - n.peernote; save base
        body '\(steps[1])'; save second; body '\(steps[2])'; save third
        git revert --no-edit HEAD~1 > "$T/log" 2>&1 && exit 1; git status --porcelain
        pnmerge validate -q n.peernote
        """)
  }

  @Test(
    "the revert of a deletion that another branch wrote against stops",
    arguments: ["", "body 's/one/ONE/'; save more;"])
  func writtenAgainst(more: String) throws {
    try git.expect(
      "UU n.peernote\n7:16 bus from Ulm",
      from: """
        repository r; body 's/two/7:16 train from Ulm/'; save base; git checkout -qb side
        body '/train/d'; save deletion; git tag deletion; \(more) git checkout -q main
        body 's/train/bus/'; save bus; git merge -q --no-edit side > "$T/log" 2>&1
        git revert --no-edit deletion > "$T/log" 2>&1 && exit 1; git status --porcelain
        pnmerge cat --body n.peernote | grep bus
        """)
  }

  @Test("what was taken back before is not taken back once more beside another edit")
  func takenBackBefore() throws {
    try git.expect(
      "title: T\none\n6 brown\nthree\nfour\nFIVE",
      from: """
        repository r; body '/three/d'; save deletion; git tag deletion; body 's/five/FIVE/'
        save more; git revert --no-edit deletion > "$T/log" 2>&1; body 's/two/6 brown/'
        save beside; git revert --no-edit deletion > "$T/log" 2>&1 || :; show
        """)
  }

  @Test("a line that was added by hand, too, is not picked once more beside another edit")
  func pickedByHand() throws {
    try git.expect(
      "title: T\none\n6 brown\nnew\nthree\nfour\nfive",
      from: """
        repository r; git checkout -qb other; body 's/one/ONE/'; save one
        body 's/two/two\\nnew/'; save new; git checkout -q main; body 's/two/6 brown\\nnew/'
        save ours; git cherry-pick other > "$T/log" 2>&1 || :; show
        """)
  }

  @Test("the revert of a commit whose line another branch edited stops")
  func besideAnother() throws {
    try git.expect(
      "UU n.peernote\none pomme is red",
      from: """
        repository r; body 's/one/one apple is red/'; save base; git checkout -qb side
        body 's/apple/pomme/'; save pomme; git checkout -q main; body '1d;s/four/FOUR/'; save drop
        git tag drop; merge --no-edit side; git revert --no-edit drop > "$T/log" && exit 1
        git status --porcelain; pnmerge conflicts n.peernote | grep -o 'one pomme is red' | uniq
        """)
  }

  @Test("what a branch took back, and wrote beside, is not brought back by a pick")
  func pickedAgain() throws {
    try git.expect(
      "title: T\none\ntwo\nnew\nthree\nfour\n5\nn.peernote: no conflicts",
      from: """
        repository r; body 2d; save drop; git tag drop; git branch side
        git revert --no-edit drop > "$T/log"; git tag back; git checkout -q side
        body 's/five/5/'; save five; git revert --no-edit drop > "$T/log"; body '2a\\
        new'; save new
        git cherry-pick --keep-redundant-commits back > "$T/log" 2>&1; show
        pnmerge conflicts n.peernote
        """)
  }

  @Test("a deletion that was taken back, and its line edited, stops where it is taken back again")
  func takenBackTwice() throws {
    try git.expect(
      "UU n.peernote\ntwo\ntwo cups\ntitle: T\none\ntwo\nthree\nfour\n5",
      from: """
        repository r; body 2d; save drop; git tag drop; body 's/five/5/'; save five
        git revert --no-edit drop > "$T/log"; body 's/two/two cups/'; save cups; git tag cups
        git revert --no-edit drop > "$T/log" 2>&1 && exit 1; git status --porcelain
        pnmerge cat --body n.peernote | grep -x -e two -e 'two cups' | sort
        # But one that was deleted once more by hand comes back.
        git reset -q --hard cups~1; body 2d; save again
        git revert --no-edit drop > "$T/log" 2>&1; show
        """)
  }

  @Test("a pick of a commit that is there already, and was edited since, stops")
  func pickedEdited() throws {
    try git.expect(
      "UU n.peernote\nsix dates dried",
      from: """
        repository r; git branch side; body '$a\\
        six dates fresh'; save dates; git tag dates; git checkout -q side
        body 's/one/1/'; save one; merge --no-edit main; body 's/fresh/dried/'; save dried
        git cherry-pick --keep-redundant-commits dates > "$T/log" 2>&1 && exit 1
        git status --porcelain; pnmerge cat --body n.peernote | grep dried
        """)
  }

  @Test("of two lines that came back, the one that is there does not come twice")
  func partlyBack() throws {
    try git.expect(
      "title: T\none\ntwo\nthree\nfour\nfive\nno conflicts",
      from: """
        repository r
        body '/two/d;/three/d'; save x; git tag x
        git revert --no-edit x > "$T/log" 2>&1; git tag back
        body '/three/d'; save without
        git cherry-pick --keep-redundant-commits back > "$T/log" 2>&1
        show; pnmerge conflicts n.peernote | sed 's/.*: //'
        """)
    try git.expect(
      "title: T\none\ntwo\nthree\nfour\nfive",
      from: """
        cd r; git reset -q --hard back; body '/two/d'; save without
        git revert --no-edit x > "$T/log" 2>&1; show
        """)
  }

  @Test("a pick of what came in before, and was edited since, stops")
  func nothingToPick() throws {
    try git.expect(
      "UU n.peernote\ntitle: T\none\nTWO more\nthree\nfour\nfive",
      from: """
        repository r
        body 's/two/TWO/'; save x; git tag x
        body 's/TWO/TWO more/'; save more
        git cherry-pick --keep-redundant-commits x > "$T/log" 2>&1 || git status --porcelain; show
        """)
  }

  @Test("a line that is put back where another one was added stops")
  func movedBack() throws {
    try git.expect(
      "UU n.peernote\nNEW five four one three two",
      from: """
        repository r
        body '/four/d'; body 's/^one$/four\\none/'; save x; git tag x
        body 's/^five$/NEW\\nfive/'; save new
        git revert --no-edit x > "$T/log" 2>&1 && exit 1; git status --porcelain
        pnmerge cat --body n.peernote | sort | paste -sd ' ' -
        """)
  }
}
