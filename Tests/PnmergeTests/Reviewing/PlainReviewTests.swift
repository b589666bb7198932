import Peernote
import PnmergeCommands
import Testing

@Suite("A review line by line") struct PlainReviewTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  private func review(_ words: String..., answers: [String]) -> MemoryHost.Run {
    host.terminals = [.input, .error]
    host.answers = answers
    return host.pnmerge(["review", "--plain"] + words)
  }

  private func get(_ path: String) -> String { host.pnmerge("get", "a", path).output }

  @Test("lists, questions, result: all is shown by name before anything is written")
  func whole() throws {
    let run = review("a", "b", answers: ["t", "m", "y"])
    #expect(run.status == .done, "\(run)")
    for part in [
      "would come in:", #"l, "Row", n: 1 became 2 (bob, 20 Nov 14:02)"#,
      "2 places are to be decided:",
      "  1  body: open\n", "1 of 2  body  both changed this passage (/body:1)",
      "  before:\n       (nothing)\n", "  1  both, as merged:", "  2  mine, ada, 20 Nov 14:02:",
      "  3  theirs, bob, 20 Nov 14:02:\n       great \n",
      "2 of 2  title  set on both sides (/title)\n  before:\n       T\n",
      "  1  theirs, bob, 20 Nov 14:02, shown unless decided:\n       V\n",
      "What a will hold that it does not hold now:", "Write it? [y]es",
    ] { #expect(run.errors.contains(part), "\(part) in \(run.errors)") }
    #expect(run.output.contains("resolved all 2"), "\(run.output)")
    #expect(get("/title") == "\"U\"\n")
    #expect(get("/body") == "\"We meet in the great hall at noon.\\n\"\n")
    #expect(get("/l/0/n") == "2\n")
    #expect(host.pnmerge("conflicts", "a").status == .done)
    #expect(host.pnmerge("undo", "a").status == .done)
    #expect(get("/title") == "\"U\"\n" && get("/l/0/n") == "1\n")
  }

  @Test(
    "left before the end, nothing is written",
    arguments: [["q"], [], ["t", "q"], ["t", "m", "n"], ["t", "m"], ["w", "n"]])
  func left(answers: [String]) {
    let before = host["a"]
    let run = review("a", "b", answers: answers)
    #expect(run.status == .different && run.output == "a: nothing was written\n", "\(run)")
    #expect(host["a"] == before)
  }

  @Test("an interrupt keeps what was decided so far")
  func interrupted() {
    let before = host["a"]
    let nothing = review("a", "b", answers: ["\u{3}"])
    #expect(nothing.status == .interrupted && host["a"] == before)
    let run = review("a", "b", answers: ["n", "m", "\u{3}"])
    #expect(run.status == .interrupted)
    #expect(get("/title") == "\"U\"\n")
    #expect(run.output.contains("resolved 1, left 1"), "\(run.output)")
    #expect(host.pnmerge("conflicts", "a").output.contains("/body:1"))
  }

  @Test("decisions are taken back, searched, listed, and made for all that is left")
  func commands() {
    let run = review(
      "a", "b",
      answers: ["M", "u", "t", "/nothing", "/v", "l", "p", "n", "u", "?", "9", "T", "y"])
    #expect(run.status == .done, "\(run)")
    #expect(run.errors.contains("  Decided 2 places.\n"))
    #expect(run.errors.contains(#"No place to be decided holds "nothing"."#))
    #expect(run.errors.contains("decided: theirs"))
    #expect(run.errors.contains("  M and T take mine and theirs for all that is left"))
    #expect(get("/title") == "\"V\"\n")
    #expect(get("/body") == "\"We meet in the great hall at noon.\\n\"\n")
  }

  @Test("an editor that is left without a change, or fails, decides nothing")
  func editors() {
    host.useEditor { $0 }
    let unchanged = review("a", "b", answers: ["n", "e", "q"])
    #expect(unchanged.errors.contains("Nothing was edited, and nothing is decided."))
    host.useEditor(status: 1) { _ in "W" }
    let failed = review("a", "b", answers: ["n", "e", "q"])
    #expect(failed.errors.contains("the editor ended with status 1"))
    #expect(failed.errors.contains("nothing is decided."), "\(failed.errors)")
    host.useEditor { _ in "W\n" }
    #expect(review("a", "b", answers: ["n", "e", "w", "y"]).status == .different)
    #expect(get("/title") == "\"W\"\n")
  }

  @Test("a dry run writes nothing, and says what would be done")
  func dryRun() {
    let before = host["a"]
    let run = review("-n", "a", "b", answers: ["M", "y"])
    #expect(run.output.contains("would resolve all 2"), "\(run)")
    #expect(host["a"] == before)
  }

  @Test("what breaks the schema is said while it can still be decided otherwise")
  func schema() {
    host.setText("s.json", #"{"properties":{"title":{"not":{"const":"V"}}}}"#)
    let run = review("a", "b", "--schema", "s.json", answers: ["m", "t", "m", "y"])
    #expect(run.errors.contains("The last decision is taken back."), "\(run)")
    #expect(get("/title") == "\"U\"\n")
  }

  @Test("where nothing is to be decided, the result is shown and asked about")
  func nothingToDecide() {
    host.copy("a", "c")
    host.pnmerge("set", "c", "/l/0/n", "5", "--author", "cleo")
    let run = review("a", "c", answers: ["v", "y"])
    #expect(run.status == .done && run.errors.contains("Nothing is to be decided."), "\(run)")
    #expect(run.errors.contains("      \"n\": 5") || run.errors.contains("\"n\": 5"))
    #expect(get("/l/0/n") == "5\n")
  }

  @Test("of a directory the copies with news are offered")
  func directory() throws {
    try host.makeDirectory(FileName("d"))
    host.copy("a", "d/same.peernote")
    host.copy("b", "d/phone.peernote")
    host.pnmerge("new", "d/other.peernote", "--title", "Other")
    host["d/cut.peernote"] = (host["a"] ?? []).dropLast(9)
    let none = review("a", "d", answers: ["q"])
    #expect(none.status == .different)
    #expect(
      none.errors.contains(
        "1  d/phone.peernote: diverged from a: 3 changes only here, 2 only there (3 changes by bob)\n"
      ), "\(none.errors)")
    #expect(none.errors.contains(#"-  d/other.peernote: a different document ("Other", "#))
    #expect(none.errors.contains("-  d/same.peernote: same as a\n"))
    #expect(none.errors.contains("-  pnmerge: d/cut.peernote: byte "))
    let run = review("a", "d", answers: ["7", "1", "T", "y"])
    #expect(run.errors.contains("Give numbers from 1 to 1.") && get("/title") == "\"V\"\n")
    #expect(review("a", "d", answers: []).errors.contains("holds no copy with anything new"))
  }

  @Test("without a terminal, with streams or nonsense, there is one line and status 64")
  func refusals() {
    let before = host["a"]
    let run = host.pnmerge("review", "--plain", "a", "b")
    #expect(run.status == .usage)
    #expect(
      run.errors
        == "pnmerge: a review needs a terminal; to see what a merge would do: "
        + "pnmerge merge -n a b\n")
    host.terminals = [.input, .error]
    for words in [["review", "a"], ["review", "a", "-"], ["review", "--plain", "-", "b"]] {
      #expect(host.pnmerge(words).status == .usage)
    }
    #expect(host["a"] == before)
  }

  @Test("what documents hold cannot act on the terminal")
  func hostile() {
    host.pnmerge("set", "b", "/title", #""\u001b[2J\u202e""#, "--author", "b\u{1B}[0m")
    let run = review("a", "b", answers: ["n", "q"])
    #expect(!run.errors.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
    #expect(run.errors.contains(#"\u{1b}[2J\u{202e}"#))
  }
}
