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

  #if os(Linux)
    @Test("the terminal library is loaded by a review alone")
    func loading() throws {
      let program = try Program()
      let run = try program.sh(#"ldd "$P" | grep -c -e curses -e tinfo"#)
      #expect(run.output == "0\n", "\(run)")
    }
  #endif
}
