import Peernote
import PnmergeCommands
import Testing

/// Exports that come back edited, and look nearer to the document as it is than to what they were.
extension ImportBaseTests {
  private static let tasks =
    #"{"tasks":[{"d":false,"id":"a"},{"d":false,"id":"b"},{"d":false,"id":"c"}]}"#

  /// A list of tasks is exported and changed in the document; then the export comes back, edited, which
  /// looks nearer to the document as it is.
  private func returnTasks(
    changedTo changed: String, isMarked: Bool, as edited: String
  ) -> MemoryHost.Run {
    host.setText("l.json", Self.tasks)
    host.pnmerge("import", "l.json", "-o", "l")
    let mark = isMarked ? ["--with-version"] : []
    host.pnmerge((["export", "l", "-o", "e.json"] + mark).map { Array($0.utf8) })
    host.setText("phone.json", changed)
    host.pnmerge("edit", "l", "--json-file", "phone.json", "--author", "phone")
    let text = String(decoding: host["e.json"] ?? [], as: UTF8.self)
    let version = text.split(separator: "\n").filter { $0.contains("peernote-version") }
    host.setText("e.json", edited.replacing("{\"tasks", with: "{\(version.joined())\"tasks"))
    return host.pnmerge("import", "e.json", "-o", "l")
  }

  @Test(
    "what was ticked since is not deleted by an old export that lacks it", arguments: [true, false])
  func tickedAndDeleted(isMarked: Bool) {
    let run = returnTasks(
      changedTo: Self.tasks.replacing(#"false,"id":"b""#, with: #"true,"id":"b""#),
      isMarked: isMarked,
      as: #"{"tasks":[{"d":false,"id":"a"},{"d":true,"id":"c"}]}"#)
    #expect(run.output.contains("e.json"), "\(run.output) \(run.errors)")
    #expect(
      host.pnmerge("get", "l", "/tasks").output.filter { !$0.isWhitespace }
        == #"[{"d":false,"id":"a"},{"d":true,"id":"b"},{"d":true,"id":"c"}]"#)
    #expect(host.pnmerge("conflicts", "l").output.contains("/tasks/1"))
  }

  @Test(
    "what was ticked since stays ticked, though an old export has another order",
    arguments: [true, false])
  func tickedAndSorted(isMarked: Bool) {
    let run = returnTasks(
      changedTo: #"{"tasks":[{"d":false,"id":"b"},{"d":false,"id":"c"},{"d":true,"id":"a"}]}"#,
      isMarked: isMarked,
      as: #"{"tasks":[{"d":false,"id":"a"},{"d":false,"id":"c"},{"d":true,"id":"b"}]}"#)
    #expect(run.output.contains("e.json"), "\(run.output) \(run.errors)")
    #expect(
      host.pnmerge("get", "l", "/tasks").output.filter { !$0.isWhitespace }
        == #"[{"d":false,"id":"c"},{"d":true,"id":"b"},{"d":true,"id":"a"}]"#)
  }

  @Test(
    "words that were written since are not replaced by those of an old export",
    arguments: [true, false])
  func rewordedTwice(isMarked: Bool) {
    let mark = isMarked ? ["--with-version"] : []
    host.pnmerge((["export", "a", "-o", "a.md"] + mark).map { Array($0.utf8) })
    host.setText("new", "milk\npea\nbread\n")
    host.pnmerge("edit", "a", "--body-file", "new")
    edit("a.md", "eggs", "fig")
    host.pnmerge("import", "a.md", "-o", "a")
    let conflicts = host.pnmerge("conflicts", "a").output
    #expect(conflicts.contains("pea"), "\(conflicts) \(body())")
    #expect(conflicts.contains("fig"), "\(conflicts) \(body())")
  }

  @Test("a file that holds what came in since is an edit of the version with it, which is said")
  func newer() throws {
    host.pnmerge("export", "a", "-o", "a.md")
    let base = try head()
    addAtPhone()
    host.setText("a.md", host.pnmerge("cat", "a").output)
    edit("a.md", "milk", "oat milk")
    let run = host.pnmerge("import", "a.md", "-o", "a")
    #expect(body() == "oat milk\neggs\nham\nbread\n")
    #expect(
      run.output.hasPrefix(
        "a: changed body, as an edit of the present version, which is nearer to a.md than \(base) ("
      ), "\(run.output)")
    #expect(run.output.contains("), which a.md last held here\n"))
  }

  @Test(
    "what was deleted in an export goes, though an older version is nearer",
    arguments: ["md", "txt", "json"], [true, false])
  func deletedAndEdited(suffix: String, isMarked: Bool) {
    if isMarked, suffix == "txt" { return }
    let file = "a.\(suffix)"
    addAtPhone()
    let mark = isMarked ? ["--with-version"] : []
    host.pnmerge((["export", "a", "-o", file] + mark).map { Array($0.utf8) })
    host.setText("new", body() + "jam\n")
    host.pnmerge("edit", "a", "--body-file", "new", "--author", "desk")
    edit(file, suffix == "json" ? "ham\\n" : "ham\n", "")
    edit(file, "milk", "oat milk")
    let run = host.pnmerge("import", file, "-o", "a")
    #expect(body() == "oat milk\neggs\nbread\njam\n", "\(run.output)\(run.errors)")
    // What came in from the file is what it holds: to delete there is to delete that as well.
    edit(file, "oat milk", "rice milk")
    host.pnmerge("import", file, "-o", "a")
    edit(file, suffix == "json" ? "rice milk\\n" : "rice milk\n", "")
    edit(file, "bread", "rye bread")
    host.pnmerge("import", file, "-o", "a")
    #expect(body() == "eggs\nrye bread\njam\n")
  }

  @Test(
    "an older copy in the place of an export changes nothing, and that is said",
    arguments: [true, false])
  func replaced(isContested: Bool) throws {
    let base = try head()
    host.pnmerge("export", "a", "-o", "old.md")
    addAtPhone()
    host.pnmerge("export", "a", "-o", "a.md")
    if isContested {
      // From what was exported here it would contradict this.
      host.setText("new", body().replacing("ham", with: "hamburgers"))
      host.pnmerge("edit", "a", "--body-file", "new", "--author", "phone")
    }
    host["a.md"] = host["old.md"]
    let before = host["a"]
    let run = host.pnmerge("import", "a.md", "-o", "a")
    #expect(
      run.output.hasPrefix("a: unchanged; a.md is the version of \(base) ("), "\(run.output)")
    #expect(run.output.contains("to bring that version back: pnmerge restore a --at \(base)\n"))
    #expect(host["a"] == before)
    // From now on it is known to hold that one.
    edit("a.md", "milk", "oat milk")
    host.pnmerge("import", "a.md", "-o", "a")
    #expect(body().hasPrefix("oat milk\neggs\nham"))
  }
}
