import Peernote
import PnmergeCommands
import Testing

/// What is imported a second time, or into the document of another file.
extension ImportBaseTests {
  @Test("an import with --base that is tried again changes nothing")
  func again() throws {
    host.setText("h.json", #"{"l":[1,2]}"#)
    host.pnmerge("import", "h.json", "-o", "h")
    let base = try head("h")
    host.setText("h.json", #"{"l":[1,2,3]}"#)
    #expect(host.pnmerge("import", "h.json", "-o", "h", "--base", base).status == .done)
    let once = host["h"]
    let run = host.pnmerge("import", "h.json", "-o", "h", "--base", base)
    #expect(run.status == .done)
    #expect(run.output == "h: unchanged\n")
    #expect(host["h"] == once)
  }

  @Test("one edited export that is imported on two machines is one edit")
  func twoMachines() throws {
    host.keepsTime = true
    host.setText("h.json", #"{"l":["a"],"n":{"$counter":1},"t":"x"}"#)
    host.pnmerge("import", "h.json", "-o", "h")
    host.pnmerge("export", "h", "-o", "x.json", "--with-version")
    host.copy("h", "laptop")
    #expect(
      host.pnmerge("set", "laptop", "/t", #""there""#, "--author", "there").status == .done)
    edit("x.json", "\"a\"", "\"a\", \"b\"")
    edit("x.json", ": 1", ": 4")
    host.now = Timestamp(milliseconds: host.now.milliseconds + 60_000)
    #expect(host.pnmerge("import", "x.json", "-o", "h").status == .done)
    host.now = Timestamp(milliseconds: host.now.milliseconds + 3_600_000)
    #expect(host.pnmerge("import", "x.json", "-o", "laptop").status == .done)
    #expect(host.pnmerge("merge", "h", "laptop").status == .done)
    #expect(host.pnmerge("cat", "h", "/l").output == "[\n  \"a\",\n  \"b\"\n]\n")
    #expect(host.pnmerge("cat", "h", "/n").output == "4\n")
    #expect(host.pnmerge("cat", "h", "/t").output == #""there""# + "\n")
    #expect(host.pnmerge("merge", "laptop", "h").status == .done)
    #expect(host["laptop"] == host["h"])
    // Another person's import, or that of another file, is another edit.
    host.copy("h", "other")
    host.pnmerge("export", "h", "-o", "y.json", "--with-version")
    edit("y.json", ": 4", ": 5")
    host.pnmerge("import", "y.json", "-o", "h", "--author", "one")
    host.pnmerge("import", "y.json", "-o", "other", "--author", "two")
    host.pnmerge("merge", "h", "other")
    #expect(host.pnmerge("cat", "h", "/n").output == "6\n")
    #expect(host.pnmerge("validate", "h").status == .done)
  }

  @Test("a file that shares its name, but for the extension, with one of a document is refused")
  func alike() throws {
    host.setText("todo.md", "my note\n")
    host.setText("todo.txt", "something else\n")
    #expect(host.pnmerge("import", "todo.md").status == .done)
    let before = host["todo.peernote"]
    let run = host.pnmerge("import", "todo.txt")
    #expect(run.status == .cannotCreate)
    #expect(run.errors.contains("todo.peernote belongs to todo.md"), "\(run.errors)")
    #expect(host["todo.peernote"] == before)
    #expect(host.pnmerge("import", "todo.txt", "-o", "todo.peernote").status == .done)
    #expect(body("todo.peernote") == "something else\n")
    #expect(host.pnmerge("import", "todo.txt").output == "todo.peernote: unchanged\n")
  }

  @Test("an import says what it inserted a second time under the keys that were given")
  func identity() throws {
    host.setText("k.json", #"{"l":[{"key":"a","v":1}]}"#)
    host.pnmerge("import", "k.json", "-o", "k")
    host.pnmerge("export", "k", "-o", "x.json")
    host.pnmerge("insert", "k", "/l/-", #"{"key":"n","w":1}"#, "--author", "Y")
    host.setText("x.json", #"{"l":[{"key":"a","v":1},{"key":"n","w":2}]}"#)
    let run = host.pnmerge("import", "x.json", "-o", "k", "--identity", "key")
    #expect(run.output.contains("1 conflict (double insertion)"), "\(run.output)")
  }
}
