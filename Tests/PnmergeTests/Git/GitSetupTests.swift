import PeernoteTestSupport
import Testing

@Suite("git: install, uninstall, status")
struct GitSetupTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// Keeps a picture of a repository's files but its objects: names, modes and contents.
  private let picture = """
    picture() { find . "$T/home" -path '*/objects' -prune -o -type f -printf '%p %m ' \
      -exec sha256sum {} ';' | grep -v -e '/index ' -e '/index$' | sort; }
    """

  @Test(
    "uninstall leaves the repository as it was",
    arguments: ["", "--info-attributes", "--absolute-path"],
    [
      "", "printf '*.txt text\\n' > .gitattributes", "printf '*.txt text' > .gitattributes",
      "git config merge.tool vimdiff",
    ])
  func roundTrip(options: String, before: String) throws {
    try git.expect(
      "same",
      from: """
        \(picture)
        git init -q r; cd r; \(before)
        picture > "$T/a"; pnmerge git install \(options) > "$T/log" 2>&1
        picture > "$T/b"; cmp -s "$T/a" "$T/b" && exit 1
        pnmerge git install \(options) 2>/dev/null | grep -q '^already set up$'
        pnmerge git uninstall > "$T/log"; picture > "$T/b"; diff "$T/a" "$T/b" >&2
        pnmerge git uninstall | grep -q '^nothing was set up$'; echo same
        """)
  }

  @Test("uninstall --global leaves the user's files as they were")
  func global() throws {
    try git.expect(
      "merge: peernote\nmerge: unspecified\nsame",
      from: """
        \(picture)
        git init -q r; cd r; picture > "$T/a"; pnmerge git install --global -q
        git check-attr merge n.peernote | cut -d ' ' -f 2-; pnmerge git status -q
        pnmerge git uninstall --global -q; git check-attr merge n.peernote | cut -d ' ' -f 2-
        picture > "$T/b"; diff "$T/a" "$T/b" >&2; echo same
        """)
  }

  private static let lines = ["peernote", "meetingnotes", "automerge"]
    .map { "*.\($0) -text merge=peernote diff=peernote" }.joined(separator: "\n")

  @Test("an install by a version that knew fewer lines gets the others, and loses them all")
  func fewerLines() throws {
    try git.expect(
      "\(Self.lines)\nsame\n*.peernote -text merge=peernote diff=peernote",
      from: """
        git init -q r; cd r; git config pnmerge.worktreeattributes created
        echo '*.peernote -text merge=peernote diff=peernote' > .gitattributes
        cp .gitattributes "$T/a"; pnmerge git install -q; cat .gitattributes
        pnmerge git uninstall -q; test ! -e .gitattributes; echo same
        cp "$T/a" .gitattributes; pnmerge git install -q; pnmerge git uninstall -q
        cat .gitattributes
        """)
  }

  @Test("a line that was there before install is not ours to remove")
  func committedLine() throws {
    try git.expect(
      Self.lines,
      from: """
        repository r; git clone -q . "$T/c"; cd "$T/c"; pnmerge git install -q
        pnmerge git uninstall -q; git diff --quiet; cat .gitattributes
        test -z "$(git config --get-regexp 'peernote|pnmerge')"
        """)
  }

  @Test("-n says what would be done, and does nothing")
  func dryRun() throws {
    try git.expect(
      "2\n2\nsame",
      from: """
        \(picture)
        git init -q r; cd r; picture > "$T/a"; pnmerge git install -n | grep -c would
        picture > "$T/b"; cmp "$T/a" "$T/b"; pnmerge git install -q; picture > "$T/a"
        pnmerge git uninstall -n | grep -c would; picture > "$T/b"; cmp "$T/a" "$T/b"; echo same
        """)
  }

  @Test("somebody else's driver of that name is not replaced")
  func foreign() throws {
    let run = try git.sh(
      """
      git init -q r; cd r; git config merge.peernote.driver other; cp .git/config "$T/c"
      pnmerge git install || echo $?; cmp .git/config "$T/c"; test ! -e .gitattributes
      """)
    #expect(run.output == "73\n")
    #expect(run.errors.contains("merge.peernote.driver is set to \"other\", which is not ours"))
  }

  @Test("outside of a repository only --global works")
  func outside() throws {
    try git.expect(
      "66\n66\n0",
      from: """
        for c in install uninstall 'install --global -q'; do
          s=0; pnmerge git $c 2>/dev/null || s=$?; echo $s
        done
        """)
  }

  @Test("so says status there, of all that is missing")
  func statusOutside() throws {
    let run = try git.sh("s=0; pnmerge git status || s=$?; test $s = 1")
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("missing") }
    #expect(lines.count == 1 && lines.allSatisfy { $0.hasSuffix("'pnmerge git install --global'") })
  }

  @Test("why git cannot use a repository is said in its own words")
  func brokenConfiguration() throws {
    let run = try git.sh(
      """
      git init -q r; cd r; echo '[core' >> .git/config
      for c in install uninstall status; do s=0; pnmerge git $c || s=$?; echo $s; done
      """)
    #expect(run.output == "66\n66\n66\n")
    #expect(run.errors.contains("bad config line") && !run.errors.contains("not inside"))
    #expect(run.errors.hasSuffix("git does not work here, for the reason that it gives above\n"))
  }

  @Test("without git in the path that is said")
  func withoutGit() throws {
    let run = try git.sh("s=0; PATH=/nonexistent \"$P\" git install || s=$?; echo $s")
    #expect(run.output == "66\n")
    #expect(run.errors == "pnmerge: git is not in the path; install it, or set PATH\n")
  }

  @Test("with --absolute-path git finds the program without PATH, whatever its name holds")
  func absolutePath() throws {
    try git.expect(
      "one\nTWO\nthree\nFOUR\nfive",
      from: #"""
        repository r; git checkout -qb theirs; body 's/four/FOUR/'; save theirs
        git checkout -q main; body 's/two/TWO/'; save ours
        mkdir "$T/a %A'b"; cp "$P" "$T/a %A'b/pnmerge"
        "$T/a %A'b/pnmerge" git install -q --absolute-path
        PATH=/usr/bin:/bin merge theirs; pnmerge cat --body n.peernote
        PATH=/usr/bin:/bin git show theirs | grep -q FOUR
        PATH=/usr/bin:/bin "$T/a %A'b/pnmerge" git status -q
        """#)
  }

  @Test("a bare repository gets its attributes beside the configuration")
  func bare() throws {
    try git.expect(
      "\(Self.lines)\n1",
      from: """
        git init -q --bare b.git; cd b.git; pnmerge git install -q; cat info/attributes
        pnmerge git status -q; : > info/attributes; s=0; pnmerge git status > "$T/log" || s=$?; echo $s
        grep -q 'no attribute merge=peernote' "$T/log"
        """)
  }

  // MARK: Status

  @Test("status is 0 after install and 1 before")
  func healthy() throws {
    try git.expect(
      "1\n0\n{\"schema\":1,\"healthy\":true",
      from: """
        git init -q r; cd r; s=0; pnmerge git status -q > "$T/log" || s=$?; echo $s
        pnmerge git install -q; pnmerge git status -q; echo $?
        pnmerge git status --json | cut -d , -f 1-2
        """)
  }

  @Test(
    "status finds what is dangerous or missing",
    arguments: [
      (
        "git config merge.peernote.driver 'pnmerge git driver -- %O %A %B %L \"%P\"'",
        "danger   merge.peernote.driver (local) is not what this version sets"
      ),
      (
        "git config merge.peernote.driver \"pnmerge git driver -- %O %A %B %L '%P'\"",
        "danger   merge.peernote.driver (local) is not what this version sets"
      ),
      (
        "git config merge.peernote.driver 'nothere git driver -- %O %A %B %L %P'",
        "not found in the path"
      ),
      (
        "git config merge.peernote.driver 'pnmerge git driver -- %O %A %B %L %P'",
        "danger   merge.peernote.driver (local) is not what this version sets"
      ),
      (
        "git config diff.peernote.cachetextconv false",
        "missing  diff.peernote.cachetextconv (local) is not what this version sets"
      ),
      (
        "git config diff.peernote.textconv \"$(git config diff.peernote.textconv | "
          + "sed 's/pnmerge git/nothere git/')\"",
        "missing  diff.peernote.textconv (local) is not what this version sets"
      ),
      (
        "git config merge.peernote.driver other",
        "the merge driver (local), other, does not call 'pnmerge git driver'"
      ),
      ("git config --unset merge.peernote.driver", "no merge driver is configured"),
      ("git config --unset diff.peernote.textconv", "diff and log show no text"),
      (
        "git config diff.peernote.textconv 'pnmerge git textconv'",
        "missing  diff.peernote.textconv (local) is not what this version sets"
      ),
      (": > .gitattributes", "no attribute merge=peernote"),
      ("echo '*.peernote merge=union' >> .gitattributes", "merges documents by lines"),
      ("echo 'n.peernote merge=ours' >> .gitattributes", "names another driver (n.peernote)"),
      ("echo '*.peernote text' >> .gitattributes", "convert line ends"),
      ("echo '*.peernote filter=lfs' >> .gitattributes", "Git LFS stores"),
      ("printf 'a\\n<<<<<<< ours\\n' >> n.peernote", "n.peernote: was merged by lines"),
      (
        "sed -i -z 's/\\n/\\r\\n/g' n.peernote",
        "n.peernote: its line ends were converted"
      ),
      ("echo x >> n.peernote", "n.peernote: damaged"),
    ])
  func troubles(setting: String, sentence: String) throws {
    let run = try git.sh(
      """
      repository r; pnmerge git status -q; \(setting)
      s=0; pnmerge git status -q || s=$?; test $s = 1
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(sentence))
  }

  @Test("status counts documents in conflict once")
  func countsDocuments() throws {
    try git.expect(
      "1 document in the work tree, sound",
      from: """
        repository r; git checkout -qb theirs; body 's/four/FOUR/'; save theirs
        git checkout -q main; body 's/two/TWO/'; save ours
        PNMERGE=0 merge theirs 2> "$T/log" && exit 1; pnmerge git status | grep -o '1 document.*'
        """)
  }

  @Test("the hook of earlier versions goes with the next install, and stops no commit unsaid")
  func earlierHook() throws {
    let run = try git.sh(
      """
      git init -q r; cd r; h=.git/hooks/pre-commit
      printf '#!/bin/sh\\n' > $h; chmod 755 $h; cp $h "$T/h"
      cat >> $h <<'END'
      # pnmerge git install --hooks: begin
      if command -v pnmerge >/dev/null 2>&1; then pnmerge git hook pre-commit || exit; fi
      # pnmerge git install --hooks: end
      exit 0
      END
      git commit -q --allow-empty -m a && exit 1
      pnmerge git install; git commit -q --allow-empty -m a; cat $h
      """)
    #expect(run.output.hasSuffix("#!/bin/sh\nexit 0\n"), "\(run)")
    #expect(run.errors.contains("pnmerge git install, which takes the hook away"), "\(run)")
  }

  @Test("the file that install makes gets the permissions that the umask leaves")
  func permissions() throws {
    try git.expect(
      "640",
      from: """
        umask 027; git init -q r; cd r; pnmerge git install -q; stat -c %a .gitattributes
        """)
  }

  @Test("no hook and no program that a repository names is run by what only asks git")
  func foreignPrograms() throws {
    try git.expect(
      "done",
      from: """
        repository r; mkdir hooks; git config core.hooksPath "$PWD/hooks"
        for h in $(git help --hooks 2>/dev/null || echo pre-commit) pre-commit post-checkout \
          post-index-change post-merge reference-transaction fsmonitor-watchman; do
          printf '#!/bin/sh\\ntouch "%s/RUN"\\n' "$T" > "hooks/$h"; chmod 755 "hooks/$h"
        done
        for key in core.fsmonitor core.pager core.editor diff.external core.sshCommand; do
          git config $key "touch $T/RUN #"
        done
        git config log.showSignature true; git config gpg.program "$PWD/hooks/pre-commit"
        printf '#!/bin/sh\\ntouch "%s/RUN"\\n' "$T" > n.md; chmod 755 n.md
        unset GIT_EDITOR; cp n.peernote m.peernote; chmod 755 m.peernote
        pnmerge edit -q m.peernote --title U; pnmerge merge -q n.peernote m.peernote
        pnmerge new -q o.peernote; pnmerge git status -q; pnmerge git install -q -n
        for word in "\\$(touch $T/RUN)" "\\`touch $T/RUN\\`" ";touch $T/RUN;" "-v
        touch $T/RUN #" "\\"\\$(touch $T/RUN)\\"" "x' | touch $T/RUN #"; do
          git config merge.peernote.driver "$word git driver -- %O %A %B %L %P"
          pnmerge git status > "$T/log" || :
        done
        pnmerge log n.peernote > "$T/log"; pnmerge diff n.peernote o.peernote > "$T/log" || :
        pnmerge cat m.peernote > "$T/log"; test ! -e "$T/RUN"; echo done
        """)
  }

  @Test(
    "a link that a repository brings is not followed",
    .enabled(if: Sanitizer.current == nil, "a sanitizer needs more addresses"))
  func foreignLinks() throws {
    try git.expect(
      "73\n1\nsame",
      from: """
        repository r; rm .gitattributes; echo mine > "$T/mine"; ln -s "$T/mine" .gitattributes
        s=0; pnmerge git install -q 2>/dev/null || s=$?; echo $s; rm .gitattributes
        pnmerge git install -q; ln -s /dev/zero z.peernote; git add z.peernote
        (ulimit -v 1000000; pnmerge git status) | grep -c 'document in the work tree, sound'
        grep -qx mine "$T/mine"; test "$(wc -l < "$T/mine")" = 1; echo same
        """)
  }
}
