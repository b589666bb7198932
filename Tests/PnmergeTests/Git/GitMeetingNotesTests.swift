import AutomergeFormat
import Foundation
import Testing

/// More stands in `Fixtures/sessions/git-meetingnotes.txt`.
@Suite("git: files of MeetingNotes")
struct GitMeetingNotesTests {
  private let git: GitSandbox

  init() throws {
    git = try GitSandbox()
  }

  /// Versions of a document of another app, in files `v0.automerge` to `v4.automerge`: on v0 a title
  /// (v1), an element (v2) and another title (v3); on v0 a line (v4).
  private func writeVersions() throws {
    func version(
      _ number: UInt8, _ old: AutomergeHistory?,
      _ edit: (inout AutomergeBuilder, (String) -> OperationID) -> Void
    ) throws -> AutomergeHistory {
      var builder = AutomergeBuilder(by: Array(repeating: number, count: 16), upon: old)
      let state = old.map { AutomergeState($0) }
      let begun = builder
      edit(&builder) { key in
        guard let state, let cell = state.cell(key, ofObject: 0) else { return .none }
        return begun.name(of: state.shown(cell), in: state)
      }
      let history = try builder.finish(time: Int64(number), message: "v\(number)")
      try Data(AutomergeState.encoded(history)).write(
        to: git.program.directory.appending(path: "v\(number).automerge"))
      return history
    }
    let root = AutomergeBuilder.root
    let first = try version(0, nil) { builder, _ in
      builder.put(.string("T"), at: "title", of: root)
      builder.insert("one\n", into: builder.put(.object(.text), at: "body", of: root))
      let list = builder.put(.object(.list), at: "list", of: root)
      _ = builder.insert(.string("a"), into: list)
    }
    func title(_ title: String, _ number: UInt8, _ old: AutomergeHistory) throws -> AutomergeHistory
    {
      try version(number, old) { builder, name in
        builder.put(.string(title), at: "title", of: root, replacing: [name("title")])
      }
    }
    let second = try version(2, try title("U", 1, first)) { builder, name in
      _ = builder.insert(.string("b"), into: name("list"))
    }
    _ = try title("V", 3, second)
    _ = try version(4, first) { builder, name in builder.insert("zero\n", into: name("body")) }
  }

  @Test("a pick brings what it changed, once; a revert takes that back; what it meets stops")
  func differences() throws {
    try writeVersions()
    let run = try git.sh(
      """
      git init -q r; cd r; pnmerge git install -q
      put() { cp "$T/v$1.automerge" a.automerge; save v$1; }
      show() {
        pnmerge export --format json --plain a.automerge | tr -d ' \\n'; echo
        pnmerge validate -q a.automerge
      }
      put 0; git branch side; put 4; git checkout -q side; put 1; put 2; git tag second
      git checkout -q main; git cherry-pick second > "$T/log"; show
      git branch old; git merge -q --no-edit side > "$T/log"; show
      git checkout -q side; git merge -q --no-edit old > "$T/log"
      test "$(git rev-parse main:a.automerge)" = "$(git rev-parse side:a.automerge)"
      git checkout -q main; git revert --no-edit second > "$T/log"; show
      git revert --no-edit HEAD > "$T/log"; show
      git revert --no-edit second~1 > "$T/log"; show
      git checkout -q -b more second; put 3; git checkout -q main
      git cherry-pick more > "$T/log" 2> "$T/words" && exit 1; git status --short
      grep -q 'it meets what was changed here since: /title; look at it in its app' "$T/words"
      """)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output == """
        {"body":"zero\\none\\n","list":["b","a"],"title":"T"}
        {"body":"zero\\none\\n","list":["b","a"],"title":"U"}
        {"body":"zero\\none\\n","list":["a"],"title":"U"}
        {"body":"zero\\none\\n","list":["b","a"],"title":"U"}
        {"body":"zero\\none\\n","list":["b","a"],"title":"T"}
        UU a.automerge

        """, "\(run.errors)")
  }
}
