import Foundation
import Testing

/// The programs that are run: git, to ask for a name, and the user's editor.
@Suite("Programs that are run")
struct ChildProcessTests {
  private let program: Program

  /// A git that writes down how many open files and what input it was given, and a note inside a
  /// repository.
  init() throws {
    program = try Program()
    try program.sh(
      """
      mkdir home bin work work/.git; cd work; pnmerge new a --title T -q
      cat > ../bin/git <<'EOF'
      #!/bin/sh
      ls /proc/self/fd | wc -l >> "$TMPDIR/open"; cat >> "$TMPDIR/input"; echo trouble >&2
      echo somebody
      EOF
      chmod +x ../bin/git
      """)
  }

  private func sh(_ script: String) throws -> Program.Run {
    try program.sh(
      "ulimit -c 0; cd work; PATH=\"$TMPDIR/bin:$PATH\"; unset PNMERGE_AUTHOR\n" + script)
  }

  @Test(
    "git is given no open file of ours, and no input, and what it complains about is dropped",
    .enabled(if: hasProc))
  func inheritance() throws {
    // The second time it is run by us, while the note is locked.
    let run = try sh(
      """
      git </dev/null 2>/dev/null | cat
      echo words | pnmerge edit a --body-file - -q; pnmerge log a | grep -c somebody
      echo left | { pnmerge edit a --tag t -q; cat; }
      cd ..; echo "git: $(cat input)"; wc -l < open; uniq open | wc -l
      """)
    #expect(run.output == "somebody\n1\nleft\ngit: \n3\n1\n")
    #expect(run.errors == "")
  }

  @Test("an interrupt from the keyboard goes to the editor alone, and to us when it has ended")
  func interrupts() throws {
    let run = try sh(
      """
      EDITOR='kill -INT $PPID; kill -QUIT $PPID; sed -i s/title:.T/title:\\ U/' pnmerge edit a
      pnmerge cat a | grep title
      """)
    #expect(run.output == "a: changed title\ntitle: U\n", "\(run.errors)")
  }

  @Test("an interrupt from the keyboard while git is asked ends us, and nothing is written")
  func interruptedGit() throws {
    let run = try sh(
      """
      printf '#!/bin/sh\\nkill -INT $PPID; sleep 0.1; echo somebody\\n' > ../bin/git
      "$P" edit a --title U; echo $?; pnmerge cat a | grep title; ls -A
      """)
    #expect(run.output == "130\ntitle: T\n.git\na\n", "\(run.errors)")
  }

  @Test("an editor can be quit, though we are not", .enabled(if: hasProc))
  func quitting() throws {
    let run = try sh("EDITOR='kill -QUIT $$; :' pnmerge edit a; echo $?")
    #expect(run.output == "74\n")
    #expect(run.errors.contains("the editor ended with status 131"), "\(run.errors)")
  }

  @Test("an interrupt after the editor has ended is ours again", .enabled(if: canLock))
  func interruptAfterwards() throws {
    let run = try sh(
      """
      mkfifo ready
      # Until we end the file is locked, and we are interrupted again and again.
      export EDITOR='f() { sed -i s/title:.T/title:\\ U/ "$1"
        flock a sh -c "echo > ready; while kill -INT $PPID 2> kills; do sleep 0.1; done" &
        read x < ready; }; f'
      "$P" edit a; echo $?; wait; pnmerge cat a | grep title
      """)
    #expect(run.output == "130\ntitle: T\n", "\(run.errors)")
  }

  @Test("a program that cannot be started is named as the reason")
  func missing() throws {
    let run = try sh("EDITOR=true; export EDITOR; PATH=/nowhere; \"$P\" edit a; echo $?")
    #expect(run.output == "74\n")
    #expect(run.errors.hasPrefix("pnmerge: a: cannot run the editor: no such file or directory"))
  }

  private static let hasProc = FileManager.default.fileExists(atPath: "/proc/self/fd")
}
