import Peernote
import PnmergeCommands
import Testing

@Suite("A review on the whole screen") struct ScreenReviewTests {
  private let host = MemoryHost()

  init() { host.makeMeeting() }

  private func review(_ screen: MemoryScreen, _ words: String...) -> MemoryHost.Run {
    host.terminals = [.input, .error]
    host.screen = screen
    return host.pnmerge(["review"] + words)
  }

  private func get(_ path: String) -> String { host.pnmerge("get", "a", path).output }

  @Test("lists, decisions with words that changed, result, write")
  func whole() throws {
    let screen = MemoryScreen(typing: "\ntmy")
    let run = review(screen, "a", "b")
    #expect(run.status == .done && run.output.contains("resolved all 2"), "\(run)")
    #expect(!screen.isOpen)
    let overview = screen.text(0)
    for part in [
      "Merge into a", #"  l, "Row", n: 1 became 2 (bob, 20 Nov 14:02)"#, "Only in a",
      "  1  body: open", "  2  title: open", "2 to decide", "Enter decide",
    ] { #expect(overview.contains(part), "\(part) in \(overview)") }
    let body = screen.shown[1]
    let bodyText = screen.text(1)
    #expect(bodyText.contains("1 of 2  body: both changed this passage"), "\(bodyText)")
    #expect(
      bodyText.contains("Before\n  (nothing)\n") && bodyText.contains("2  Mine, ada, 20 Nov 14:02"))
    let marked = body.flatMap(\.pieces).filter { $0.style == .green }.map(\.text)
    #expect(marked.contains { $0.contains("great") } && marked.contains { $0.contains("old") })
    #expect(screen.text(2).contains("2 of 2  title: set on both sides"))
    #expect(screen.text(3).contains("What a will hold that it does not hold now"))
    #expect(get("/title") == "\"U\"\n")
    #expect(get("/body") == "\"We meet in the great hall at noon.\\n\"\n")
  }

  @Test("sides stand beside each other where there is room, below each other elsewhere")
  func layout() throws {
    let wide = MemoryScreen(rows: 50, columns: 160, [.enter])
    _ = review(wide, "a", "b")
    let row = try #require(wide.shown[1].map(\.text).first { $0.contains("Before") })
    #expect(row.contains("Mine") && row.contains("Theirs") && row.contains("Result"), "\(row)")
    let narrow = MemoryScreen(rows: 20, columns: 40, [.enter, .end])
    _ = review(narrow, "a", "b")
    #expect(narrow.shown[1].map(\.text).contains { $0.hasPrefix("Before") && !$0.contains("Mine") })
    #expect(narrow.text(1).contains("more rows below"))
    // What does not fit into the first and the last row is not lost.
    #expect(narrow.text(1).hasSuffix("m mine  t theirs  b both  ? help        "))
    let small = MemoryScreen(rows: 20, columns: 30, [.enter])
    _ = review(small, "a", "b")
    #expect(small.text(1).contains("\n1 of 2  body: both changed \nthis passage\n"))
    #expect(small.text(1).hasSuffix("m mine  t theirs  ? help      "), "\(small.text(1))")
    #expect(narrow.text(2).contains("Result unless decided"))
  }

  @Test("joined emoji, of whose width terminals disagree, are shown side by side")
  func emoji() {
    host.pnmerge("set", "b", "/title", "\"👩\u{200D}👧 👍🏽 ❤\u{FE0F} क्\u{200D}ष end\"")
    let screen = MemoryScreen(rows: 50, columns: 100, [.enter, .down, .end])
    _ = review(screen, "a", "b")
    #expect(screen.allText.contains("👩+👧 👍+🏽 ❤ क्\u{200D}ष end"), "\(screen.allText)")
    #expect(!screen.allText.contains("👩\u{200D}"))
  }

  @Test("a page that is longer than the screen begins at its top, and goes to what is chosen")
  func scroll() {
    let screen = MemoryScreen(rows: 8, columns: 80, [.down, .home, .end, .pageUp])
    _ = review(screen, "a", "b")
    let chosen = "  2  title: open"
    #expect(screen.text(0).contains("Comes in") && !screen.text(0).contains(chosen))
    #expect(screen.text(1).contains(chosen))
    #expect(screen.text(2).contains("Comes in"))
    #expect(screen.text(3).contains(chosen))
    #expect(screen.text(4).contains("Comes in"))
  }

