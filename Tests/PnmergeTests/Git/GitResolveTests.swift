import Foundation
import Testing

@Suite("git: resolve and mergetool")
struct GitResolveTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// A clone without the driver that stopped in a merge.
  private let conflict = """
    repository r
    git checkout -qb theirs; body 's/four/FOUR/'; save theirs
    git checkout -q main; body 's/two/TWO/'; save ours
    PNMERGE=0 merge theirs > "$T/log" 2>&1 && exit 1
    """
  private let both = "one\nTWO\nthree\nFOUR\nfive"

  @Test("resolve merges, adds, and gives what the driver would have")
  func resolve() throws {
    try git.expect(
      "n.peernote: merged\n\(both)\nno document is in conflict",
      from: """
        \(conflict)
        mkdir d; cd d; pnmerge git resolve; cd ..; git commit -q --no-edit
        pnmerge cat --body n.peernote; resolved=$(blob main)
        git reset -q --hard main~1; merge theirs; test "$(blob main)" = $resolved
        pnmerge git resolve
        """)
  }

  @Test(
    "what somebody added to the file that git left in conflict is not lost",
    arguments: ["pnmerge git resolve", "git mergetool -y --tool=peernote > \"$T/log\" 2>&1"])
  func edited(command: String) throws {
    try git.expect(
      "one\nTWO\nthree\nFOUR\nFIVE\nfast",
      from: """
        \(conflict)
        body 's/five/FIVE/'; pnmerge edit -q n.peernote --tag fast; \(command) >/dev/null
        pnmerge cat --body n.peernote; pnmerge cat -r n.peernote /tags | grep -o fast
        git diff --quiet
        """)
  }

  @Test(
    "what git left of a pick, a stash or a switch is picked alone, without the driver, too",
    arguments: [
      (
        "git checkout -q work; body 's/five/FIVE/'; git stash -q; git checkout -q main; git stash pop",
        "three four FIVE"
      ),
      ("git checkout -q work; body 's/five/FIVE/'; git switch -q -m main", "three four FIVE"),
      ("git cherry-pick work", "three FOUR five"),
      ("git cherry-pick -n work", "three FOUR five"),
      ("git checkout -q work; git rebase --onto main HEAD~1", "three FOUR five"),
      ("git checkout -q work; git rebase --apply --onto main HEAD~1", "three FOUR five"),
      ("git format-patch -1 work --binary --stdout > ../p; git apply -3 ../p", "three FOUR five"),
      ("git merge --squash work", "TWO three FOUR five"),
      ("git merge work", "TWO three FOUR five"),
    ])
  func withoutDriver(command: String, wanted: String) throws {
    let run = try git.sh(
      """
      repository r; git checkout -qb work; body 's/two/TWO/'; save two; body 's/four/FOUR/'; save four
      git checkout -q main; body 's/one/ONE/'; save one; git config --remove-section merge.peernote
      { \(command); } > "$T/log" 2>&1 || :
      pnmerge git resolve 2> "$T/said"; pnmerge cat --body n.peernote | tr '\\n' ' '
      """)
    #expect(run.output.contains(wanted + " "), "\(run.output)\(run.errors)")
    #expect(run.output.contains("TWO") == wanted.contains("TWO"))
  }

  @Test("mine is what the current branch had, in a conflict and after a merge by git")
  func mine() throws {
    for (take, wanted) in [("mine", "ONE"), ("theirs", "Eins")] {
      let run = try git.sh(
        """
        repository \(take); git checkout -qb other; body 's/one/Eins/'; save other
        git checkout -q main; body 's/one/ONE/'; save ours
        git merge -q other > "$T/log" 2>&1; pnmerge resolve -q --all --take \(take) n.peernote
        pnmerge cat --body n.peernote | head -n 1
        git reset -q --hard HEAD^; pnmerge git install -q --strict
        git merge -q other > "$T/log" 2>&1 || pnmerge resolve -q --all --take \(take) n.peernote
        pnmerge cat --body n.peernote | head -n 1
        """)
      #expect(run.output == "\(wanted)\n\(wanted)\n", "\(run.errors)")
    }
  }

  @Test(
    "mine is what was here before somebody else's merge came by a pull", arguments: [false, true])
  func pulledMerge(isRebase: Bool) throws {
    let pull = isRebase ? "git pull -q --rebase" : "git pull -q --ff-only"
    for (take, wanted) in [("mine", "ONE"), ("theirs", "Eins")] {
      let run = try git.sh(
        """
        repository ann-\(take); git clone -q . ../bob-\(take); cd ../bob-\(take)
        pnmerge git install -q; body 's/one/ONE/'; save mine; cd ../ann-\(take); body 's/one/Eins/'; save theirs
        \(isRebase ? ":" : "git pull --no-rebase --no-edit ../bob-\(take) main > $T/log")
        cd ../bob-\(take); \(pull) ../ann-\(take) main > "$T/log"
        pnmerge resolve -q --all --take \(take) n.peernote; pnmerge cat --body n.peernote | head -n 1
        """)
      #expect(run.output == "\(wanted)\n", "\(run.errors)")
    }
  }

  @Test("a note in conflict is named by git status, until it is resolved")
  func status() throws {
    let run = try git.sh(
      """
      repository r; git checkout -qb other; body 's/two/TWO/'; save other
      git checkout -q main; body 's/four/FOUR/'; save ours; git config --remove-section merge.peernote
      git merge -q other > "$T/log" 2>&1 || :
      pnmerge git install -q; pnmerge git status | grep conflict || :; pnmerge git status -q || echo $?
      pnmerge git resolve -q; pnmerge git status -q; echo $?
      """)
    #expect(
      run.output.hasSuffix(
        """
        n.peernote: git has left it in conflict, and a commit would lose one side; \
        'pnmerge git resolve' merges it
        1
        0

        """), "\(run.output)\(run.errors)")
  }

  @Test("of a note that one side deleted or renamed git status says what works")
  func oneSidedStatus() throws {
    let run = try git.sh(
      """
      repository r; pnmerge new -q gone.peernote; save more
      git checkout -qb theirs; body 's/four/FOUR/'; git rm -q gone.peernote; save theirs
      git checkout -q main; git mv n.peernote r.peernote; body 's/two/TWO/' r.peernote
      pnmerge set -q gone.peernote /title '"T"'; save ours
      merge -Xno-renames theirs > "$T/log" 2>&1 && exit 1
      pnmerge git status | sed -n 's/^danger  *//p'
      """)
    #expect(
      run.output
        == "gone.peernote: git has left it in conflict: deleted in the incoming version and "
        + "changed in the other; 'git add' keeps it, 'git rm' deletes it\n"
        + "n.peernote: git has left it in conflict: deleted in the current version and changed in "
        + "the other; the current version has it as r.peernote; to bring the change there: pnmerge merge "
        + "r.peernote n.peernote && git add r.peernote && git rm n.peernote\n", "\(run)")
  }

  @Test("resolve leaves what is contested in conflict where the driver does")
  func strict() throws {
    let run = try git.sh(
      """
      repository r; pnmerge git install -q --strict
      git checkout -qb other; body 's/one/Eins/'; save other
      git checkout -q main; body 's/one/ONE/'; save ours
      git merge -q other > "$T/log" 2>&1 || pnmerge git resolve || echo "status $?"
      git status --short; pnmerge git status | grep -o 'n.peernote: git has left it.*'
      """)
    let said =
      "status 1\nUU n.peernote\nn.peernote: git has left it to you, with both sides in the work tree; "
      + "settle it (pnmerge resolve -i), and 'git add' it\n"
    #expect(run.output.hasSuffix(said), "\(run.output)\(run.errors)")
    #expect(run.output.contains("1 conflict (passage): /body:1; resolve it"), "\(run.output)")
  }

  @Test("resolve -n writes nothing; given names it leaves the others in conflict")
  func choice() throws {
    try git.expect(
      """
      n.peernote: would merge
      UU n.peernote
      none of these is a document that is in conflict
      66
      UU n.peernote
      """,
      from: """
        \(conflict)
        cp n.peernote "$T/n"; pnmerge git resolve -n; cmp n.peernote "$T/n"; git status --short
        pnmerge git resolve .gitattributes
        pnmerge git resolve other.peernote 2> "$T/errors" || echo $?
        grep -q 'other.peernote: .*no such file' "$T/errors"; git status --short
        """)
  }

  @Test("resolve leaves other conflicts and what it cannot merge, and says so")
  func rest() throws {
    let run = try git.sh(
      """
      repository r; cp n.peernote bad.peernote; cp n.peernote gone.peernote; cp n.peernote note
      echo 1 > text; save more
      git checkout -qb theirs; echo 2 > text; body 's/four/FOUR/' note; echo x >> bad.peernote
      git rm -q gone.peernote; save theirs
      git checkout -q main; echo 3 > text; body 's/two/TWO/' note; body 's/two/TWO/' bad.peernote
      body 's/two/TWO/' gone.peernote; save ours
      merge theirs > "$T/log" 2>&1 && exit 1
      s=0; pnmerge git resolve || s=$?; echo $s; git status --short; pnmerge cat --body note
      """)
    #expect(run.status == 0)
    #expect(
      run.output
        == "note: merged\n1\nUU bad.peernote\nUD gone.peernote\nM  note\nUU text\n\(both)\n")
    #expect(run.errors.contains("pnmerge: bad.peernote: the incoming version is damaged"))
    #expect(run.errors.contains("pnmerge: gone.peernote: deleted in the incoming version"))
  }

  @Test("what was renamed here and changed there: resolve names the other file, and what helps")
  func renamed() throws {
    let run = try git.sh(
      """
      repository r; git checkout -qb theirs; body 's/four/FOUR/'; save theirs
      git checkout -q main; git mv n.peernote r.peernote; body 's/two/TWO/' r.peernote; save ours
      merge -Xno-renames theirs > "$T/log" 2>&1 && exit 1
      s=0; pnmerge git resolve 2> "$T/words" || s=$?; echo $s; cat "$T/words"
      sh -c "$(sed 's/.*there: //; s/;[^;]*$//' "$T/words")" > "$T/log"
      git status --short; pnmerge cat --body r.peernote
      """)
    #expect(
      run.output
        == "1\npnmerge: n.peernote: deleted in the current version and changed in the other; "
        + "the current version has it as r.peernote; to bring the change there: pnmerge merge r.peernote "
        + "n.peernote && git add r.peernote && git rm n.peernote; it stays in conflict\n"
        + "M  r.peernote\n\(both)\n", "\(run)")
  }

  @Test("a symbolic link in one version is called so, and so is a document under another name")
  func links() throws {
    let run = try git.sh(
      """
      repository r; cp n.peernote both.peernote; save more; git checkout -qb theirs
      for n in n both; do rm $n.peernote; ln -s elsewhere $n.peernote; done; save links
      git checkout -q main; body 's/two/TWO/'; rm both.peernote; ln -s here both.peernote; save ours
      merge theirs > "$T/log" 2>&1 && exit 1; s=0; pnmerge git resolve || s=$?; echo $s
      """)
    #expect(run.output == "1\n")
    let link = "a symbolic link in the "
    #expect(run.errors.contains("pnmerge: both.peernote: \(link)current version;"))
    #expect(run.errors.contains("pnmerge: n.peernote: \(link)incoming version;"))
    #expect(run.errors.contains("pnmerge: n.peernote~HEAD: deleted in the incoming version"))
  }

  @Test("resolve asks git a few times for any number of documents", .enabled(if: hasTrace))
  func fewCalls() throws {
    try git.expect(
      "120\nfew\n120",
      from: """
        repository r; for i in $(seq 120); do cp n.peernote $i.peernote; done; save more
        git checkout -qb theirs; body 's/four/FOUR/'; for i in $(seq 120); do
          cp n.peernote $i.peernote; done; save theirs
        git checkout -q main; body 's/two/TWO/'; for i in $(seq 120); do
          cp n.peernote $i.peernote; done; save ours; git reset -q --hard
        PNMERGE=0 merge theirs > "$T/log" 2>&1 && exit 1
        mkdir "$T/bin"; printf '#!/bin/sh\\necho >> "%s/calls"\\nexec /usr/bin/git "$@"\\n' "$T" \
          > "$T/bin/git"; chmod 755 "$T/bin/git"
        PATH="$T/bin:$PATH" pnmerge git resolve | grep -c merged$ | awk '{ print $1 - 1 }'
        test "$(wc -l < "$T/calls")" -lt 30 && echo few; git diff --name-only --cached | grep -c '^[0-9]'
        """)
  }

  /// Whether git is where the test above expects it.
  private static let hasTrace = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

  @Test("resolve takes names with quotation marks, and such that look like options or patterns")
  func names() throws {
    try git.expect(
      "2\n\(both)",
      from: #"""
        repository r; n=':(top)*"é.peernote'; m='-rf.peernote'; cp n.peernote "./$n"
        mv n.peernote "./$m"; save names; git checkout -qb theirs
        body 's/four/FOUR/' "./$n"; body 's/four/FOUR/' "./$m"; save theirs
        git checkout -q main; body 's/two/TWO/' "./$n"; body 's/two/TWO/' "./$m"; save ours
        PNMERGE=0 merge theirs > "$T/log" 2>&1 && exit 1
        pnmerge git resolve | wc -l | tr -d ' '; git commit -q --no-edit
        pnmerge cat --body "./$m" > "$T/m"; pnmerge cat --body "./$n" | tee "$T/n"
        cmp "$T/m" "$T/n"
        """#)
  }

  @Test("git mergetool merges, and removes its files")
  func mergetool() throws {
    try git.expect(
      "\(both)\nM  n.peernote",
      from: """
        \(conflict)
        git mergetool -y --tool=peernote > "$T/log" 2>&1; rm -f n.peernote.orig
        pnmerge cat --body n.peernote; git status --short
        """)
  }

  @Test("git mergetool takes names with spaces and commands; others git's own script cannot take")
  func mergetoolNames() throws {
    try git.expect(
      both,
      from: #"""
        repository r; n='a $(touch PWNED) x.peernote'; mv -- n.peernote "$n"; save rename
        git checkout -qb theirs; body 's/four/FOUR/' "./$n"; save theirs
        git checkout -q main; body 's/two/TWO/' "./$n"; save ours
        PNMERGE=0 git merge -q theirs > "$T/log" 2>&1 && exit 1
        git mergetool -y --tool=peernote > "$T/log" 2>&1; pnmerge cat --body "./$n"
        test ! -e PWNED
        """#)
  }

  @Test("git mergetool merges a note that both sides added")
  func mergetoolAddAdd() throws {
    try git.expect(
      "\(both)\nA  m.peernote",
      from: """
        \(conflict)
        git show main:n.peernote > "$T/m"; git show theirs:n.peernote > "$T/t"; git reset -q --hard
        git checkout -q theirs; cp "$T/t" m.peernote; save add
        git checkout -q main; cp "$T/m" m.peernote; save add
        git checkout -qb third main; PNMERGE=0 merge theirs > "$T/log" 2>&1 && exit 1
        git mergetool -y --tool=peernote > "$T/log" 2>&1; rm -f *.orig
        pnmerge cat --body m.peernote; git status --short m.peernote | sed 's/^M/A/'
        """)
  }

  @Test("git mergetool with a damaged version leaves the conflict")
  func mergetoolDamaged() throws {
    try git.expect(
      "AA n.peernote",
      from: """
        \(conflict)
        git reset -q --hard; git checkout -q --orphan fresh theirs; echo x >> n.peernote; save bad
        git checkout -q main; merge --allow-unrelated-histories fresh > "$T/log" 2>&1 && exit 1
        git mergetool -y --tool=peernote > "$T/log" 2>&1 && exit 1; git status --short | grep peernote$
        """)
  }
}
