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
    host.pnmerge(["export", "l", "-o", "e.json"] + mark)
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
      host.pnmerge("cat", "l", "/tasks").output.filter { !$0.isWhitespace }
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
      host.pnmerge("cat", "l", "/tasks").output.filter { !$0.isWhitespace }
        == #"[{"d":false,"id":"c"},{"d":true,"id":"b"},{"d":true,"id":"a"}]"#)
  }

  @Test(
    "words that were written since are not replaced by those of an old export",
    arguments: [true, false])
  func rewordedTwice(isMarked: Bool) {
    let mark = isMarked ? ["--with-version"] : []
    host.pnmerge(["export", "a", "-o", "a.md"] + mark)
    host.setText("new", "milk\npea\nbread\n")
    host.pnmerge("edit", "a", "--body-file", "new")
    edit("a.md", "eggs", "fig")
    host.pnmerge("import", "a.md", "-o", "a")
    let conflicts = host.pnmerge("conflicts", "a").output
    #expect(conflicts.contains("pea"), "\(conflicts) \(body())")
    #expect(conflicts.contains("fig"), "\(conflicts) \(body())")
  }

  @Test("a file that holds what came in since is an edit of the version with it")
  func newer() {
    host.pnmerge("export", "a", "-o", "a.md")
    addAtPhone()
    host.setText("a.md", host.pnmerge("cat", "a").output)
    edit("a.md", "milk", "oat milk")
    let run = host.pnmerge("import", "a.md", "-o", "a")
    #expect(body() == "oat milk\neggs\nham\nbread\n")
    #expect(run.output == "a: changed body\n")
  }

  @Test(
    "what was deleted in an export goes, though an older version is nearer",
    arguments: ["md", "txt", "json"], [true, false])
  func deletedAndEdited(suffix: String, isMarked: Bool) {
    if isMarked, suffix == "txt" { return }
    let file = "a.\(suffix)"
    addAtPhone()
    let mark = isMarked ? ["--with-version"] : []
    host.pnmerge(["export", "a", "-o", file] + mark)
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

  @Test("what was added to a file that nothing is known of takes back nothing that came in since")
  func addedBesideSomethingAlike() {
    host.setText("l.json", #"{"shop":"corner","todo":[{"id":1,"t":"aa"},{"id":2,"t":"bb"}]}"#)
    host.pnmerge("import", "l.json", "-o", "l")
    let old = host.pnmerge("cat", "l").output
    host.pnmerge("set", "l", "/shop", "\"market\"")
    host.pnmerge("insert", "l", "/todo/-", #"{"id":3,"t":"cc"}"#)
    let compact = old.filter { !$0.isWhitespace }
    host.setText("old.json", compact.replacing("}]", with: #"},{"id":4,"t":"dd"}]"#))
    let run = host.pnmerge("import", "old.json", "-o", "l")
    #expect(run.output.contains("the version nearest to old.json"), "\(run)")
    let list = host.pnmerge("cat", "l", "/todo").output.filter { !$0.isWhitespace }
    for element in ["aa", "bb", "cc", "dd"] {
      #expect(list.ranges(of: #""t":"\#(element)""#).count == 1, "\(list)")
    }
    #expect(host.pnmerge("cat", "l", "/shop").output == "\"market\"\n")
  }

  @Test("a place that is edited as of an old version is named as it stands now")
  func namedAsNow() {
    host.setText(
      "l.json", #"{"items":[{"t":"Budget","m":10},{"t":"Hiring","m":20},{"t":"Travel","m":30}]}"#)
    host.pnmerge("import", "l.json", "-o", "l")
    host.pnmerge("export", "l", "--with-version", "-o", "x.json")
    host.pnmerge("remove", "l", "/items/0")
    host.setText(
      "x.json", String(decoding: host["x.json"] ?? [], as: UTF8.self).replacing("30", with: "35"))
    let run = host.pnmerge("import", "x.json", "-o", "l")
    #expect(run.output.hasPrefix("l: changed /items/1/m, as an edit of"), "\(run)")
    #expect(host.pnmerge("cat", "l", "/items/1/m").output == "35\n")
  }

  @Test("a line that is a little like one that somebody added is added beside that")
  func lineBesideOneAlike() {
    let start = "apples are red\nbread from the baker\nmilk in glass bottles\nrice for the week\n"
    host.setText("n.md", start)
    host.pnmerge("import", "n.md", "-o", "n")
    let now = start.replacing("bread from the baker\n", with: "").replacing(
      "rice", with: "buy tea 1028\nrice")
    host.setText("now.md", now)
    host.pnmerge("edit", "n", "--body-file", "now.md")
    host.setText("old.md", start.replacing("bottles\n", with: "bottles\nbuy salt 1031\n"))
    host.variables["XDG_STATE_HOME"] = "/home/me/other"
    host.pnmerge("import", "old.md", "-o", "n")
    let body = host.pnmerge("cat", "--body", "n").output
    #expect(
      Set(body.split(separator: "\n")) == Set((now + "buy salt 1031").split(separator: "\n")),
      "\(body)")
  }

  @Test(
    "a file that names its version, was edited twice and taken in on two machines, brings nothing twice",
    arguments: [("buy tea for Ann 26", "pepper"), ("SWEEP DUST", "pepper")])
  func takenInTwice(first: String, second: String) {
    let start = "mow the lawn\nbuy milk for Cy 14\ncall the plumber\nwater plants\n"
    host.setText("n.md", start)
    host.pnmerge("import", "n.md", "-o", "n")
    host.pnmerge("export", "n", "--with-version", "-o", "x.md")
    let exported = String(decoding: host["x.md"] ?? [], as: UTF8.self)
    host.variables["XDG_STATE_HOME"] = "/home/me/other"
    let once = exported.replacing("lawn\n", with: "lawn\n\(first)\n")
    host.setText("x.md", once)
    host.pnmerge("import", "x.md", "-o", "n")
    host.variables["XDG_STATE_HOME"] = "/home/me/third"
    host.setText("y.md", once.replacing("buy milk for Cy 14\n", with: "") + "\(second)\n")
    host.pnmerge("import", "y.md", "-o", "n")
    let body = host.pnmerge("cat", "--body", "n").output
    #expect(
      body == "mow the lawn\n\(first)\ncall the plumber\nwater plants\n\(second)\n", "\(body)")
  }

  @Test("a whole number beside fractions does not have an element brought in twice")
  func wholeNumber() {
    let start = #"{"items":[{"id":"a","price":1.5},{"id":"b","price":2.5}]}"#
    host.setText("l.json", start)
    host.pnmerge("import", "l.json", "-o", "l")
    host.pnmerge("export", "l", "--with-version", "-o", "x.json")
    let exported = String(decoding: host["x.json"] ?? [], as: UTF8.self)
    func added(_ text: String, _ element: String) -> String {
      guard let end = text.lastIndex(of: "]") else { return text }
      return text[..<end] + ",\(element)" + text[end...]
    }
    let once = added(exported, #"{"id":"c","price":"on request"}"#)
    for (machine, text) in [("b", once), ("c", added(once, #"{"id":"d","price":4}"#))] {
      host.variables["XDG_STATE_HOME"] = "/home/me/\(machine)"
      host.setText("x.json", text)
      host.pnmerge("import", "x.json", "-o", "l")
    }
    let shown = host.pnmerge("cat", "l", "/items").output.filter { !$0.isWhitespace }
    #expect(shown.matches(of: /"id":/).count == 4, "\(shown)")
  }

  @Test("a member of a set that was removed does not come back with an export of before")
  func removedMember() {
    host.setText(
      "s.json", #"{"tags":{"$set":["red","green"]},"tasks":["Buy milk","Call Bob","Feed cat"]}"#)
    host.pnmerge("import", "s.json", "-o", "s")
    host.pnmerge("export", "s", "--with-version", "-o", "x.json")
    let exported = host.text("x.json") ?? ""
    host.pnmerge("remove", "s", "/tags", "--member", "red")
    host.pnmerge("remove", "s", "/tasks/2")
    host.setText("x.json", exported.replacing(#/,\s*"Feed cat"/#, with: ""))
    host.pnmerge("import", "x.json", "-o", "s")
    #expect(host.pnmerge("cat", "s", "/tags").output.filter { !$0.isWhitespace } == #"["green"]"#)
    let tasks = host.pnmerge("cat", "s", "/tasks").output.filter { !$0.isWhitespace }
    #expect(tasks == #"["Buymilk","CallBob"]"#)
  }
}
