import Testing

@Suite("git: what was contested, settled or taken back, and is picked or taken back")
struct GitSettledPickTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  @Test(
    "an edit that a branch made and took back, and another one picked with that, stays away",
    arguments: ["s/three/drei/", "/three/d", "s/three/three\\ndrei/"])
  func pickedWithItsReversal(edit: String) throws {
    try git.expect(
      """
      title: T
      ONE
      zero
      two
      three
      four
      five
      six
      n.peernote: no conflicts
      """,
      from: """
        repository r; git checkout -qb side; body '\(edit)'; save edit; body 's/one/ONE/'; save one
        git revert --no-edit HEAD~1 > "$T/log" 2>&1; body '1s/$/\\nzero/'; save zero
        git checkout -q main; body 's/five/five\\nsix/'; save six
        git cherry-pick side~3 side~1 > "$T/log" 2>&1; merge --no-edit side; show
        pnmerge conflicts n.peernote
        """)
  }

  /// A branch wrote "drei" for a word, and something else; main wrote "tres" for it later.
  private static let contested = """
    repository r; git checkout -qb side; body 's/three/drei/;s/five/more five/'; save drei
    git checkout -q main; sleep 0.01; body 's/three/tres/'; save tres; git checkout -q side
    """

  @Test("a pick of what is contested in the commit stops, for its other reading is not shown")
  func pickedOffItsRival() throws {
    let run = try git.sh(
      Self.contested + """

        git rebase -q main > "$T/log" 2>&1; pnmerge conflicts n.peernote > "$T/open" && exit 1
        git rebase -q --onto main~1 main side > "$T/log" && exit 1; git status --porcelain
        pnmerge cat --body n.peernote
        """)
    #expect(
      run.output == "UU n.peernote\none\ntwo\nthree\nfour\nmore five\n", "\(run.errors)")
    #expect(run.errors.contains("it meets what was changed here since: /body:3"), "\(run.errors)")
  }

  /// Main merges the branch, settles what is contested, edits another line, and takes the settling
  /// commit back.
  private func takeBack(settling: String) throws -> Program.Run {
    try git.sh(
      Self.contested + """

        git checkout -q main; merge --no-edit side; \(settling); save settled; git tag settled
        body 's/four/4/'; save later; git revert --no-edit settled
        """)
  }

  @Test("the revert of what settled something stops, for it is not contested again")
  func settlementTakenBack() throws {
    let run = try takeBack(settling: "body 's/tres/dreizehn/'")
    #expect(run.status != 0)
    #expect(run.errors.contains("it meets what was changed here since: /body:3"), "\(run.errors)")
  }

  @Test("a commit that settled for what was shown has nothing to be taken back")
  func keptTakenBack() throws {
    let run = try takeBack(settling: "pnmerge resolve -q --all --take mine n.peernote")
    #expect(run.output.contains("nothing to commit"), "\(run.output)\(run.errors)")
  }
}
