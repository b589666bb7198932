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

@Suite("git: texts changed against each other")
struct GitPassageTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// A repository with the branches main and theirs, and the row's texts.
  private func branches(_ row: PassageTable.Row) -> String {
    func file(_ name: String, _ text: String) -> String {
      "printf %s '\(text)' > \"$T/\(name)\""
    }
    return """
      repository r
      \(file("base", row.base)); \(file("ours", row.ours)); \(file("theirs", row.theirs))
      write() { pnmerge edit -q n.peernote --body-file "$T/$1"; }
      write base; save start
      git checkout -qb theirs; write theirs; save theirs; git checkout -q main; write ours; save ours
      """
  }

  @Test("git merges them so, in both orders", arguments: PassageTable.rows)
  func merging(_ row: PassageTable.Row) throws {
    let run = try git.sh(
      """
      \(branches(row))
      merge theirs; pnmerge cat --raw n.peernote /body
      git checkout -q theirs; merge main~1; test "$(blob main)" = "$(blob theirs)"
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(row.shown.contains(run.output), "\(run.output)")
    #expect(run.errors.contains("conflict") == (row.contested > 0), "\(run.errors)")
    #expect(run.errors.contains("next to each other") == row.adjoins, "\(run.errors)")
    #expect(run.errors.isEmpty == (row.contested == 0 && !row.adjoins), "\(run.errors)")
  }

  @Test("a strict driver leaves what is contested to a person, merged")
  func strict() throws {
    let run = try git.sh(
      """
      \(branches(PassageTable.rows[0]))
      pnmerge git install -q --strict
      ! merge theirs; git status --short | grep n.peernote
      pnmerge conflicts n.peernote > "$T/list" || pnmerge resolve -q n.peernote /body --take kept
      git add n.peernote; git commit -qm merged; pnmerge cat --raw n.peernote /body
      pnmerge conflicts n.peernote > "$T/list"
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == "UU n.peernote\nPay 9,500 euros on 30 December\n"
        || run.output == "UU n.peernote\nPay 11,000 euros on 10 December\n", "\(run.output)")
    #expect(run.errors.contains("1 conflict (passage)"), "\(run.errors)")
  }

  @Test("a strict driver merges what nobody has to decide")
  func strictWithoutConflict() throws {
    try git.expect(
      "I receive letters",
      from: """
        \(branches(PassageTable.rows[1]))
        pnmerge git install -q --strict; merge theirs; pnmerge cat --raw n.peernote /body
        """)
  }

  @Test("git mergetool takes the merge that a strict driver left")
  func mergetool() throws {
    let run = try git.sh(
      """
      \(branches(PassageTable.rows[0]))
      pnmerge git install -q --strict; ! merge theirs
      git -c mergetool.keepBackup=false mergetool --tool=peernote --no-prompt n.peernote > "$T/tool"
      git status --short | cut -c1-2; pnmerge conflicts n.peernote > "$T/list" || echo open
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "M \nopen\n", "\(run.output)")
  }
}
