import Testing

@Suite("The built program")
struct ProgramTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.sh("mkdir home work; cd work; pnmerge new a --title T -q; cp a b")
  }

  private func sh(_ script: String) throws -> Program.Run {
    try program.sh("cd work\n" + script)
  }

  @Test("a note goes its way: new, edit, merge, cat, undo")
  func wholeWay() throws {
    let run = try sh(
      """
      printf 'Hello\\n' | pnmerge edit a --body-file - &&
      pnmerge edit b --tag x -q &&
      pnmerge merge a b && pnmerge b a -q && cmp a b && pnmerge cat a && pnmerge undo a -q &&
      pnmerge cat --body a && ls -A
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("a: changed body\na: merged 1 copy: 1 change by me"))
    #expect(run.output.hasSuffix("---\nHello\nHello\na\nb\n"))
    #expect(run.errors == "")
  }

  @Test("wrong arguments are status 64")
  func usage() throws {
    let run = try sh("pnmerge merge a; echo $?; pnmerge; echo $?; pnmerge frobnicate; echo $?")
    #expect(run.output == "64\n64\n64\n")
    #expect(run.errors.count { $0 == "\n" } == 3)
  }

  @Test("what cannot be read is status 66, what is no document status 4, in one line")
  func unreadable() throws {
    let run = try sh(
      """
      mkdir dir; : > empty; echo hello > text; head -c 20 a > cut
      for f in none dir dir/x a/x empty text cut; do pnmerge merge a "$f"; echo $?; done; ls -A
      """)
    #expect(run.output == "66\n64\n66\n66\n4\n4\n4\na\nb\ncut\ndir\nempty\ntext\n")
    #expect(run.errors.count { $0 == "\n" } == 7)
    #expect(run.errors.contains("pnmerge: none: cannot read: no such file or directory\n"))
    #expect(run.errors.contains("pnmerge: a: is not a directory, and is not merged with one; "))
    #expect(run.errors.contains("pnmerge: empty: is empty, not a peernote document; take"))
  }

  @Test("a pipe or a device is not replaced, but can be read")
  func specialFiles() throws {
    let run = try sh(
      """
      mkfifo p; pnmerge merge p b; echo $?; pnmerge edit /dev/null --title x; echo $?
      pnmerge edit b -q --tag x
      # What comes while the pipe is read does not come twice.
      (sleep 0.2; cat b) > p & timeout 20 "$P" merge -q a p; echo $?; cmp a b
      """)
    #expect(run.output == "66\n66\n0\n")
    #expect(run.errors.hasPrefix("pnmerge: p: cannot read: it is not a regular file\n"))
  }

  @Test("an unreadable file is status 66", .enabled(if: !isRoot))
  func permissions() throws {
    let run = try sh("chmod 0 b; pnmerge merge a b; echo $?; pnmerge cat b; echo $?")
    #expect(run.output == "66\n66\n")
  }

  @Test("a closed pipe ends quietly")
  func closedPipe() throws {
    let run = try sh(
      """
      head -c 3000000 /dev/zero | tr '\\0' 'x' | pnmerge edit a -q --body-file -
      { pnmerge cat a; echo "status $?" >&2; } | head -c 10
      """)
    #expect(run.output == "---\ntitle:")
    #expect(run.errors == "status 0\n")
  }

  @Test("a full disk under standard output is status 74, and what was changed is said")
  func fullDisk() throws {
    let printed = try sh("pnmerge cat a > /dev/full")
    #expect(printed.status == 74 && !printed.errors.contains("was changed"))
    let changed = try sh("pnmerge edit a --title New > /dev/full")
    #expect(changed.status == 74 && changed.errors.contains("; a was changed\n"))
  }

  @Test("names need not be UTF-8, and may hold anything")
  func oddNames() throws {
    let run = try sh(
      """
      n=$(printf 'x\\377\\n$(touch PWNED) "q'); cp b "./$n"; cp b -- '-rf'
      pnmerge edit "$n" --tag x -q && pnmerge merge a "$n" -rf; echo $?
      pnmerge merge -- -rf "$n"; echo $?; pnmerge undo "$n"; cmp "$n" b; echo $?; ls -Aq | wc -l
      """)
    #expect(
      run.errors.contains("unknown option '-rf'") || run.errors.contains("unknown option '-r'"))
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "64")
    #expect(lines.contains { $0.contains("x\\xff\\n$(touch PWNED) \"q: put back") })
    #expect(lines.suffix(2) == ["0", "4"])
  }

  @Test("a symbolic link goes on pointing to its file, which is replaced")
  func links() throws {
    let run = try sh(
      """
      mkdir d; mv a d/a; ln -s d/a l; ln -s l m; pnmerge edit b --tag x -q
      pnmerge merge m b -q; readlink l m; cmp d/a b; ls -A . d
      pnmerge undo m -q; pnmerge status d/a b; ln -s nowhere n; pnmerge new n; echo $?
      """)
    #expect(
      run.output == "d/a\nl\n.:\nb\nd\nl\nm\n\nd:\na\n"
        + "b: ahead of d/a by 1 change\n73\n")
  }

  @Test("a terminal is asked; whoever stops there goes on there")
  func terminal() throws {
    let run = try sh(
      """
      command -v script > /dev/null || { echo skipped; exit; }
      export TERM=dumb
      ask() { printf "$1" | script -qec "$2" /dev/null | tr -d '\\r'; }
      printf 'We meet at noon.\\n' | pnmerge edit a -q --body-file - ; cp a b
      printf 'We meet at one.\\n' | pnmerge edit a -q --title U --body-file -
      printf 'We meet at two.\\n' | pnmerge edit b -q --title V --body-file -
      pnmerge merge -i a b; echo $?
      ask 'w\\ny\\n' '"$P" merge -i a b'
      ask '1\\n2\\ny\\n' '"$P" resolve -i a'
      pnmerge cat a
      """)
    guard run.output != "skipped\n" else { return }
    #expect(
      run.errors == "pnmerge: a review needs a terminal; on a page instead: "
        + "pnmerge review --html NEW.html a b\n")
    #expect(run.output.hasPrefix("64\n"))
    let said = [
      "1 of 2  body  written against each other", "[e]dit, [s]kip, bac[k], [w]rite, [q]uit",
      "resolved 0 of 2; 2 left unresolved", "1 of 2  body  written against each other",
      "2 of 2  title  set on both sides", "a: resolved 2 of 2",
      "title: U\n", "We meet at two.\n",
    ]
    var rest = run.output[...]
    for words in said {
      let found = rest.firstRange(of: words)
      #expect(found != nil, "\(words) in \(run.output)")
      rest = rest[(found?.upperBound ?? rest.startIndex)...]
    }
  }

  @Test("permissions stay")
  func modes() throws {
    let run = try sh(
      """
      pnmerge edit b --tag x -q; chmod 640 a; pnmerge merge a b -q; stat -c %a a
      umask 027; pnmerge new c -q; stat -c %a c; find ../home -type f -perm /077 | wc -l
      """)
    #expect(run.output == "640\n640\n0\n")
  }

  @Test("an idle merge leaves the file and its time alone")
  func idleMerge() throws {
    let run = try sh(
      """
      touch -d 2001-02-03 a; stat -c '%i %y' a > before
      pnmerge merge a b -q; pnmerge merge a a -q; pnmerge edit a --title T -q
      stat -c '%i %y' a | cmp - before && echo same; ls -A
      """)
    #expect(run.output == "same\na\nb\nbefore\n")
  }

  @Test("many writers at once lose no edit")
  func manyWriters() throws {
    let run = try sh(
      """
      for writer in 1 2 3 4; do
        (i=0; while [ $i -lt 10 ]; do
          pnmerge edit a --tag "t$writer-$i" -q || echo "status $?"; i=$((i + 1))
        done) &
      done
      wait
      pnmerge log a | wc -l; pnmerge cat a | grep -c '^  - t'; ls -A
      """)
    #expect(run.output == "41\n40\na\nb\n", "\(run.errors)")
  }

  @Test("an editor's interrupt is not ours, and leaves nothing behind")
  func interruptedEditor() throws {
    let run = try sh(
      """
      EDITOR='kill -INT $$; :' pnmerge edit a; echo $?
      EDITOR='sed -i s/title:.T/title:\\ U/' pnmerge edit a; ls -A . ..
      """)
    #expect(run.output.hasPrefix("130\na: changed title\n.:\na\nb\n\n..:\n"))
    #expect(!run.output.contains("pnmerge-"))
  }

  @Test("a signal during the program's work leaves the file whole and no litter")
  func killed() throws {
    let run = try sh(
      """
      head -c 2000000 /dev/zero | tr '\\0' 'x' | pnmerge edit b -q --body-file -
      for delay in 0.002 0.004 0.006 0.008 0.01 0.015 0.02 0.03 0.04 0.05 0.08; do
        cp a c; timeout -s INT $delay "$P" merge -q c b
        pnmerge validate -q c || echo broken
        ls -A | grep -v '^[abc]$'
      done
      cp a c; timeout -s KILL 0.02 "$P" merge -q c b; pnmerge validate -q c || echo broken
      pnmerge merge -q c b; cmp c b; ls -A
      """)
    #expect(run.output == "a\nb\nc\n", "\(run.errors)")
  }

  @Test("the commands take their part of a pipeline")
  func pipelines() throws {
    let run = try sh(
      """
      pnmerge edit b --title U -q
      pnmerge merge -o - a b 2>/dev/null | pnmerge cat --format text -
      cat b | pnmerge merge -q a - && cmp a b && cat a | pnmerge status - b
      pnmerge new - | pnmerge validate -
      """)
    #expect(
      run.output == "U\n\nb: same as standard input\nstandard input: sound\n", "\(run.errors)")
  }

  @Test("every line of JSON is JSON", .enabled(if: hasPython))
  func json() throws {
    let run = try sh(
      """
      n=$(printf 'b\\377'); cp b "$n"
      pnmerge edit "$n" -q --title "$(printf 'q"\\\\\\033[m\\302\\205\\360\\237\\216\\211')"
      pnmerge edit a -q --title V
      for c in 'merge --json -n a' 'status --json a' 'diff --json a' 'validate --json a' \
        'inspect --json --changes' 'log --json' 'cat --format json'; do
        pnmerge $c "$n" | python3 -c 'import json,sys; print(type(json.load(sys.stdin)).__name__)'
      done
      """)
    #expect(run.output == String(repeating: "dict\n", count: 7), "\(run.errors)")
  }
}

/// Permissions mean nothing to root.
private let isRoot = (try? Program().sh("id -u").output) == "0\n"
private let hasPython = (try? Program().sh("python3 -c ''").status) == 0
