import Foundation
import PeernoteTestSupport
import Testing

@Suite("A review in a real terminal") struct ReviewProgramTests {
  @Test(
    "keys, other sizes, stopping and breaking off", arguments: [(80, 24), (40, 20), (160, 50)])
  func terminal(columns: Int, rows: Int) throws {
    let program = try Program()
    let tool = Repository.path("Tests/Tools/drive_review.py").path
    let run = try program.sh(
      """
      set -e
      pnmerge new -q a --title T --author ada
      pnmerge set -q a /body --text 'We meet in the hall at noon.' --author ada
      cp a b
      for side in 'a U old' 'b V great'; do
        set -- $side
        pnmerge set -q $1 /title "\\"$2\\"" --author bob
        pnmerge set -q $1 /body "\\"We meet in the $3 hall at noon.\\"" --author bob
      done
      cp a first
      python3 '\(tool)' "$P" \(columns) \(rows)
      pnmerge get a /title; pnmerge get a /body; pnmerge conflicts -q a
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output == "\"V\"\n\"We meet in the great hall at noon.\"\n", "\(run)")
  }

  @Test("without a terminal there is one line, and what cannot draw is asked line by line")
  func otherTerminals() throws {
    let program = try Program()
    let run = try program.sh(
      "pnmerge new -q a; cp a b; pnmerge set -q b /title '\"U\"'; pnmerge review a b < /dev/null")
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("pnmerge: a review needs a terminal; "), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test("git mergetool opens the review in its terminal")
  func mergetool() throws {
    let run = try GitSandbox().sh(
      """
      repository r
      git checkout -qb theirs; pnmerge set -q n.peernote /title '"V"'; save theirs
      git checkout -q main; pnmerge set -q n.peernote /title '"U"'; save ours
      PNMERGE=0 merge theirs > "$T/log" 2>&1 && exit 1
      export TERM=dumb
      printf 'q\\n' | script -qec 'git mergetool -y --tool=peernote' /dev/null > "$T/left" || :
      git status --short -uno
      printf 'm\\ny\\n' | script -qec 'git mergetool -y --tool=peernote' /dev/null > "$T/done"
      git status --short -uno; pnmerge get n.peernote /title; pnmerge conflicts -q n.peernote
      grep -c 'Write it?' "$T/done"
      """)
    #expect(run.output == "UU n.peernote\nM  n.peernote\n\"U\"\n1\n", "\(run)")
  }

  #if os(Linux)
    @Test("the terminal library is loaded by a review alone")
    func loading() throws {
      let program = try Program()
      // The loader writes down each library that a process opens.
      let run = try program.sh(
        #"""
        ldd "$P" | grep -c -e curses -e tinfo
        pnmerge new -q a; cp a b
        for side in a b; do pnmerge set -q $side /title "\"$side\""; done
        export LD_DEBUG=files LD_DEBUG_OUTPUT="$PWD/loaded"
        "$P" merge -q -n a b; "$P" diff -q a b; "$P" conflicts -q a; "$P" review --html p a b
        "$P" review a b < /dev/null; "$P" git driver -- a a b 7 a
        cat loaded.* | grep -c -e curses -e tinfo; rm loaded.*
        printf 'q\n' | TERM=xterm script -qec "'$P' review a b" /dev/null > out
        cat loaded.* | grep -c 'calling init.*libncursesw'
        """#)
      #expect(run.output.hasPrefix("0\n"), "\(run)")
      let counts = run.output.split(separator: "\n").compactMap { Int($0) }
      #expect(counts == [0, 0, 1], "\(run)")
    }
  #endif
}
