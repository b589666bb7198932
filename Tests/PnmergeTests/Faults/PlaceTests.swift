import Foundation
import PeernoteTestSupport
import Testing

/// Where a document can stand, and how its attributes fare.
@Suite("Saves in special places")
struct PlaceTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.sh(
      """
      mkdir home work; cd work; pnmerge new a --title T -q; cp a b
      head -c 5000 /dev/zero | tr '\\0' x | pnmerge edit b --body-file - -q
      """)
  }

  private func sh(_ script: String) throws -> Program.Run {
    try program.sh("cd work\n" + script)
  }

  @Test(
    "a file that may not grow is a full disk: status 74, nothing lost, nothing left",
    .enabled(if: Sanitizer.current == nil, "a sanitizer has files of its own"))
  func sizeLimit() throws {
    let run = try sh(
      """
      cp a old; (ulimit -f 2; pnmerge merge a b); echo $?; cmp a old && ls -A
      (ulimit -f 2; pnmerge merge -o c a b); echo $?; ls -A . ../home
      """)
    #expect(run.output == "74\na\nb\nold\n74\n.:\na\nb\nold\n\n../home:\n.local\n", "\(run.errors)")
    #expect(run.errors.hasPrefix("pnmerge: a: cannot write: file too large; nothing was written\n"))
  }

  @Test(
    "a file larger than any document is refused before memory is taken for it",
    .enabled(if: Sanitizer.current == nil, "a sanitizer needs more addresses"))
  func hugeFile() throws {
    let run = try sh(
      """
      truncate -s 2G huge; cp a old; ulimit -v 2000000
      for c in validate "merge a" "repair -o c" "cat"; do pnmerge $c huge; echo $?; done
      cmp a old && ls
      """)
    #expect(run.output == "66\n66\n66\n66\na\nb\nhuge\nold\n", "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 4)
    #expect(run.errors.hasPrefix("pnmerge: huge: cannot read: file too large\n"))
  }

  @Test("what is said to closed streams goes into no file, and input that is closed is none")
  func closedStreams() throws {
    // That nothing can be kept for undo is said while the file, then the new one, are open.
    let run = try sh(
      """
      cp a old; export XDG_STATE_HOME=/dev/null
      pnmerge merge a b 2>&-; echo $?; cmp a b; cp old a
      pnmerge merge a b <&- 2>&-; echo $?; cmp a b; cp old a
      pnmerge merge a b <&- >&- 2>&-; echo $?; cmp a b; cp old a
      pnmerge edit a --body-file - <&-; echo $?; cmp a old
      pnmerge merge a - <&- 2>&-; echo $?; cmp a old
      EDITOR='echo typed >>' pnmerge edit a -q <&- 2>&-; echo $?; pnmerge cat --body a
      """)
    let said = "a: caught up with 1 copy: 1 change by me\n0\n"
    #expect(run.output == said + said + "74\n66\n66\n0\ntyped\n")
    #expect(run.errors == "pnmerge: standard input: cannot read: bad file descriptor\n")
  }

  @Test(
    "what has no end is refused as soon as it is clear that it is no document",
    .enabled(if: Sanitizer.current == nil, "a sanitizer needs more addresses"))
  func endless() throws {
    let run = try sh(
      """
      ulimit -v 1000000
      for c in "merge a X" "cat X" "validate X" "status a X" "inspect X" "log X" "find a X"; do
        for f in /dev/zero -; do
          yes 2>/dev/null | pnmerge $(echo "$c" | sed "s,X,$f,") > said 2>&1; printf '%s ' $?
          grep -q 'byte 0: envelope: not a peernote document' said || cat said
        done
      done
      echo; (head -c 4 b; sleep 0.2; tail -c +5 b) | pnmerge status a -
      """)
    let statuses = String(repeating: "4 ", count: 14)
    #expect(
      run.output == statuses + "\nstandard input: ahead of a by 1 change\n", "\(run.errors)")
  }

  @Test(
    "other files of a command may have no end either, and are refused",
    .enabled(if: Sanitizer.current == nil, "a sanitizer needs more addresses"))
  func endlessOperands() throws {
    let run = try sh(
      """
      ulimit -v 1000000; cp a old
      for c in "new n --json-file X" "new n --body-file X" "set a /k --value-file X" \
        "set a /k --string --value-file X" "edit a --body-file X" \
        "edit a --json-file X" "validate a --schema X" "set a /k 1 --schema X" "import --format json -o n X" \
        "repair X -o n" "inspect --diag X"; do
        for f in /dev/zero -; do
          yes 2>/dev/null | pnmerge $(echo "$c" | sed "s,X,$f,") > said 2>&1; printf '%s ' $?
          grep -q 'more than 64 MiB come from a pipe or device; write them to a file first' said ||
            cat said
        done
      done
      echo; cmp a old; ls n
      # A file may be longer, also as standard input.
      head -c 70000000 /dev/zero > long; pnmerge validate a --schema long 2>&1 | grep -c MiB
      pnmerge validate a --schema - < long 2>&1 | grep -c MiB
      """)
    let statuses = String(repeating: "66 ", count: 22)
    #expect(run.output == statuses + "\n0\n0\n", "\(run)")
  }

  @Test("a redaction is said, though nothing can be said of the states kept for undo")
  func unreadableStates() throws {
    let run = try sh(
      """
      pnmerge edit b -q --body-file /dev/null; cp b c; ln -s loop loop
      export XDG_STATE_HOME=$PWD/loop; pnmerge redact b; echo $?; pnmerge redact b --json; echo $?
      pnmerge redact c --clear-undo; echo $?; pnmerge redact c --clear-undo --json; echo $?
      """)
    let json = #"\{"schema":1,.*"written":false,"removed_characters":0,.*"undo_states":null\}\n"#
    let lines = try Regex(
      "b: removed 5000 characters of deleted text\n0\n\(json)0\n"
        + "c: removed 5000 characters of deleted text\n74\n\(json)74\n")
    #expect(try lines.wholeMatch(in: run.output) != nil, "\(run.output)")
    let errors = run.errors.split(separator: "\n")
    #expect(errors.count == 4)
    #expect(errors.allSatisfy { $0.contains("too many levels of symbolic links") })
    #expect(errors.prefix(2).allSatisfy { $0.hasPrefix("pnmerge: warning: ") })
  }

  @Test("an editor can write files of any size, though we ignore that signal")
  func editorSignals() throws {
    let run = try sh(
      """
      EDITOR='sh -c "kill -XFSZ \\$\\$" #' pnmerge edit a; echo $?
      EDITOR='sh -c "kill -PIPE \\$\\$" #' pnmerge edit a; echo $?
      """)
    #expect(run.output == "74\n74\n")
    #expect(run.errors.contains("the editor ended with status"))
  }

  @Test("a link to another file system goes on pointing there", .enabled(if: hasOtherFileSystem))
  func otherFileSystem() throws {
    let run = try sh(
      """
      d=$(mktemp -d /dev/shm/pnmerge-XXXXXX); trap 'rm -r "$d"' EXIT; cp a "$d/n"; ln -s "$d/n" l
      pnmerge merge -q l b && cmp "$d/n" b && readlink l | sed "s,$d,D,"
      ls -A "$d"; pnmerge undo -q l && cmp l a && ls -A
      """)
    #expect(run.output == "D/n\nn\na\nb\nl\n", "\(run.errors)")
  }

  @Test("of several names of one file the given one gets the new content")
  func hardLinks() throws {
    let run = try sh(
      """
      ln a other; cp a old; pnmerge merge -q a b; cmp a b; cmp other old; stat -c %h a other
      pnmerge merge -q other a; cmp other b
      """)
    #expect(run.output == "1\n1\n" && run.errors == "")
  }

  @Test("owner, group and permissions stay; other bits do not", .enabled(if: mayChangeOwners))
  func owners() throws {
    let run = try sh(
      """
      chown 12345:23456 a; chmod 4640 a; pnmerge merge -q a b
      stat -c '%u:%g %a' a; pnmerge undo -q a; stat -c '%u:%g %a' a
      """)
    #expect(run.output == "12345:23456 640\n12345:23456 640\n", "\(run.errors)")
  }

  @Test(
    "a group that cannot be kept gets no more than everyone", .enabled(if: mayBecomeSomebodyElse))
  func foreignGroup() throws {
    let run = try sh(
      """
      chown 12345 .; cp a c; cp a d; chown 12345:23456 a c d; chmod 660 a; chmod 664 c; chmod 604 d
      for f in a c d; do
        setpriv --reuid 12345 --regid 12345 --clear-groups "$P" merge -q --no-backup $f b
        cmp $f b; stat -c '%u:%g %a' $f
      done
      """)
    #expect(run.output == "12345:12345 600\n12345:12345 644\n12345:12345 604\n", "\(run.errors)")
  }

  @Test("a pipe or a link under the temporary name neither stops a save nor is written through")
  func strangeTemporaryNames() throws {
    let run = try sh(
      """
      cp a old; mkfifo .a.pnmerge; timeout -s KILL 30 "$P" merge -q a b; echo $?; cmp a b
      for there in mine missing; do
        cp old a; echo mine > mine; ln -sf $there .a.pnmerge
        timeout -s KILL 30 "$P" merge -q a b; echo $?; cmp a b; cat mine
      done
      ls
      """)
    #expect(run.output == "0\n0\nmine\n0\nmine\na\nb\nmine\nold\n", "\(run.errors)")
  }

  @Test("a directory under the temporary name is left alone")
  func directoryUnderTemporaryName() throws {
    let run = try sh(
      """
      mkdir -p .a.pnmerge/d; pnmerge merge -q a b; echo $?; cmp a b; rmdir .a.pnmerge/d; ls -A
      """)
    #expect(run.output == "0\n.a.pnmerge\na\nb\n", "\(run.errors)")
  }

  @Test("a directory or a pipe is never taken for a document to be written")
  func noRegularFiles() throws {
    let run = try sh(
      """
      mkdir dir; mkfifo p
      for c in "merge X b" "edit X --title x" "undo X" "redact X" "set X /title 1" \
        "merge -o X a b" "export a --force -o X" "new X" "repair a -o X" "merge -i X b"; do
        for f in dir p; do
          timeout -s KILL 30 "$P" $(echo "$c" | sed "s/X/$f/"); printf '%s ' $?
        done
      done
      echo; ls -A . dir
      """)
    let statuses = [64, 66] + [66, 66, 66, 66, 73, 73, 73, 73, 64].flatMap { [$0, $0] }
    #expect(
      run.output == statuses.map { "\($0) " }.joined() + "\n.:\na\nb\ndir\np\n\ndir:\n",
      "\(run.errors)")
  }

  @Test("a document that may be run stays so, and is not run")
  func executable() throws {
    let run = try sh("chmod 755 a; pnmerge merge -q a b; pnmerge edit -q a --tag t; stat -c %a a")
    #expect(run.output == "755\n", "\(run.errors)")
  }

  @Test("a new file gets the permissions that the umask leaves")
  func newFile() throws {
    let run = try sh(
      """
      (umask 027; pnmerge new c --title N -q); (umask 0; pnmerge merge -q -o d a b); stat -c %a c d
      """)
    #expect(run.output == "640\n666\n", "\(run.errors)")
  }

  @Test("what is being written is private until it is complete, and so are kept states and drafts")
  func privacy() throws {
    let run = try sh(
      """
      umask 0; chmod 666 a; rm -rf ../home/.local
      EDITOR='stat -c %a $(dirname "$1") "$1"; sed -i s/T/U/' pnmerge edit a -q
      find ../home -mindepth 1 -perm /077; stat -c %a a
      """)
    #expect(run.output == "700\n600\n666\n", "\(run.errors)")
  }

  @Test("a document with the longest name can be edited")
  func longestName() throws {
    let run = try sh(
      """
      n=$(head -c 255 /dev/zero | tr '\\0' n); mv a $n; EDITOR='echo typed >>' pnmerge edit -q $n
      echo $?; pnmerge cat --body $n
      """)
    #expect(run.output == "0\ntyped\n", "\(run.errors)")
  }

  @Test("an edit whose file or directory is gone is kept as text")
  func vanishedWhileEditing() throws {
    let run = try sh(
      """
      mkdir d; mv a d/a
      EDITOR='echo typed >> "$1"; rm -r d #' pnmerge edit d/a; echo $?
      cat ../pnmerge-*/a.md | tail -n 1
      """)
    #expect(run.output == "66\ntyped\n", "\(run.errors)")
    #expect(run.errors.contains("your text is kept in "))
  }

  private static let hasOtherFileSystem =
    (try? Program().sh("[ $(stat -c %d /dev/shm) != $(stat -c %d .) ]").status) == 0
  private static let mayChangeOwners =
    (try? Program().sh("touch x && chown 12345:23456 x").status) == 0
  private static let mayBecomeSomebodyElse =
    (try? Program().sh(
      "setpriv --reuid 12345 --regid 12345 --clear-groups \"$P\" --version; exit $?"
    ).status) == 0 && mayChangeOwners
}