  @Test("every screen is filled and never overfilled, at any size", arguments: [1, 3, 8, 24, 50])
  func sizes(rows: Int) {
    host.pnmerge("set", "b", "/title", "\"漢字の\u{301}題 \u{1B}[31m\ttab\"", "--author", "bob")
    for columns in [1, 4, 17, 40, 80, 99, 100, 160] {
      let screen = MemoryScreen(
        rows: rows, columns: columns,
        [.down, .enter, .pageDown, .end, .home, .up, .character("?"), .escape, .character("w")])
      _ = review(screen, "a", "b")
      for shown in screen.shown {
        #expect(shown.count == rows)
        for row in shown {
          let width = row.text.reduce(0) { $0 + MemoryScreen.columns(of: $1) }
          #expect(width <= max(columns, 4), "\(row.text)")
          #expect(!row.text.unicodeScalars.contains { $0.value < 32 })
        }
      }
    }
  }

  @Test(
    "left before the end, nothing is written; something decided is asked for once more",
    arguments: ["q", "", "\ntqq", "\ntq", "\ntmn", "wn", "\ntm"])
  func left(keys: String) {
    let before = host["a"]
    let screen = MemoryScreen(typing: keys)
    let run = review(screen, "a", "b")
    #expect(run.status == .different && run.output == "a: nothing was written\n", "\(run)")
    #expect(host["a"] == before && !screen.isOpen)
    #expect(
      screen.allText.contains("Leave without writing anything?")
        == ["tq", "qq", "mn"].contains { keys.hasSuffix($0) })
  }

  @Test("an interrupt keeps what was decided so far")
  func interrupted() {
    let run = review(MemoryScreen(typing: "\nnm\u{3}"), "a", "b")
    #expect(run.status == .interrupted && run.output.contains("resolved 1, left 1"), "\(run)")
    #expect(get("/title") == "\"U\"\n")
  }

  @Test("decisions are taken back, searched, and made for all that is left")
  func keys() {
    let screen = MemoryScreen(typing: "MuT/v\n\u{1B}?\u{1B}zy")
    let left = review(screen, "a", "b")
    #expect(screen.allText.contains("Taken back."), "\(screen.allText)")
    #expect(left.status == .different)
    let again = review(MemoryScreen(typing: "\n/V\nml/x\u{1B}/nothing\n2uTy"), "a", "b")
    #expect(again.status == .done && get("/title") == "\"V\"\n", "\(again)")
  }

  @Test("an editor has the terminal for itself, and decides nothing if it is left without a change")
  func editors() {
    host.useEditor { $0 }
    let unchanged = MemoryScreen(typing: "\nneq")
    _ = review(unchanged, "a", "b")
    #expect(unchanged.leaveCount == 1)
    #expect(unchanged.allText.contains("Nothing was edited, and nothing is decided."))
    host.useEditor(status: 1) { _ in "W" }
    let failed = MemoryScreen(typing: "\nneq")
    _ = review(failed, "a", "b")
    #expect(failed.allText.contains("nothing is decided"), "\(failed.allText)")
    host.useEditor { _ in "W\n" }
    #expect(review(MemoryScreen(typing: "\nnewy"), "a", "b").status == .different)
    #expect(get("/title") == "\"W\"\n")
  }

  @Test("what breaks the schema is said, and the last decision taken back")
  func schema() {
    host.setText("s.json", #"{"properties":{"title":{"not":{"const":"V"}}}}"#)
    let screen = MemoryScreen(typing: "\nmtmy")
    let run = review(screen, "a", "b", "--schema", "s.json")
    #expect(screen.allText.contains("would break the schema"), "\(screen.allText)")
    #expect(run.status == .done && get("/title") == "\"U\"\n", "\(run)")
  }

  @Test("--plain asks line by line though there is a screen")
  func plain() {
    let screen = MemoryScreen(typing: "")
    host.answers = ["q"]
    let run = review(screen, "--plain", "a", "b")
    #expect(screen.shown.isEmpty && run.errors.contains("2 places are to be decided:"))
  }
}
