import Peernote
import PnmergeCommands
import Testing

@Suite("Finding text")
struct FindCommandTests {
  private let host = MemoryHost()

  @Test("a directory stands for the documents in it, and a damaged one hides none of the others")
  func directories() throws {
    try host.makeDirectory(FileName("/work/d"))
    try host.makeDirectory(FileName("/work/d/e"))
    host.pnmerge("new", "d/b.peernote", "--title", "Box B", "--tag", "x")
    host.pnmerge("new", "d/e/a.peernote", "--title", "Box A", "--tag", "x")
    host.pnmerge("new", "d/c.peernote", "--title", "C")
    host.setText("d/z.txt", "no document with a box")
    let run = host.pnmerge("find", "box", "d")
    #expect(run.output == "d/b.peernote: Box B\nd/e/a.peernote: Box A\n")
    #expect(run.status == .done)
    host.setText("d/bad.peernote", "no document")
    let damaged = host.pnmerge("find", "C", "d")
    #expect(damaged.output == "d/c.peernote: C\n")
    #expect(damaged.status == .damaged)
    #expect(damaged.errors.hasPrefix("pnmerge: d/bad.peernote: "))
  }

  @Test("the place of each line is told to programs")
  func json() {
    host.setText("draft", "one\ntwo\n")
    host.pnmerge("new", "a", "--title", "T", "--body-file", "draft")
    #expect(
      host.pnmerge("find", "TWO", "a", "--json").output
        == #"{"schema":1,"matches":[{"file":"a","path":"/body","line":2,"value":"two"}]}"# + "\n")
    #expect(host.pnmerge("find", "").status == .usage)
  }

  @Test(
    "what is gone names what is there instead",
    arguments: [
      (["get", "a", "/title"], "pnmerge cat FILE PATH"),
      (["find", "a", "--where", "/n < 3"], "pnmerge export FILE | jq"),
      (["anonymize", "a", "-o", "x"], "peernote-bench anonymize"),
      (["merge", "a", "b", "--schema", "s"], "pnmerge validate --schema"),
    ])
  func successors(words: [String], successor: String) {
    let run = host.pnmerge(words)
    #expect(run.status == .usage && run.errors.contains("instead: \(successor)"), "\(run)")
  }
}
