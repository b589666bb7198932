import Foundation
import PnmergeCommands
import Testing

@Suite("Texts changed against each other, by command")
struct PassageTableTests {
  /// Two copies of a note whose texts went apart.
  private func copies(_ row: PassageTable.Row) -> MemoryHost {
    let host = MemoryHost()
    host.pnmerge("new", "a", "--title", "T", "--agent", "1")
    host.setText("base", row.base)
    host.pnmerge("edit", "a", "--body-file", "base")
    host.copy("a", "b")
    host.setText("ours", row.ours)
    host.setText("theirs", row.theirs)
    host.pnmerge("edit", "a", "--body-file", "ours", "--author", "ann")
    host.pnmerge("edit", "b", "--body-file", "theirs", "--author", "bob")
    return host
  }

  @Test("a merge shows what somebody wrote, in both orders", arguments: PassageTable.rows)
  func merging(_ row: PassageTable.Row) {
    let host = copies(row)
    host.copy("a", "c")
    host.copy("b", "d")
    #expect(host.pnmerge("merge", "a", "b").status == .done)
    #expect(host.pnmerge("merge", "d", "c").status == .done)
    #expect(host["a"] == host["d"])
    let shown = host.pnmerge("cat", "--raw", "a", "/body").output
    #expect(row.shown.contains(shown), "\(shown)")
    let list = host.pnmerge("conflicts", "a", "--json").output
    #expect(
      list.components(separatedBy: #""kind":"passage""#).count == row.contested + 1, "\(list)")
    #expect(!list.contains(#""tier":"adjacent""#))
    #expect(host.pnmerge("validate", "a").status == .done)
  }

  @Test("each side can be taken, by whose it is", arguments: PassageTable.rows)
  func taking(_ row: PassageTable.Row) {
    for (side, text) in [("mine", row.ours), ("theirs", row.theirs)] where row.contested > 0 {
      let host = copies(row)
      host.pnmerge("merge", "a", "b")
      let run = host.pnmerge("resolve", "a", "/body", "--take", side)
      #expect(run.status == .done, "\(run.errors)")
      #expect(host.pnmerge("cat", "--raw", "a", "/body").output == text)
      #expect(host.pnmerge("conflicts", "a").status == .done)
      // A copy that comes later has nothing to add.
      host.pnmerge("merge", "b", "a")
      #expect(host["a"] == host["b"])
    }
  }
}

/// More stands in `Fixtures/sessions/git-strict.txt`.
@Suite("git: texts changed against each other")
struct GitPassageTests {
  @Test("git merges them so, in both orders", arguments: PassageTable.rows)
  func merging(_ row: PassageTable.Row) throws {
    let run = try GitSandbox().sh(
      """
      repository r; write() { printf %s "$1" | pnmerge edit -q n.peernote --body-file -; }
      write '\(row.base)'; save start; git checkout -qb theirs; write '\(row.theirs)'; save theirs
      git checkout -q main; write '\(row.ours)'; save ours
      merge theirs; pnmerge cat --raw n.peernote /body
      git checkout -q theirs; merge main~1; test "$(blob main)" = "$(blob theirs)"
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(row.shown.contains(run.output), "\(run.output)")
    #expect(run.errors.contains("conflict") == (row.contested > 0), "\(run.errors)")
    #expect(run.errors.contains("next to each other") == row.adjoins, "\(run.errors)")
    #expect(run.errors.isEmpty == (row.contested == 0 && !row.adjoins), "\(run.errors)")
  }
}
