import Testing

@Suite("git: what cannot be merged stays in conflict")
struct GitTroubleTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  private let twoBranches = """
    repository r
    git checkout -qb theirs; body 's/four/FOUR/'; save theirs
    git checkout -q main; body 's/two/TWO/'; save ours
    """
  /// Both versions are in the index, the work tree has ours, and nothing else is there.
  private let expectConflict = """
    merge theirs > "$T/log" 2> "$T/errors" && exit 1
    test "$(git ls-files -u | cut -c 49 | paste -sd ' ' -)" = '1 2 3'
    test "$(git hash-object n.peernote)" = "$(blob main)"; test "$(ls -A)" = "$(printf \
    '.git\\n.gitattributes\\nn.peernote')"
    grep '^pnmerge' "$T/errors"
    """

  @Test("PNMERGE=0 switches the driver off")
  func off() throws {
    try git.expect(
      "pnmerge: n.peernote: not merged, since PNMERGE is 0; the current version stays\n"
        + "one\nTWO\nthree\nFOUR\nfive",
      from: """
        \(twoBranches)
        export PNMERGE=0; \(expectConflict)
        unset PNMERGE; git merge --abort; merge theirs; pnmerge cat --body n.peernote
        """)
  }

  @Test("PNMERGE=0 holds for a whole rebase, which can be done again")
  func offInRebase() throws {
    try git.expect(
      "stopped\none\nTWO\nthree\nFOUR\nfive",
      from: """
        \(twoBranches)
        PNMERGE=0 git rebase -q theirs > "$T/log" 2>&1 || echo stopped
        git rebase --abort; git rebase -q theirs; pnmerge cat --body n.peernote
        """)
  }

  @Test("a clone without the driver has a conflict, and never a merge by lines")
  func withoutDriver() throws {
    try git.expect(
      "2 3\nsound",
      from: """
        \(twoBranches)
        git clone -q . "$T/c"; cd "$T/c"; merge origin/theirs > "$T/log" 2>&1 && exit 1
        git ls-files -u | cut -c 49 | grep -v 1 | paste -sd ' ' -
        test "$(git hash-object n.peernote)" = "$(blob HEAD)"; pnmerge validate n.peernote | cut -c 13-
        """)
  }

  @Test("without any attribute git leaves a conflict, too, since documents are binary to it")
  func withoutAttributes() throws {
    try git.expect(
      "2 3",
      from: """
        \(twoBranches)
        pnmerge git uninstall -q; git commit -qam bare; merge theirs > "$T/log" 2>&1 && exit 1
        git ls-files -u | cut -c 49 | grep -v 1 | paste -sd ' ' -
        """)
  }

  @Test("with core.autocrlf the bytes stay as they are, with the attribute and without")
  func autocrlf() throws {
    try git.expect(
      "sound\none\nTWO\nthree\nFOUR\nfive\nsound",
      from: """
        git config --global core.autocrlf true
        \(twoBranches)
        git rm -q --cached n.peernote; git reset -q --hard; pnmerge validate n.peernote | cut -c 13-
        merge theirs; pnmerge cat --body n.peernote
        pnmerge git uninstall -q; git commit -qam bare; rm n.peernote; git reset -q --hard
        pnmerge validate n.peernote | cut -c 13-
        """)
  }

  @Test("a version with converted line ends is put right where the checksum proves it")
  func convertedLineEnds() throws {
    let run = try git.sh(
      """
      \(twoBranches)
      git checkout -q theirs; sed -i -z 's/\\n/\\r\\n/g' n.peernote
      pnmerge validate -q n.peernote > "$T/log" 2>&1 && exit 1
      save converted; git checkout -q main; merge theirs; pnmerge cat --body n.peernote
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "one\nTWO\nthree\nFOUR\nfive\n")
    #expect(run.errors.contains("line ends of the incoming version had been converted"))
  }

  @Test("a damaged version is named, on either side", arguments: ["incoming", "current"])
  func damaged(side: String) throws {
    let branch = side == "incoming" ? "theirs" : "main"
    let run = try git.sh(
      """
      \(twoBranches)
      git checkout -q \(branch); printf 'x' | dd of=n.peernote bs=1 seek=60 conv=notrunc 2>/dev/null
      git commit -qam damage; git checkout -q main
      \(expectConflict)
      """)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output.hasPrefix("pnmerge: n.peernote: the \(side) version is damaged: "))
  }

  @Test("a damaged ancestor is left out, since a union loses nothing")
  func damagedAncestor() throws {
    let run = try git.sh(
      """
      repository r; cp n.peernote "$T/good"; printf 'x' >> n.peernote; save damage
      git checkout -qb theirs; cp "$T/good" n.peernote; body 's/four/FOUR/'; save theirs
      git checkout -q main; cp "$T/good" n.peernote; body 's/two/TWO/'; save ours
      merge theirs; pnmerge cat --body n.peernote
      """)
    #expect(run.output == "one\nTWO\nthree\nFOUR\nfive\n")
    #expect(run.errors.contains("the common ancestor is not a readable document"))
  }

  @Test("an emptied version is named")
  func emptied() throws {
    try git.expect(
      "pnmerge: n.peernote: the incoming version is empty",
      from: """
        \(twoBranches)
        git checkout -q theirs; : > n.peernote; git commit -qam damage; git checkout -q main
        \(expectConflict)
        """)
  }

  @Test("different documents under one name stay apart")
  func differentDocuments() throws {
    let run = try git.sh(
      """
      \(twoBranches)
      git checkout -q theirs; rm n.peernote; pnmerge new -q n.peernote --title Other
      git commit -qam other; git checkout -q main
      \(expectConflict)
      """)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(
      run.output.hasPrefix("pnmerge: n.peernote: the incoming version is a different document"))
  }

  @Test("different documents added under one name stay apart")
  func differentAdded() throws {
    try git.expect(
      "2 3",
      from: """
        repository r; git checkout -qb theirs; pnmerge new -q x.peernote; save theirs
        git checkout -q main; pnmerge new -q x.peernote; save ours
        merge theirs > "$T/log" 2>&1 && exit 1
        git ls-files -u | cut -c 49 | paste -sd ' ' -
        """)
  }

  @Test("a Git LFS pointer is recognised, with advice")
  func pointer() throws {
    let run = try git.sh(
      """
      \(twoBranches)
      git checkout -q theirs
      printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 1234\\n' 7 \
        > n.peernote
      git commit -qam lfs; git checkout -q main; git show theirs | tail -1
      \(expectConflict)
      """)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    #expect(run.output.contains("+(in Git LFS: sha256:00000"))
    #expect(run.output.contains("the incoming version is a Git LFS pointer"))
  }

  @Test("wrong arguments leave the version alone, with status 1")
  func misuse() throws {
    try git.expect(
      "1\n1\n1\n0",
      from: """
        repository r; cp n.peernote "$T/a"
        for a in '' 'a b' '/dev/null n.peernote missing 7 n.peernote'; do
          pnmerge git driver -- $a 2> "$T/errors" && exit 9; echo $?
          test "$(wc -l < "$T/errors")" = 1
        done; cmp n.peernote "$T/a"; pnmerge git textconv > "$T/log" 2>&1; echo $?
        """)
  }

  @Test("a full disk leaves the current version whole", .enabled(if: canLimitFiles))
  func noSpace() throws {
    try git.expect(
      "1",
      from: """
        \(twoBranches)
        git show main~1:n.peernote > "$T/o"; git show main:n.peernote > "$T/a"
        git show theirs:n.peernote > "$T/b"; cp "$T/a" "$T/before"; cd "$T"
        (trap '' XFSZ; ulimit -f 0; pnmerge git driver -- o a b 7 n.peernote 2>/dev/null) || echo $?
        cmp a before; ls -A | grep -c '[.]pnmerge' | grep -q 0
        """)
  }

  /// Whether a limit on the size of files makes writes fail, as it does on Linux.
  private static var canLimitFiles: Bool {
    #if os(Linux)
      true
    #else
      false
    #endif
  }
}
