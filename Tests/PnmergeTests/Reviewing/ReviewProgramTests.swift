import Foundation
import PeernoteTestSupport
import Testing

@Suite("A review in a real terminal") struct ReviewProgramTests {
  @Test(
    "keys, sizes, an editor that fails, stopping and breaking off", arguments: [(80, 24), (40, 20)])
  func terminal(columns: Int, rows: Int) throws {
    let tool = Repository.path("Tests/Tools/drive_review.py").path
    let run = try Program().sh(
      """
      set -e
      pnmerge new -q a --title T --author ada
      pnmerge set -q a /body --text 'We meet at noon in the hall.' --author ada
      cp a b
      for side in 'a U one ada' 'b V two bob'; do
        set -- $side
        pnmerge set -q $1 /title "\\"$2\\"" --author $4
        pnmerge set -q $1 /body "\\"We meet at $3 in the hall.\\"" --author $4
      done
      cp a first
      python3 '\(tool)' "$P" \(columns) \(rows)
      pnmerge cat a /title; pnmerge cat a /body; pnmerge conflicts -q a
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output == "\"V\"\n\"We meet at two in the hall.\"\n", "\(run)")
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
      git status --short -uno; pnmerge cat n.peernote /title; pnmerge conflicts -q n.peernote
      grep -c 'Write it?' "$T/done"
      """)
    #expect(run.output == "UU n.peernote\nM  n.peernote\n\"U\"\n1\n", "\(run)")
  }
}
