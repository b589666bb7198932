import PnmergeCommands
import Testing

@Suite("What changes did to the content") struct PastDifferenceTests {
  private let host = MemoryHost()

  init() {
    host.pnmerge("new", "n.peernote", "--title", "Trip")
    host.pnmerge("set", "n.peernote", "/body", #""one\ntwo\n""#)
    host.pnmerge("set", "n.peernote", "/title", "\"Tour\"")
    host.pnmerge("set", "n.peernote", "/body", #""one\ntwo\nthree\n""#)
  }

  /// The names of the changes, newest first.
  private func changes(_ file: String = "n.peernote") -> [String] {
    host.pnmerge("log", file).output.split(separator: "\n").compactMap { row in
      row.split(separator: " ").last.map(String.init)
    }
  }

  @Test("a past state is compared with the present one, or with another one")
  func pastStates() throws {
    let names = changes()
    try #require(names.count == 4)
    let since = host.pnmerge("diff", "n.peernote", "--at", names[2])
    #expect(since.status == .different)
    #expect(since.output.hasPrefix("--- n.peernote (\(names[2]))\n+++ n.peernote\n@@ "))
    #expect(since.output.contains("-title: Trip\n+title: Tour\n"))
    #expect(since.output.contains("\n two\n+three\n"))
    let between = host.pnmerge("diff", "n.peernote", "--at", names[2], "--at", names[1])
    #expect(between.output.contains("+title: Tour\n") && !between.output.contains("three"))
    #expect(host.pnmerge("diff", "n.peernote", "--at", names[0]).status == .done)
    let json = host.pnmerge("diff", "--json", "n.peernote", "--at", names[1])
    #expect(json.output.contains(#""path":"/body""#) && !json.output.contains("/title"))
  }

  @Test("log --patch shows what each change did, the newest first")
  func patches() {
    let rows = host.pnmerge("log", "-p", "n.peernote").output.split(separator: "\n")
    let shown = rows.filter { "+-".contains($0.first ?? " ") }
    #expect(
      shown.first == "+three" && shown.contains("-title: Trip") && shown.last == "+---",
      "\(rows)")
    #expect(rows.count { $0.hasPrefix("@@") } == 4)
    let newest = host.pnmerge("log", "-p", "-n", "1", "n.peernote").output
    #expect(newest.contains("+three\n") && !newest.contains("Tour\n+"))
  }

  @Test("a merge's change is compared with all that it followed")
  func merges() {
    host.copy("n.peernote", "m.peernote")
    host.pnmerge("set", "m.peernote", "/priority", "\"high\"")
    host.pnmerge("set", "n.peernote", "/body", #""zero\none\ntwo\nthree\n""#)
    host.pnmerge("merge", "n.peernote", "m.peernote")
    host.pnmerge("edit", "n.peernote", "--title", "Both")
    let newest = host.pnmerge("log", "-p", "-n", "1", "n.peernote").output
    let rows = newest.split(separator: "\n").filter { "+-".contains($0.first ?? " ") }
    #expect(rows == ["-title: Tour", "+title: Both"], "\(newest)")
  }

  @Test("of several documents each change is shown with its own")
  func several() {
    host.pnmerge("new", "o.peernote", "--title", "Other")
    let output = host.pnmerge("log", "-p", "n.peernote", "o.peernote").output
    #expect(output.contains("+title: Other\n") && output.contains("+title: Tour\n"))
  }

  @Test("MeetingNotes' files have the same")
  func meetingNotes() throws {
    let host = try MeetingNotesFiles.host(("a", "c_ancestor/new"))
    let newest = host.pnmerge("log", "-p", "-n", "1", "a").output
    #expect(newest.contains("@@") && newest.contains("\n-      \"title\": \"Launch"))
  }

  @Test(
    "wrong arguments are refused in a line",
    arguments: [
      ["diff", "n.peernote"], ["diff", "n.peernote", "n.peernote", "--at", "1"],
      ["diff", "n.peernote", "--at", "zz"], ["diff", "-", "--at", "1"],
      ["diff", "n.peernote", "--at", "1", "--at", "2", "--at", "3"],
      ["log", "-p", "--json", "n.peernote"],
    ])
  func refusals(words: [String]) {
    let run = host.pnmerge(words)
    #expect(run.status == .usage && run.output.isEmpty, "\(run)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}
